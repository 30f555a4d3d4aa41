/** A hash of what a record says: the same for every order of its members and every spelling of its numbers. */
import { hash } from "node:crypto";

/** 132 bits of SHA-256. */
const HASH_LENGTH = 22;

/** Names of members in one order of arrival, and how they come into the text that is hashed. */
interface Shape {
  /** Without the volatile ones, sorted. */
  readonly names: readonly string[];
  /** Stands for all the names. */
  readonly digest: string;
}

/** A member's name in a tree of all orders that were met. */
interface Step {
  readonly next: Map<string, Step>;
  name: string | undefined;
  step: Step | undefined;
  shape: Shape | undefined;
}

/** Objects with names as data would make shapes without end; more than these are not kept. */
const MOST_STEPS = 10_000;

export interface HashOptions {
  /** Members of the record, by serialized name, that change without meaning anything. */
  readonly volatile?: readonly string[] | undefined;
}

/**
 * A function that hashes records in serialized form: what `JSON.stringify` would leave out does not count, nor do
 * `volatile` members. A schema has no part in it: a property that was unknown and is declared now changes no hash.
 * @throws TypeError, RangeError from that function for what is not JSON or too deep.
 */
export function recordHasher({ volatile = [] }: HashOptions = {}): (record: object) => string {
  const top = shapes(new Set(volatile));
  const inner = shapes(new Set());

  function objectText(value: object, shapeOf: (value: object) => Shape): string {
    const { names, digest } = shapeOf(value);
    let text = digest;
    for (let index = 0; index < names.length; index++) {
      const member: unknown = (value as Record<string, unknown>)[names[index] as string];
      if (typeof member === "string") text += `${member.length}"${member}`;
      else if (isLeftOut(member)) return objectText(withoutThose(value), shapeOf);
      else text += valueText(member);
    }
    return text;
  }

  function valueText(value: unknown): string {
    switch (typeof value) {
      case "string":
        return `${value.length}"${value}`;
      case "number":
        return Number.isFinite(value) ? `#${value};` : "~";
      case "boolean":
        return value ? "+" : "-";
      case "object":
        return value === null ? "~" : nestedText(value);
      case "bigint":
        throw new TypeError("not JSON");
      default:
        return "~";
    }
  }

  function nestedText(value: object): string {
    if ("toJSON" in value && typeof value.toJSON === "function") return valueText(value.toJSON());
    if (!Array.isArray(value)) return objectText(value, inner);
    let text = `[${value.length};`;
    for (const item of value) text += valueText(item);
    return text;
  }

  return (record) => {
    const text = objectText(record, top);
    const kept = text.isWellFormed() ? text : JSON.stringify(text);
    return hash("sha256", kept, "base64url").slice(0, HASH_LENGTH);
  };
}

/** Finds the shape of a value; known ones without sorting or hashing anything. */
function shapes(volatile: ReadonlySet<string>): (value: object) => Shape {
  const root = newStep();
  let steps = 0;
  const follow = (from: Step, name: string): Step => {
    const known = from.next.get(name);
    if (known !== undefined) return known;
    const made = newStep();
    if (steps++ < MOST_STEPS) {
      from.next.set(name, made);
      from.name ??= name;
      from.step ??= made;
    }
    return made;
  };
  return (value) => {
    let step = root;
    for (const name in value) {
      step = name === step.name && step.step !== undefined ? step.step : follow(step, name);
    }
    step.shape ??= shapeOf(value, volatile);
    return step.shape;
  };
}

function newStep(): Step {
  return { next: new Map(), name: undefined, step: undefined, shape: undefined };
}

function shapeOf(value: object, volatile: ReadonlySet<string>): Shape {
  const names = Object.keys(value)
    .filter((name) => !volatile.has(name))
    .sort();
  return { names, digest: `{${hash("sha256", JSON.stringify(names), "base64url").slice(0, HASH_LENGTH)}` };
}

function isLeftOut(member: unknown): boolean {
  return member === undefined || typeof member === "function" || typeof member === "symbol";
}

function withoutThose(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => !isLeftOut(member)));
}
