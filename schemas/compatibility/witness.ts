/**
 * Searches for a small value that one side accepts and the other refuses. Candidates are guesses; a value is only
 * shown after ajv has said of both sides that it is one.
 */
import { escapePointerStep, isJsonObject, type JsonObject, type JsonValue } from "../json.js";
import type { Witness } from "./change.js";
import type { Difference, InstanceStep, SchemaPair } from "./differences.js";
import { GENERIC_VALUES, MAX_ITEMS, membersByPattern, minimalObject, samplesOf } from "./samples.js";
import {
  isSchemaNode,
  objectOrEmpty,
  propertySchema,
  type SchemaNode,
  schemasIn,
  stringsIn,
} from "./schema-node.js";
import type { SchemaSide, SidedSchema } from "./schema-side.js";

/** How many searches a comparison may still make: if very much has changed, the first ones must do. */
export interface SearchBudget {
  searchesLeft: number;
}

const MAX_SEARCHES = 400;

export function newSearchBudget(): SearchBudget {
  return { searchesLeft: MAX_SEARCHES };
}

/**
 * A value that `acceptedBy` accepts and the other side refuses because of `difference`; undefined if none was found.
 * It is a whole document if the value still shows the difference as a part of one.
 */
export function findWitness(
  pair: SchemaPair,
  difference: Difference,
  { acceptedBy, budget }: { readonly acceptedBy: "old" | "new"; readonly budget: SearchBudget },
): Witness | undefined {
  if (budget.searchesLeft-- <= 0) return undefined;
  const old: SidedSchema = { node: pair.old, side: pair.oldSide };
  const next: SidedSchema = { node: pair.new, side: pair.newSide };
  const [accepting, refusing] = acceptedBy === "old" ? [old, next] : [next, old];
  for (const value of candidatesFor([old, next], difference)) {
    if (accepting.side.accepts(accepting.node, value) !== true) continue;
    if (!isRefusedFor(difference, refusing, value)) continue;
    const areSmall = accepting.side.isSmall && refusing.side.isSmall;
    const document = areSmall ? documentAround(value, accepting.side, pair.path) : undefined;
    const isShownByDocument =
      document !== undefined &&
      accepting.side.accepts(accepting.side.root, document) === true &&
      refusing.side.accepts(refusing.side.root, document) === false;
    return isShownByDocument
      ? { value: document, acceptedBy, scope: "document" }
      : { value, acceptedBy, scope: "value" };
  }
  return undefined;
}

/** Whether the old side accepts values of every type under `property`, as far as values show it. */
export function isAnythingAccepted(pair: SchemaPair, property: string): boolean {
  const { old: node, oldSide: side, path } = pair;
  if (!isJsonObject(node)) return true;
  const { [property]: _, ...least } = minimalObject(side, node);
  const isAcceptedHere = (value: JsonValue) => side.accepts(node, value) !== false;
  const isAcceptedInDocument = (value: JsonValue) => {
    const document = side.isSmall ? documentAround(value, side, path) : undefined;
    return document === undefined || side.accepts(side.root, document) !== false;
  };
  return [isAcceptedHere, isAcceptedInDocument].every(
    (isAccepted) =>
      !isAccepted(least) || GENERIC_VALUES.every((value) => isAccepted({ ...least, [property]: value })),
  );
}

function isRefusedFor(
  { keywords, property }: Difference,
  { side, node }: SidedSchema,
  value: JsonValue,
): boolean {
  const refusals = side.refusals(node, value);
  if (refusals === undefined || refusals.length === 0) return false;
  if (property !== undefined) return refusals.some((refusal) => speaksOf(refusal, property));
  if (keywords.length === 0) return true;
  return keywords.some((keyword) => refusals.some((refusal) => `${refusal} `.startsWith(` ${keyword} `)));
}

/** Whether the member `property` was refused, or is missing. */
function speaksOf(refusal: string, property: string): boolean {
  const step = `/${escapePointerStep(property)}`;
  return (
    refusal.startsWith(`${step} `) ||
    refusal.startsWith(`${step}/`) ||
    refusal === ` required ${property}` ||
    refusal === ` additionalProperties ${property}` ||
    // Other keywords of the object do not say which member they mean.
    /^ (?!required|additionalProperties)/.test(refusal)
  );
}

const MAX_CANDIDATES = 400;

