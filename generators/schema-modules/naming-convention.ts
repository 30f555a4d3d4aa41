/** Which convention fits the names of some documents best: the one that leaves fewest to be spelled out. */
import type { SchemaDocument, SchemaModel } from "../../schemas/model/schema-model.js";
import {
  applyConvention,
  NAMING_CONVENTIONS,
  type NamingConvention,
} from "../../schemas/naming/conventions.js";

/** A convention other than the usual one must save at least this many names, or it is not worth a line. */
const FEWEST_SAVED = 2;

/** `usual`, or the convention that saves the most names against it. */
export function fittingConvention(
  documents: readonly SchemaDocument[],
  usual: NamingConvention,
): NamingConvention {
  const names = documents.flatMap(({ root, definitions }) =>
    [root, ...definitions.map(({ schema }) => schema)].flatMap(namesIn),
  );
  const misfits = (convention: NamingConvention) =>
    names.filter(([name, jsonName]) => applyConvention(name, convention) !== jsonName).length;
  const allowed = misfits(usual) - FEWEST_SAVED;
  const ranked = NAMING_CONVENTIONS.map((convention) => ({ convention, count: misfits(convention) }))
    .filter(({ count }) => count <= allowed)
    .sort((a, b) => a.count - b.count);
  return ranked[0]?.convention ?? usual;
}

function namesIn(schema: SchemaModel): readonly (readonly [string, string])[] {
  switch (schema.kind) {
    case "object":
      return schema.properties.flatMap(({ name, jsonName, schema: inner }) => [
        [name, jsonName] as const,
        ...namesIn(inner),
      ]);
    case "array":
      return namesIn(schema.items);
    case "dictionary":
      return namesIn(schema.values);
    default:
      return [];
  }
}
