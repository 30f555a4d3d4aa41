/** Calls of the shape before `defineX(name, options)`: they still build a model, so that all else is found as well. */
import { classIdentifier } from "../naming/identifiers.js";

/** Options whose `name` is a display name, with that as the title and a name in code made of it. */
export function namedOptions(options: object | null): { readonly name: unknown; readonly options: unknown } {
  const { name, ...others } = { name: undefined, ...options } as Readonly<Record<string, unknown>>;
  if (typeof name !== "string") return { name, options: others };
  return { name: classIdentifier(name), options: { title: name, ...others } };
}
