/** One side of a comparison of two schemas: its parts by their pointers, its references, and what it accepts. */
import { fragmentSteps, jsonPointer } from "../naming/json-pointer.js";
import { Acceptance } from "./acceptance.js";
import { isList, isNode, isObject, isText, type Json, type JsonObject, type Node } from "./json.js";
import { OTHER_REFERENCES } from "./keywords.js";

export class SchemaSide {
  readonly root: Node;
  /** How many objects and lists the schema holds. */
  readonly size: number;
  /** What its references name, each once. */
  readonly references: ReadonlySet<string>;
  readonly #pointers = new Map<object, string>();
  readonly #references = new Set<string>();
  readonly #acceptance: Acceptance;
  readonly #small = new Map<object, boolean>();
  /** Names other than by `$ref` may lead anywhere. */
  readonly #isPlain: boolean;

  constructor(root: Node) {
    this.root = root;
    const waiting: [Json, string][] = [[root, ""]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [value, pointer] = next;
      if (typeof value !== "object" || value === null) continue;
      this.#pointers.set(value, pointer);
      const { $ref } = value as JsonObject;
      if (isText($ref)) this.#references.add($ref);
      for (const [name, item] of Object.entries(value)) waiting.push([item, pointer + jsonPointer([name])]);
    }
    this.size = this.#pointers.size;
    this.references = this.#references;
    this.#acceptance = new Acceptance(root, this.references.size > 0);
    this.#isPlain = ![...this.#pointers.keys()].some((value) =>
      OTHER_REFERENCES.some((name) => isText((value as JsonObject)[name])),
    );
  }

  /** The pointer of a part of the schema; undefined for what is none. */
  pointerOf(node: Node): string | undefined {
    return typeof node === "object" ? this.#pointers.get(node) : undefined;
  }

  /** The schema that `reference` names, or undefined. */
  target(reference: Json | undefined): Node | undefined {
    const steps = this.#isPlain && isText(reference) ? fragmentSteps(reference) : undefined;
    if (steps === undefined) return undefined;
    let part: Json | undefined = this.root;
    for (const step of steps) {
      if (isList(part)) part = part[Number(step)];
      else part = isObject(part) && Object.hasOwn(part, step) ? part[step] : undefined;
    }
    return isNode(part) ? part : undefined;
  }

  /** Whether the whole schema is small enough to be asked. */
  get isSmall(): boolean {
    return typeof this.root === "boolean" || this.#compilablePointer(this.root) !== undefined;
  }

  /** Whether `node` accepts `value`; undefined where it can't be compiled. */
  accepts(node: Node, value: Json): boolean | undefined {
    if (typeof node === "boolean") return node;
    const pointer = this.#compilablePointer(node);
    return pointer === undefined ? undefined : this.#acceptance.accepts({ pointer, node }, value);
  }

  /** The keywords by which `node` refuses `value`, each with the member that it speaks of; undefined as above. */
  refusals(node: Node, value: Json): readonly string[] | undefined {
    if (typeof node === "boolean") return node ? [] : ["false schema"];
    const pointer = this.#compilablePointer(node);
    return pointer === undefined ? undefined : this.#acceptance.refusals({ pointer, node }, value);
  }

  /** Code for a schema that is very large or deep costs more than it tells. */
  #compilablePointer(node: JsonObject): string | undefined {
    const isSmall = this.#small.get(node) ?? isWithin(node);
    this.#small.set(node, isSmall);
    return isSmall ? this.pointerOf(node) : undefined;
  }
}

const LARGEST = 2_500;
const DEEPEST = 300;

function isWithin(node: JsonObject): boolean {
  let count = 0;
  const waiting: [Json, number][] = [[node, 0]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, depth] = next;
    if (typeof value !== "object" || value === null) continue;
    if (++count > LARGEST || depth > DEEPEST) return false;
    for (const item of Object.values(value)) waiting.push([item, depth + 1]);
  }
  return true;
}
