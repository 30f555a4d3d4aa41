/** Declared readers as plain data: what the process that has loaded a connector tells of them. */
import type { CollectedDeclaration } from "../../runtime/declared/collected.js";
import type { AnyReaderDeclaration, ConnectorRegistration } from "../../runtime/entries/runtime.js";
import { safeGet } from "../../runtime/untrusted.js";
import { isJsonObject } from "../../schemas/json.js";
import type { CodePlace } from "../author-project/loaded-project.js";

/** How the records of a data object are listed, as its author has declared it. */
export interface DeclaredList {
  /** Name of the class that the list is declared for. */
  readonly name: string;
  /** Data paths of the objects that are read so; none for a list that is only read for its children. */
  readonly objects: readonly string[];
  /** Whether it gives what has changed. */
  readonly isIncremental: boolean;
  /** The call of `defineReader`, if it is known. */
  readonly place: CodePlace | undefined;
  /**
   * The declaration as JSON values. In a value that comes from a parent, `reader` is the index of the parent's list, and
   * null if that is read by code; other code is true.
   */
  readonly declaration: Readonly<Record<string, unknown>>;
}

/** The lists that were collected. `placeOf` finds the author's line in a stack. */
export function declaredLists(
  collected: readonly CollectedDeclaration[],
  registration: Pick<ConnectorRegistration, "modules"> | undefined,
  placeOf: (error: Error) => CodePlace | undefined,
): readonly DeclaredList[] {
  const objects = registration?.modules.flatMap(({ dataObjects }) => dataObjects) ?? [];
  const plain = plainOf(collected.map(({ declared }) => declared));
  return collected.map(({ declared, name, isIncremental, declaredAt }) => ({
    ...{ name, isIncremental },
    objects: objects.filter(({ reader }) => reader === declared).map(({ dataPath }) => dataPath),
    place: placeOf(declaredAt),
    declaration: plain(
      safeGet(declared, "declaration") as AnyReaderDeclaration,
    ) as DeclaredList["declaration"],
  }));
}

/** Turns the values of a declaration into JSON values; readers of parents become their index. */
function plainOf(readers: readonly object[]): (value: unknown) => unknown {
  const plain = (value: unknown): unknown => {
    if (typeof value === "function" || typeof value === "symbol") return true;
    if (Array.isArray(value)) return value.map(plain);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        name === "reader" && typeof member === "function" ? indexOf(member) : plain(member),
      ]),
    );
  };
  const indexOf = (reader: object) => {
    const index = readers.indexOf(reader);
    return index === -1 ? null : index;
  };
  return plain;
}
