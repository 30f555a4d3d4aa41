import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { createClientHelper, headerHandler, servicesOf } from "../../../runtime/client/index.js";
import { type ConnectorRegistration, failed } from "../../../runtime/entries/runtime.js";
import {
  connect,
  enqueueAction,
  openSqliteStore,
  runActionProcessor,
  runCacheWriter,
  StartError,
  startConnector,
  testConnection,
} from "../../../runtime/host/index.js";
import { failure } from "../../support/promises.js";
import {
  MODULE,
  objectSchema,
  recordClass,
  recordType,
  smallContainer,
  smallRegistration,
} from "../../support/registration.js";

const CONFIGURATION = objectSchema({ Region: { type: "string", enum: ["North", "South"] } }, ["Region"]);
const CONFIGURATION_NAMES = { properties: [["region", "Region"]] } as const;
class RegistrationConfiguration extends recordClass(
  "RegistrationConfiguration",
  CONFIGURATION,
  CONFIGURATION_NAMES,
) {}
class CacheWriterConfiguration extends recordClass(
  "CacheWriterConfiguration",
  MODULE.cacheWriterConfiguration.schema as object,
  MODULE.cacheWriterConfiguration.names,
) {}
class ApiKeyAuth extends recordClass("ApiKeyAuth", objectSchema({ apiKey: { type: "string" } })) {}

/** What the author's code was called with, by who was called. */
type Seen = Record<string, { readonly registrationConfiguration: object }>;

function registrationThatNotes(seen: Seen): ConnectorRegistration<unknown> {
  const [site, ...others] = MODULE.dataObjects;
  if (site === undefined) throw new Error("the small connector has lost its data object");
  return {
    ...smallRegistration(),
    configuration: recordType("RegistrationConfiguration", CONFIGURATION, CONFIGURATION_NAMES),
    configurationClass: RegistrationConfiguration,
    modules: [
      {
        ...MODULE,
        cacheWriterClass: CacheWriterConfiguration,
        dataObjects: [
          {
            ...site,
            readerType: "full",
            record: { ...site.record, keys: [{ name: "id", isPrimary: true, properties: ["id"] }] },
            reader: async function* (context) {
              seen["reader"] = context;
              yield { id: "a" };
            },
          },
          ...others,
        ],
        actions: MODULE.actions.map((action) => ({
          ...action,
          handler: async (_, context) => {
            seen["handler"] = context;
            return failed({});
          },
        })),
      },
    ],
    clientHelper: createClientHelper({
      definitions: {
        apiKeyAuth: servicesOf(ApiKeyAuth, (_, context) => {
          seen["authHandler"] = context;
          return headerHandler({ name: "X-Key", value: () => "" });
        }),
      },
      createClient: (_http, _connection, context) => {
        seen["createClient"] = context;
        return {};
      },
    }),
    connectionTestHandler: async (context) => {
      seen["connectionTest"] = context;
      return { isSuccessful: true, statusCode: 200 };
    },
  };
}

describe("the settings of a workspace", () => {
  const services = {
    "app-1": {
      actionProcessor: { CreateSiteConfig: { ProcessQueuedEvent: true } },
      cacheWriter: { SiteConfig: { UploadObject: true }, PageSize: 50 },
    },
  };

  it("reach readers, handlers, auth handlers and the client as instances of the generated classes", async () => {
    const seen: Record<string, never> = {};
    const folder = mkdtempSync(path.join(tmpdir(), "connectorcli-test-"));
    const store = await openSqliteStore({ file: path.join(folder, "store.db") });
    try {
      const connector = startConnector(registrationThatNotes(seen), {
        registrationConfiguration: { Region: "North" },
        services,
      });
      const run = {
        ...{ store, ...connect(connector, smallContainer()), log: connector.log },
        signal: new AbortController().signal,
      };
      const [module] = connector.modules;
      const [action] = module?.actionProcessor.actions ?? [];
      if (module === undefined || action === undefined) throw new Error("the connector has no action");
      await runCacheWriter(module.cacheWriter.dataObjects, run);
      await enqueueAction(action, { id: "a" }, { ledger: store.ledger });
      await runActionProcessor([module], run);
    } finally {
      await store.close();
      rmSync(folder, { recursive: true });
    }
    const contexts: Seen = seen;
    expect(Object.keys(contexts).sort()).to.deep.equal(["authHandler", "createClient", "handler", "reader"]);
    for (const [who, { registrationConfiguration }] of Object.entries(contexts)) {
      expect(registrationConfiguration, who).to.be.instanceOf(RegistrationConfiguration);
      expect(registrationConfiguration, who).to.deep.include({ region: "North" });
      expect(Object.isFrozen(registrationConfiguration), who).to.equal(true);
    }
    const { reader, handler } = contexts as Record<string, never>;
    expect(reader).to.deep.include({ settings: { uploadObject: true } });
    expect(handler).to.deep.include({ settings: { processQueuedEvent: true } });
    const { serviceConfiguration } = reader as unknown as { serviceConfiguration: object };
    expect(serviceConfiguration).to.be.instanceOf(CacheWriterConfiguration).and.to.include({ PageSize: 50 });
  });

  it("reach the connection test, which refuses settings that do not fit", async () => {
    const seen: Seen = {};
    const registration = registrationThatNotes(seen);
    const registrationConfiguration = { Region: "South" };
    const { success } = await testConnection(registration, smallContainer(), { registrationConfiguration });
    expect(success).to.equal(true);
    expect(Object.keys(seen).sort()).to.deep.equal(["authHandler", "connectionTest", "createClient"]);
    for (const context of Object.values(seen)) {
      expect(context.registrationConfiguration).to.deep.include({ region: "South" });
    }
    const error = await failure(testConnection(registration, smallContainer()));
    expect(error).to.be.instanceOf(StartError);
    expect((error as StartError).message).to.include('expected the member "Region"');
  });
});