/** Those of the difference first, then small values before large ones. */
function candidatesFor(schemas: readonly SidedSchema[], difference: Difference): readonly JsonValue[] {
  const own = difference.candidates ?? [];
  const samples = schemas.flatMap(({ side, node }) => samplesOf(side, node));
  const objects = schemas.flatMap((schema) => objectsAround(schema, difference.property, schemas));
  const all = [...own, ...samples, ...objects, ...GENERIC_VALUES].slice(0, MAX_CANDIDATES);
  const distinct = new Map(all.map((value) => [JSON.stringify(value), value]));
  const bySize = [...distinct].sort(([a], [b]) => a.length - b.length).map(([, value]) => value);
  return [...own, ...bySize];
}

/** Objects with and without `property`, or with one that no schema names. */
function objectsAround(
  { side, node }: SidedSchema,
  property: string | undefined,
  schemas: readonly SidedSchema[],
): readonly JsonObject[] {
  const least = minimalObject(side, isJsonObject(node) ? node : {});
  if (property === undefined) {
    const nodes = schemas.map(({ node }) => (isJsonObject(node) ? node : {}));
    const name = unusedName(...nodes);
    const described = nodes.flatMap(({ additionalProperties }) =>
      isJsonObject(additionalProperties) ? samplesOf(side, additionalProperties, 1) : [],
    );
    const matching = nodes.flatMap((node) => membersByPattern(side, node).flatMap(Object.entries));
    return [
      ...[...GENERIC_VALUES, ...described].map((value) => ({ ...least, [name]: value })),
      ...matching.flatMap(([name, value]) =>
        [value, ...GENERIC_VALUES].map((other) => ({ ...least, [name]: other })),
      ),
    ];
  }
  const { [property]: _, ...without } = least;
  const described = schemas.flatMap((schema) => {
    const inner = propertySchema(schema.node, property);
    return isJsonObject(inner) ? samplesOf(schema.side, inner, 1) : [];
  });
  return [without, ...[...GENERIC_VALUES, ...described].map((value) => ({ ...without, [property]: value }))];
}

/** A name that no property has. */
function unusedName(...nodes: readonly JsonObject[]): string {
  const used = new Set(nodes.flatMap(({ properties }) => Object.keys(objectOrEmpty(properties))));
  let name = "other";
  while (used.has(name)) name += "1";
  return name;
}

/** The smallest document of `side` that most likely fits around `value` at `path`; undefined if no way there is found. */
function documentAround(
  value: JsonValue,
  side: SchemaSide,
  path: readonly InstanceStep[],
): JsonValue | undefined {
  const holders: { readonly node: JsonObject; readonly step: InstanceStep }[] = [];
  let node: SchemaNode | undefined = side.root;
  for (const step of path) {
    const holder: JsonObject | undefined = holderOf(step, node, side);
    if (holder === undefined) return undefined;
    holders.push({ node: holder, step });
    node = schemaAt(step, holder);
  }
  return holders.reduceRight<JsonValue>(
    (inner, { node: holder, step }) => holderValue(inner, side, holder, step),
    value,
  );
}

const MAX_NODES_SEARCHED = 50;

/** The schema that says what stands at `step`: `start`, what it refers to, or one of its branches. */
function holderOf(
  step: InstanceStep,
  start: SchemaNode | undefined,
  side: SchemaSide,
): JsonObject | undefined {
  const pending: (SchemaNode | undefined)[] = [start];
  for (let count = 0; pending.length > 0 && count < MAX_NODES_SEARCHED; count++) {
    const node = pending.shift();
    if (!isJsonObject(node)) continue;
    if (schemaAt(step, node) !== undefined) return node;
    const branches = ["allOf", "anyOf", "oneOf"].flatMap((name) => schemasIn(node[name]));
    pending.push(side.target(node["$ref"]), ...branches);
  }
  return undefined;
}

function schemaAt(step: InstanceStep, holder: JsonObject): SchemaNode | undefined {
  const schema =
    step.kind === "item"
      ? holder["items"]
      : step.kind === "value"
        ? holder["additionalProperties"]
        : propertySchema(holder, step.name);
  return isSchemaNode(schema) ? schema : undefined;
}

/** An array or object of `holder` with `inner` at `step`. */
function holderValue(inner: JsonValue, side: SchemaSide, holder: JsonObject, step: InstanceStep): JsonValue {
  if (step.kind === "item") {
    const least = typeof holder["minItems"] === "number" ? holder["minItems"] : 1;
    return Array.from({ length: Math.min(Math.max(least, 1), MAX_ITEMS) }, () => inner);
  }
  const name = step.kind === "member" ? step.name : unusedName(holder);
  const required = stringsIn(holder["required"]).filter((other) => step.kind !== "member" || other !== name);
  return { ...minimalObject(side, { ...holder, required }), [name]: inner };
}
