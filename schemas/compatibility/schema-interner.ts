/** Equality of schemas and values as equality of numbers, whatever the order of members, names and choices. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../json.js";
import {
  holdsSchema,
  holdsSchemaArray,
  holdsSchemaMap,
  isDeciding,
  KEYWORDS,
  type SchemaKeyword,
} from "../keywords.js";
import { isSchemaNode, type SchemaNode } from "./schema-node.js";

/** Keywords whose meaning the comparison knows. Every other deciding keyword belongs to a group. */
const UNDERSTOOD: ReadonlySet<string> = new Set([
  "type",
  "nullable",
  "enum",
  "const",
  "properties",
  "required",
  "additionalProperties",
  "minProperties",
  "maxProperties",
  "items",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "$ref",
]);

/** Keywords that only mean something together, and are compared as one. */
export interface KeywordGroup {
  /** Of its first keyword. */
  readonly name: string;
  readonly keywords: readonly string[];
  /** An understood keyword without which the group means another thing. */
  readonly beside?: string;
}

export const KEYWORD_GROUPS: readonly KeywordGroup[] = groupKeywords(
  [...KEYWORDS.values()].filter(({ name }) => isDeciding(name) && !UNDERSTOOD.has(name)),
);

function groupKeywords(keywords: readonly SchemaKeyword[]): readonly KeywordGroup[] {
  const groups = new Map<string, string[]>();
  for (const { name, dependsOn } of keywords) {
    const leader = dependsOn ?? name;
    groups.set(leader, [...(groups.get(leader) ?? []), name]);
  }
  return [...groups].map(([leader, names]) => ({
    name: names[0] ?? leader,
    keywords: names,
    ...(UNDERSTOOD.has(leader) && { beside: leader }),
  }));
}

/** The name of the group of `keyword`; undefined if the comparison knows what the keyword means. */
export function groupNameOf(keyword: string): string | undefined {
  return KEYWORD_GROUPS.find(({ keywords }) => keywords.includes(keyword))?.name;
}

const UNORDERED_VALUES: ReadonlySet<string> = new Set(["enum", "required", "type"]);
const UNORDERED_SCHEMAS: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf"]);

/**
 * Gives equal schemas, and equal values, one number. One instance serves both sides of a comparison. References count
 * by their text.
 */
export class SchemaInterner {
  readonly #numbers = new Map<string, number>();
  readonly #deciding = new WeakMap<object, number>();
  readonly #whole = new WeakMap<object, number>();
  readonly #groups = new WeakMap<object, ReadonlyMap<string, number>>();

  /** The number of what `node` accepts, as far as its text says it: annotations do not count. */
  schemaNumber(node: SchemaNode): number {
    return this.#nodeNumber(node, this.#deciding, isDeciding);
  }

  /** The number of all that `node` says, annotations and definitions included. */
  textNumber(node: SchemaNode): number {
    return this.#nodeNumber(node, this.#whole, () => true);
  }

  valueNumber(value: JsonValue): number {
    if (isJsonArray(value)) return this.#intern(`[${value.map((item) => this.valueNumber(item)).join()}]`);
    if (!isJsonObject(value)) return this.#intern(JSON.stringify(value === 0 ? 0 : value));
    const members = Object.entries(value).map(
      ([name, item]) => `${JSON.stringify(name)}${this.valueNumber(item)}`,
    );
    return this.#intern(`{${members.sort().join()}}`);
  }

  /** The number of what each group of keywords says, by the group's name; groups that `node` has not are left out. */
  groupNumbers(node: JsonObject): ReadonlyMap<string, number> {
    const known = this.#groups.get(node);
    if (known !== undefined) return known;
    const numbers = new Map<string, number>();
    this.#groups.set(node, numbers);
    for (const { name, keywords, beside } of KEYWORD_GROUPS) {
      const present = keywords.filter((keyword) => Object.hasOwn(node, keyword));
      if (present.length === 0) continue;
      const members = [...present, ...(beside === undefined ? [] : [beside])].flatMap((keyword) => {
        const value = node[keyword];
        return value === undefined ? [] : [[keyword, value] as const];
      });
      numbers.set(name, this.schemaNumber(Object.fromEntries(members)));
    }
    return numbers;
  }

  #nodeNumber(
    node: SchemaNode,
    known: WeakMap<object, number>,
    counts: (keyword: string) => boolean,
  ): number {
    if (typeof node === "boolean") return this.#intern(node ? "schema{}" : "schema-false");
    const found = known.get(node);
    if (found !== undefined) return found;
    const numberOf = (inner: SchemaNode) => this.#nodeNumber(inner, known, counts);
    const members = Object.entries(node)
      .filter(([name]) => counts(name))
      .map(([name, value]) => `${JSON.stringify(name)}${this.#keywordText(name, value, numberOf)}`);
    const number = this.#intern(`schema{${members.sort().join()}}`);
    known.set(node, number);
    return number;
  }

  #keywordText(name: string, value: JsonValue, numberOf: (inner: SchemaNode) => number): string {
    if (UNORDERED_VALUES.has(name)) {
      const items = isJsonArray(value) ? value : name === "type" ? [value] : undefined;
      return items === undefined
        ? `=${this.valueNumber(value)}`
        : setText(items.map((item) => this.valueNumber(item)));
    }
    if (holdsSchemaMap(name) && isJsonObject(value)) return this.#mapText(value, numberOf);
    if (holdsSchemaArray(name) && isJsonArray(value) && value.every(isSchemaNode)) {
      const items = value.map(numberOf);
      return UNORDERED_SCHEMAS.has(name) ? `(${items.sort((a, b) => a - b).join()})` : `[${items.join()}]`;
    }
    return holdsSchema(name) && isSchemaNode(value) ? `:${numberOf(value)}` : `=${this.valueNumber(value)}`;
  }

  #mapText(value: JsonObject, numberOf: (inner: SchemaNode) => number): string {
    const members = Object.entries(value).map(([name, item]) => {
      const number = isSchemaNode(item) ? `:${numberOf(item)}` : `=${this.valueNumber(item)}`;
      return `${JSON.stringify(name)}${number}`;
    });
    return `{${members.sort().join()}}`;
  }

  #intern(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}

function setText(numbers: readonly number[]): string {
  return `{${[...new Set(numbers)].sort((a, b) => a - b).join()}}`;
}
