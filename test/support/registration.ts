/** Types of records and a small connector as generated code registers them. */

import { type NameMapping, type RecordType, typedRecord } from "../../runtime/codegen/index.js";
import type {
  ConnectionContainer,
  ConnectorClient,
  ConnectorRegistration,
  RegisteredModule,
} from "../../runtime/entries/runtime.js";
import { findings } from "../../runtime/validation/index.js";

export function recordType(name: string, schema: object, names?: NameMapping): RecordType {
  const check = (value: unknown) => findings(schema, value).length === 0;
  return { name, schema, check, ...(names !== undefined && { names }) };
}

/** A class of `schema`, as generated code makes it. */
export function recordClass(name: string, schema: object, names?: NameMapping) {
  return class extends typedRecord<object, object, object>(recordType(name, schema, names)) {};
}

/** An object with these properties, of which those in `required` must be there. */
export function objectSchema(properties: object, required: readonly string[] = []): object {
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

/** What the client of the small connector is. */
export interface SmallClient {
  readonly baseUrl: string;
}

const SITE = recordType(
  "Site",
  objectSchema({ id: { type: "string" }, phone: { type: "string", writeOnly: true } }, ["id"]),
);

export const MODULE: RegisteredModule = {
  id: "app-1",
  actionProcessorConfiguration: recordType(
    "ActionProcessorConfiguration",
    objectSchema({ CreateSiteConfig: objectSchema({ ProcessQueuedEvent: { type: "boolean" } }) }),
    {
      properties: [
        [
          "createSiteConfig",
          "CreateSiteConfig",
          { properties: [["processQueuedEvent", "ProcessQueuedEvent"]] },
        ],
      ],
    },
  ),
  cacheWriterConfiguration: recordType(
    "CacheWriterConfiguration",
    objectSchema({
      SiteConfig: objectSchema({ UploadObject: { type: "boolean" } }),
      VisitConfig: objectSchema({
        UploadObject: { type: "boolean" },
        Checkpoint: { type: ["string", "null"] },
      }),
      PageSize: { type: "integer", minimum: 1 },
    }),
    {
      properties: [
        ["siteConfig", "SiteConfig", { properties: [["uploadObject", "UploadObject"]] }],
        [
          "visitConfig",
          "VisitConfig",
          {
            properties: [
              ["uploadObject", "UploadObject"],
              ["checkpoint", "Checkpoint"],
            ],
          },
        ],
      ],
    },
  ),
  dataObjects: [
    {
      ...{ name: "Site", urlPart: "site", dataPath: "sites/app/1/site", readerType: "full", record: SITE },
      ...{ switchName: "siteConfig", reader: async function* sites() {} },
    },
    {
      ...{ name: "Visit", urlPart: "visit", dataPath: "sites/app/1/visit", readerType: "incremental" },
      ...{ record: recordType("Visit", objectSchema({})), switchName: "visitConfig" },
      reader: async function* visits() {},
    },
  ],
  actions: [
    {
      ...{ name: "Create", urlPart: "create", dataObject: "Site", switchName: "createSiteConfig" },
      ...{ input: SITE, output: SITE, failure: recordType("Failure", objectSchema({})) },
      handler: async () => ({ outcome: "failed", failure: {} }),
    },
  ],
};

/** The small connector; `client` may have a helper and a test handler of its own. */
export function smallRegistration(
  client: Partial<ConnectorClient<SmallClient>> = {},
  modules: readonly RegisteredModule[] = [MODULE],
): ConnectorRegistration<SmallClient> {
  return {
    name: "Sites",
    key: "sites",
    configuration: recordType(
      "RegistrationConfiguration",
      objectSchema({
        Region: { type: "string", enum: ["North", "South"] },
        Signature: { type: "string", minLength: 8, writeOnly: true },
      }),
      { properties: [["region", "Region"]] },
    ),
    connections: [
      {
        key: "apiKeyAuth",
        properties: recordType(
          "ApiKeyAuth",
          objectSchema(
            { apiKey: { type: "string", minLength: 4, writeOnly: true }, url: { type: "string" } },
            ["apiKey"],
          ),
        ),
      },
    ],
    modules,
    clientHelper: (container) => {
      const connection = JSON.parse(container.Configuration) as { readonly url?: string };
      return { client: { baseUrl: connection.url ?? "" }, connection };
    },
    connectionTestHandler: async () => ({ isSuccessful: true, statusCode: 200 }),
    ...client,
  };
}

/** A connection of the small connector. */
export function smallContainer(properties: object = {}, DefinitionKey = "apiKeyAuth"): ConnectionContainer {
  return { DefinitionKey, Configuration: JSON.stringify({ apiKey: "kept-from-all", ...properties }) };
}
