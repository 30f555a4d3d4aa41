/** Input that does not keep to the serialized names, brought to them before it is validated (spec §2.9 rule 4). */
import { findingOf } from "../validation/evaluation.js";
import type { Finding } from "../validation/finding.js";
import { refusal } from "../validation/findings.js";
import { below } from "../validation/pointers.js";
import type { Values } from "../validation/values.js";
import { type Ignored, ignoredBy, ignoredTree } from "./ignored.js";
import { matchNames, type NamesInSchema } from "./matched-names.js";
import { itemSchemas, memberSchemas } from "./schema-places.js";
import { type Shape, shapeOf } from "./shapes.js";

/** How input is read; by default its names must be the serialized ones, and all of it counts. */
export interface ReadOptions {
  /** Members whose names differ from a property's serialized name in case only are read as that property. */
  readonly caseInsensitive?: boolean | undefined;
  /** Properties that are dropped, by the path of their serialized names: `note`, `lines/price` in every line. */
  readonly ignored?: readonly string[] | undefined;
}

/** Input with serialized names, and the members of which it could not be said what they are. */
export interface Adapted {
  readonly json: unknown;
  readonly findings: readonly Finding[];
}

/** `json` as `options` read it; itself where nothing in it has to change. It is never changed. */
export function adapted(schema: unknown, json: unknown, options: ReadOptions): Adapted {
  const findings: Finding[] = [];
  const ignored = ignoredTree(options.ignored ?? []);
  const run: Run = { root: schema, caseInsensitive: options.caseInsensitive === true, findings };
  try {
    return { json: adapt(json, { given: [schema], ignored, path: "", run }), findings };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { json, findings: [refusal()] };
  }
}

interface Run {
  readonly root: unknown;
  readonly caseInsensitive: boolean;
  readonly findings: Finding[];
}

interface Place {
  readonly given: readonly unknown[];
  /** What is ignored below; undefined where nothing is. */
  readonly ignored: Ignored | undefined;
  readonly path: string;
  readonly run: Run;
}

function adapt(value: unknown, place: Place): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (!place.run.caseInsensitive && place.ignored === undefined) return value;
  const shape = shapeOf(place.given, place.run.root);
  return Array.isArray(value) ? adaptItems(value, shape, place) : adaptMembers(value as Values, shape, place);
}

function adaptItems(list: readonly unknown[], { schemas }: Shape, place: Place): readonly unknown[] {
  const items = list.map((item, index) => {
    if (typeof item !== "object") return item;
    const given = schemas.flatMap((one) => itemSchemas(one, index));
    return adapt(item, { ...place, given, path: below(place.path, index) });
  });
  return items.some((item, index) => item !== list[index]) ? items : list;
}

function adaptMembers(value: Values, { schemas, known }: Shape, place: Place): Values {
  const names = Object.keys(value);
  const kept = names.filter((name) => ignoredIn(place, name, known)?.dropped !== true);
  const renamed = namesOf(kept, known, place);
  let changed = kept.length !== names.length || renamed.size > 0;
  const entries = kept.map((name): [string, unknown] => {
    const read = renamed.get(name) ?? name;
    const member = value[name];
    if (typeof member !== "object") return [read, member];
    const given = schemas.flatMap((one) => memberSchemas(one, read));
    const ignored = ignoredIn(place, read, known);
    const inner = adapt(member, { ...place, given, ignored, path: below(place.path, read) });
    changed ||= inner !== member;
    return [read, inner];
  });
  return changed ? Object.fromEntries(entries) : value;
}

function ignoredIn({ ignored, run }: Place, name: string, known: NamesInSchema): Ignored | undefined {
  return ignored && ignoredBy(ignored, name, run.caseInsensitive ? known.isExact : undefined);
}

/** The property that each member is read as, where that has another name. */
function namesOf(given: readonly string[], known: NamesInSchema, place: Place): ReadonlyMap<string, string> {
  const { caseInsensitive, findings } = place.run;
  if (!caseInsensitive) return new Map();
  const { renamed, ambiguous } = matchNames(given, known);
  for (const { properties, names } of ambiguous) {
    const expected = `one member that is read as ${listed(properties)}`;
    const report = { path: place.path, keyword: "caseInsensitive", expected, actual: listed(names) };
    findings.push(findingOf(report, false));
  }
  return renamed;
}

function listed(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(" and ");
}
