/** The text of an OpenAPI file, JSON or YAML, as plain values; and the lines of its parts, found when they are asked for. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from "yaml";
import { type Diagnostic, diagnostic } from "../../../schemas/diagnostics/diagnostic.js";
import { readJson } from "../../../schemas/formats/read-json.js";
import type { JsonValue } from "../../../schemas/json.js";

/** The names and indexes that lead to a part. */
export type Steps = readonly string[];

/** A file of the document. */
export interface DocumentText {
  /** What it holds. Only own members of objects count. */
  readonly value: JsonValue;
  /** The file of the part that `steps` lead to, or of the nearest one around it, and its line, counted from 1. */
  placeOf(steps: Steps): { readonly file: string; readonly line: number };
}

/** The file, or the finding that says why it can't be read. */
export type ReadText = DocumentText | Diagnostic;

/** Values in a file. Microsoft's largest one has three million. */
export const MAX_VALUES = 5_000_000;
/** Nesting. Documents that people wrote have about forty levels. */
export const MAX_DEPTH = 400;

/** Reads the text of `file`. JSON is found out by its first character: YAML that begins so is JSON too. */
export function readDocumentText(text: string, file: string): ReadText {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const read = /^\s*[{[]/.test(source) ? readJsonText(source, file) : readYamlText(source, file);
  if ("code" in read) return read;
  const problem = sizeProblem(read.value);
  return problem === undefined ? read : tooLarge(file, problem);
}

function readJsonText(source: string, file: string): ReadText {
  try {
    const value = JSON.parse(source) as JsonValue;
    const lineOf = jsonLines(source);
    return { value, placeOf: (steps) => ({ file, line: lineOf(steps) }) };
  } catch {
    const [finding] = readJson(source, file, { allowComments: true }).diagnostics;
    // Comments and trailing commas are YAML in these places.
    return finding ?? readYamlText(source, file);
  }
}

function tooLarge(file: string, problem: string): Diagnostic {
  return diagnostic("openapi-too-large", { file }, { problem });
}

/** Counted by a loop, so that nothing overflows the stack; what an alias repeats counts each time. */
function sizeProblem(root: JsonValue): string | undefined {
  const waiting: (readonly [value: object, depth: number])[] = [];
  let count = 0;
  const visit = (value: unknown, depth: number) => {
    count++;
    if (typeof value === "object" && value !== null) waiting.push([value, depth]);
  };
  visit(root, 0);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, depth] = next;
    if (depth > MAX_DEPTH) return `it is nested more than ${MAX_DEPTH} levels deep`;
    for (const member of Object.values(value)) visit(member, depth + 1);
    if (count > MAX_VALUES) return `it has more than ${MAX_VALUES} values`;
  }
  return undefined;
}

/**
 * Brackets that are open at once, and columns that a line is indented by. Where the parser runs out of stack while it
 * compiles a pattern, the process ends.
 */
const MOST_OPEN = 1_000;

/** Whether the text may be nested so deeply that the parser can't be trusted with it. Brackets of texts count too. */
function isTooDeep(source: string): boolean {
  if (/^[ ?-]{1000}/m.test(source)) return true;
  let open = 0;
  for (const [bracket] of source.matchAll(/[[\]{}]/g)) {
    open = bracket === "[" || bracket === "{" ? open + 1 : Math.max(0, open - 1);
    if (open > MOST_OPEN) return true;
  }
  return false;
}

function readYamlText(source: string, file: string): ReadText {
  if (isTooDeep(source)) return tooLarge(file, TOO_DEEP);
  const lines = new LineCounter();
  try {
    const document = parseDocument(source, {
      lineCounter: lines,
      prettyErrors: false,
      uniqueKeys: false,
      merge: true,
      logLevel: "silent",
    });
    const [error] = document.errors;
    if (error?.message.includes("call stack")) return tooLarge(file, TOO_DEEP);
    if (error !== undefined) {
      const { line, col } = lines.linePos(error.pos[0]);
      const reason = error.message.replace(/\.$/, "");
      return diagnostic("openapi-syntax", { file, line, column: col }, { reason });
    }
    const value = document.toJS({ maxAliasCount: MAX_ALIASES }) as JsonValue;
    const root = document.contents;
    return { value, placeOf: (steps) => ({ file, line: lines.linePos(yamlOffset(root, steps)).line }) };
  } catch (error) {
    // The parser overflows the stack where brackets are nested too deeply, and refuses aliases that multiply.
    return tooLarge(file, error instanceof RangeError ? TOO_DEEP : "its aliases repeat too much of it");
  }
}

