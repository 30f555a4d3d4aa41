/** What rules look up in a document, indexed once: operations by path, and how many paths a parameter leads. */
import type { ApiDescription, ApiOperation, ApiParameter } from "../reading/api-description.js";
import { Shapes } from "../reading/shapes.js";
import { patternOf, plainName, type Segment, segmentsOf } from "./words.js";

/** A parameter that leads more of all paths than this is the same for a whole connection. */
const LEADING_SHARE = 0.6;

export class Survey {
  readonly shapes: Shapes;
  /** Operations by the pattern of their path. */
  readonly #byPattern = new Map<string, ApiOperation[]>();
  /** Operations one variable deeper than a pattern, by that pattern. */
  readonly #items = new Map<string, ApiOperation[]>();
  /** How many paths a variable leads, by its name and what stands before it: `{id}` of many things is many variables. */
  readonly #leading = new Map<string, Set<string>>();
  /** How many operations need a header or a parameter of the query, by place and name. */
  readonly #required = new Map<string, number>();
  readonly #paths = new Set<string>();

  constructor(readonly description: ApiDescription) {
    this.shapes = new Shapes(description);
    for (const operation of description.operations) this.#index(operation);
  }

  /** The operations of a path with other names of variables. */
  at(pattern: string): readonly ApiOperation[] {
    return this.#byPattern.get(pattern) ?? [];
  }

  /** The operations of one item of a list. */
  itemsOf(list: ApiOperation): readonly ApiOperation[] {
    return this.#items.get(patternOf(segmentsOf(list.path))) ?? [];
  }

  /** Whether the variable at `index` is the first one of most paths: then it belongs to the connection. */
  isLeading(segments: readonly Segment[], index: number): boolean {
    return (this.#leading.get(leadingKey(segments, index))?.size ?? 0) > LEADING_SHARE * this.#paths.size;
  }

  /** Whether most operations need the parameter. */
  isNeededByMost(parameter: Pick<ApiParameter, "in" | "name">): boolean {
    const count = this.#required.get(requiredKey(parameter)) ?? 0;
    return count > LEADING_SHARE * this.description.operations.length;
  }

  #index(operation: ApiOperation): void {
    const segments = segmentsOf(operation.path);
    const pattern = patternOf(segments);
    add(this.#byPattern, pattern, operation);
    if (segments.at(-1)?.variable !== undefined)
      add(this.#items, patternOf(segments.slice(0, -1)), operation);
    this.#paths.add(operation.path);
    const first = segments.findIndex(({ variable }) => variable !== undefined);
    if (first !== -1) {
      const key = leadingKey(segments, first);
      const paths = this.#leading.get(key) ?? new Set();
      this.#leading.set(key, paths.add(operation.path));
    }
    for (const parameter of operation.parameters) {
      if (!parameter.required || parameter.in === "path") continue;
      const key = requiredKey(parameter);
      this.#required.set(key, (this.#required.get(key) ?? 0) + 1);
    }
  }
}

function leadingKey(segments: readonly Segment[], index: number): string {
  return `${segments[index - 1]?.text ?? ""}/${segments[index]?.text ?? ""}`;
}

function requiredKey({ in: place, name }: Pick<ApiParameter, "in" | "name">): string {
  return `${place} ${plainName(name)}`;
}

function add<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
