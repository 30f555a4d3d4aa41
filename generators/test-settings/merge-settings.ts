/** Brings `test-settings.json` up to what the connector has: adds what is missing, keeps every value and comment. */
import { createScanner, findNodeAtLocation, type JSONPath, type Node, parseTree } from "jsonc-parser";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { readJson } from "../../schemas/formats/read-json.js";
import { isJsonArray, isJsonObject, type JsonTree, memberOf, toPlain } from "../../schemas/json.js";
import { keywordOf, type SchemaModel } from "../../schemas/model/schema-model.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { TEST_SETTINGS_FILE } from "../layout.js";
import {
  isAsked,
  type SettingsConnections,
  type SettingsMembers,
  type SettingsNode,
} from "./settings-shape.js";
import { namesVariable } from "./variable-references.js";

/** The member that holds everything. */
export const SETTINGS_ROOT = "testSettings";

export interface MergedSettings {
  /** The new text; the present one if there are errors. */
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

interface Merge {
  readonly file: string;
  readonly insertions: Insertion[];
  readonly diagnostics: Diagnostic[];
}

/**
 * The text of the settings for `shape`.
 *
 * @param present The text of the file, which may hold comments; undefined if there is none.
 * @param file The file in findings.
 */
export function mergeSettings(
  shape: SettingsMembers,
  present: string | undefined,
  file: string,
): MergedSettings {
  if (present === undefined || present.trim() === "") {
    const whole = { members: [[SETTINGS_ROOT, initialValue(shape, SETTINGS_ROOT)] as const] };
    return { text: `${JSON.stringify(toPlain(whole), undefined, 2)}\n`, diagnostics: [] };
  }
  const { document, diagnostics } = readJson(present, file, { allowComments: true });
  if (document === undefined) return { text: present, diagnostics };
  const merge = compareSettings(shape, document.tree, file);
  const found = merge.diagnostics.map(({ path = [], ...finding }) => ({
    ...finding,
    ...document.place(path),
  }));
  if (found.some(({ severity }) => severity === "error")) return { text: present, diagnostics: found };
  return { text: merge.insertions.reduce(insertJson, present), diagnostics: found };
}

/** What is wrong with the settings in `tree` beside their values; each finding has the path that it speaks of. */
export function settingsFindings(
  shape: SettingsMembers,
  tree: JsonTree,
  file: string,
): readonly Diagnostic[] {
  return compareSettings(shape, tree, file).diagnostics;
}

function compareSettings(shape: SettingsMembers, tree: JsonTree, file: string): Merge {
  const merge: Merge = { file, insertions: [], diagnostics: [] };
  const whole: SettingsMembers = { kind: "members", required: true, members: [[SETTINGS_ROOT, shape]] };
  mergeNode(whole, tree, [], merge);
  return merge;
}

function mergeNode(node: SettingsNode, tree: JsonTree, path: JSONPath, merge: Merge): void {
  switch (node.kind) {
    case "members":
      mergeMembers(node, tree, path, merge);
      break;
    case "connections":
      mergeConnections(node, tree, path, merge);
      break;
    case "value":
      break;
    default:
      node satisfies never;
  }
}

function mergeMembers({ members }: SettingsMembers, tree: JsonTree, path: JSONPath, merge: Merge): void {
  if (!isJsonObject(tree)) {
    reportShape(path, "an object", merge);
    return;
  }
  const names = members.map(([name]) => name);
  for (const [index, [name, node]] of members.entries()) {
    const below = [...path, name];
    const present = memberOf(tree, name);
    if (present !== undefined) mergeNode(node, present, below, merge);
    else if (isAsked(node))
      merge.insertions.push({
        into: path,
        name,
        value: toPlain(initialValue(node, name)),
        behind: names.slice(0, index),
      });
  }
  for (const [name] of tree.members) {
    if (!names.includes(name)) reportUnknown([...path, name], names, merge);
  }
}

function mergeConnections(
  { entries }: SettingsConnections,
  tree: JsonTree,
  path: JSONPath,
  merge: Merge,
): void {
  if (!isJsonArray(tree)) {
    reportShape(path, "a list", merge);
    return;
  }
  const keys = entries.map(([key]) => key);
  const seen = new Set<JsonTree | undefined>();
  for (const [index, entry] of tree.entries()) {
    const key = memberOf(entry, "definitionKey");
    const below = [...path, index];
    const known = entries.find(([one]) => one === key);
    if (typeof key !== "string") reportShape([...below, "definitionKey"], "the key of a definition", merge);
    else if (known === undefined) reportUnknown([...below, "definitionKey", key], keys, merge);
    else if (seen.has(key)) {
      const place = { file: merge.file, path: [...below, "definitionKey"] };
      merge.diagnostics.push(diagnostic("settings-connection-twice", place, { key }));
    } else mergeMembers(members(["definitionKey", "configuration"], known[1]), entry, below, merge);
    seen.add(key);
  }
  const missing = entries.filter(([key]) => !seen.has(key));
  const added = initialValue({ kind: "connections", entries: missing }, "connections");
  for (const value of isJsonArray(added) ? added : [])
    merge.insertions.push({ into: path, value: toPlain(value) });
}

/** An entry of the list: the definition key, and what belongs to it. */
function members([key, name]: readonly [string, string], configuration: SettingsMembers): SettingsMembers {
  const schema = { kind: "string", nullable: false, keywords: [] } as const;
  const value = { kind: "value", schema, required: true, isSensitive: false, options: [] } as const;
  return {
    kind: "members",
    required: true,
    members: [
      [key, value],
      [name, configuration],
    ],
  };
}

function reportShape(path: JSONPath, expected: string, merge: Merge): void {
  const place = { file: merge.file, path };
  merge.diagnostics.push(
    diagnostic("settings-shape", place, { what: settingName(path), expected, file: TEST_SETTINGS_FILE }),
  );
}

function reportUnknown(path: JSONPath, known: readonly string[], merge: Merge): void {
  const name = String(path.at(-1));
  const hint = didYouMean(name, known);
  merge.diagnostics.push(
    diagnostic("settings-unknown", { file: merge.file, path }, { name: settingName(path), hint }),
  );
}

/** `connections[0].configuration.apiToken`: the name of a setting in messages. */
export function settingName(path: JSONPath): string {
  const steps = path[0] === SETTINGS_ROOT && path.length > 1 ? path.slice(1) : path;
  return (
    steps
      .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
      .join("")
      .slice(1) || "The file"
  );
}

/** The default of the schema. Without one: an empty string, list or object; null for other types. */
export function initialValue(node: SettingsNode, name: string): JsonTree {
  switch (node.kind) {
    case "members":
      return {
        members: node.members
          .filter(([, inner]) => isAsked(inner))
          .map(([member, inner]) => [member, initialValue(inner, member)]),
      };
    case "connections":
      return node.entries.map(([definitionKey, configuration]) => ({
        members: [
          ["definitionKey", definitionKey],
          ["configuration", initialValue(configuration, "configuration")],
        ],
      }));
    case "value":
      if (name === "activeConnection") return activeConnection(node.schema);
      // A local run needs its switches. All other settings are left to the author.
      if (node.isSwitch === true && node.schema.kind === "boolean") return true;
      return ownDefault(node.schema) ?? emptyValue(node.schema);
    default:
      return node satisfies never;
  }
}

/** The default, unless it would be read as a variable: it may come from somebody else's connector.json. */
function ownDefault(schema: SchemaModel): JsonTree | undefined {
  const value = keywordOf(schema, "default");
  return value === undefined || namesVariable(value) ? undefined : value;
}

/** The entry of the first definition, which is the only one of most connectors. */
function activeConnection(schema: SchemaModel): JsonTree {
  return schema.kind === "enum" ? (schema.members[0] ?? "") : "";
}

function emptyValue(schema: SchemaModel): JsonTree {
  if ("nullable" in schema && schema.nullable) return null;
  switch (schema.kind) {
    case "string":
      return "";
    case "array":
      return [];
    case "dictionary":
    case "object":
      return { members: [] };
    default:
      return null;
  }
}

export interface Insertion {
  /** The object or list that it goes into. */
  readonly into: JSONPath;
  /** The member's name; absent for an item. */
  readonly name?: string;
  readonly value: unknown;
  /** Members that it follows, if they exist. An item is always the last. */
  readonly behind?: readonly string[];
}

/** `text` with the value in it; `text` itself if its container does not exist. */
export function insertJson(text: string, { into, name, value, behind = [] }: Insertion): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const container = root === undefined ? undefined : findNodeAtLocation(root, into);
  if (container === undefined) return text;
  const children = container.children ?? [];
  const before = name === undefined ? children.length - 1 : lastOf(children, behind);
  const lines = layoutOf(text, container.offset);
  const json = JSON.stringify(value, undefined, lines.unit).replace(/\n/g, lines.inner);
  const code = name === undefined ? json : `${JSON.stringify(name)}: ${json}`;
  const previous = children[before];
  if (previous === undefined) return asFirst(text, container, { code, lines });
  const end = previous.offset + previous.length;
  const comma = commaAfter(text, end);
  const at = afterComment(text, comma ?? end);
  const separator = comma === undefined ? "," : "";
  const following = comma === undefined ? "" : ",";
  return `${text.slice(0, end)}${separator}${text.slice(end, at)}${lines.inner}${code}${following}${text.slice(at)}`;
}

