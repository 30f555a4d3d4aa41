/**
 * Proves that every value that one schema accepts is accepted by another. `true` is a proof; `false` only says that
 * none was found. Work is bounded: beyond the budget nothing is proven any more.
 */
import type { Identity } from "../identity.js";
import type { Json, JsonObject, Node } from "../json.js";
import { DECIDING_KEYWORDS } from "../keywords.js";
import { type Entry, type Facts, factsOf, typeOf } from "./conjunction.js";
import { impliedCombination } from "./implied-combinations.js";
import { impliedKeyword } from "./implied-keywords.js";
import { impliedObject } from "./implied-objects.js";
import { withoutChoice } from "./split.js";
import { KEYWORD_TYPES, typesOf } from "./value-types.js";

/** What a rule is asked: does what is known of a value imply one keyword of a schema? */
export interface Question {
  readonly prover: Prover;
  readonly entries: readonly Entry[];
  readonly facts: Facts;
  readonly wanted: Entry & { readonly node: JsonObject };
  readonly keyword: string;
  readonly value: Json;
  /** How deep inside the instance the value is. */
  readonly level: number;
}

const DEEPEST = 400;
const DEEPEST_EMPTY = 12;

interface Attempt {
  readonly level: number;
  readonly index: number;
}

export class Prover {
  readonly identity: Identity;
  /** Whether references with the same text name the same on both sides. */
  readonly #sameReferences: boolean;
  readonly #proven = new WeakMap<object, WeakMap<object, boolean>>();
  readonly #attempts = new Map<object, Map<object, Attempt>>();
  #running = 0;
  /** The outermost attempt that was taken for granted since. */
  #assumed = Number.POSITIVE_INFINITY;
  #steps: number;

  constructor(identity: Identity, options: { readonly sameReferences: boolean; readonly steps: number }) {
    this.identity = identity;
    this.#sameReferences = options.sameReferences;
    this.#steps = options.steps;
  }

  /** Whether the budget was used up. */
  get isExhausted(): boolean {
    return this.#steps <= 0;
  }

