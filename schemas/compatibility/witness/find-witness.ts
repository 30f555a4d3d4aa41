/** Looks for a small value that one side accepts and the other refuses, and verifies it before it is shown. */
import type { Witness } from "../change.js";
import { isObject, type Json, type JsonObject, type Node } from "../json.js";
import type { Facet, Pair } from "../schema-changes/facet.js";
import type { SchemaSide } from "../schema-side.js";
import { embedded, otherName } from "./embed.js";
import { GENERIC, objectFor, samplesOf } from "./samples.js";

/** How often a value is still looked for: where very much has changed, the first ones must do. */
export interface Effort {
  searches: number;
}

const MOST_SEARCHES = 400;

export function newEffort(): Effort {
  return { searches: MOST_SEARCHES };
}

/** A value that `acceptedBy` accepts and the other side refuses by what `facet` speaks of; undefined where none was found. */
export function findWitness(
  pair: Pair,
  facet: Facet,
  { acceptedBy, effort }: { readonly acceptedBy: "old" | "new"; readonly effort: Effort },
): Witness | undefined {
  if (effort.searches-- <= 0) return undefined;
  const [giver, refuser] = acceptedBy === "old" ? sides(pair) : sides(pair).toReversed();
  if (giver === undefined || refuser === undefined) return undefined;
  for (const value of candidatesFor(pair, facet, acceptedBy)) {
    if (giver.side.accepts(giver.node, value) !== true || !isRefusedBy(refuser, value, facet)) continue;
    const isSmall = giver.side.isSmall && refuser.side.isSmall;
    const whole = isSmall ? embedded(giver.side, pair.path, value) : undefined;
    const shows =
      whole !== undefined &&
      giver.side.accepts(giver.side.root, whole) === true &&
      refuser.side.accepts(refuser.side.root, whole) === false;
    return shows ? { value: whole, acceptedBy, scope: "document" } : { value, acceptedBy, scope: "value" };
  }
  return undefined;
}

interface Half {
  readonly node: Node;
  readonly side: SchemaSide;
}

function sides(pair: Pair): readonly [Half, Half] {
  return [
    { node: pair.old, side: pair.oldSide },
    { node: pair.new, side: pair.newSide },
  ];
}

function isRefusedBy({ side, node }: Half, value: Json, { keywords, member }: Facet): boolean {
  const refusals = side.refusals(node, value);
  if (refusals === undefined || refusals.length === 0) return false;
  if (keywords.length > 0)
    return keywords.some((keyword) => refusals.some((refusal) => `${refusal} `.startsWith(` ${keyword} `)));
  return (
    member === undefined ||
    refusals.some((refusal) => refusal.includes(member.replace(/~/g, "~0").replace(/\//g, "~1")))
  );
}

const MOST = 400;

/** Small values first. */
function candidatesFor(pair: Pair, facet: Facet, acceptedBy: "old" | "new"): readonly Json[] {
  const halves = sides(pair);
  const own = facet.candidates?.(acceptedBy) ?? [];
  const pooled = halves.flatMap(({ side, node }) => samplesOf(side, node));
  const objects = halves.flatMap(({ side, node }) => objectsFor(side, node, facet, halves));
  const shared = [...pooled, ...objects, ...GENERIC];
  const distinct = new Map([...own, ...shared].slice(0, MOST).map((value) => [JSON.stringify(value), value]));
  const rest = [...distinct].sort(([a], [b]) => a.length - b.length).map(([, value]) => value);
  return [...own, ...rest];
}

/** Objects that have, or lack, what `facet` speaks of. */
function objectsFor(
  side: SchemaSide,
  node: Node,
  facet: Facet,
  halves: readonly Half[],
): readonly JsonObject[] {
  const keywords = isObject(node) ? node : {};
  const least = objectFor(side, keywords);
  const { member } = facet;
  const others = halves.map((half) => (isObject(half.node) ? half.node : {}));
  if (member === undefined) {
    const name = otherName(...others);
    const values = [...GENERIC, ...others.flatMap(otherValues)];
    return values.map((value) => ({ ...least, [name]: value }));
  }
  const { [member]: _, ...without } = least;
  const values = halves.flatMap((half) => {
    const properties = isObject(half.node) ? half.node["properties"] : undefined;
    const schema = isObject(properties) && Object.hasOwn(properties, member) ? properties[member] : undefined;
    return isObject(schema) ? samplesOf(half.side, schema, 1) : [];
  });
  return [without, ...[...GENERIC, ...values].map((value) => ({ ...without, [member]: value }))];

  function otherValues({ additionalProperties: schema }: JsonObject): readonly Json[] {
    return isObject(schema) ? samplesOf(side, schema, 1) : [];
  }
}
