/** Puts a value into the smallest document that most likely fits around it. */
import { isObject, type Json, type JsonObject, type Node, textsOf } from "../json.js";
import type { InstanceStep } from "../schema-changes/facet.js";
import type { SchemaSide } from "../schema-side.js";
import { nodesIn } from "../subset/conjunction.js";
import { objectFor } from "./samples.js";

/** The document of `side` that holds `value` at `path`; undefined where the way there is not plain. */
export function embedded(side: SchemaSide, path: readonly InstanceStep[], value: Json): Json | undefined {
  const nodes: { readonly node: JsonObject; readonly step: InstanceStep }[] = [];
  let node: Node | undefined = side.root;
  for (const step of path) {
    const holder: JsonObject | undefined = holderOf(side, node, step);
    if (holder === undefined) return undefined;
    nodes.push({ node: holder, step });
    node = inner(holder, step);
  }
  return nodes.reduceRight<Json>(
    (current, { node: holder, step }) => around(side, holder, step, current),
    value,
  );
}

const MOST_STEPS = 50;

/** The schema that says what stands at `step`: `node`, what it refers to, or one of its parts. */
function holderOf(side: SchemaSide, start: Node | undefined, step: InstanceStep): JsonObject | undefined {
  const waiting: (Node | undefined)[] = [start];
  for (let count = 0; waiting.length > 0 && count < MOST_STEPS; count++) {
    const node = waiting.shift();
    if (!isObject(node)) continue;
    if (inner(node, step) !== undefined) return node;
    waiting.push(
      side.target(node["$ref"]),
      ...["allOf", "anyOf", "oneOf"].flatMap((name) => nodesIn(node[name])),
    );
  }
  return undefined;
}

function inner(holder: JsonObject, step: InstanceStep): Node | undefined {
  const properties = holder["properties"];
  const value =
    step.kind === "item"
      ? holder["items"]
      : step.kind === "value"
        ? holder["additionalProperties"]
        : isObject(properties) && Object.hasOwn(properties, step.name)
          ? properties[step.name]
          : undefined;
  return isObject(value) || typeof value === "boolean" ? value : undefined;
}

function around(side: SchemaSide, holder: JsonObject, step: InstanceStep, value: Json): Json {
  if (step.kind === "item") {
    const least = holder["minItems"];
    return Array.from(
      { length: typeof least === "number" ? Math.min(Math.max(least, 1), 60) : 1 },
      () => value,
    );
  }
  const rest = objectFor(side, { ...holder, required: withoutName(holder["required"], step) });
  return { ...rest, [step.kind === "member" ? step.name : otherName(holder)]: value };
}

function withoutName(required: Json | undefined, step: InstanceStep): readonly string[] {
  return step.kind === "member" ? textsOf(required).filter((name) => name !== step.name) : textsOf(required);
}

/** A name that no property has. */
export function otherName(...holders: readonly JsonObject[]): string {
  const taken = new Set(
    holders.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : [])),
  );
  let name = "other";
  while (taken.has(name)) name += "1";
  return name;
}