interface Lines {
  /** One level of indentation. */
  readonly unit: string;
  /** A line break, with the indentation of what is inside the container, or of its bracket. */
  readonly inner: string;
  readonly outer: string;
}

interface Item {
  readonly code: string;
  readonly lines: Lines;
}

function layoutOf(text: string, offset: number): Lines {
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const outer = /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? "";
  return { unit, inner: `${eol}${outer}${unit}`, outer: `${eol}${outer}` };
}

/** The index of the last member among `names`; -1 if there is none. */
function lastOf(children: readonly Node[], names: readonly string[]): number {
  return children.findLastIndex((child) => names.includes(String(child.children?.[0]?.value)));
}

function asFirst(text: string, container: Node, { code, lines }: Item): string {
  const start = container.offset + 1;
  const end = container.offset + container.length - 1;
  const isEmpty = (container.children ?? []).length === 0;
  const within = text.slice(start, end);
  const rest = isEmpty && within.trim() === "" ? lines.outer : within;
  return `${text.slice(0, start)}${lines.inner}${code}${isEmpty ? "" : ","}${rest}${text.slice(end)}`;
}

/** The offset after the comma that follows `end`; undefined if none does. */
function commaAfter(text: string, end: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(end);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text.charAt(at) === "," ? at + 1 : undefined;
}

/** The offset after the comments on the line of `offset`. */
function afterComment(text: string, offset: number): number {
  const scanner = createScanner(text, false);
  scanner.setPosition(offset);
  for (let end = offset; ; ) {
    scanner.scan();
    const at = scanner.getTokenOffset();
    const token = text.slice(at, at + scanner.getTokenLength());
    if (/^\/[/*]/.test(token)) end = at + token.length;
    else if (!/^[ \t]+$/.test(token)) return end;
  }
}
