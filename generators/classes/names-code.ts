/** Where names in code differ from serialized ones, as code for the runtime; nothing where none does. */
import type { SchemaDocument, SchemaModel } from "../../schemas/model/schema-model.js";
import { type Code, layOut, list, object } from "../typescript/code.js";
import { stringLiteral } from "../typescript/literals.js";

export interface NamesCode {
  /** The names of the root, or undefined. */
  readonly root: Code | undefined;
  /** Constants of definitions, as statements that stand before. */
  readonly statements: readonly string[];
}

/** The names of `document`; constants of its definitions are called after `owner`. */
export function namesCode(document: SchemaDocument, owner: string): NamesCode {
  const schemas = [document.root, ...document.definitions.map(({ schema }) => schema)];
  if (!schemas.some(hasOtherNames)) return { root: undefined, statements: [] };
  const constants = new Map(
    document.definitions.map(({ name }, index) => [name, `${owner}_names${index + 1}`]),
  );
  const statements = document.definitions.map(({ name, schema }) => {
    const code = namesOf(schema, constants) ?? object([]);
    return `const ${constants.get(name)}: Names = ${layOut(code)};`;
  });
  return { root: namesOf(document.root, constants), statements };
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

function namesOf(schema: SchemaModel, constants: ReadonlyMap<string, string>): Code | undefined {
  switch (schema.kind) {
    case "object": {
      const properties = schema.properties.flatMap(({ name, jsonName, schema: inner }) => {
        const below = namesOf(inner, constants);
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
  const below = namesOf(schema, constants);
  return below === undefined ? undefined : object([{ key: "each", value: below }]);
}
