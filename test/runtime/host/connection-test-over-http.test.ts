import { expect } from "chai";
import {
  type AuthHandler,
  apiKeyHandler,
  clientCredentialsHandler,
  createClientHelper,
  type HttpClient,
  type RetryOptions,
  servicesOf,
  type Transport,
} from "../../../runtime/client/index.js";
import type { ConnectionContainer, ConnectorRegistration } from "../../../runtime/entries/runtime.js";
import { connect, createLog, testConnection } from "../../../runtime/host/index.js";
import { answerJson, closeServers, deadOrigin, NoProperties, serve } from "../../support/loopback.js";
import { rejection } from "../../support/promises.js";
import { smallRegistration } from "../../support/registration.js";

const CONTAINER: ConnectionContainer = { DefinitionKey: "any", Configuration: "{}" };
const API_KEY: AuthHandler<NoProperties> = () => apiKeyHandler({ key: "k" });

/** A connector that reads `/projects` at `origin` to test its connection, as scaffolded ones do. */
function connectorAt(
  origin: string,
  authHandler = API_KEY,
  retry: RetryOptions = { maxAttempts: 1 },
): ConnectorRegistration<HttpClient> {
  return {
    ...smallRegistration(),
    modules: [],
    connections: [{ key: "any", properties: NoProperties.type }],
    clientHelper: createClientHelper({
      definitions: { any: servicesOf(NoProperties, authHandler) },
      createClient: (http) => http.at(origin),
      retry,
      timeouts: { responseMs: 200 },
    }),
    connectionTestHandler: ({ client, signal }) => client.get("projects", { signal }),
  };
}

describe("a connection test through the client", () => {
  afterEach(closeServers);

  const testAgainst = async (status: number) => {
    const { origin } = await serve((_, response) => answerJson(response, [], status));
    return testConnection(connectorAt(origin), CONTAINER);
  };

  it("goes through the transport of the host, and so does the client of a started connector", async () => {
    const trace: string[] = [];
    const transport: Transport =
      () =>
      async ({ url }) => {
        trace.push(url);
        return { url, statusCode: 204, headers: {}, body: new Uint8Array(), close: () => undefined };
      };
    const registration = connectorAt("https://api.test");
    const result = await testConnection(registration, CONTAINER, { transport });
    expect(result).to.deep.equal({ success: true, message: "Successful test.", statusCode: 204 });
    const connector = {
      ...registration,
      configuration: {},
      modules: [],
      log: createLog({ level: "silent" }),
    };
    await connect(connector, CONTAINER, { transport }).client.get("items");
    expect(trace).to.deep.equal(["https://api.test/projects", "https://api.test/items"]);
  });

  it("gives every row of §4.3 for what a server answers", async () => {
    expect(await testAgainst(200)).to.deep.equal({
      success: true,
      message: "Successful test.",
      statusCode: 200,
    });
    expect(await testAgainst(403)).to.deep.equal({
      success: false,
      message: "Invalid Credentials: Forbidden.",
      statusCode: 403,
    });
    expect(await testAgainst(401)).to.deep.equal({
      success: false,
      message: "Invalid Credentials: Unauthorized",
      statusCode: 401,
    });
    expect(await testAgainst(404)).to.deep.equal({
      success: false,
      message: "Unknown Issue.",
      statusCode: 404,
    });
  });

  it("gives no response if nobody listens, and if nobody answers in time", async () => {
    const none = { success: false, message: "Failed to get response from server", statusCode: 500 };
    expect(await testConnection(connectorAt(await deadOrigin()), CONTAINER)).to.deep.equal(none);
    const { origin } = await serve(() => undefined);
    expect(await testConnection(connectorAt(origin), CONTAINER)).to.deep.equal(none);
  });

  it("gives the last answer if repeating the call would take longer than the test", async () => {
    const unknown = (statusCode: number) => ({ success: false, message: "Unknown Issue.", statusCode });
    const { origin } = await serve((_, response, count) => {
      response.writeHead(count === 1 ? 503 : 429, { "retry-after": count === 1 ? "0" : "20" }).end();
    });
    const patient = connectorAt(origin, API_KEY, { maxAttempts: 4 });
    expect(await testConnection(patient, CONTAINER, { timeoutMs: 2_000 })).to.deep.equal(unknown(429));
    const silent = await serve((_, response, count) => {
      if (count === 1) response.writeHead(503, { "retry-after": "0" }).end();
    });
    const waiting = connectorAt(silent.origin, API_KEY, { maxAttempts: 4 });
    expect(await testConnection(waiting, CONTAINER, { timeoutMs: 300 })).to.deep.equal(unknown(503));
  });

  it("takes a client that the token endpoint refuses for unauthorized", async () => {
    const provider = await serve((_, response) => answerJson(response, { error: "invalid_client" }, 401));
    const authHandler = () =>
      clientCredentialsHandler({ tokenUrl: `${provider.origin}/token`, clientId: "c", clientSecret: "s" });
    const result = await testConnection(connectorAt(await deadOrigin(), authHandler), CONTAINER);
    expect(result).to.deep.equal({
      success: false,
      message: "Invalid Credentials: Unauthorized",
      statusCode: 401,
    });
  });

  it("says the words of §7 for a definition key that nobody knows", async () => {
    const container = { ...CONTAINER, DefinitionKey: "otherAuth" };
    const error = await rejection(testConnection(connectorAt("http://127.0.0.1:1"), container));
    expect(error.message).to.include("Unable to find services for definition key otherAuth");
  });
});
