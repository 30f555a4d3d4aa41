/** From what an author filled in to the value that a connector is given: what is empty is left out, what is missing is named. */

import { isFilled, typeWords } from "../../generators/test-settings/settings-rows.js";
import type { SettingsNode, SettingsValue } from "../../generators/test-settings/settings-shape.js";
import { HIDDEN } from "../../runtime/validation/finding.js";
import { findings } from "../../runtime/validation/findings.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { type JsonMember, type JsonTree, memberOf, toPlain } from "../../schemas/formats/json-tree.js";
import { renderDocument } from "../../schemas/model/render-schema.js";
import type { SchemaDocument } from "../../schemas/model/schema-model.js";
import { jsonPointer, pointerSteps } from "../../schemas/naming/json-pointer.js";
import { type Environment, namesVariable, referenceTo, resolved, unsetVariable } from "./variables.js";

type Path = readonly (string | number)[];

/** Settings that are to be read, and what they must fit. */
export interface FilledSource {
  readonly node: SettingsNode;
  readonly document: SchemaDocument;
  readonly tree: JsonTree | undefined;
  /** What messages call them: `connections.apiKeyAuth`. */
  readonly name: string;
  readonly environment: Environment;
}

export interface FilledValues {
  /** Undefined where something is wrong. */
  readonly value?: unknown;
  /** Without a place; `path` leads from the settings to the value at fault. */
  readonly diagnostics: readonly Diagnostic[];
  /** Texts that nothing may show. */
  readonly secrets: readonly string[];
}

interface Reading extends FilledSource {
  readonly diagnostics: Diagnostic[];
  readonly secrets: string[];
  /** Pointers of objects whose missing members are named already. */
  readonly seen: Set<string>;
  /** Pointers of values that no message may show. */
  readonly hidden: string[];
}

/** The values as the connector gets them, or everything that is wrong with them. */
export function filledValues(source: FilledSource): FilledValues {
  const reading: Reading = { ...source, diagnostics: [], secrets: [], seen: new Set(), hidden: [] };
  const value = toPlain(read(source.node, source.tree, [], reading) ?? { members: [] });
  const { diagnostics, secrets, hidden } = reading;
  const schema = toPlain(renderDocument(source.document));
  for (const { instancePath, keyword, expected, actual } of findings(schema, value, { hidden })) {
    if (keyword === "required" && reading.seen.has(instancePath)) continue;
    const path = pointerSteps(instancePath);
    const words = actual === HIDDEN ? HIDDEN : actual;
    const what = nameOf(path, reading);
    diagnostics.push(diagnostic("settings-wrong", { path }, { what, expected, actual: words }));
  }
  return diagnostics.length > 0 ? { diagnostics, secrets } : { value, diagnostics, secrets };
}

function read(
  node: SettingsNode,
  tree: JsonTree | undefined,
  path: Path,
  reading: Reading,
): JsonTree | undefined {
  if (node.kind === "value") return readValue(node, tree, path, reading);
  if (node.kind === "connections") return undefined;
  reading.seen.add(jsonPointer(path));
  const before = reading.diagnostics.length;
  const members = node.members.flatMap(([name, inner]): JsonMember[] => {
    const value = read(inner, memberOf(tree, name), [...path, name], reading);
    return value === undefined ? [] : [[name, value]];
  });
  if (members.length > 0 || node.required) return { members };
  // Nobody needs the members of an object that nobody needs.
  reading.diagnostics.splice(before);
  return undefined;
}

function readValue(
  node: SettingsValue,
  tree: JsonTree | undefined,
  path: Path,
  reading: Reading,
): JsonTree | undefined {
  const { schema, required, isSensitive } = node;
  const { environment, diagnostics } = reading;
  const what = nameOf(path, reading);
  if (tree === undefined || !isSaid(tree, node)) {
    if (!required) return undefined;
    const reference = `"${referenceTo(variableFor(path))}"`;
    const expected = typeWords(node);
    diagnostics.push(diagnostic("settings-empty", { path }, { what, expected, reference }));
    return undefined;
  }
  const variable = unsetVariable(tree, environment);
  if (variable !== undefined) {
    diagnostics.push(diagnostic("settings-variable-missing", { path }, { what, variable }));
    return undefined;
  }
  const value = resolved(tree, schema, environment);
  if (isSensitive || namesVariable(tree)) {
    reading.hidden.push(jsonPointer(path));
    reading.secrets.push(...textsIn(toPlain(value)));
  }
  return value;
}

/** Null is a value where the schema has it; an empty list or object is one where it must be given. */
function isSaid(tree: JsonTree, { schema, required }: SettingsValue): boolean {
  if (tree === null) return "nullable" in schema && schema.nullable;
  if (typeof tree === "object") return required || isFilled(tree);
  return isFilled(tree);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function nameOf(path: Path, { name }: Reading): string {
  return [name, ...path].join(".");
}

/** `apiToken` gives `API_TOKEN`: a fitting variable to name in a message. */
function variableFor(path: Path): string {
  const words = String(path.at(-1)).replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_");
  const name = words.replace(/[^A-Za-z0-9_]+/g, "_").toUpperCase();
  return /^[A-Z_]/.test(name) ? name : `_${name}`;
}
