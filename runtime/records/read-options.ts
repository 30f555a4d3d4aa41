/** Input that does not keep to the serialized names, brought to them before it is validated (§2.9 rule 4). */
import { pointerSteps } from "../../schemas/json.js";
import { createFinding, depthFinding, type Finding } from "../validation/finding.js";
import { childPointer } from "../validation/findings.js";
import type { Values } from "../validation/helpers.js";
import { applicableSchemas, itemSchemas, mayMatch, memberSchemas, membersOf } from "./applicable-schemas.js";

/** How input is read. */
export interface ReadOptions {
  /**
   * Whether a member is read as the property whose serialized name differs in case only, at every level. A member with
   * the exact name wins. Several members for one property, or several properties for one member, are a finding.
   * @default false
   */
  readonly caseInsensitive?: boolean | undefined;
  /**
   * Properties that are dropped before validation, by the path of their serialized names: `note`, or `lines/price` for
   * the price in every line. `~1` stands for a `/` in a name, `~0` for a `~`.
   * @default none
   */
  readonly ignored?: readonly string[] | undefined;
}

/** Input with normalised names, and a finding for every ambiguous member. */
export interface AdaptedInput {
  readonly json: unknown;
  readonly findings: readonly Finding[];
}

/** The input as `options` read it; `json` itself if nothing in it has to change. The input is never changed. */
export function adaptInput(schema: unknown, json: unknown, options: ReadOptions): AdaptedInput {
  const findings: Finding[] = [];
  const ignored = ignoredTree(options.ignored ?? []);
  const run: Run = { root: schema, caseInsensitive: options.caseInsensitive === true, findings };
  try {
    return { json: adaptValue(json, { schemas: [schema], ignored, path: "", run }), findings };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { json, findings: [depthFinding()] };
  }
}

/** Whether both are the same name but for their case. */
export function equalsIgnoreCase(name: string, other: string): boolean {
  return foldCase(name) === foldCase(other);
}

/** Case-folded form of a name, independent of the locale. */
function foldCase(name: string): string {
  return name.toUpperCase();
}

interface Run {
  readonly root: unknown;
  readonly caseInsensitive: boolean;
  readonly findings: Finding[];
}

/** Where a value stands in the input, and what holds for it there. */
interface Location {
  readonly schemas: readonly unknown[];
  /** What is ignored in the value; undefined if nothing is. */
  readonly ignored: IgnoredNode | undefined;
  readonly path: string;
  readonly run: Run;
}

function adaptValue(value: unknown, at: Location): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (!at.run.caseInsensitive && at.ignored === undefined) return value;
  const shape = shapeOf(at.schemas, at.run.root);
  return Array.isArray(value) ? adaptItems(value, shape, at) : adaptMembers(value as Values, shape, at);
}

function adaptItems(list: readonly unknown[], shape: Shape, at: Location): readonly unknown[] {
  const items = list.map((item, index) => {
    if (typeof item !== "object") return item;
    const schemas = shape.schemas.flatMap((schema) => itemSchemas(schema, index));
    return adaptValue(item, { ...at, schemas, path: childPointer(at.path, index) });
  });
  return items.some((item, index) => item !== list[index]) ? items : list;
}

function adaptMembers(value: Values, shape: Shape, at: Location): Values {
  const names = Object.keys(value);
  const kept = names.filter((name) => ignoredIn(name, shape, at)?.isDropped !== true);
  const renamed = matchCase(kept, shape, at);
  let changed = kept.length !== names.length || renamed.size > 0;
  const entries = kept.map((name): [string, unknown] => {
    const property = renamed.get(name) ?? name;
    const member = value[name];
    if (typeof member !== "object") return [property, member];
    const schemas = shape.schemas.flatMap((schema) => memberSchemas(schema, property));
    const ignored = ignoredIn(property, shape, at);
    const inner = adaptValue(member, { ...at, schemas, ignored, path: childPointer(at.path, property) });
    changed ||= inner !== member;
    return [property, inner];
  });
  return changed ? Object.fromEntries(entries) : value;
}

/** The property that each member is read as, if that has another name. Reports ambiguous members. */
function matchCase(names: readonly string[], shape: Shape, at: Location): ReadonlyMap<string, string> {
  const { caseInsensitive, findings } = at.run;
  if (!caseInsensitive) return new Map();
  const { renamed, ambiguous } = matchNames(names, shape);
  for (const group of ambiguous) {
    findings.push(
      createFinding({
        instancePath: at.path,
        keyword: "caseInsensitive",
        expected: `one member that is read as ${quotedList(group.properties)}`,
        actual: quotedList(group.names),
      }),
    );
  }
  return renamed;
}

