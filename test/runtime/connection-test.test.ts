import { expect } from "chai";
import {
  type AuthHandler,
  apiKeyHandler,
  clientCredentialsHandler,
  createClientHelper,
  type HttpClient,
  servicesOf,
} from "../../runtime/client/index.js";
import { testConnection } from "../../runtime/host/index.js";
import type { ConnectionContainer, ConnectorRegistration } from "../../runtime/index.js";
import { NoProperties } from "../support/api-client.js";
import { answerJson, closeServers, deadOrigin, rejection, serve } from "../support/loopback.js";
import { smallRegistration } from "../support/small-registration.js";

const CONTAINER: ConnectionContainer = { DefinitionKey: "any", Configuration: "{}" };
const API_KEY: AuthHandler<NoProperties> = () => apiKeyHandler({ key: "k" });

/** A connector that reads `/projects` at `origin` to test its connection, as scaffolded ones do. */
function connectorAt(origin: string, authHandler = API_KEY): ConnectorRegistration<HttpClient> {
  return {
    ...smallRegistration(),
    connections: [{ key: "any", properties: NoProperties.type }],
    clientHelper: createClientHelper({
      definitions: { any: servicesOf(NoProperties, authHandler) },
      createClient: (http) => http.at(origin),
      retry: { tries: 1 },
      timeouts: { responseMs: 200 },
    }),
    connectionTestHandler: ({ client, signal }) => client.get("projects", { signal }),
  };
}

describe("a connection test through the client", () => {
  afterEach(closeServers);

  const answered = async (status: number) => {
    const { origin } = await serve((_, response) => answerJson(response, [], status));
    return testConnection(connectorAt(origin), CONTAINER);
  };

  it("gives every row of §4.3 for what a server answers", async () => {
    expect(await answered(200)).to.deep.equal({
      success: true,
      message: "Successful test.",
      statusCode: 200,
    });
    expect(await answered(403)).to.deep.equal({
      success: false,
      message: "Invalid Credentials: Forbidden.",
      statusCode: 403,
    });
    expect(await answered(401)).to.deep.equal({
      success: false,
      message: "Invalid Credentials: Unauthorized",
      statusCode: 401,
    });
    expect(await answered(404)).to.deep.equal({ success: false, message: "Unknown Issue.", statusCode: 404 });
  });

  it("gives no response where nobody listens, and where nobody answers in time", async () => {
    const none = { success: false, message: "Failed to get response from server", statusCode: 500 };
    expect(await testConnection(connectorAt(await deadOrigin()), CONTAINER)).to.deep.equal(none);
    const { origin } = await serve(() => undefined);
    expect(await testConnection(connectorAt(origin), CONTAINER)).to.deep.equal(none);
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
