/** Where names in code differ from serialized ones, as code for the runtime; nothing if none does. */
import type { SchemaDocument, SchemaModel } from "../../schemas/model/schema-model.js";
import { type Code, list, object, ts } from "../typescript/code.js";
import { codegenType } from "../typescript/codegen-symbols.js";
import { stringLiteral } from "../typescript/literals.js";

/** The name mapping of a document as code. */
export interface NameMappingCode {
  /** The mapping of the root; undefined if no name differs. */
  readonly root: Code | undefined;
  /** Constants for the definitions, as statements that stand before the class. */
  readonly statements: readonly Code[];
}

/** The name mapping of `document`; constants for its definitions are named after `owner`. */
export function nameMappingCode(document: SchemaDocument, owner: string): NameMappingCode {
  const schemas = [document.root, ...document.definitions.map(({ schema }) => schema)];
  if (!schemas.some(hasOtherNames)) return { root: undefined, statements: [] };
  const constants = new Map(
    document.definitions.map(({ name }, index) => [name, `${owner}_names${index + 1}`]),
  );
  const statements = document.definitions.map(({ name, schema }) => {
    const mapping = mappingOf(schema, constants) ?? object([]);
    return ts`const ${constants.get(name) ?? name}: ${codegenType("NameMapping")} = ${mapping};`;
  });
  return { root: mappingOf(document.root, constants), statements };
}

function hasOtherNames(schema: SchemaModel): boolean {
  switch (schema.kind) {
    case "object":
      return schema.properties.some(
        ({ name, jsonName, schema: inner }) => name !== jsonName || hasOtherNames(inner),
      );
    case "array":
      return hasOtherNames(schema.items);
    case "dictionary":
      return hasOtherNames(schema.values);
    default:
      return false;
  }
}

function mappingOf(schema: SchemaModel, constants: ReadonlyMap<string, string>): Code | undefined {
  switch (schema.kind) {
    case "object": {
      const properties = schema.properties.flatMap(({ name, jsonName, schema: inner }) => {
        const below = mappingOf(inner, constants);
        if (below === undefined && name === jsonName) return [];
        return [
          list([stringLiteral(name), stringLiteral(jsonName), ...(below === undefined ? [] : [below])]),
        ];
      });
      return properties.length === 0 ? undefined : object([{ key: "properties", value: list(properties) }]);
    }
    case "array":
      return eachOf(schema.items, constants);
    case "dictionary":
      return eachOf(schema.values, constants);
    case "reference": {
      // A definition may refer to itself, before its constant has a value.
      const constant = constants.get(schema.definition);
      return constant === undefined ? undefined : `() => ${constant}`;
    }
    default:
      return undefined;
  }
}

function eachOf(schema: SchemaModel, constants: ReadonlyMap<string, string>): Code | undefined {
  const below = mappingOf(schema, constants);
  return below === undefined ? undefined : object([{ key: "each", value: below }]);
}
