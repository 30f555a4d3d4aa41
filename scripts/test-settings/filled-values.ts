/** Turns what an author filled in into the values that a connector is given; variables of the environment are resolved. */
import { isFilled, typeWords } from "../../generators/test-settings/settings-rows.js";
import type { SettingsNode, SettingsValue } from "../../generators/test-settings/settings-shape.js";
import { referenceTo, variableIn } from "../../generators/test-settings/variable-references.js";
import { sensitiveValues } from "../../runtime/records/masking.js";
import { HIDDEN } from "../../runtime/validation/finding.js";
import { findings } from "../../runtime/validation/findings.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import {
  isJsonArray,
  isJsonObject,
  type JsonMember,
  type JsonTree,
  jsonPointer,
  memberOf,
  pointerSteps,
  toPlain,
} from "../../schemas/json.js";
import { renderDocument } from "../../schemas/model/render-schema.js";
import type { SchemaDocument, SchemaModel } from "../../schemas/model/schema-model.js";
import { isSecretName } from "../../schemas/naming/secret-names.js";

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
  /** Undefined if something is wrong. */
  readonly value?: unknown;
  /** Without a place; `path` leads from the settings to the value at fault. */
  readonly diagnostics: readonly Diagnostic[];
  /** Texts that nothing may show: values of secrets. */
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
  // What lies deeper than the settings have rows.
  secrets.push(...sensitiveValues(value, schema));
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
  if (tree === undefined || !isGiven(tree, node)) {
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
  const value = resolveVariables(tree, schema, environment);
  if (isSensitive || isSecretName(String(path.at(-1))) || namesSecret(tree)) {
    reading.hidden.push(jsonPointer(path));
    reading.secrets.push(...scalarsIn(toPlain(value)));
  }
  return value;
}

/** Whether a variable in it has the name of a secret, such as `API_TOKEN`. */
function namesSecret(tree: JsonTree): boolean {
  if (isJsonArray(tree)) return tree.some(namesSecret);
  if (isJsonObject(tree)) return tree.members.some(([, value]) => namesSecret(value));
  return isSecretName(variableIn(tree) ?? "");
}

/** Null is a value if the schema allows it; an empty list or object is one if it must be given. */
function isGiven(tree: JsonTree, { schema, required }: SettingsValue): boolean {
  if (tree === null) return "nullable" in schema && schema.nullable;
  if (typeof tree === "object") return required || isFilled(tree);
  return isFilled(tree);
}

function scalarsIn(value: unknown): readonly string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(scalarsIn) : [];
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

/** The environment as a program gets it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Only the environment's own variables: `__proto__` and `toString` are members of every object. */
function variableOf(environment: Environment, name: string): string | undefined {
  return Object.hasOwn(environment, name) ? environment[name] : undefined;
}

/** The first variable named in `tree` that is not set, or undefined. */
export function unsetVariable(tree: JsonTree, environment: Environment): string | undefined {
  const name = variableIn(tree);
  if (name !== undefined) return variableOf(environment, name) === undefined ? name : undefined;
  const inner = isJsonArray(tree) ? tree : isJsonObject(tree) ? tree.members.map(([, value]) => value) : [];
  for (const value of inner) {
    const unset = unsetVariable(value, environment);
    if (unset !== undefined) return unset;
  }
  return undefined;
}

/** `tree` with the variables' values. Where the schema has no text, a value is read as the number or switch it is. */
export function resolveVariables(
  tree: JsonTree,
  schema: SchemaModel | undefined,
  environment: Environment,
): JsonTree {
  if (isJsonArray(tree)) {
    const items = schema?.kind === "array" ? schema.items : undefined;
    return tree.map((item) => resolveVariables(item, items, environment));
  }
  if (isJsonObject(tree))
    return {
      members: tree.members.map(([name, value]) => [name, resolveVariables(value, undefined, environment)]),
    };
  const name = variableIn(tree);
  const value = name === undefined ? undefined : variableOf(environment, name);
  return value === undefined ? tree : parseValue(value, schema);
}

function parseValue(value: string, schema: SchemaModel | undefined): JsonTree {
  const isText = schema === undefined || schema.kind === "string" || schema.kind === "enum";
  if (isText || !/^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value)) return value;
  return JSON.parse(value) as JsonTree;
}
