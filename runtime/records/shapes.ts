/** What schemas say of the members of a value, remembered for the next record of the same type. */
import { type NamesInSchema, namesInSchemas } from "./matched-names.js";
import { applicable, type Schema } from "./schema-places.js";

export interface Shape {
  /** Every schema that holds for the value. */
  readonly schemas: readonly Schema[];
  readonly known: NamesInSchema;
}

/** By the root of a document, and by the schemas in it. */
const SHAPES = new WeakMap<object, WeakMap<object, Shape>>();

/** The shape that the schemas `given` of the document `root` have together. */
export function shapeOf(given: readonly unknown[], root: unknown): Shape {
  const [schema] = given;
  const isOne = given.length === 1 && typeof schema === "object" && schema !== null;
  if (!isOne || typeof root !== "object" || root === null) return newShape(given, root);
  const known = SHAPES.get(root) ?? new WeakMap<object, Shape>();
  SHAPES.set(root, known);
  const shape = known.get(schema) ?? newShape(given, root);
  known.set(schema, shape);
  return shape;
}

function newShape(given: readonly unknown[], root: unknown): Shape {
  const schemas = given.flatMap((schema) => applicable(schema, root));
  return { schemas, known: namesInSchemas(schemas) };
}
