/** A hash of what a record says: the same for every order of its members and every spelling of its numbers. */
import { hash } from "node:crypto";

/** 132 bits of SHA-256. */
const HASH_LENGTH = 22;

export interface HashOptions {
  /** Members of the record itself, by serialized name, that take no part in the hash. */
  readonly volatile?: readonly string[] | undefined;
  /** Called for a record that holds a number past 2^53, which may have lost digits when it was read. */
  readonly onInexact?: (() => void) | undefined;
}

/** The first word of a value. Each kind says how many words follow, so that no two values have the same words. */
const NULL = 0x10000000;
const FALSE = 0x20000000;
const TRUE = 0x20000001;
const INTEGER = 0x30000000;
const NUMBER = 0x40000000;
const LIST = 0x50000000;
const OBJECT = 0x60000000;
/** With the length in the bits below: texts are shorter than 2^29. Four characters a word if all are below 256. */
const TEXT = -0x80000000;
const WIDE_TEXT = -0x40000000;

// Records are written as words into one memory and hashed there: building texts would cost more than all the rest.
let words = new Int32Array(16_384);
let bytes = new Uint8Array(words.buffer);
let used = 0;
/** Whether the value holds a number that may have lost digits; looked at where numbers are large anyway. */
let isInexact = false;

const double = new Float64Array(1);
const doubleWords = new Int32Array(double.buffer);

/**
 * A function that hashes records in serialized form: what `JSON.stringify` would leave out does not count, nor do
 * `volatile` members. A schema has no part in it: a property that was unknown and is declared now changes no hash.
 * @throws TypeError, RangeError from that function for what is not JSON or too deep.
 */
export function recordHasher({ volatile = [], onInexact }: HashOptions = {}): (record: object) => string {
  const top = shapeFinder(new Set(volatile));
  const inner = shapeFinder(new Set());

  function putObject(value: object, shapeOf: (value: object) => Shape): void {
    const start = used;
    const { names, digest } = shapeOf(value);
    reserve(3);
    words[used++] = OBJECT;
    words[used++] = digest[0];
    words[used++] = digest[1];
    for (let index = 0; index < names.length; index++) {
      const member: unknown = (value as Record<string, unknown>)[names[index] as string];
      if (typeof member === "string") putText(member);
      else if (isLeftOut(member)) {
        used = start;
        putObject(withoutLeftOut(value), shapeOf);
        return;
      } else putValue(member);
    }
  }

  function putValue(value: unknown): void {
    switch (typeof value) {
      case "string":
        putText(value);
        return;
      case "number":
        putNumber(value);
        return;
      case "boolean":
        putWord(value ? TRUE : FALSE);
        return;
      case "object":
        if (value === null) putWord(NULL);
        else putNested(value);
        return;
      case "bigint":
        throw new TypeError("not JSON");
      default:
        putWord(NULL);
    }
  }

  function putNested(value: object): void {
    if ("toJSON" in value && typeof value.toJSON === "function") putValue(value.toJSON());
    else if (!Array.isArray(value)) putObject(value, inner);
    else {
      putWord(LIST);
      putWord(value.length);
      for (const item of value) putValue(item);
    }
  }

  return (record) => {
    used = 0;
    isInexact = false;
    putObject(record, top);
    if (isInexact) onInexact?.();
    return hash("sha256", bytes.subarray(0, used * 4), "base64url").slice(0, HASH_LENGTH);
  };
}

function putText(text: string): void {
  const { length } = text;
  reserve((length >> 2) + 2);
  // In variables of its own the loop runs twice as fast.
  const memory = words;
  let at = used;
  memory[at++] = TEXT | length;
  let all = 0;
  let index = 0;
  for (const last = length - 3; index < last; index += 4) {
    const first = text.charCodeAt(index);
    const second = text.charCodeAt(index + 1);
    const third = text.charCodeAt(index + 2);
    const fourth = text.charCodeAt(index + 3);
    all |= first | second | third | fourth;
    memory[at++] = first | (second << 8) | (third << 16) | (fourth << 24);
  }
  if (index < length) {
    let rest = 0;
    for (; index < length; index++) {
      all |= text.charCodeAt(index);
      rest = (rest << 8) | text.charCodeAt(index);
    }
    memory[at++] = rest;
  }
  if (all < 256) used = at;
  else putWideText(text);
}

function putWideText(text: string): void {
  const { length } = text;
  reserve((length >> 1) + 2);
  words[used++] = WIDE_TEXT | length;
  const last = length - 1;
  for (let index = 0; index < last; index += 2) {
    words[used++] = text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16);
  }
  if ((length & 1) === 1) words[used++] = text.charCodeAt(last);
}

function putNumber(value: number): void {
  reserve(3);
  if ((value | 0) === value) {
    words[used++] = INTEGER;
    words[used++] = value;
  } else if (Number.isFinite(value)) {
    if (value > Number.MAX_SAFE_INTEGER || value < -Number.MAX_SAFE_INTEGER) isInexact = true;
    double[0] = value;
    words[used++] = NUMBER;
    words[used++] = doubleWords[0] as number;
    words[used++] = doubleWords[1] as number;
  } else words[used++] = NULL;
}

function putWord(word: number): void {
  reserve(1);
  words[used++] = word;
}

function reserve(more: number): void {
  if (used + more <= words.length) return;
  const larger = new Int32Array(Math.max(words.length * 2, used + more));
  larger.set(words.subarray(0, used));
  words = larger;
  bytes = new Uint8Array(words.buffer);
}

/** The names of an object's members in canonical order; found without sorting them for every record. */
interface Shape {
  /** Without the ignored ones, sorted. */
  readonly names: readonly string[];
  /** Stands for all the names. */
  readonly digest: readonly [number, number];
}

/** A member's name in a tree of all orders in which members were met. */
interface Step {
  readonly next: Map<string, Step>;
  /** The name that was met first here, and its step: most often the one that is looked for. */
  name: string | undefined;
  step: Step | undefined;
  shape: Shape | undefined;
}

/** Objects whose member names are data would make steps without end; more than these are not kept. */
const MAX_STEPS = 10_000;

/** A function that finds the shape of a value; a shape that was met before is found without sorting or hashing. */
function shapeFinder(ignored: ReadonlySet<string>): (value: object) => Shape {
  const root = newStep();
  let steps = 0;
  const follow = (from: Step, name: string): Step => {
    const known = from.next.get(name);
    if (known !== undefined) return known;
    const made = newStep();
    if (steps < MAX_STEPS) {
      steps++;
      from.next.set(name, made);
      from.name ??= name;
      from.step ??= made;
    }
    return made;
  };
  return (value) => {
    let step = root;
    for (const name in value) {
      step = name === step.name && step.step !== undefined ? step.step : follow(step, name);
    }
    step.shape ??= shapeOf(value, ignored);
    return step.shape;
  };
}

/** Whether `JSON.stringify` leaves out a member with this value. */
function isLeftOut(member: unknown): boolean {
  return member === undefined || typeof member === "function" || typeof member === "symbol";
}

/** `value` without the members that JSON leaves out. */
function withoutLeftOut(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => !isLeftOut(member)));
}

function newStep(): Step {
  return { next: new Map(), name: undefined, step: undefined, shape: undefined };
}

function shapeOf(value: object, ignored: ReadonlySet<string>): Shape {
  const names = Object.keys(value)
    .filter((name) => !ignored.has(name))
    .sort();
  const digest = hash("sha256", JSON.stringify(names), "buffer");
  return { names, digest: [digest.readInt32LE(0), digest.readInt32LE(4)] };
}
