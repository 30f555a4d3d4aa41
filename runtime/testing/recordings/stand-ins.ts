/**
 * Values in place of real ones: the same for the same value, of the same form, and valid by every schema at whose place the
 * value stands. Without the key nobody can tell from which value one was made.
 */
import { createHmac } from "node:crypto";
import { isJsonObject } from "../../../schemas/json.js";
import { applicableSchemas } from "../../records/applicable-schemas.js";
import { findings } from "../../validation/findings.js";
import type { GenerateValue } from "../fake-records.js";

/** What is replaced: true, false and null are not. */
export type Replaceable = string | number;

/** A schema that describes a value, and the one that it is in. */
export interface PlaceSchema {
  readonly schema: unknown;
  readonly root: unknown;
}

/** What is known of a value at one of its places. */
export interface ValuePlace {
  /** What describes it there. */
  readonly schemas: readonly PlaceSchema[];
  /**
   * - `credential`: it signs somebody in
   * - `sensitive`: it is write-only
   * - `unknown`: nobody knows what it is
   */
  readonly kind: "credential" | "sensitive" | "unknown";
}

/** Stand-ins for all values that were noted. */
export interface StandIns {
  /** Says that a value is to be replaced. All its places are noted before the first stand-in is asked for. */
  note(value: Replaceable, place: ValuePlace): void;
  /** What stands in for a value; undefined for one that was not noted. @throws StandInError if nothing fits. */
  of(value: Replaceable): Replaceable | undefined;
  /** Whether a value is write-only or a credential at one of its places. */
  isSensitive(value: Replaceable): boolean;
  /** Whether true and false change places in what is write-only at `path`. */
  isFlipped(path: string): boolean;
  /** The sensitive values that no other value is replaced by, as texts. */
  sensitive(): readonly string[];
}

/** No value could be found that fits the schemas of a value; the message quotes neither. */
export class StandInError extends Error {
  override readonly name = "StandInError";
}

interface Noted {
  readonly value: Replaceable;
  readonly schemas: PlaceSchema[];
  kind: ValuePlace["kind"];
  standIn?: Replaceable;
}

const RANKS = { unknown: 0, sensitive: 1, credential: 2 } as const;

/** @param key What only this machine knows. */
export function createStandIns(key: string, generate: GenerateValue): StandIns {
  const noted = new Map<string, Noted>();
  const taken = new Set<string>();
  const draw = (...parts: readonly string[]) => createDraw(key, parts);
  // A number and its digits as a text are one value: keys join that are written in both ways.
  const find = (value: Replaceable) => noted.get(String(value));

  function choose({ value, kind, schemas }: Noted): Replaceable {
    const fitting = schemas.map(checkOf).filter((fits) => fits(value));
    const text = String(value);
    // Of two values that an enumeration has, each may be the stand-in of the other.
    const listed = listedValues(schemas, value);
    if (listed.length > 0) return permuted(listed, value, draw);
    let shared: Replaceable | undefined;
    for (const candidate of candidatesFor(value, { kind, schemas, draw, generate })) {
      const made = String(candidate);
      if (made === text || !fitting.every((fits) => fits(candidate))) continue;
      if (!taken.has(made) && !noted.has(made)) return candidate;
      shared ??= candidate;
    }
    // There are not enough values of one digit or letter for each to have its own.
    if (shared !== undefined) return shared;
    if (kind === "unknown") return value;
    throw new StandInError("no other value fits its schema");
  }

  return {
    note(value, { schemas, kind }) {
      if (value === "") return;
      const known = find(value);
      if (known === undefined) {
        noted.set(String(value), { value, kind, schemas: [...schemas] });
        return;
      }
      if (RANKS[kind] > RANKS[known.kind]) known.kind = kind;
      for (const place of schemas)
        if (!known.schemas.some(({ schema }) => schema === place.schema)) known.schemas.push(place);
    },
    of(value) {
      const known = find(value);
      if (known === undefined) return undefined;
      if (known.standIn === undefined) {
        known.standIn = choose(known);
        taken.add(String(known.standIn));
      }
      return typeof value === "string" ? String(known.standIn) : asNumber(known.standIn);
    },
    isSensitive: (value) => {
      const known = find(value);
      return known !== undefined && known.kind !== "unknown";
    },
    isFlipped: (path) => draw("flip", path)(2) === 1,
    sensitive: () =>
      [...noted.values()]
        .filter(({ kind }) => kind !== "unknown")
        .map(({ value }) => String(value))
        .filter((text) => !taken.has(text)),
  };
}

