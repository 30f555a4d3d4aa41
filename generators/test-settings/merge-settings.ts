/** Brings `test-settings.json` up to what the connector has: adds what is missing, keeps every value and comment. */
import type { JSONPath } from "jsonc-parser";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { isList, isMembers, type JsonTree, memberOf, toPlain } from "../../schemas/formats/json-tree.js";
import { readJson } from "../../schemas/formats/read-json.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { initialValue } from "./initial-value.js";
import { type Insertion, insertJson } from "./json-insertion.js";
import type { SettingsConnections, SettingsMembers, SettingsNode } from "./settings-shape.js";

/** The name of the file, in the project's folder. */
export const SETTINGS_FILE = "test-settings.json";

/** The member that holds everything. */
export const SETTINGS_ROOT = "testSettings";

export interface MergedSettings {
  /** The new text; where there are errors, the present one. */
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
 * @param present The text of the file, which may hold comments; undefined where there is none.
 * @param file What findings call the file.
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
  const merge: Merge = { file, insertions: [], diagnostics: [] };
  const whole: SettingsMembers = { kind: "members", required: true, members: [[SETTINGS_ROOT, shape]] };
  mergeNode(whole, document.tree, [], merge);
  const found = merge.diagnostics.map(({ path = [], ...one }) => ({ ...one, ...document.place(path) }));
  if (found.some(({ severity }) => severity === "error")) return { text: present, diagnostics: found };
  return { text: merge.insertions.reduce(insertJson, present), diagnostics: found };
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
  if (!isMembers(tree)) {
    reportShape(path, "an object", merge);
    return;
  }
  const names = members.map(([name]) => name);
  for (const [index, [name, node]] of members.entries()) {
    const below = [...path, name];
    const present = memberOf(tree, name);
    if (present !== undefined) mergeNode(node, present, below, merge);
    else
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
  if (!isList(tree)) {
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
  for (const value of isList(added) ? added : [])
    merge.insertions.push({ into: path, value: toPlain(value) });
}

/** An entry of the list: the key, which is there, and what belongs to it. */
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
    diagnostic("settings-shape", place, { what: settingName(path), expected, file: SETTINGS_FILE }),
  );
}

function reportUnknown(path: JSONPath, known: readonly string[], merge: Merge): void {
  const name = String(path.at(-1));
  const hint = didYouMean(name, known);
  merge.diagnostics.push(
    diagnostic("settings-unknown", { file: merge.file, path }, { name: settingName(path), hint }),
  );
}

/** `connections[0].configuration.apiToken`: a setting as messages call it. */
export function settingName(path: JSONPath): string {
  const steps = path[0] === SETTINGS_ROOT && path.length > 1 ? path.slice(1) : path;
  return (
    steps
      .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
      .join("")
      .slice(1) || "The file"
  );
}
