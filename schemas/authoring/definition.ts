/** What all `define…` functions return: a tagged, frozen value that remembers where it was written. */

const DEFINED_AT = Symbol.for("connectorcli.definedAt");

/** A value made by a `define…` function. The model builder reads it; nothing is checked before. */
export interface Definition<Kind extends string, Options> {
  readonly kind: Kind;
  readonly options: Options;
}

/** Freezes `definition` and notes the place of the call, for messages. */
export function defined<T extends object>(definition: T): T {
  // The stack is only formatted when a message needs the place.
  Object.defineProperty(definition, DEFINED_AT, { value: new Error("defined here"), enumerable: false });
  return Object.freeze(definition);
}

/** The error that holds the stack of the defining call. */
export function definedAt(definition: object): Error | undefined {
  const error: unknown = Reflect.get(definition, DEFINED_AT);
  return error instanceof Error ? error : undefined;
}