function asNumber(standIn: Replaceable): Replaceable {
  const number = Number(standIn);
  return Number.isFinite(number) ? number : standIn;
}

/** Gives numbers from 0 on below a limit: always the same ones. */
type Draw = (limit: number) => number;

function createDraw(key: string, parts: readonly string[]): Draw {
  let bytes = Buffer.alloc(0);
  let [at, block] = [0, 0];
  return (limit) => {
    if (at + 4 > bytes.length) {
      bytes = createHmac("sha256", key)
        .update(JSON.stringify([...parts, block++]))
        .digest();
      at = 0;
    }
    at += 4;
    return bytes.readUInt32LE(at - 4) % limit;
  };
}

function checkOf({ schema, root }: PlaceSchema): (value: unknown) => boolean {
  const inRoot = isJsonObject(schema) ? withDefinitions(schema, root) : schema;
  return (value) => findings(inRoot, value).length === 0;
}

function withDefinitions(schema: object, root: unknown): object {
  if (!isJsonObject(root)) return schema;
  const { $defs, definitions } = root;
  return {
    ...schema,
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  };
}

/** The values of the kind of `value` that enumerations list. */
function listedValues(schemas: readonly PlaceSchema[], value: Replaceable): readonly Replaceable[] {
  const lists = schemas
    .flatMap(({ schema, root }) => applicableSchemas(schema, root))
    .flatMap((schema) =>
      Array.isArray(schema["enum"]) ? schema["enum"] : "const" in schema ? [schema["const"]] : [],
    );
  const listed = lists.filter((one): one is Replaceable => typeof one === typeof value);
  return listed.includes(value) ? [...new Set(listed)] : [];
}

/** The next one in an order that only the key decides. */
function permuted(
  listed: readonly Replaceable[],
  value: Replaceable,
  draw: (...parts: readonly string[]) => Draw,
): Replaceable {
  const ordered = [...listed].sort().map((one) => ({ one, rank: draw("order", String(one))(2 ** 31) }));
  ordered.sort((a, b) => a.rank - b.rank);
  const index = ordered.findIndex(({ one }) => one === value);
  return ordered[(index + 1) % ordered.length]?.one ?? value;
}

interface CandidateOptions extends ValuePlace {
  readonly draw: (...parts: readonly string[]) => Draw;
  readonly generate: GenerateValue;
}

const ATTEMPTS = 12;
const GENERATED = 6;

/** Those of the same form first. */
function* candidatesFor(
  value: Replaceable,
  { kind, schemas, draw, generate }: CandidateOptions,
): Generator<Replaceable> {
  const text = String(value);
  const isText = typeof value === "string";
  const written = (made: string): Replaceable => (isText ? made : Number(made));
  if (kind === "credential" && isText) yield `stand-in-${hexText(draw("credential", text), 16)}`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const next = draw("form", String(attempt), text);
    if (!isText) yield inBounds(value, schemas, next);
    // All times that nobody knows move by the same number of days: what is later stays later.
    const days = kind === "unknown" ? -1 - draw("days")(3_650) : undefined;
    yield* [...formed(text, next, days)].map(written);
    yield written(replaced(text, next));
  }
  for (let attempt = 0; attempt < GENERATED; attempt++) {
    for (const { schema, root } of schemas) {
      const made = generated(
        generate,
        withDefinitions(schema as object, root),
        draw("made", String(attempt), text)(2 ** 31),
      );
      if (typeof made === typeof value) yield made as Replaceable;
    }
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++)
    yield written(text.replace(/\d/g, () => String(draw("digits", String(attempt), text)(10))));
}

function generated(generate: GenerateValue, schema: unknown, seed: number): unknown {
  try {
    return generate(schema, seed);
  } catch {
    return undefined;
  }
}

