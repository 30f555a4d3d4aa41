import { join } from "node:path";
import { expect } from "chai";
import { generatedModules } from "../../../generators/classes/generated-modules.js";
import {
  type AuthHandler,
  apiKeyHandler,
  type ConnectionClass,
  createClientHelper,
  type HttpClient,
  headerHandler,
  resultOrThrow,
  servicesOf,
} from "../../../runtime/client/index.js";
import { RecordError } from "../../../runtime/entries/runtime.js";
import { buildConnectorModel } from "../../../schemas/entries/model.js";
import { loadConnectors, loadModules, typeErrors, withProjects } from "../../support/author-project.js";
import { answerJson, closeServers, serve } from "../../support/loopback.js";
import { SLOW_TEST_MS } from "../../support/repository.js";

interface ApiKeyConnection {
  readonly apiKey: string;
  readonly BaseUrl: string;
}

const CONNECTION = `import { defineConnection, defineConnector, Type } from "connectorcli";

const SitesAuth = defineConnection("SitesAuth", {
  authType: "Custom",
  title: "Sites",
  description: "",
  properties: {
    siteToken: Type.String({ title: "Token", description: "", isSensitive: true, minLength: 8, jsonPropertyName: "site_token" }),
    apiUrl: Type.String({ title: "Address", description: "" }),
  },
  baseUrl: { property: "apiUrl" },
});

export const connector = defineConnector("Sites", { key: "sites", description: "Places.", connections: [SitesAuth], modules: [] });
`;

describe("the client helper", () => {
  let SitesAuth: ConnectionClass<{ readonly siteToken: string; readonly BaseUrl: string }>;

  before(async () => {
    await withProjects([[{ path: "connector.ts", content: CONNECTION }]], async (_, [folder = ""]) => {
      const [connector] = await loadConnectors([join(folder, "connector.ts")]);
      const files = generatedModules(buildConnectorModel(connector).model);
      const wanted =
        files.find(({ content }) => content.includes("class SitesAuth ")) ?? expect.fail("no class");
      await withProjects([files], async (_, [generated = ""]) => {
        const [loaded = {}] = await loadModules([join(generated, wanted.path)]);
        SitesAuth = loaded["SitesAuth"] as typeof SitesAuth;
      });
    });
  });

  afterEach(closeServers);

  const helper = (http?: (client: HttpClient) => void) =>
    createClientHelper({
      definitions: {
        customAuth: servicesOf(SitesAuth, ({ siteToken }) =>
          headerHandler({ name: "Authorization", value: () => `Token api=${siteToken}` }),
        ),
      },
      createClient: (client, { BaseUrl }) => {
        http?.(client);
        return client.at(BaseUrl);
      },
    });
  const open = (configuration: unknown, key = "customAuth") =>
    helper()({
      DefinitionKey: key,
      Configuration: typeof configuration === "string" ? configuration : JSON.stringify(configuration),
    });

  it("gives a client at the connection's address whose calls are authenticated, and the typed connection", async () => {
    const server = await serve((request, response) => answerJson(response, request.headers.authorization));
    const { client, connection } = open({ site_token: "s3cret-token", apiUrl: server.origin });
    expect(resultOrThrow(await client.get("x"))).to.equal("Token api=s3cret-token");
    expect(connection).to.be.instanceOf(SitesAuth);
    expect(connection).to.include({ siteToken: "s3cret-token", BaseUrl: server.origin });
  });

  it("knows only the definition keys that it was given", () => {
    for (const key of [
      "apiKeyAuth",
      "customauth",
      "",
      "toString",
      "constructor",
      "__proto__",
      "hasOwnProperty",
    ])
      expect(() => open({}, key), key)
        .to.throw(Error)
        .with.property("message", `Unable to find services for definition key ${key}`);
  });

  it("says that a configuration is not JSON, without any of its text", () => {
    for (const text of ["", "canary", '{"site_token":"canary', '{"site_token": canary}', "undefined"])
      expect(() => open(text), text)
        .to.throw(Error)
        .with.property("message", "The configuration of connection customAuth is not valid JSON.");
  });

  it("names everything in which a configuration does not fit, with secrets hidden", () => {
    for (const json of [{ site_token: "canary" }, { site_token: "canary", apiUrl: 7 }]) {
      expect(() => open(json))
        .to.throw(RecordError, /^SitesAuth: 2 findings\n/)
        .with.property("message")
        .that.matches(/site_token/)
        .and.matches(/apiUrl/)
        .and.does.not.match(/canary/);
    }
    for (const json of ["null", "[]", '"canary"', "7"]) expect(() => open(json), json).to.throw(RecordError);
  });

  it("gives the API client no credentials: calls before it has a base address go nowhere", async () => {
    let bare: HttpClient | undefined;
    helper((client) => {
      bare = client;
    })({
      DefinitionKey: "customAuth",
      Configuration: '{"site_token":"s3cret-token","apiUrl":"http://127.0.0.1:1"}',
    });
    expect(JSON.stringify(bare)).to.not.include("s3cret");
    expect(() => bare?.address("x")).to.throw("Call at(baseUrl) first");
  });

  it("hands the host and the registration configuration to the auth handler", () => {
    const host = { saveProperties: async () => {} };
    const seen: unknown[] = [];
    const auth: AuthHandler<ApiKeyConnection> = ({ apiKey }, given) => {
      seen.push(given);
      return apiKeyHandler({ key: apiKey });
    };
    const Any = class {
      declare readonly apiKey: string;
      declare readonly BaseUrl: string;
      static readonly from = (json: unknown) => json;
    };
    const clients = createClientHelper({
      definitions: { any: servicesOf(Any, auth) },
      createClient: () => 1,
    });
    const container = { DefinitionKey: "any", Configuration: "{}" };
    clients(container, host);
    clients(container);
    const registrationConfiguration = {};
    expect(seen).to.deep.equal([{ ...host, registrationConfiguration }, { registrationConfiguration }]);
  });

  it("type-checks in an author's project, which has neither got's nor Node's types", async () => {
    const files = [
      { path: "api-client.ts", content: API_CLIENT },
      { path: "client-helper.ts", content: CLIENT_HELPER },
    ];
    await withProjects([files], async (_, [folder = ""]) => {
      expect(await typeErrors(folder)).to.equal("");
    });
  }).timeout(SLOW_TEST_MS);
});

