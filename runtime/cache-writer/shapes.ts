/** The names of an object's members in canonical order, without sorting them for every record. */
import { hash } from "node:crypto";

export interface Shape {
  /** Without the ignored ones, sorted. */
  readonly names: readonly string[];
  /** Stands for all the names. */
  readonly digest: readonly [number, number];
}

/** A member's name in a tree of all orders of arrival that were met. */
interface Step {
  readonly next: Map<string, Step>;
  /** The name that came first, and its step: most often the one that is looked for. */
  name: string | undefined;
  step: Step | undefined;
  shape: Shape | undefined;
}

/** Objects whose names are data would make steps without end; more than these are not kept. */
const MOST_STEPS = 10_000;

/** Gives the shape of a value; one that was met before without sorting or hashing anything. */
export function shapes(ignored: ReadonlySet<string>): (value: object) => Shape {
  const root = newStep();
  let steps = 0;
  const follow = (from: Step, name: string): Step => {
    const known = from.next.get(name);
    if (known !== undefined) return known;
    const made = newStep();
    if (steps < MOST_STEPS) {
      steps++;
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
    step.shape ??= shapeOf(value, ignored);
    return step.shape;
  };
}

/** Whether `JSON.stringify` leaves out a member with this value. */
export function isLeftOut(member: unknown): boolean {
  return member === undefined || typeof member === "function" || typeof member === "symbol";
}

export function withoutThose(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => !isLeftOut(member)));
}

function newStep(): Step {
  return { next: new Map(), name: undefined, step: undefined, shape: undefined };
}

function shapeOf(value: object, ignored: ReadonlySet<string>): Shape {
  const names = Object.keys(value)
    .filter((name) => !ignored.has(name))
    .sort();
  const digest = hash("sha256", JSON.stringify(names), "buffer");
  return { names, digest: [digest.readInt32LE(0), digest.readInt32LE(4)] };
}
