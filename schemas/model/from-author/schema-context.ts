/** What every schema inside one document is built with. */
import type { SchemaModel } from "../schema-model.js";
import type { Definitions } from "./definitions.js";
import { inside, type Scope } from "./scope.js";

/** A TypeBox value, once it is known to be an object. */
export type Schema = Readonly<Record<PropertyKey, unknown>>;

/** What a reference may name at a place, by TypeBox's `$id`. */
export type Environment = ReadonlyMap<string, Schema>;

export interface SchemaContext {
  readonly scope: Scope;
  /** The scope of the document's root, where definitions stand. */
  readonly root: Scope;
  readonly definitions: Definitions;
  readonly environment: Environment;
  /** The schemas that enclose this one: a schema among them contains itself. */
  readonly ancestors: ReadonlySet<unknown>;
  /** Builds a schema inside this one. */
  readonly build: (value: unknown, context: SchemaContext) => SchemaModel;
}

/** Builds `value` one step below `context`. */
export function buildBelow(
  value: unknown,
  context: SchemaContext,
  change: Parameters<typeof inside>[1],
): SchemaModel {
  return context.build(value, { ...context, scope: inside(context.scope, change) });
}