const TOO_DEEP = "it is nested too deeply";
/** How much an alias may repeat: this often all that stands under it. */
const MAX_ALIASES = 10_000;

/** Where the key or the item of the part begins. */
function yamlOffset(root: ParsedNode | null, steps: Steps): number {
  let node: unknown = root;
  let offset = root?.range[0] ?? 0;
  for (const step of steps) {
    if (isAlias(node)) return offset;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => (isScalar(key) ? String(key.value) : undefined) === step);
      if (pair === undefined) return offset;
      offset = rangeStart(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      offset = rangeStart(node) ?? offset;
    } else return offset;
  }
  return offset;
}

function rangeStart(node: unknown): number | undefined {
  if (typeof node !== "object" || node === null || !("range" in node)) return undefined;
  return Array.isArray(node.range) && typeof node.range[0] === "number" ? node.range[0] : undefined;
}

/** A part of a JSON text: where its key and its value begin. */
interface JsonPart {
  readonly key: number;
  readonly value: number;
}

/**
 * A tree with the place of every value would be larger than the document. A container is looked through when one of its
 * members is asked for, and what was found is kept.
 */
function jsonLines(source: string): (steps: Steps) => number {
  const containers = new Map<number, ReadonlyMap<string, JsonPart>>();
  let lineStarts: readonly number[] | undefined;
  const partsAt = (offset: number) => {
    const known = containers.get(offset) ?? jsonParts(source, offset);
    containers.set(offset, known);
    return known;
  };
  return (steps) => {
    let place: JsonPart = { key: 0, value: skipSpace(source, 0) };
    for (const step of steps) {
      const part = partsAt(place.value).get(step);
      if (part === undefined) break;
      place = part;
    }
    lineStarts ??= startsOfLines(source);
    return countUpTo(lineStarts, place.key);
  };
}

function startsOfLines(source: string): readonly number[] {
  const starts = [0];
  for (let at = source.indexOf("\n"); at !== -1; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** How many of the sorted `numbers` are at most `limit`. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The members of the object or array that begins at `start`, by name or index. The text is sound JSON. */
function jsonParts(source: string, start: number): ReadonlyMap<string, JsonPart> {
  const parts = new Map<string, JsonPart>();
  const opening = source[start];
  if (opening !== "{" && opening !== "[") return parts;
  let at = skipSpace(source, start + 1);
  for (let index = 0; at < source.length && source[at] !== "}" && source[at] !== "]"; index++) {
    const key = at;
    let name = String(index);
    if (opening === "{") {
      const end = stringEnd(source, at);
      name = JSON.parse(source.slice(at, end)) as string;
      at = skipSpace(source, skipSpace(source, end) + 1);
    }
    parts.set(name, { key, value: at });
    at = skipSpace(source, valueEnd(source, at));
    if (source[at] === ",") at = skipSpace(source, at + 1);
  }
  return parts;
}

function skipSpace(source: string, start: number): number {
  let at = start;
  while (at < source.length && source.charCodeAt(at) <= 32) at++;
  return at;
}

const QUOTE = 34;
const BACKSLASH = 92;

function stringEnd(source: string, start: number): number {
  let at = start + 1;
  while (at < source.length && source.charCodeAt(at) !== QUOTE)
    at += source.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** The end of the value at `start`. A number or a word ends where the container goes on. */
function valueEnd(source: string, start: number): number {
  if (!'{["'.includes(source[start] ?? " ")) {
    let at = start;
    while (at < source.length && !",]} \n\r\t".includes(source[at] ?? "")) at++;
    return at;
  }
  let at = start;
  let depth = 0;
  do {
    const character = source[at];
    if (character === "{" || character === "[") depth++;
    if (character === "}" || character === "]") depth--;
    at = character === '"' ? stringEnd(source, at) : at + 1;
  } while (depth > 0 && at < source.length);
  return at;
}
