/** Properties that came, went or changed their duty, and what an object says of all others. */
import { isObject, type Json, type JsonObject, textsOf } from "../json.js";
import {
  type Answer,
  CAN_NOT_TELL,
  CHANGES_BOTH,
  type Facet,
  facet,
  KEEPS,
  NARROWS,
  WIDENS,
} from "./facet.js";

/** What changed in the members of an object, but for the schemas that both sides have. */
export function memberFacets(old: JsonObject, next: JsonObject): readonly Facet[] {
  const before = objectIn(old["properties"]);
  const after = objectIn(next["properties"]);
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const added = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
  const had = new Set(textsOf(old["required"]));
  const has = new Set(textsOf(next["required"]));
  return [
    ...gone.map((name) => removed(name, old, next)),
    ...added.map((name) => addition(name, has.has(name) && !had.has(name), old, next)),
    ...[...had].filter((name) => !has.has(name) && !gone.includes(name)).map(optional(before)),
    ...[...has].filter((name) => !had.has(name) && !added.includes(name)).map(required(after)),
    ...othersFacets(old["additionalProperties"], next["additionalProperties"]),
  ];
}

function removed(name: string, old: JsonObject, next: JsonObject): Facet {
  const widens: Answer =
    old["additionalProperties"] === false || isAny(objectIn(old["properties"])[name]) ? "no" : "yes";
  const narrows: Answer = takesOthers(next) ? "no" : "yes";
  return facet(
    "property-removed",
    {},
    {
      narrows,
      widens,
      keywords: [],
      ...placed(name, "old"),
      severity: "major",
    },
  );
}

function addition(name: string, isRequired: boolean, old: JsonObject, next: JsonObject): Facet {
  const wasRefused = !takesOthers(old);
  const isHeld = !isAny(objectIn(next["properties"])[name]);
  const direction = isObject(old["additionalProperties"])
    ? CAN_NOT_TELL
    : wasRefused
      ? isRequired
        ? CHANGES_BOTH
        : WIDENS
      : isRequired || isHeld
        ? NARROWS
        : KEEPS;
  return isRequired
    ? facet(
        "property-added-required",
        {},
        { ...direction, keywords: [`required ${name}`], ...placed(name, "new") },
      )
    : facet("property-added", {}, { ...direction, keywords: [], ...placed(name, "new") });
}

function optional(before: JsonObject): (name: string) => Facet {
  return (name) =>
    facet(
      "property-optional",
      {},
      {
        ...WIDENS,
        keywords: [`required ${name}`],
        member: name,
        ...(Object.hasOwn(before, name) && { steps: ["properties", name] }),
      },
    );
}

function required(after: JsonObject): (name: string) => Facet {
  return (name) =>
    facet(
      "property-required",
      {},
      {
        ...NARROWS,
        keywords: [`required ${name}`],
        member: name,
        ...(Object.hasOwn(after, name) && { steps: ["properties", name] }),
      },
    );
}

function placed(name: string, on: "old" | "new"): Pick<Facet, "member" | "steps" | "on" | "isCertain"> {
  return { member: name, steps: ["properties", name], on, isCertain: true };
}

function othersFacets(before: Json | undefined, after: Json | undefined): readonly Facet[] {
  const [was, is] = [before ?? true, after ?? true];
  const steps = { steps: ["additionalProperties"] };
  const keywords = ["additionalProperties", "false schema"];
  if (typeof was === "boolean" && typeof is === "boolean") {
    if (was === is) return [];
    return is
      ? [facet("object-opened", {}, { ...WIDENS, keywords })]
      : [facet("object-closed", {}, { ...NARROWS, keywords })];
  }
  if (is === false) return [facet("object-closed", {}, { ...NARROWS, keywords })];
  if (was === false) return [facet("object-opened", {}, { ...WIDENS, keywords })];
  const part = { part: "other properties" };
  if (was === true)
    return [facet("values-described", part, { ...NARROWS, keywords: [], ...steps, on: "new" })];
  if (is === true)
    return [facet("values-undescribed", part, { ...WIDENS, keywords: [], ...steps, on: "old" })];
  return [];
}

/** Whether a name that no property has is let through, whatever its value. */
function takesOthers(node: JsonObject): boolean {
  const others = node["additionalProperties"];
  return others === undefined || others !== false;
}

function isAny(value: Json | undefined): boolean {
  return value === true || (isObject(value) && Object.keys(value).length === 0);
}

function objectIn(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