  /** Whether every value that all of `entries` accept is accepted by `wanted`. */
  fits(entries: readonly Entry[], wanted: Entry, level = 0): boolean {
    const { node } = wanted;
    if (node === true || this.#holds(entries, node)) return true;
    if (--this.#steps <= 0 || level > DEEPEST) return false;
    if (node === false) return this.isEmpty(entries);
    const [only] = entries;
    return entries.length === 1 && only !== undefined && typeof only.node === "object"
      ? this.#remembered(only.node, node, level, () => this.#decide(entries, { ...wanted, node }, level))
      : this.#decide(entries, { ...wanted, node }, level);
  }

  /** Whether no value is accepted by all of `entries`. */
  isEmpty(entries: readonly Entry[], depth = 0): boolean {
    if (--this.#steps <= 0 || depth > DEEPEST_EMPTY) return false;
    const facts = factsOf(entries, this.identity);
    if (facts.types.size === 0) return true;
    const listed = listedValues(facts);
    if (listed !== undefined) return listed.every((value) => isRefused(entries, value));
    if (facts.types.size === 1 && facts.types.has("object")) {
      for (const name of facts.required) {
        if (this.isEmpty(valuesOf(facts, name), depth + 1)) return true;
      }
    }
    const [choice] = facts.choices;
    if (choice === undefined) return false;
    return choice.every((branch) => this.isEmpty([...withoutChoice(facts), branch], depth + 1));
  }

  /** Whether one of `entries` is what `node` says, word for word. */
  #holds(entries: readonly Entry[], node: Node): boolean {
    const number = this.identity.ofSchema(node);
    return entries.some((entry) => this.identity.ofSchema(entry.node) === number && this.isSame(entry));
  }

  /** Whether `entry` means on the other side what it means on its own. */
  isSame({ side }: Entry): boolean {
    return this.#sameReferences || side.references.size === 0;
  }

  #remembered(one: object, other: object, level: number, decide: () => boolean): boolean {
    const known = this.#proven.get(one)?.get(other);
    if (known !== undefined) return known;
    const attempts = this.#attempts.get(one) ?? new Map<object, Attempt>();
    this.#attempts.set(one, attempts);
    const running = attempts.get(other);
    if (running !== undefined) {
      // A recursive schema comes back to the same question further inside: there it may be taken for granted.
      if (running.level >= level) return false;
      this.#assumed = Math.min(this.#assumed, running.index);
      return true;
    }
    const index = this.#running++;
    attempts.set(other, { level, index });
    const result = decide();
    attempts.delete(other);
    this.#running--;
    // Outside of every attempt that was taken for granted, the answer stands on its own.
    if (this.#assumed >= index) this.#assumed = Number.POSITIVE_INFINITY;
    if (!result || this.#assumed === Number.POSITIVE_INFINITY) {
      const known = this.#proven.get(one) ?? new WeakMap<object, boolean>();
      this.#proven.set(one, known.set(other, result));
    }
    return result;
  }

  #decide(entries: readonly Entry[], wanted: Question["wanted"], level: number): boolean {
    const facts = factsOf(entries, this.identity);
    if (facts.types.size === 0) return true;
    const listed = listedValues(facts);
    if (listed !== undefined) {
      return listed.every((value) => isRefused(entries, value) || accepts(wanted, value, this.identity));
    }
    const implied = Object.entries(wanted.node).every(
      ([keyword, value]) =>
        !DECIDING_KEYWORDS.has(keyword) ||
        this.#implies({ prover: this, entries, facts, wanted, keyword, value, level }),
    );
    if (implied) return true;
    const [choice] = facts.choices;
    if (choice === undefined) return false;
    const rest = withoutChoice(facts);
    return choice.every((branch) => this.fits([...rest, branch], wanted, level));
  }

  #implies(question: Question): boolean {
    const { facts, keyword, wanted } = question;
    const types = KEYWORD_TYPES[keyword];
    if (types !== undefined && !types.some((type) => facts.types.has(type))) return true;
    if (keyword === "$ref") {
      const { side } = wanted;
      const node = side.target(question.value);
      return node !== undefined && this.fits(question.entries, { node, side }, question.level);
    }
    return impliedKeyword(question) ?? impliedObject(question) ?? impliedCombination(question) ?? false;
  }
}

/** Every value that can be, where the facts list them. */
function listedValues({ finite, types }: Facts): readonly Json[] | undefined {
  if (finite !== undefined) return finite.filter((value) => types.has(typeOf(value)));
  if ([...types].some((type) => type !== "null" && type !== "boolean")) return undefined;
  return [...(types.has("null") ? [null] : []), ...(types.has("boolean") ? [true, false] : [])];
}

function isRefused(entries: readonly Entry[], value: Json): boolean {
  return entries.some(({ node, side }) => side.accepts(node, value) === false);
}

const LISTING: ReadonlySet<string> = new Set(["type", "enum", "const"]);

function accepts({ node, side }: Question["wanted"], value: Json, identity: Identity): boolean {
  const deciding = Object.keys(node).filter((name) => DECIDING_KEYWORDS.has(name));
  if (!deciding.every((name) => LISTING.has(name))) return side.accepts(node, value) === true;
  const facts = factsOf([{ node, side }], identity);
  const number = identity.ofValue(value);
  const isListed = facts.finite?.some((one) => identity.ofValue(one) === number) ?? true;
  return typesOf(node) !== undefined && facts.types.has(typeOf(value)) && isListed;
}

/** What is known of the member `name` of an object. What every object inherits is not known. */
export function valuesOf({ plain }: Facts, name: string): readonly Entry[] {
  if (name in Object.prototype) return [];
  return plain.flatMap(({ node, side }): Entry[] => {
    const properties = node["properties"];
    const declared =
      typeof properties === "object" && Object.hasOwn(properties ?? {}, name)
        ? (properties as JsonObject)[name]
        : node["patternProperties"] === undefined
          ? node["additionalProperties"]
          : undefined;
    return typeof declared === "object" || declared === false ? [{ node: declared as Node, side }] : [];
  });
}
