/** Unions that the platform has words for: a nullable value, a list of members. The rest is carried as `anyOf`. */
import { Kind } from "@sinclair/typebox";
import type { JsonTree } from "../../formats/json-tree.js";
import type { Keyword, Keywords, SchemaModel } from "../schema-model.js";
import { keywordsIn, otherMembers } from "./keyword-values.js";
import { asNullable } from "./nullable.js";
import type { Schema, SchemaContext } from "./schema-context.js";
import { isRecord } from "./scope.js";

/** The schema of a TypeBox union. */
export function buildUnion(schema: Schema, context: SchemaContext): SchemaModel {
  const variants = flatten(schema);
  const values = variants.filter((variant) => variant[Kind] !== "Null");
  const nullable = values.length < variants.length;
  const keywords = keywordsIn(schema, context, ["anyOf"]);
  const members = values.map((variant) => (variant[Kind] === "Literal" ? variant["const"] : undefined));
  if (values.length > 0 && members.every((member) => typeof member === "string")) {
    const inner = values.length === 1 ? keywordsIn(values[0] ?? {}, context, ["const", "type"]) : [];
    const enclosed = variantsOf(schema).filter(isLiteralUnion);
    const all = [...inner, ...enclosed.flatMap((union) => keywordsIn(union, context, ["anyOf"]))];
    return { kind: "enum", nullable, members, keywords: merge(all, keywords) };
  }
  const [only] = values;
  if (only !== undefined && values.length === 1) return one(only, nullable, keywords, context);
  if (values.length > 0 && members.every((member) => typeof member === "number"))
    return listed("number", members, nullable, keywords);
  return { kind: "verbatim", json: { members: otherMembers(schema, context) } };
}

/** The variants; those of literal unions directly among them, as `Nullable(StringEnum([...]))` makes them, unwrapped. */
function flatten(schema: Schema): readonly Schema[] {
  return variantsOf(schema).flatMap((variant) => (isLiteralUnion(variant) ? variantsOf(variant) : [variant]));
}

function isLiteralUnion(schema: Schema): boolean {
  return schema[Kind] === "Union" && variantsOf(schema).every((variant) => variant[Kind] === "Literal");
}

function variantsOf(schema: Schema): readonly Schema[] {
  return Array.isArray(schema["anyOf"]) ? schema["anyOf"].filter(isRecord) : [];
}

function one(variant: Schema, nullable: boolean, outer: Keywords, context: SchemaContext): SchemaModel {
  if (nullable && context.definitions.isReference(variant))
    return context.definitions.nullable(variant, context);
  const built = context.build(variant, context);
  const schema = nullable ? asNullable(built) : built;
  if (schema.kind !== "verbatim") return { ...schema, keywords: merge(schema.keywords, outer) };
  if (
    outer.length === 0 ||
    typeof schema.json !== "object" ||
    schema.json === null ||
    !("members" in schema.json)
  ) {
    return schema;
  }
  const inner = schema.json.members.map(([name, value]): Keyword => ({ name, value }));
  const members = merge(inner, outer).map(({ name, value }) => [name, value] as const);
  return { kind: "verbatim", json: { members } };
}

function listed(
  type: string,
  members: readonly number[],
  nullable: boolean,
  keywords: Keywords,
): SchemaModel {
  const shape: readonly (readonly [string, JsonTree])[] = [
    ["type", nullable ? [type, "null"] : type],
    ["enum", nullable ? [...members, null] : members],
  ];
  return {
    kind: "verbatim",
    json: { members: [...shape, ...keywords.map(({ name, value }) => [name, value] as const)] },
  };
}

/** `inner`, with what `outer` says again replaced in place and what it adds behind. */
function merge(inner: Keywords, outer: Keywords): Keywords {
  const replaced = inner.map((keyword) => outer.find(({ name }) => name === keyword.name) ?? keyword);
  return [...replaced, ...outer.filter(({ name }) => !inner.some((keyword) => keyword.name === name))];
}