interface MatchedNames {
  /** From the name of a member to the name of the property that it is read as. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Members that may be several properties, or several members that may be one. */
  readonly ambiguous: readonly {
    readonly properties: readonly string[];
    readonly names: readonly string[];
  }[];
}

const NO_MATCHES: MatchedNames = { renamed: new Map(), ambiguous: [] };

/** The exact name wins: another spelling of a property that is there already stays an unknown member. */
function matchNames(names: readonly string[], shape: Shape): MatchedNames {
  const unknown = names.filter((name) => !shape.isExact(name));
  if (unknown.length === 0) return NO_MATCHES;
  const present = new Set(names);
  const missing = groupByCase([...shape.properties].filter((name) => !present.has(name)));
  const renamed = new Map<string, string>();
  const ambiguous: { readonly properties: readonly string[]; readonly names: readonly string[] }[] = [];
  for (const [folded, group] of groupByCase(unknown)) {
    const properties = missing.get(folded) ?? [];
    const [property, another] = properties;
    if (property === undefined) continue;
    if (another === undefined && group.length === 1) renamed.set(group[0] ?? property, property);
    else ambiguous.push({ properties, names: group });
  }
  return { renamed, ambiguous };
}

function groupByCase(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const folded = foldCase(name);
    groups.set(folded, [...(groups.get(folded) ?? []), name]);
  }
  return groups;
}

function quotedList(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(" and ");
}

/** The ignored paths as a tree of serialized names. */
interface IgnoredNode {
  /** Whether the property itself is dropped. */
  isDropped: boolean;
  readonly below: Map<string, IgnoredNode>;
}

/** The tree of the paths; undefined if there are none. */
function ignoredTree(paths: readonly string[]): IgnoredNode | undefined {
  if (paths.length === 0) return undefined;
  const root: IgnoredNode = { isDropped: false, below: new Map() };
  for (const path of paths) {
    let node = root;
    for (const name of pointerSteps(path.startsWith("/") ? path : `/${path}`)) {
      const next = node.below.get(name) ?? { isDropped: false, below: new Map() };
      node.below.set(name, next);
      node = next;
    }
    node.isDropped = true;
  }
  return root;
}

/** What is ignored of the member `name`; undefined if nothing is. */
function ignoredIn(name: string, shape: Shape, { ignored, run }: Location): IgnoredNode | undefined {
  if (ignored === undefined) return undefined;
  const exact = ignored.below.get(name);
  if (exact !== undefined || !run.caseInsensitive) return exact;
  for (const [step, node] of ignored.below) {
    // Names that the schema tells apart stay apart.
    if (equalsIgnoreCase(step, name) && !(shape.isExact(step) && shape.isExact(name))) return node;
  }
  return undefined;
}

/** The schemas of a value, and the names that they have for its members. */
interface Shape {
  readonly schemas: readonly Values[];
  readonly properties: ReadonlySet<string>;
  /** Whether a member has the very name of a property, or one that a pattern matches. */
  readonly isExact: (name: string) => boolean;
}

/** Shapes by the root of their document and by their schema, remembered for the next record of the same type. */
const SHAPES = new WeakMap<object, WeakMap<object, Shape>>();

function shapeOf(schemas: readonly unknown[], root: unknown): Shape {
  const [schema] = schemas;
  const isSingle = schemas.length === 1 && typeof schema === "object" && schema !== null;
  if (!isSingle || typeof root !== "object" || root === null) return createShape(schemas, root);
  const shapesOfRoot = SHAPES.get(root) ?? new WeakMap<object, Shape>();
  SHAPES.set(root, shapesOfRoot);
  const shape = shapesOfRoot.get(schema) ?? createShape(schemas, root);
  shapesOfRoot.set(schema, shape);
  return shape;
}

function createShape(given: readonly unknown[], root: unknown): Shape {
  const schemas = given.flatMap((schema) => applicableSchemas(schema, root));
  const properties = new Set(schemas.flatMap((schema) => Object.keys(membersOf(schema["properties"]))));
  const patterns = schemas.flatMap((schema) => Object.keys(membersOf(schema["patternProperties"])));
  const isExact = (name: string) => properties.has(name) || patterns.some((source) => mayMatch(source, name));
  return { schemas, properties, isExact };
}
