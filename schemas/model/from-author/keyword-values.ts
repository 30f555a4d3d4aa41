/** The keywords of a TypeBox value: carried in the author's order, schemas inside them built like any other. */
import type { JsonMember, JsonTree } from "../../formats/json-tree.js";
import {
  AUTHORING_KEYWORDS,
  SCHEMA_KEYWORDS,
  SCHEMA_LIST_KEYWORDS,
  SCHEMA_MAP_KEYWORDS,
  TYPEBOX_NAMES,
} from "../../keywords.js";
import { renderSchema } from "../render-schema.js";
import type { Keyword, Keywords } from "../schema-model.js";
import { jsonValue } from "./json-values.js";
import { buildBelow, type Schema, type SchemaContext } from "./schema-context.js";
import { isRecord } from "./scope.js";

/** All keywords but those of `shape` and of the vocabulary; `format` comes first, next to the type. */
export function keywordsIn(schema: Schema, context: SchemaContext, shape: readonly string[] = []): Keywords {
  const keywords: Keyword[] = [];
  for (const name of Object.keys(schema)) {
    if (shape.includes(name) || AUTHORING_KEYWORDS.includes(name) || TYPEBOX_NAMES.includes(name)) continue;
    const value = schema[name];
    const tree = value === undefined ? undefined : keywordTree(name, value, context);
    if (tree !== undefined) keywords.push({ name, value: tree });
  }
  return formatFirst(keywords);
}

function formatFirst(keywords: Keywords): Keywords {
  if (keywords.length < 2) return keywords;
  const isFormat = (name: string) => name === "format";
  return [
    ...keywords.filter(({ name }) => isFormat(name)),
    ...keywords.filter(({ name }) => !isFormat(name)),
  ];
}

/** `inner`, with what `outer` says again replaced in place and what it adds behind. */
export function mergeKeywords(inner: Keywords, outer: Keywords): Keywords {
  const replaced = inner.map((keyword) => outer.find(({ name }) => name === keyword.name) ?? keyword);
  const added = outer.filter(({ name }) => !inner.some((keyword) => keyword.name === name));
  return formatFirst([...replaced, ...added]);
}

/** The members of a schema that the model carries verbatim: `type` first, the rest in the author's order. */
export function otherMembers(schema: Schema, context: SchemaContext): readonly JsonMember[] {
  const members = keywordsIn(schema, context).map(({ name, value }): JsonMember => [name, value]);
  return [...members.filter(([name]) => name === "type"), ...members.filter(([name]) => name !== "type")];
}

function keywordTree(name: string, value: unknown, context: SchemaContext): JsonTree | undefined {
  const what = `"${name}" of ${context.scope.what}`;
  const built = (schema: unknown, ...pointer: (string | number)[]) =>
    typeof schema === "boolean" ? schema : renderSchema(buildBelow(schema, context, { what, pointer }));
  if ((SCHEMA_KEYWORDS.includes(name) || name === "items") && isRecord(value)) return built(value, name);
  if ((SCHEMA_LIST_KEYWORDS.includes(name) || name === "items") && Array.isArray(value)) {
    return [...value].map((schema, index) => built(schema, name, index));
  }
  if (SCHEMA_MAP_KEYWORDS.includes(name) && isRecord(value)) {
    return {
      members: Object.entries(value).map(([key, schema]): JsonMember => [key, built(schema, name, key)]),
    };
  }
  return jsonValue(value, name, context.scope);
}
