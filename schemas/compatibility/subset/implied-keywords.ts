/** Whether what is known of a value implies a keyword that speaks of the value alone. Undefined for other keywords. */
import { isList, type Json } from "../json.js";
import { type Bound, forIntegers, isAsStrict, isMultiple } from "./bounds.js";
import { FORMATS_THAT_DECIDE } from "./formats.js";
import type { Question } from "./prover.js";
import { typesOf } from "./value-types.js";

export function impliedKeyword(question: Question): boolean | undefined {
  const { facts, keyword, value, wanted } = question;
  const { counts } = facts.limits;
  switch (keyword) {
    case "type":
    case "nullable": {
      const types = typesOf(wanted.node);
      return types !== undefined && [...facts.types].every((type) => types.includes(type));
    }
    case "minimum":
    case "exclusiveMinimum":
      return impliesBound(question, 1, keyword === "exclusiveMinimum");
    case "maximum":
    case "exclusiveMaximum":
      return impliesBound(question, -1, keyword === "exclusiveMaximum");
    case "multipleOf":
      return impliesMultiple(question);
    case "minLength":
    case "minItems":
      return typeof value === "number" && (value <= 0 || (counts.get(keyword) ?? -1) >= value);
    case "maxLength":
    case "maxItems":
    case "maxProperties":
      return typeof value === "number" && (counts.get(keyword) ?? Number.POSITIVE_INFINITY) <= value;
    case "pattern":
      return typeof value === "string" && facts.patterns.has(value);
    case "format":
      return typeof value === "string" && (!FORMATS_THAT_DECIDE.has(value) || facts.formats.has(value));
    case "uniqueItems":
      return value === false || facts.unique || (counts.get("maxItems") ?? 2) <= 1;
    case "items":
      return impliesItems(question);
    case "enum":
    case "const":
      // Where the values are listed, they have been looked at one by one.
      return false;
    default:
      return undefined;
  }
}

function impliesBound({ facts, value }: Question, sign: 1 | -1, exclusive: boolean): boolean {
  if (typeof value !== "number") return false;
  const { lower, upper } = facts.limits;
  const have = sign === 1 ? lower : upper;
  const wanted: Bound = { value, exclusive };
  const isWhole = !facts.types.has("fraction");
  return (
    isAsStrict(have, wanted, sign) ||
    (isWhole && isAsStrict(forIntegers(have, sign), forIntegers(wanted, sign) ?? wanted, sign))
  );
}

function impliesMultiple({ facts, value }: Question): boolean {
  if (typeof value !== "number") return false;
  if (value === 1 && !facts.types.has("fraction")) return true;
  return facts.limits.multiples.some((have) => isMultiple(have, value));
}

function impliesItems({ prover, facts, value, wanted, level }: Question): boolean {
  if (facts.limits.counts.get("maxItems") === 0) return true;
  if (isList(value)) return facts.plain.some((one) => prover.isSame(one) && sameItems(one.node["items"]));
  if (typeof value !== "object" && typeof value !== "boolean") return false;
  if (value === null) return false;
  const items = facts.plain.flatMap(({ node, side }) => {
    const said = node["items"];
    return said === undefined ||
      said === null ||
      isList(said) ||
      typeof said === "string" ||
      typeof said === "number"
      ? []
      : [{ node: said, side }];
  });
  return prover.fits(items, { node: value, side: wanted.side }, level + 1);

  function sameItems(other: Json | undefined): boolean {
    const number = (items: Json) => prover.identity.ofSchema({ items });
    return other !== undefined && number(other) === number(value);
  }
}
