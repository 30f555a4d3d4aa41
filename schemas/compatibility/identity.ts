/** Numbers for schemas and values: equal ones share a number, whatever the order of their members, names and choices. */
import { SCHEMA_KEYWORDS, SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS } from "../keywords.js";
import { isList, isNode, isObject, type Json, type JsonObject, type Node } from "./json.js";
import { DECIDING_KEYWORDS } from "./keywords.js";

const SETS: ReadonlySet<string> = new Set(["enum", "required", "type"]);
const MAPS: ReadonlySet<string> = new Set([...SCHEMA_MAP_KEYWORDS, "properties", "dependencies"]);
const SINGLE: ReadonlySet<string> = new Set([...SCHEMA_KEYWORDS, "items"]);
const LISTS: ReadonlySet<string> = new Set([...SCHEMA_LIST_KEYWORDS, "items"]);
const UNORDERED: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf"]);

/** One instance serves both sides of a comparison. References count by their text. */
export class Identity {
  readonly #numbers = new Map<string, number>();
  readonly #deciding = new WeakMap<object, number>();
  readonly #whole = new WeakMap<object, number>();

  /** The number of what `node` accepts, as far as its text says it: annotations do not count. */
  ofSchema(node: Node): number {
    return this.#schema(node, this.#deciding, (name) => DECIDING_KEYWORDS.has(name));
  }

  /** The number of all that `node` says, annotations and definitions included. */
  ofText(node: Node): number {
    return this.#schema(node, this.#whole, () => true);
  }

  /** The number of a JSON value. */
  ofValue(value: Json): number {
    if (isList(value)) return this.#number(`[${value.map((item) => this.ofValue(item)).join()}]`);
    if (!isObject(value)) return this.#number(JSON.stringify(value === 0 ? 0 : value));
    const members = Object.entries(value).map(
      ([name, item]) => `${JSON.stringify(name)}${this.ofValue(item)}`,
    );
    return this.#number(`{${members.sort().join()}}`);
  }

  #schema(node: Node, known: WeakMap<object, number>, counts: (keyword: string) => boolean): number {
    if (typeof node === "boolean") return this.#number(node ? "schema{}" : "schema-false");
    const found = known.get(node);
    if (found !== undefined) return found;
    const inner = (value: Node) => this.#schema(value, known, counts);
    const members = Object.entries(node)
      .filter(([name]) => counts(name))
      .map(([name, value]) => `${JSON.stringify(name)}${this.#keyword(name, value, inner)}`);
    const number = this.#number(`schema{${members.sort().join()}}`);
    known.set(node, number);
    return number;
  }

  #keyword(name: string, value: Json, inner: (value: Node) => number): string {
    if (SETS.has(name)) {
      const items = isList(value) ? value : name === "type" ? [value] : undefined;
      return items === undefined
        ? `=${this.ofValue(value)}`
        : this.#set(items.map((item) => this.ofValue(item)));
    }
    if (MAPS.has(name) && isObject(value)) return this.#map(value, inner);
    if (LISTS.has(name) && isList(value) && value.every(isNode)) {
      const items = value.map(inner);
      return UNORDERED.has(name) ? `(${items.sort((a, b) => a - b).join()})` : `[${items.join()}]`;
    }
    return SINGLE.has(name) && isNode(value) ? `:${inner(value)}` : `=${this.ofValue(value)}`;
  }

  #map(value: JsonObject, inner: (value: Node) => number): string {
    const members = Object.entries(value).map(([name, item]) => {
      const number = isNode(item) ? `:${inner(item)}` : `=${this.ofValue(item)}`;
      return `${JSON.stringify(name)}${number}`;
    });
    return `{${members.sort().join()}}`;
  }

  #set(numbers: readonly number[]): string {
    return `{${[...new Set(numbers)].sort((a, b) => a - b).join()}}`;
  }

  #number(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}
