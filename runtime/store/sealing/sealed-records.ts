/** Records whose write-only members are sealed: the others stay readable, for SQL too. */
import { isJsonObject } from "../../../schemas/json.js";
import { mask } from "../../records/masking.js";
import type { RecordWrite } from "../store.js";
import { isSealed, type Seal } from "./seal.js";

/** A data object whose write-only members are sealed, as `startConnector` returns one. */
export interface SealedObject {
  /** Data path (§2.6). */
  readonly dataPath: string;
  /** What its records are. */
  readonly record: {
    /** JSON Schema of the serialized form. */
    readonly schema: unknown;
  };
}

/** The steps from a record to one of its values. */
type Steps = readonly (string | number)[];

const MAX_DEPTH = 200;

/** Seals and opens the records of one tenant. */
export class RecordSealing {
  readonly #seal: Seal;
  readonly #types: ReadonlyMap<string, SealedObject["record"]>;
  /** Schemas of the objects that were asked for, null for those in which nothing is write-only. */
  readonly #schemas = new Map<string, unknown>();

  constructor(seal: Seal, objects: readonly SealedObject[]) {
    this.#seal = seal;
    this.#types = new Map(objects.map(({ dataPath, record }) => [dataPath, record]));
  }

  /**
   * The write with its write-only members sealed; as it is if it has none. A record becomes a list of two: itself with
   * those members hidden, and what they hold, sealed. Records are objects, so that the two can be told apart.
   * @param wasShown The record with what was sealed of it in another store hidden.
   */
  write(object: string, write: RecordWrite, wasShown?: unknown): RecordWrite {
    if (write.operation === "delete") return write;
    const schema = this.#schemaOf(object);
    if (schema === null && wasShown === undefined) return write;
    // As it is stored: what JSON leaves out or writes in another way is not what a reader finds.
    const json: unknown = JSON.parse(JSON.stringify(write.record));
    const shown = schema === null ? wasShown : mask(json, schema);
    const hidden = [...differences(json, shown, [])];
    if (hidden.length === 0) return write;
    const sealed = this.#seal.seal(JSON.stringify(hidden), placeOf(object, write.key));
    return { ...write, hash: this.#seal.fingerprint(write.hash), record: [shown, sealed] };
  }

  /** A stored record as it was written. */
  async open(object: string, key: string, stored: unknown): Promise<unknown> {
    const pair = sealedPair(stored);
    if (pair === undefined) return stored;
    return withHidden(pair[0], await this.#seal.open(pair[1], placeOf(object, key)));
  }

  /** With the data keys that are known: the whole record, and the record as it is shown; undefined if nothing is sealed. */
  openNow(
    object: string,
    key: string,
    stored: unknown,
  ): readonly [whole: unknown, shown: unknown] | undefined {
    const pair = sealedPair(stored);
    if (pair === undefined) return undefined;
    const whole = withHidden(structuredClone(pair[0]), this.#seal.openNow(pair[1], placeOf(object, key)));
    return [whole, pair[0]];
  }

  #schemaOf(object: string): unknown {
    const known = this.#schemas.get(object);
    if (known !== undefined) return known;
    const schema = this.#types.get(object)?.schema ?? null;
    const sensitive = (JSON.stringify(schema) ?? "").includes('"writeOnly":true') ? schema : null;
    this.#schemas.set(object, sensitive);
    return sensitive;
  }
}

function placeOf(object: string, key: string): readonly string[] {
  return ["record", object, key];
}

function sealedPair(stored: unknown): readonly [shown: unknown, sealed: string] | undefined {
  if (!Array.isArray(stored) || stored.length !== 2) return undefined;
  const [shown, sealed] = stored;
  return typeof sealed === "string" && isSealed(sealed) ? [shown, sealed] : undefined;
}

/** Where `shown` has another value than `value`, of which it is a copy with some values replaced. */
function* differences(value: unknown, shown: unknown, steps: Steps): Generator<readonly [Steps, unknown]> {
  if (steps.length < MAX_DEPTH) {
    if (Array.isArray(value) && Array.isArray(shown)) {
      for (const [index, item] of value.entries()) yield* differences(item, shown[index], [...steps, index]);
      return;
    }
    if (isJsonObject(value) && isJsonObject(shown)) {
      for (const [name, member] of Object.entries(value))
        yield* differences(member, Object.getOwnPropertyDescriptor(shown, name)?.value, [...steps, name]);
      return;
    }
  }
  if (value !== shown) yield [steps, value];
}

function withHidden(shown: unknown, json: string): unknown {
  const hidden: readonly (readonly [Steps, unknown])[] = JSON.parse(json);
  let record = shown;
  for (const [steps, value] of hidden) {
    const last = steps.at(-1);
    if (last === undefined) record = value;
    else {
      const holder = steps.slice(0, -1).reduce<unknown>((place, step) => Object(place)[step], record);
      // Also a member that is called `__proto__` is one of the record's own.
      Object.defineProperty(Object(holder), last, {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
  }
  return record;
}
