/** Reads JSON with order, duplicate names and places kept, and refuses what would exhaust the machine. */

import {
  createScanner,
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.js";
import { type JsonMember, type JsonTree, jsonPointer } from "../json.js";

/** Nesting of the file; a schema inside `connector.json` takes two or three levels for each of its own. */
export const MAX_JSON_DEPTH = 1_000;

/** What was read, and the places of its values in the text. */
export interface JsonDocument {
  readonly tree: JsonTree;
  /** Line and column (from 1) of the value at `steps`, or of the nearest enclosing one. */
  place(steps: readonly (string | number)[]): { readonly line: number; readonly column: number };
  /** Numbers that JavaScript has no exact value for, in the order of the text. */
  readonly rounded: readonly RoundedNumber[];
}

/** A number that was read as another one: `9223372036854775807` as 9223372036854775808. */
export interface RoundedNumber {
  readonly steps: readonly (string | number)[];
  /** As it is written. */
  readonly text: string;
  readonly value: number;
}

/** A document, or the findings that say why there is none. */
export type JsonResult =
  | { readonly document: JsonDocument; readonly diagnostics: readonly [] }
  | { readonly document?: undefined; readonly diagnostics: readonly Diagnostic[] };

export interface ReadJsonOptions {
  /** Whether comments and trailing commas are allowed, as in files that people fill in. @default false */
  readonly allowComments?: boolean;
}

/** Reads `text` (a leading byte order mark is passed over) of the file that messages call `file`. */
export function readJson(
  text: string,
  file: string,
  { allowComments = false }: ReadJsonOptions = {},
): JsonResult {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const lines = lineStarts(source);
  const at = (offset: number) => ({ file, ...positionOf(lines, offset) });

  const tooDeep = offsetTooDeep(source);
  if (tooDeep !== undefined) {
    return { diagnostics: [diagnostic("json-too-deep", at(tooDeep), { limit: MAX_JSON_DEPTH })] };
  }
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, {
    disallowComments: !allowComments,
    allowTrailingComma: allowComments,
  });
  const error = errors[0];
  if (error !== undefined || root === undefined) {
    const reason = error === undefined ? "it is empty" : errorText(printParseErrorCode(error.error));
    return { diagnostics: [diagnostic("json-syntax", at(error?.offset ?? 0), { reason })] };
  }
  const diagnostics: Diagnostic[] = [];
  const rounded: RoundedNumber[] = [];
  const onNumber = (steps: readonly (string | number)[], node: Node) => {
    const value = Number(node.value);
    const written = source.slice(node.offset, node.offset + node.length);
    if (Number.isFinite(value) && !isExact(written, value)) rounded.push({ steps, text: written, value });
  };
  const tree = treeOf(root, [], onNumber, (steps, node) => {
    const place = { ...at(node.offset), pointer: jsonPointer(steps) };
    diagnostics.push(
      node.type === "number"
        ? diagnostic("json-syntax", place, { reason: "a number is too large" })
        : diagnostic("json-duplicate-name", place, { name: String(steps.at(-1)) }),
    );
  });
  if (diagnostics.length > 0) return { diagnostics };
  const place = (steps: readonly (string | number)[]) => placeOf(root, lines, steps);
  return { document: { tree, place, rounded }, diagnostics: [] };
}

type NodeHandler = (steps: readonly (string | number)[], node: Node) => void;

/** Calls `onFault` for duplicate names, and for numbers that are too large; `onNumber` for every number. */
function treeOf(
  node: Node,
  steps: readonly (string | number)[],
  onNumber: NodeHandler,
  onFault: NodeHandler,
): JsonTree {
  if (node.type === "array") {
    return (node.children ?? []).map((child, index) => treeOf(child, [...steps, index], onNumber, onFault));
  }
  if (node.type === "number") {
    onNumber(steps, node);
    if (!Number.isFinite(node.value)) onFault(steps, node);
  }
  if (node.type !== "object") return node.value as JsonTree;
  const seen = new Set<string>();
  const members: JsonMember[] = [];
  for (const property of node.children ?? []) {
    const [name, value] = property.children ?? [];
    if (name === undefined || value === undefined) continue;
    const key = String(name.value);
    if (seen.has(key)) onFault([...steps, key], name);
    seen.add(key);
    members.push([key, treeOf(value, [...steps, key], onNumber, onFault)]);
  }
  return { members };
}

/** Whether `text` names just the number that JavaScript writes for `value`; `1.0` and `1e2` name 1 and 100. */
function isExact(text: string, value: number): boolean {
  return text === String(value) || decimal(text) === decimal(String(value));
}

/** A number in one spelling: its digits without zeros at either end, and the power of ten behind them. */
function decimal(text: string): string {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  return `${sign}${significant}e${Number(power) - fraction.length + digits.length - significant.length}`;
}

/** The offset of the bracket that opens one level too many. Found by a loop, so that nothing overflows the stack. */
function offsetTooDeep(source: string): number | undefined {
  const scanner = createScanner(source, true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenOffset() < source.length; scanner.scan()) {
    const first = source.charAt(scanner.getTokenOffset());
    if (first === "{" || first === "[") depth++;
    if (first === "}" || first === "]") depth--;
    if (depth > MAX_JSON_DEPTH) return scanner.getTokenOffset();
  }
  return undefined;
}

function placeOf(root: Node, lines: readonly number[], steps: readonly (string | number)[]) {
  for (let length = steps.length; length > 0; length--) {
    const node = findNodeAtLocation(root, steps.slice(0, length));
    if (node !== undefined) return positionOf(lines, node.offset);
  }
  return positionOf(lines, root.offset);
}

function lineStarts(source: string): readonly number[] {
  const starts = [0];
  for (let at = source.indexOf("\n"); at !== -1; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function positionOf(starts: readonly number[], offset: number) {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}

/** `CommaExpected` becomes `comma expected`. */
function errorText(code: string): string {
  return code.replace(/(?<!^)(\p{Lu})/gu, " $1").toLowerCase();
}
