/** Declared readers and handlers as plain data: what the process that has loaded a connector tells of them. */
import type { CollectedDeclaration } from "../../runtime/declared/collected.js";
import type { ConnectorRegistration } from "../../runtime/entries/runtime.js";
import { safeGet } from "../../runtime/untrusted.js";
import { isJsonObject } from "../../schemas/json.js";
import type { CodePlace } from "../author-project/loaded-project.js";

/** A reader or a handler, as its author has declared it. */
export interface DeclaredService {
  readonly kind: "reader" | "handler";
  /** Name of the class that it is declared for: a data object's, or an action's. */
  readonly name: string;
  /** Data paths of the objects that are read so; none for a list that is only read for its children, and for a handler. */
  readonly objects: readonly string[];
  /** Whether a reader gives what has changed. */
  readonly isIncremental: boolean;
  /** The call that declares it, if it is known. */
  readonly place: CodePlace | undefined;
  /**
   * The declaration as JSON values. In a value that comes from a parent, `reader` is the index of the parent's reader among
   * all that is declared, and null if that is code; other code is true.
   */
  readonly declaration: Readonly<Record<string, unknown>>;
}

/** What was collected. `placeOf` finds the author's line in a stack. */
export function declaredServices(
  collected: readonly CollectedDeclaration[],
  registration: Pick<ConnectorRegistration, "modules"> | undefined,
  placeOf: (error: Error) => CodePlace | undefined,
): readonly DeclaredService[] {
  const objects = registration?.modules.flatMap(({ dataObjects }) => dataObjects) ?? [];
  const plain = plainOf(collected.map(({ declared }) => declared));
  return collected.map(({ kind, declared, name, isIncremental = false, declaredAt }) => ({
    ...{ kind, name, isIncremental },
    objects: objects.filter(({ reader }) => reader === declared).map(({ dataPath }) => dataPath),
    place: placeOf(declaredAt),
    declaration: plain(safeGet(declared, "declaration")) as DeclaredService["declaration"],
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
