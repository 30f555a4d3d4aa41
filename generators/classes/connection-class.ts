/** The class of a connection definition: its properties, its addresses, its environments (spec §2.1). */

import { connectionProperties, isEnvironment } from "../../schemas/model/connection-members.js";
import type { AttributeModel, BaseUrlModel, ConnectionModel } from "../../schemas/model/connector-model.js";
import type {
  Keyword,
  PropertyModel,
  SchemaDocument,
  SchemaModel,
} from "../../schemas/model/schema-model.js";
import { classIdentifier } from "../../schemas/naming/identifiers.js";
import type { GeneratedFile } from "../generated-file.js";
import type { ConnectionLayout } from "../layout.js";
import { type Code, call, object, ts } from "../typescript/code.js";
import { codegenValue } from "../typescript/codegen-symbols.js";
import { propertyKey, stringLiteral } from "../typescript/literals.js";
import { ModulePrinter } from "../typescript/module-printer.js";
import { emitClass } from "./emit-class.js";

/** The generated file of one connection. */
export function connectionClass({ model, identifier, generatedFile }: ConnectionLayout): GeneratedFile {
  const module = new ModulePrinter(
    generatedFile,
    `${identifier}: what a user entered to reach the target system.`,
  );
  const document = connectionDocument(model);
  const named = new Map<SchemaModel, string>();
  const environment = environmentOf(model);
  if (environment !== undefined) {
    const name = `ConnectionEnvironment${classIdentifier(model.authType)}`;
    const property =
      document.root.kind === "object"
        ? document.root.properties.find(({ jsonName }) => jsonName === environment.key)
        : undefined;
    if (property !== undefined) named.set(property.schema, name);
    module.declared.add(name);
    module.print(
      `/** Where the target system is reached. */\nexport enum ${name} {\n  Unknown = 0,\n  Production = 1,\n  Test = 2,\n}`,
    );
  }
  const members = addressMembers(model);
  emitClass(
    {
      identifier,
      name: model.name,
      document,
      named,
      description: model.description || model.title,
      ...(members !== undefined && { members }),
    },
    module,
  );
  return module.generatedFile();
}

/** All properties as a schema: sensitive ones are write-only, so that nothing shows them. */
export function connectionDocument(model: ConnectionModel): SchemaDocument {
  const properties = connectionProperties(model).map(
    (attribute): PropertyModel => ({
      name: attribute.name,
      jsonName: attribute.key,
      required: attribute.isRequired,
      schema: attributeSchema(attribute),
    }),
  );
  return { root: { kind: "object", nullable: false, properties, keywords: [] }, definitions: [] };
}

function attributeSchema({ schema, title, description, isSensitive }: AttributeModel): SchemaModel {
  const said: readonly Keyword[] = [
    { name: "title", value: title },
    { name: "description", value: description },
    ...(isSensitive ? [{ name: "writeOnly", value: true }] : []),
  ];
  if (schema.kind !== "verbatim") return { ...schema, keywords: [...schema.keywords, ...said] };
  if (typeof schema.json !== "object" || schema.json === null || !("members" in schema.json)) return schema;
  const members = [...schema.json.members, ...said.map(({ name, value }) => [name, value] as const)];
  return { kind: "verbatim", json: { members } };
}

/** The getters of the addresses; undefined if the definition says none. */
function addressMembers({
  attributes,
  baseUrl,
  tokenUrl,
  authorizationUrl,
}: ConnectionModel): Code | undefined {
  const getters = [
    { name: "BaseUrl", address: baseUrl, says: "Where the target system is" },
    { name: "tokenUrl", address: tokenUrl, says: "Where tokens are issued" },
    { name: "authorizationUrl", address: authorizationUrl, says: "Where a user signs in and consents" },
  ].flatMap(({ name, address, says }) => {
    const code = addressCode(address, attributes);
    // A property of that name takes its place.
    return code === undefined || attributes.some((attribute) => attribute.name === name)
      ? []
      : [addressGetter(name, says, code)];
  });
  return getters.length === 0 ? undefined : getters.reduce((before, getter) => ts`${before}\n\n${getter}`);
}

function addressCode(address: BaseUrlModel, attributes: readonly AttributeModel[]): Code | undefined {
  switch (address.kind) {
    case "none":
      return undefined;
    case "fixed":
      return stringLiteral(address.url);
    case "property":
      return call(codegenValue("requireBaseUrl"), memberAccess(address.property));
    case "environment": {
      const environment = environmentOf({ attributes })?.name ?? "";
      const addresses = object([
        { key: "1", value: stringLiteral(address.production) },
        { key: "2", value: stringLiteral(address.test) },
      ]);
      return call(codegenValue("environmentBaseUrl"), memberAccess(environment), addresses);
    }
    default:
      return address satisfies never;
  }
}

function environmentOf({ attributes }: Pick<ConnectionModel, "attributes">): AttributeModel | undefined {
  return attributes.find(({ key, options }) => isEnvironment(key, options));
}

function addressGetter(name: string, says: string, address: Code): Code {
  return ts`  /** ${says}. @throws Error "No base url was set." (§2.1) */
  get ${name}(): string {
    return ${address};
  }`;
}

/** A property of the instance, whatever its name. */
function memberAccess(name: string): string {
  const key = propertyKey(name);
  return key === name ? `this.${name}` : `this[${stringLiteral(name)}]`;
}
