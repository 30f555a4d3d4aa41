/** The module of a connection definition. */

import { keepsOrder, membersOf } from "../../schemas/json.js";
import { isEnvironment } from "../../schemas/model/connection-members.js";
import type { AttributeModel, BaseUrlModel, ConnectionModel } from "../../schemas/model/connector-model.js";
import { applyConvention } from "../../schemas/naming/conventions.js";
import { lowerFirst } from "../../schemas/naming/words.js";
import { type Code, type Entry, list, object } from "../typescript/code.js";
import { jsonLiteral, propertyKey, stringLiteral } from "../typescript/literals.js";
import { ModulePrinter } from "../typescript/module-printer.js";
import { type ExpressionContext, printDefinition, schemaCode, vocabularyCall } from "./schema-expression.js";

const CONTEXT: ExpressionContext = { convention: "camelCase", reference: stringLiteral };

/** The file of one connection. */
export function connectionModule(model: ConnectionModel, identifier: string, file: string) {
  const printer = new ModulePrinter(file, `${identifier}: what a user enters to reach the target system.`);
  const entries: readonly Entry[] = [
    { key: "authType", value: stringLiteral(model.authType) },
    { key: "title", value: stringLiteral(model.title) },
    { key: "description", value: stringLiteral(model.description) },
    {
      key: "properties",
      value: object(model.attributes.map(attributeEntry)),
    },
    ...addressEntries("baseUrl", model.baseUrl),
    ...addressEntries("tokenUrl", model.tokenUrl),
    ...addressEntries("authorizationUrl", model.authorizationUrl),
    ...(model.key === lowerFirst(model.name) ? [] : [{ key: "key", value: stringLiteral(model.key) }]),
  ];
  printDefinition(printer, identifier, "defineConnection", model.name, entries);
  return printer.scaffoldFile();
}

function attributeEntry(attribute: AttributeModel): Entry {
  const value = attributeCode(attribute);
  return {
    key: propertyKey(attribute.name),
    value: attribute.isRequired ? value : vocabularyCall("Type.Optional", value),
  };
}

/** What a property of a connection is made of. */
export function attributeCode(attribute: AttributeModel): Code {
  const named = applyConvention(attribute.name, "camelCase") === attribute.key;
  const options: readonly Entry[] = [
    ...(named ? [] : [{ key: "jsonPropertyName", value: stringLiteral(attribute.key) }]),
    { key: "title", value: stringLiteral(attribute.title) },
    { key: "description", value: stringLiteral(attribute.description) },
    { key: "isSensitive", value: String(attribute.isSensitive) },
  ];
  if (attribute.options.length === 0) return schemaCode(attribute.schema, CONTEXT, options);
  if (isEnvironment(attribute.key, attribute.options))
    return vocabularyCall("ConnectionEnvironment", object(options));
  return optionSetCode(attribute, options);
}

/** An OptionSet; the list as the file has it where an object literal can't hold it. */
function optionSetCode(attribute: AttributeModel, own: readonly Entry[]): Code {
  const values = attribute.options.map(({ label, value }) => [label, value] as const);
  if (keepsOrder({ members: values }) && values.every(([, value]) => value !== 0)) {
    const entries = values.map(([label, value]) => ({ key: propertyKey(label), value: String(value) }));
    return vocabularyCall("OptionSet", object(entries), object(own));
  }
  const listed = attribute.options.map(({ label, value }) => membersOf(["label", label], ["value", value]));
  const options = object([...own, { key: "options", value: jsonLiteral(listed) }]);
  const [only, ...others] = attribute.options.map(({ value }) => String(value));
  if (only === undefined || others.length === 0) return vocabularyCall("Type.Literal", only, options);
  const literals = [only, ...others].map((value) => vocabularyCall("Type.Literal", value));
  return vocabularyCall("Type.Union", list(literals), options);
}

function addressEntries(key: string, address: BaseUrlModel): readonly Entry[] {
  switch (address.kind) {
    case "none":
      return [];
    case "fixed":
      return [{ key, value: stringLiteral(address.url) }];
    case "property":
      return [{ key, value: object([{ key: "property", value: stringLiteral(address.property) }]) }];
    case "environment":
      return [
        {
          key,
          value: object([
            { key: "Production", value: stringLiteral(address.production) },
            { key: "Test", value: stringLiteral(address.test) },
          ]),
        },
      ];
    default:
      return address satisfies never;
  }
}
