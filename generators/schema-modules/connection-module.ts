/** The module of a connection definition. */

import { keepsOrder, membersOf } from "../../schemas/formats/json-tree.js";
import type { AttributeModel, ConnectionModel } from "../../schemas/model/connector-model.js";
import { isEnvironment } from "../../schemas/model/environment.js";
import { applyConvention } from "../../schemas/naming/conventions.js";
import { lowerFirst } from "../../schemas/naming/words.js";
import { type Code, call, type Entry, layOut, object } from "../typescript/code.js";
import { jsonLiteral, propertyKey, stringLiteral } from "../typescript/literals.js";
import { type ExpressionContext, schemaCode, use } from "./schema-expression.js";
import { SourceModule } from "./source-module.js";

/** The file of one connection. */
export function connectionModule(model: ConnectionModel, identifier: string, file: string) {
  const source = new SourceModule(file, `${identifier}: what a user enters to reach the target system.`);
  source.uses.add("defineConnection");
  const entries: readonly Entry[] = [
    { key: "authType", value: stringLiteral(model.authType) },
    { key: "title", value: stringLiteral(model.title) },
    { key: "description", value: stringLiteral(model.description) },
    {
      key: "properties",
      value: object(model.attributes.map((attribute) => attributeEntry(attribute, source))),
    },
    ...baseUrlEntries(model),
    ...(model.key === lowerFirst(model.className) ? [] : [{ key: "key", value: stringLiteral(model.key) }]),
  ];
  const definition = call(
    `export const ${identifier} = defineConnection`,
    stringLiteral(model.className),
    object(entries),
  );
  source.state(`${layOut(definition)};`);
  return source.file();
}

function attributeEntry(attribute: AttributeModel, source: SourceModule): Entry {
  const context: ExpressionContext = { convention: "camelCase", uses: source.uses, reference: stringLiteral };
  const value = attributeCode(attribute, context);
  return {
    key: propertyKey(attribute.name),
    value: attribute.isRequired ? value : use(context, "Type.Optional", value),
  };
}

function attributeCode(attribute: AttributeModel, context: ExpressionContext): Code {
  const named = applyConvention(attribute.name, "camelCase") === attribute.key;
  const options: readonly Entry[] = [
    ...(named ? [] : [{ key: "jsonPropertyName", value: stringLiteral(attribute.key) }]),
    { key: "title", value: stringLiteral(attribute.title) },
    { key: "description", value: stringLiteral(attribute.description) },
    { key: "isSensitive", value: String(attribute.isSensitive) },
  ];
  if (attribute.options.length === 0) return schemaCode(attribute.schema, context, options);
  if (isEnvironment(attribute.key, attribute.options))
    return use(context, "ConnectionEnvironment", object(options));
  return optionsCode(attribute, context, options);
}

/** An OptionSet; the list as the file has it where an object literal can't hold it. */
function optionsCode(attribute: AttributeModel, context: ExpressionContext, own: readonly Entry[]): Code {
  const values = attribute.options.map(({ label, value }) => [label, value] as const);
  if (keepsOrder({ members: values }) && values.every(([, value]) => value !== 0)) {
    const entries = values.map(([label, value]) => ({ key: propertyKey(label), value: String(value) }));
    return use(context, "OptionSet", object(entries), object(own));
  }
  const listed = attribute.options.map(({ label, value }) => membersOf(["label", label], ["value", value]));
  return schemaCode(attribute.schema, context, [...own, { key: "options", value: jsonLiteral(listed) }]);
}

function baseUrlEntries({ baseUrl }: ConnectionModel): readonly Entry[] {
  switch (baseUrl.kind) {
    case "none":
      return [];
    case "fixed":
      return [{ key: "baseUrl", value: stringLiteral(baseUrl.url) }];
    case "property":
      return [
        { key: "baseUrl", value: object([{ key: "property", value: stringLiteral(baseUrl.property) }]) },
      ];
    case "environment":
      return [
        {
          key: "baseUrl",
          value: object([
            { key: "Production", value: stringLiteral(baseUrl.production) },
            { key: "Test", value: stringLiteral(baseUrl.test) },
          ]),
        },
      ];
    default:
      return baseUrl satisfies never;
  }
}
