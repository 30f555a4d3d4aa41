/** What all `define…` functions return: a tagged, frozen value that remembers where it was written. */

const DEFINED_AT = Symbol.for("connectorcli.definedAt");
const OLD_CALL = Symbol.for("connectorcli.oldCall");
const COLLECTED = Symbol.for("connectorcli.definitions");

/** A value made by a `define…` function. The model builder reads it; nothing is checked before. */
export interface Definition<Kind extends string, Options> {
  /** What it defines. */
  readonly kind: Kind;
  /** As the author gave them. */
  readonly options: Options;
}

/** Freezes `definition` and notes the place of the call, for messages. */
export function createDefinition<T extends object>(definition: T, { isOldCall = false } = {}): T {
  // The stack is only formatted when a message needs the place.
  Object.defineProperty(definition, DEFINED_AT, { value: new Error("defined here"), enumerable: false });
  if (isOldCall) Object.defineProperty(definition, OLD_CALL, { value: true, enumerable: false });
  const collected: unknown = Reflect.get(globalThis, COLLECTED);
  if (Array.isArray(collected)) collected.push(definition);
  return Object.freeze(definition);
}

/** The error that holds the stack of the defining call. */
export function definedAt(definition: object): Error | undefined {
  const error: unknown = Reflect.get(definition, DEFINED_AT);
  return error instanceof Error ? error : undefined;
}

/** Whether the defining call had the shape that calls had before `defineX(name, options)`. */
export function isOldCall(definition: object): boolean {
  return Reflect.get(definition, OLD_CALL) === true;
}

/**
 * The definitions that are made from now on, for who loads an author's modules. The list grows with each; it serves
 * every copy of the vocabulary that the modules load.
 */
export function collectDefinitions(): readonly object[] {
  const definitions: object[] = [];
  Reflect.set(globalThis, COLLECTED, definitions);
  return definitions;
}

/**
 * The options of a `define…` function, by name. The compiler refuses a table that lacks an option of the interface or
 * names another; `silence` and `x-…` stand everywhere.
 */
export type OptionTable<Options> = Readonly<
  Record<
    Exclude<keyof { [Name in keyof Options as Name extends `x-${string}` ? never : Name]: true }, "silence">,
    true
  >
>;
