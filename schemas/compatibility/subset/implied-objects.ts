/** Whether what is known of an object implies a keyword that speaks of its members. Undefined for other keywords. */
import { isList, isNode, isObject, type Json, type JsonObject, member } from "../json.js";
import { type Entry, groupsOf } from "./conjunction.js";
import { type Question, valuesOf } from "./prover.js";

export function impliedObject(question: Question): boolean | undefined {
  const { facts, keyword, value } = question;
  switch (keyword) {
    case "properties":
      return (
        isObject(value) && Object.entries(value).every(([name, node]) => impliesMember(question, name, node))
      );
    case "required":
      return isList(value) && value.every((name) => typeof name === "string" && facts.required.has(name));
    case "additionalProperties":
      return impliesOthers(question);
    case "minProperties": {
      const named = [...facts.required].filter((name) => !(name in Object.prototype)).length;
      const least = Math.max(facts.limits.counts.get(keyword) ?? 0, named);
      return typeof value === "number" && least >= value;
    }
    default:
      return undefined;
  }
}

function impliesMember(question: Question, name: string, node: Json): boolean {
  const { prover, facts, wanted, level } = question;
  if (!isNode(node)) return false;
  if (name in Object.prototype) return isSaidAlike(question, name, node);
  return prover.fits(valuesOf(facts, name), { node, side: wanted.side }, level + 1);
}

/** A validator sees what every object inherits as a member that is there: only the very same schema will do. */
function isSaidAlike(
  { prover, facts }: Question,
  name: string,
  node: Json & (JsonObject | boolean),
): boolean {
  const number = prover.identity.ofSchema(node);
  return facts.plain.some((one) => {
    const said = member(one.node["properties"], name);
    return isNode(said) && prover.identity.ofSchema(said) === number && prover.isSame(one);
  });
}

function impliesOthers(question: Question): boolean {
  const { prover, facts, wanted, value, level } = question;
  if (value === true) return true;
  if (!isNode(value)) return false;
  const wantedOthers: Entry = { node: value, side: wanted.side };
  const known = wanted.node["properties"];
  const declared = new Set(facts.plain.flatMap(({ node }) => Object.keys(objectIn(node["properties"]))));
  for (const name of declared) {
    if (isObject(known) && Object.hasOwn(known, name)) continue;
    if (!prover.fits(valuesOf(facts, name), wantedOthers, level + 1)) return false;
  }
  const patterns = patternGroup(question, wanted.node);
  const others = facts.plain.flatMap(({ node, side }): Entry[] => {
    const said = node["additionalProperties"];
    const pattern = patternGroup(question, node);
    return isNode(said) && (pattern === undefined || pattern === patterns) ? [{ node: said, side }] : [];
  });
  return prover.fits(others, wantedOthers, level + 1);
}

function patternGroup({ prover }: Question, node: JsonObject): string | undefined {
  const patterns = node["patternProperties"];
  return patterns === undefined
    ? undefined
    : groupsOf({ patternProperties: patterns }, prover.identity).join();
}

function objectIn(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