/** A number between the bounds of its schemas; one with as many digits if they have none. */
function inBounds(value: number, schemas: readonly PlaceSchema[], next: Draw): number {
  const all = schemas.flatMap(({ schema, root }) => applicableSchemas(schema, root));
  const limits = (keyword: string) =>
    all.map((schema) => schema[keyword]).filter((limit): limit is number => typeof limit === "number");
  const [step = Number.isInteger(value) ? 1 : 0.01] = limits("multipleOf");
  const size = 10 ** Math.max(1, String(Math.trunc(Math.abs(value))).length);
  const least = Math.max(value < 0 ? 1 - size : 0, ...limits("minimum"), ...limits("exclusiveMinimum"));
  const most = Math.min(value < 0 ? 0 : size - 1, ...limits("maximum"), ...limits("exclusiveMaximum"));
  const steps = Math.max(1, Math.floor((most - least) / step));
  const made = (Math.ceil(least / step) + next(Math.min(steps, 2 ** 31))) * step;
  return Number(made.toFixed(6));
}

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})(?:([Tt ])(\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?(.*))?$/;
const DAY_FIRST = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const EMAIL = /^([^@\s]+)@[^@\s]+\.[^@\s]+$/;
const ADDRESS = /^[a-z][a-z\d+.-]*:\/\//i;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const HEX = /^(?=.*\d)(?:[\da-f:]{8,}|[\dA-F:]{8,})$/;
const DAY_MS = 86_400_000;

/** Texts of a form that single characters do not keep. @param days By how many days a time moves; any other day if undefined. */
function* formed(text: string, next: Draw, days: number | undefined): Generator<string> {
  if (DATE_TIME.test(text)) yield otherTime(text, next, days);
  else if (DAY_FIRST.test(text))
    yield text.replace(DAY_FIRST, (_, first: string, mark: string, second: string) =>
      [
        ...[first, second].map((part) =>
          String(1 + next(part.length === 1 ? 9 : 12)).padStart(part.length, "0"),
        ),
        1950 + next(60),
      ].join(mark),
    );
  else if (UUID.test(text)) yield hexLike(text, next, (index) => index === 14 || index === 19);
  else if (EMAIL.test(text)) yield `${replaced(EMAIL.exec(text)?.[1] ?? "", next)}@example.com`;
  else if (ADDRESS.test(text)) yield `https://example.com/${hexText(next, 12)}`;
  else if (IPV4.test(text)) yield [1, 2, 3, 4].map(() => 1 + next(254)).join(".");
  else if (HEX.test(text)) yield hexLike(text, next, () => false);
}

function otherTime(text: string, next: Draw, days: number | undefined): string {
  return text.replace(
    DATE_TIME,
    (
      _,
      year: string,
      month: string,
      day: string,
      mark?: string,
      hour?: string,
      minute?: string,
      second?: string,
      fraction?: string,
      zone = "",
    ) => {
      const date =
        days === undefined
          ? new Date(Date.UTC(1950 + next(70), next(12), 1 + next(28)))
          : new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)) + days * DAY_MS);
      const shown = Number.isNaN(date.getTime())
        ? `${year}-${month}-${day}`
        : date.toISOString().slice(0, 10);
      if (mark === undefined) return shown;
      const clock = [hour, minute, second].filter((part) => part !== undefined);
      const other =
        days === undefined
          ? clock.map((_part, index) => String(next(index === 0 ? 24 : 60)).padStart(2, "0"))
          : clock;
      return `${shown}${mark}${other.join(":")}${fraction ?? ""}${zone}`;
    },
  );
}

function hexText(next: Draw, length: number): string {
  return Array.from({ length }, () => next(16).toString(16)).join("");
}

function hexLike(text: string, next: Draw, isKept: (index: number) => boolean): string {
  const isUpper = /[A-F]/.test(text);
  return text.replace(/[\da-f]/gi, (character, index: number) => {
    if (isKept(index)) return character;
    const digit = next(16).toString(16);
    return isUpper ? digit.toUpperCase() : digit;
  });
}

/** Every letter becomes another letter, every digit another digit; the first digit of a number stays above 0. */
function replaced(text: string, next: Draw): string {
  return text.replace(/[\p{L}\p{N}]/gu, (character, index: number) => {
    if (/\d/.test(character)) {
      if (character === "0") return index > 0 && /\d/.test(text[index - 1] ?? "") ? String(next(10)) : "0";
      return String(1 + next(9));
    }
    const letter = String.fromCharCode(97 + next(26));
    return /\p{Lu}/u.test(character) ? letter.toUpperCase() : letter;
  });
}