const API_CLIENT = `import { type ApiResponse, cursors, type HttpClient, linkHeaders, offsets, resultOrThrow, pageNumbers, type PageIterator } from "connectorcli/client";

interface ProjectPage { readonly items: readonly { id: string }[]; readonly next?: string | null; readonly total: number }

export class ApiClient {
  readonly #http: HttpClient;
  constructor(http: HttpClient, baseUrl: string) { this.#http = http.at(baseUrl); }
  getProjects(signal?: AbortSignal): Promise<ApiResponse<unknown>> { return this.#http.get("projects", { signal }); }
  create(name: string | undefined, signal?: AbortSignal): Promise<ApiResponse<{ id: string }>> {
    return this.#http.post("projects", { json: { name }, query: { name, tags: ["a", 1] }, signal });
  }
  byPage(signal?: AbortSignal): PageIterator<ProjectPage> {
    return pageNumbers({ read: (page) => this.#http.get<ProjectPage>("projects", { query: { page }, signal }), itemsOf: ({ items }) => items });
  }
  byOffset(): PageIterator<ProjectPage> {
    return offsets({ read: (offset) => this.#http.get<ProjectPage>("projects", { query: { offset } }), itemsOf: ({ items }) => items, totalOf: ({ total }) => total });
  }
  byCursor(): PageIterator<ProjectPage> {
    return cursors({ read: (after) => this.#http.get<ProjectPage>("projects", { query: { after } }), cursorOf: ({ next }) => next });
  }
  byLink(signal?: AbortSignal): PageIterator<ProjectPage> { return linkHeaders(this.#http, "projects", { signal }); }
  async size(): Promise<number> {
    let size = 0;
    for await (const chunk of (await this.#http.stream("file")).body) size += chunk.length;
    return size + resultOrThrow(await this.#http.get<ProjectPage>("x")).total;
  }
}
`;

const CLIENT_HELPER = `import { clientCredentialsHandler, codeFlowHandler, createClientHelper, type Middleware, headerHandler, servicesOf } from "connectorcli/client";
import { isJsonObject, type RecordMethods, requireBaseUrl, typedRecord } from "connectorcli/codegen";
import type { ClientHelper, ClientHost } from "connectorcli/runtime";
import { ApiClient } from "./api-client.js";

interface Properties { apiToken: string; scope?: string; baseUrl: string; clientSecret?: string }

class CustomAuth extends typedRecord<Properties, Properties, RecordMethods<Properties>>({ name: "CustomAuth", schema: {}, check: isJsonObject }) {
  get BaseUrl(): string { return requireBaseUrl(this.baseUrl); }
}
class OAuth2 extends typedRecord<Properties, Properties, RecordMethods<Properties>>({ name: "OAuth2", schema: {}, check: isJsonObject }) {
  readonly tenant = "t";
  get BaseUrl(): string { return requireBaseUrl(this.baseUrl); }
}

function customAuthHandler(connection: CustomAuth): Middleware {
  return headerHandler({ name: "Authorization", value: () => \`Token api=\${connection.apiToken}\` });
}

function oAuth2Handler(connection: OAuth2, host: ClientHost): Middleware {
  const { apiToken: refreshToken, scope, clientSecret } = connection;
  const options = { tokenUrl: connection.tenant, clientId: "c", scope };
  return scope === "code"
    ? codeFlowHandler({ ...options, clientSecret, refreshToken, clientAuthentication: "body" }, host)
    : clientCredentialsHandler({ ...options, clientSecret: clientSecret ?? "" }, host);
}

const ownHandler: Middleware = async (request, next) => {
  const response = await next({ ...request, headers: { ...request.headers, "x-tenant": "t" } });
  return response.statusCode === 418 ? next(request) : response;
};

export const clientHelper: ClientHelper<ApiClient> = createClientHelper({
  definitions: {
    customAuth: servicesOf(CustomAuth, customAuthHandler),
    oAuth2: servicesOf(OAuth2, oAuth2Handler),
    own: servicesOf(CustomAuth, () => ownHandler),
  },
  createClient: (http, connection) => new ApiClient(http, connection.BaseUrl),
  retry: { maxAttempts: 2 },
  rateBudget: { requests: 10, windowMs: 1_000 },
  hooks: { onRetry: ({ url, attempt }) => void [url, attempt] },
});

createClientHelper({
  definitions: { customAuth: servicesOf(CustomAuth, customAuthHandler) },
  // @ts-expect-error a connection has the properties of its class only
  createClient: (http, connection) => new ApiClient(http, connection.noSuchProperty),
});
`;
