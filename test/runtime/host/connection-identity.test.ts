import { expect } from "chai";
import type { ConnectorRegistration } from "../../../runtime/entries/runtime.js";
import {
  type ConnectionIdentity,
  connect,
  enqueueAction,
  runActionProcessor,
  runCacheWriter,
  startConnector,
} from "../../../runtime/host/index.js";
import { type ItemCache, openItemCache, SILENT } from "../../support/item-cache.js";
import { failure } from "../../support/promises.js";
import {
  MODULE,
  objectSchema,
  recordType,
  type SmallClient,
  smallRegistration,
} from "../../support/registration.js";

const SERVICES = {
  "app-1": {
    actionProcessor: { CreateSiteConfig: { ProcessQueuedEvent: true } },
    cacheWriter: { SiteConfig: { UploadObject: true } },
  },
};

interface Properties {
  readonly apiKey: string;
  readonly connectionEnvironment?: number;
}

/** A connector whose connection leads to `address`. */
function registrationAt(address: unknown): ConnectorRegistration<SmallClient> {
  const properties = recordType(
    "ApiKeyAuth",
    objectSchema({
      apiKey: { type: "string", writeOnly: true },
      connectionEnvironment: { type: "number", enum: [0, 1, 2] },
    }),
  );
  const connection = {
    get BaseUrl() {
      if (address instanceof Error) throw address;
      return address;
    },
  };
  return {
    ...smallRegistration({ clientHelper: () => ({ client: { baseUrl: "" }, connection }) }, [MODULE]),
    connections: [{ key: "apiKeyAuth", properties }],
    configuration: recordType("RegistrationConfiguration", objectSchema({})),
  };
}

function connected(address: unknown, properties: Properties) {
  const connector = startConnector(registrationAt(address), {
    registrationConfiguration: {},
    services: SERVICES,
    log: SILENT,
  });
  const container = { DefinitionKey: "apiKeyAuth", Configuration: JSON.stringify(properties) };
  return { connector, services: connect(connector, container) };
}

const identityOf = (address: unknown, properties: Partial<Properties> = {}): ConnectionIdentity =>
  connected(address, { apiKey: "k3y-of-tests", ...properties }).services.identity;

describe("the identity of a connection", () => {
  it("is its definition, its environment and its address", () => {
    expect(identityOf("https://example.com/v2/", { connectionEnvironment: 2 })).to.deep.equal({
      ...{ definition: "apiKeyAuth", environment: "Test", address: "https://example.com/v2" },
    });
    expect(identityOf("https://example.com", { connectionEnvironment: 1 })).to.deep.equal({
      ...{ definition: "apiKeyAuth", environment: "Production", address: "https://example.com" },
    });
  });

  it("knows no environment and no address where the connection knows none", () => {
    const expected = { definition: "apiKeyAuth", environment: null, address: null };
    expect(identityOf(undefined)).to.deep.equal(expected);
    expect(identityOf(new Error("No base url was set."))).to.deep.equal(expected);
  });

  it("has no secret in it, and tells secret addresses apart all the same", () => {
    expect(identityOf("https://me:pass@example.com/v2?token=abc#x").address).to.equal(
      "https://example.com/v2",
    );
    const [one, other] = ["a", "b"].map((end) => {
      const { address } = identityOf(`https://example.com/hooks/k3y-of-tests/${end}`);
      expect(address).to.match(/^sha256-[\w-]{16}$/);
      return address;
    });
    expect(one).to.not.equal(other);
    expect(identityOf("https://example.com", { apiKey: "another key" })).to.deep.equal(
      identityOf("https://example.com"),
    );
  });
});

describe("a store of another connection", () => {
  let cache: ItemCache;
  beforeEach(async () => {
    cache = await openItemCache();
  });
  afterEach(() => cache.remove());

  it("is named by what is known of both connections", async () => {
    const { store } = cache;
    const known = { definition: "apiKeyAuth", environment: null, address: "https://one.example.com" };
    await store.bind(known);
    const error = await failure(store.bind({ ...known, environment: "Test", address: null }));
    expect((error as Error).message).to.include(
      "belongs to the connection apiKeyAuth (https://one.example.com), not to apiKeyAuth (Test).",
    );
    const other = await failure(store.bind({ definition: "basicAuth", environment: null, address: null }));
    expect((other as Error).message).to.include("(https://one.example.com), not to basicAuth.");
  });

  it("is refused by both services, with what is queued and cached left as it is", async () => {
    const { store } = cache;
    const use = (environment: number) => {
      const { connector, services } = connected(`https://${environment}.example.com`, {
        ...{ apiKey: "k3y-of-tests", connectionEnvironment: environment },
      });
      const [module] = connector.modules;
      const [action] = module?.actionProcessor.actions ?? [];
      if (module === undefined || action === undefined) throw new Error("the connector has no action");
      const run = { store, ...services, log: SILENT, signal: new AbortController().signal };
      return {
        write: () => runCacheWriter(module.cacheWriter.dataObjects, run),
        perform: () => runActionProcessor([module], run),
        enqueue: () => enqueueAction(action, { id: "a" }, { ledger: store.ledger }),
      };
    };
    const [test, production] = [use(2), use(1)];
    await test.perform();
    await test.enqueue();
    expect(await failure(production.perform())).to.include({ problem: "other-connection" });
    const [result] = await production.write();
    expect(result).to.include({ outcome: "failed" });
    expect(result?.message).to.include(
      "belongs to the connection apiKeyAuth (Test, https://2.example.com), not to apiKeyAuth (Production, https://1.example.com).",
    );
    expect((await store.ledger.get(1))?.state).to.equal("queued");
    expect((await test.perform()).failed).to.equal(1);
  });
});
