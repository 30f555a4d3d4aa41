/**
 * One finding a place of the author's: a line of a shape that many objects share stands in many places of
 * `connector.json`, and what is found there is told once.
 */
import { pointerSteps } from "../../schemas/json.js";

/** What is told at a place, and how the same at other places is known. */
export interface Told {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly pointer?: string | undefined;
}

/** What is told once, with the others that it stands for. */
export interface Group<T> {
  readonly first: T;
  readonly others: readonly T[];
}

/** `items` in their order, those at one place of the author's under the first of them. */
export function onePerPlace<T>(items: readonly T[], told: (item: T) => Told): readonly Group<T>[] {
  const groups = new Map<string, { first: T; others: T[] }>();
  const met = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const { pointer, ...facts } = told(item);
    const shared = sharedKey({ ...facts, pointer });
    const here = `${shared} ${pointer}`;
    // Two findings at one pointer are two, whatever their words.
    const ordinal = (met.get(here) ?? 0) + 1;
    met.set(here, ordinal);
    const key = shared === undefined ? `${index}` : `${ordinal} ${shared}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: item, others: [] });
    else group.others.push(item);
  }
  return [...groups.values()];
}

/** What all tellings of one line have in common; undefined if there is no line. */
function sharedKey({ code, severity, message, file, line, column, pointer }: Told): string | undefined {
  if (file === undefined || line === undefined || pointer === undefined) return undefined;
  return JSON.stringify([
    file,
    line,
    column,
    code,
    severity,
    pointerSteps(pointer).at(-1),
    withoutPlace(message),
  ]);
}

const PART =
  "(?:an item|a value|the (?:input|output|failure|registration configuration|connector)|" +
  'the configuration of service \\w+|(?:(?:data object|action|module|connection) )?"[^"]*")';
const CHAIN = new RegExp(`${PART}(?: of ${PART})+`, "gi");

/** The sentence without the chain of parts that says where it is: `"city" of "site" of data object "Project"`. */
function withoutPlace(message: string): string {
  return message.replace(CHAIN, "…");
}

/** `And 80 more places.`; empty if there are none. */
export function otherPlaces(count: number): string {
  return count === 0 ? "" : `And ${count} more place${count === 1 ? "" : "s"} that this line makes.`;
}
