/** Unions that the platform has words for: a nullable value, a list of members. The rest is carried as `anyOf`. */
import { Kind } from "@sinclair/typebox";
import { isMembers, type JsonMember, type JsonTree } from "../../formats/json-tree.js";
import type { Keyword, Keywords, SchemaModel } from "../schema-model.js";
import { describeItems } from "./described-items.js";
import { keywordsIn, mergeKeywords, otherMembers } from "./keyword-values.js";
import { asNullable } from "./nullable.js";
import type { Schema, SchemaContext } from "./schema-context.js";
import { isRecord } from "./scope.js";

/** The schema of a TypeBox union. */
export function buildUnion(schema: Schema, context: SchemaContext): SchemaModel {
  const variants = flatten(schema);
  const values = variants.filter((variant) => variant[Kind] !== "Null");
  const nullable = values.length < variants.length;
  const keywords = keywordsIn(schema, context, ["anyOf"]);
  if (values.length > 0 && values.every((variant) => variant[Kind] === "Literal")) {
    const inner = values.length === 1 ? literalKeywords(values[0] ?? {}, context) : [];
    const enclosed = variantsOf(schema).filter(isLiteralUnion);
    const all = [...inner, ...enclosed.flatMap((union) => keywordsIn(union, context, ["anyOf"]))];
    const members = values.map((variant) => variant["const"]);
    const built = listOf(members, nullable, mergeKeywords(all, keywords));
    if (built !== undefined) return built;
  }
  const [only] = values;
  if (only !== undefined && values.length === 1) return one(only, nullable, keywords, context);
  return { kind: "verbatim", json: { members: otherMembers(schema, context) } };
}

/** A literal is a list of one member: no known connector has `const`. */
export function buildLiteral(schema: Schema, context: SchemaContext): SchemaModel {
  const keywords = literalKeywords(schema, context);
  return (
    listOf([schema["const"]], false, keywords) ?? {
      kind: "verbatim",
      json: { members: otherMembers(schema, context) },
    }
  );
}

/** TypeBox leaves `anyOf` behind where it takes a union of one literal for the literal. */
function literalKeywords(schema: Schema, context: SchemaContext): Keywords {
  return keywordsIn(schema, context, ["const", "type", "anyOf"]);
}

/** The schema of one of `members`, where they are texts or numbers. */
function listOf(members: readonly unknown[], nullable: boolean, keywords: Keywords): SchemaModel | undefined {
  if (members.every((member) => typeof member === "string")) {
    return { kind: "enum", nullable, members, keywords };
  }
  if (!members.every((member): member is number => Number.isFinite(member))) return undefined;
  const type: JsonTree = nullable ? ["number", "null"] : "number";
  const list: JsonTree = nullable ? [...members, null] : members;
  const shape = [["type", type] as const, ["enum", list] as const];
  return {
    kind: "verbatim",
    json: { members: [...shape, ...keywords.map(({ name, value }) => [name, value] as const)] },
  };
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

/** The only variant beside null, with what is said of the union added to what it says itself. */
function one(variant: Schema, nullable: boolean, outer: Keywords, context: SchemaContext): SchemaModel {
  const isReference = nullable && context.definitions.isReference(variant);
  const built = isReference
    ? context.definitions.nullable(variant, context)
    : context.build(variant, context);
  const schema = nullable ? asNullable(built) : built;
  if (schema.kind !== "verbatim") {
    return describeItems({ ...schema, keywords: mergeKeywords(schema.keywords, outer) });
  }
  if (outer.length === 0 || !isMembers(schema.json)) return schema;
  const inner = schema.json.members.map(([name, value]): Keyword => ({ name, value }));
  const members = mergeKeywords(inner, outer).map(({ name, value }): JsonMember => [name, value]);
  return { kind: "verbatim", json: { members } };
}
