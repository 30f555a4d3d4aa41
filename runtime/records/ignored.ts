/** The properties that reading leaves out, as a tree of serialized names. */
import { pointerSteps } from "../../schemas/naming/json-pointer.js";
import { caseless } from "./letters.js";

export interface Ignored {
  /** Whether the property itself is left out. */
  dropped: boolean;
  readonly below: Map<string, Ignored>;
}

/** From paths such as `note` and `lines/price`; `~1` stands for a `/` in a name, `~0` for a `~`. */
export function ignoredTree(paths: readonly string[]): Ignored | undefined {
  if (paths.length === 0) return undefined;
  const root: Ignored = { dropped: false, below: new Map() };
  for (const path of paths) {
    let place = root;
    for (const name of pointerSteps(path.startsWith("/") ? path : `/${path}`)) {
      const next = place.below.get(name) ?? { dropped: false, below: new Map() };
      place.below.set(name, next);
      place = next;
    }
    place.dropped = true;
  }
  return root;
}

/**
 * What is ignored of the member `name`. With `isProperty`, names may differ in case, unless the schema has a property
 * of either name.
 */
export function ignoredBy(
  { below }: Ignored,
  name: string,
  isProperty?: (name: string) => boolean,
): Ignored | undefined {
  const exact = below.get(name);
  if (exact !== undefined || isProperty === undefined) return exact;
  for (const [step, ignored] of below) {
    if (caseless(step) === caseless(name) && !(isProperty(step) && isProperty(name))) return ignored;
  }
  return undefined;
}
