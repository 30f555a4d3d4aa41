/** What a scenario has found wrong, and how records differ. */
import { isDeepStrictEqual } from "node:util";
import type { RecordType } from "../../records/record-type.js";
import type { FakeRecord } from "../fake-records.js";
import { propertiesOf } from "../held-objects.js";
import type { FlawCode } from "./acceptance-options.js";

/** Ends a case: the connector has done what it must not do. */
export class Flaw extends Error {
  override readonly name = "Flaw";

  constructor(
    readonly code: FlawCode,
    /** What was found: a sentence that goes on after the name of the subject and a colon. */
    readonly found: string,
    /** What the connector threw; absent if it threw nothing. */
    override readonly cause?: unknown,
    /** What happened, for the author. */
    readonly how?: string | undefined,
  ) {
    super(found);
  }

  /** The same, with what happened. */
  seenWhen(how: string | undefined): Flaw {
    return new Flaw(this.code, this.found, this.cause, how);
  }
}

/** The flaw that `run` ends in; undefined for none. */
export async function flawOf(run: () => Promise<void>): Promise<Flaw | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (error instanceof Flaw) return error;
    throw error;
  }
}

/** Records as the cache has them, by their keys. */
export type Cached = ReadonlyMap<string, FakeRecord>;

/** How what is there differs from what should be. */
export interface Difference {
  readonly missing: readonly string[];
  readonly foreign: readonly string[];
  /** Keys, with the members that differ. */
  readonly altered: readonly { readonly key: string; readonly members: readonly string[] }[];
}

export function differenceOf(actual: Cached, expected: Cached, type: RecordType): Difference {
  const known = [...propertiesOf(type)];
  return {
    missing: [...expected.keys()].filter((key) => !actual.has(key)),
    foreign: [...actual.keys()].filter((key) => !expected.has(key)),
    altered: [...expected].flatMap(([key, record]) => {
      const found = actual.get(key);
      if (found === undefined) return [];
      const members = known.filter((name) => !isDeepStrictEqual(found[name], record[name]));
      return members.length === 0 ? [] : [{ key, members }];
    }),
  };
}

const SHOWN = 3;

/** Such as `2 of 12 records (id/3, id/4)`. */
export function someOf(keys: readonly string[], total: number, word = "record"): string {
  const shown = keys.slice(0, SHOWN).join(", ");
  const more = keys.length > SHOWN ? ", …" : "";
  return `${keys.length} of ${total} ${word}${total === 1 ? "" : "s"} (${shown}${more})`;
}

/** Such as `3 of 12 records differ in title, due (id/3, …)`. */
export function alteredWords(altered: Difference["altered"], total: number): string {
  const members = [...new Set(altered.flatMap((each) => each.members))];
  const keys = altered.map(({ key }) => key);
  return `${someOf(keys, total)} differ in ${members.slice(0, SHOWN).join(", ")}`;
}
