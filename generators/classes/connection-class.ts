/** The class of a connection definition: its properties, its base address, its environments (spec §2.1). */
import type { AttributeModel, ConnectionModel } from "../../schemas/model/connector-model.js";
import { isEnvironment } from "../../schemas/model/environment.js";
import { connectionProperties } from "../../schemas/model/oauth2-members.js";
import type {
  Keyword,
  PropertyModel,
  SchemaDocument,
  SchemaModel,
} from "../../schemas/model/schema-model.js";
import { classIdentifier } from "../../schemas/naming/identifiers.js";
import { propertyKey, stringLiteral } from "../typescript/literals.js";
import { stateClass } from "./class-statement.js";
import { GeneratedModule } from "./generated-module.js";

/** The generated file of one connection. */
export function connectionClass(model: ConnectionModel, identifier: string, path: string) {
  const module = new GeneratedModule(path, `${identifier}: what a user entered to reach the target system.`);
  if (model.attributes.some(({ key, options }) => isEnvironment(key, options))) {
    const name = `ConnectionEnvironment${classIdentifier(model.authType)}`;
    module.state(
      `/** Where the target system is reached. */\nexport enum ${name} {\n  Unknown = 0,\n  Production = 1,\n  Test = 2,\n}`,
    );
  }
  const body = baseUrlBody(model, module);
  stateClass(
    {
      identifier,
      name: model.className,
      document: connectionDocument(model),
      description: model.description || model.title,
      ...(body !== undefined && { body }),
    },
    module,
  );
  return module.file();
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

function baseUrlBody({ baseUrl, attributes }: ConnectionModel, module: GeneratedModule): string | undefined {
  if (baseUrl.kind === "none" || attributes.some(({ name }) => name === "BaseUrl")) return undefined;
  const getter = (expression: string) =>
    `  /** Where the target system is. @throws Error "No base url was set." (§2.1) */\n  get BaseUrl(): string {\n    return ${expression};\n  }`;
  switch (baseUrl.kind) {
    case "fixed":
      return getter(stringLiteral(baseUrl.url));
    case "property":
      module.uses.add("givenUrl");
      return getter(`givenUrl(${member(baseUrl.property)})`);
    case "environment": {
      module.uses.add("environmentUrl");
      const environment = attributes.find(({ key, options }) => isEnvironment(key, options))?.name ?? "";
      const addresses = `{ 1: ${stringLiteral(baseUrl.production)}, 2: ${stringLiteral(baseUrl.test)} }`;
      return getter(`environmentUrl(${member(environment)}, ${addresses})`);
    }
    default:
      return baseUrl satisfies never;
  }
}

/** A property of the instance, whatever it is called. */
function member(name: string): string {
  const key = propertyKey(name);
  return key === name ? `this.${name}` : `this[${stringLiteral(name)}]`;
}
