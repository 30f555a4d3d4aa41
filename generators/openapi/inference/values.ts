/** What a list is asked for with besides its pages: variables of the path, and what the target system insists on. */
import { variablesIn } from "../../../schemas/naming/path-variables.js";
import type { ApiOperation, ApiParameter } from "../reading/api-description.js";
import { isTextOrNumber, type Shape } from "../reading/shapes.js";
import type { Decision, PlannedObject, PlannedValue, ValueSource } from "./plan.js";
import { isDecided } from "./plan.js";
import type { Survey } from "./survey.js";
import {
  isIdentifierName,
  isSameNoun,
  nameSet,
  nounOf,
  patternOf,
  plainName,
  quoted,
  type Segment,
  segmentsOf,
  singular,
} from "./words.js";

type ValueDecision = Decision<PlannedValue>;

/** Objects that were planned already, by the pattern of their list's path. */
export type PlannedByPattern = ReadonlyMap<string, PlannedObject>;

/** Lists of lists of lists make too many calls to be taken unasked. */
const MOST_PARENTS = 2;

/** A value for each variable of the path. Parents are planned before their children. */
export function decideVariables(
  list: ApiOperation,
  planned: PlannedByPattern,
  survey: Survey,
): readonly ValueDecision[] {
  const segments = segmentsOf(list.path);
  return withFewParents(
    variablesIn(list.path).map((name) => {
      const index = segments.findIndex(({ variable }) => variable === name);
      const before = index === -1 ? undefined : segments.slice(0, index);
      return decideVariable(name, { list, before, planned, survey });
    }),
  );
}

/** Where a variable stands. */
interface VariablePlace {
  readonly list: ApiOperation;
  /** The segments before it; undefined if it is only a part of its own. */
  readonly before: readonly Segment[] | undefined;
  readonly planned: PlannedByPattern;
  readonly survey: Survey;
}

function decideVariable(name: string, { list, before, planned, survey }: VariablePlace): ValueDecision {
  const declared = list.parameters.find(({ in: where, name: own }) => where === "path" && own === name);
  const at = [declared?.at ?? list.at];
  const value = (source: ValueSource): PlannedValue => ({ name, in: "path", source });
  const setting = value({ kind: "setting", name });
  const only = onlyValue(declared, survey);
  if (only !== undefined) {
    const evidence = `{${name}} has one value that fits`;
    return { state: "sure", value: value({ kind: "value", value: only }), evidence, at };
  }
  const parent = before && planned.get(patternOf(before));
  const property = parent && parentProperty(name, parent, survey);
  if (parent !== undefined && property !== undefined) {
    if (!isDecided(parent)) {
      const evidence = `${parent.name} would be its parent, and is not decided itself`;
      return { state: "ask", value: setting, evidence, at };
    }
    const source: ValueSource = { kind: "parent", object: parent.name, property };
    const evidence = `${quoted(property)} of each ${parent.name}, which ${parent.list.id} lists`;
    return { state: "sure", value: value(source), evidence, at: [...at, parent.list.at] };
  }
  if (survey.isLeading(name))
    return { state: "sure", value: setting, evidence: `{${name}} leads most paths of the document`, at };
  return { state: "ask", value: setting, evidence: whyNoParent(parent, before ?? []), at };
}

/** The value of a variable that has only one, or that chooses JSON among formats. */
function onlyValue(
  parameter: ApiParameter | undefined,
  survey: Survey,
): string | number | boolean | undefined {
  const values = parameter === undefined ? [] : survey.shapes.of(parameter.schema).values;
  const json = values.find((value) => typeof value === "string" && /^\.?json$/i.test(value));
  return values.length === 1 ? values[0] : json;
}

function whyNoParent(parent: PlannedObject | undefined, before: readonly Segment[]): string {
  if (parent !== undefined) return `no property of ${parent.name} is known to be its value`;
  return `there is no list at ${patternOf(before)} that is taken; it may be a setting`;
}

function withFewParents(decisions: readonly ValueDecision[]): readonly ValueDecision[] {
  const parents = decisions.filter(({ value }) => value.source.kind === "parent");
  if (parents.length <= MOST_PARENTS) return decisions;
  const [outermost] = parents;
  return decisions.map((decision) =>
    decision === outermost
      ? {
          ...decision,
          state: "ask",
          evidence: `${decision.evidence}: a list for each of ${parents.length} parents in each other makes many calls`,
        }
      : decision,
  );
}

/** The property of a parent's records that a variable names. */
function parentProperty(variable: string, parent: PlannedObject, survey: Survey): string | undefined {
  const scalars = [...survey.shapes.of(parent.record).properties.values()].filter(({ schema }) =>
    isTextOrNumber(survey.shapes.of(schema)),
  );
  const named = (plain: string) => scalars.find(({ name }) => plainName(name) === plain)?.name;
  const plain = plainName(variable);
  const own = parent.key.value.at(-1);
  // `{id}` is what identifies the parent, whatever that is called.
  const exact = plain === "id" ? own : named(plain);
  if (exact !== undefined) return exact;
  const noun = singular(nounOf(parent.list.path));
  for (const start of [noun, parent.name]) {
    const rest = plain.startsWith(plainName(start)) ? plain.slice(plainName(start).length) : "";
    const property = rest === "" ? undefined : named(rest);
    if (property !== undefined) return property;
  }
  // `{eid}` of an execution is its identifier too.
  const isKey = isIdentifierName(variable) || isSameNoun(variable, noun) || /^[a-z]id$/.test(plain);
  return isKey && own !== undefined && isIdentifierName(own) ? own : undefined;
}

/** Parameters that are no filter, whatever their default. */
const NO_FILTER = nameSet(
  `sort order sortby orderby sortorder direction sortdirection fields expand include includes embed format output lang
  language locale units view accept prefer raw pretty callback select properties`,
);

/** What else every call needs, or what would leave records out if it were not sent. `sent` are the names of the paging. */
export function decideParameters(
  list: ApiOperation,
  { sent, signed }: { readonly sent: readonly string[]; readonly signed: ReadonlySet<string> },
  survey: Survey,
): readonly ValueDecision[] {
  return list.parameters.flatMap((parameter): readonly ValueDecision[] => {
    const { in: place, name } = parameter;
    if (place === "path" || sent.includes(name) || signed.has(plainName(name))) return [];
    if (place === "cookie") return parameter.required ? [cookie(parameter)] : [];
    const decision = parameter.required
      ? needed(parameter, place, survey)
      : place === "query"
        ? narrowing(parameter, survey)
        : undefined;
    return decision === undefined ? [] : [decision];
  });
}

function cookie({ name, at }: ApiParameter): ValueDecision {
  const value: PlannedValue = { name, in: "header", source: { kind: "setting", name } };
  return { state: "ask", value, evidence: `needs the cookie ${quoted(name)}`, at: [at] };
}

function needed(parameter: ApiParameter, place: "query" | "header", survey: Survey): ValueDecision {
  const { name, at } = parameter;
  const { parts, values } = survey.shapes.of(parameter.schema);
  const stated = parts.map(({ defaultValue }) => defaultValue).find((value) => value !== undefined);
  const only = values.length === 1 ? values[0] : undefined;
  const constant = only ?? stated;
  if (constant !== undefined) {
    const value: PlannedValue = { name, in: place, source: { kind: "value", value: constant } };
    const evidence = `${quoted(name)} is required, and ${only === undefined ? "this is its default" : "has one value"}`;
    return { state: "sure", value, evidence, at: [at] };
  }
  const value: PlannedValue = { name, in: place, source: { kind: "setting", name } };
  if (survey.isNeededByMost(parameter))
    return { state: "sure", value, evidence: `${quoted(name)} is required by most operations`, at: [at] };
  return {
    state: "ask",
    value,
    evidence: `${quoted(name)} is required, and the document has no value for it`,
    at: [at],
  };
}

/** A filter that holds unless another value is sent. */
function narrowing(parameter: ApiParameter, survey: Survey): ValueDecision | undefined {
  const { name, description, at } = parameter;
  if (NO_FILTER.has(plainName(name))) return undefined;
  const shape = survey.shapes.of(parameter.schema);
  const stated = shape.parts.map(({ defaultValue }) => defaultValue).find((value) => value !== undefined);
  if (isTime(name, shape) && (stated !== undefined || /\bdefaults? (?:to|is|value|:)/i.test(description))) {
    const value: PlannedValue = { name, in: "query", source: { kind: "setting", name } };
    const evidence = `without ${quoted(name)} only a span of time is listed: its description names a default`;
    return { state: "ask", value, evidence, at: [at] };
  }
  const isAll = (value: unknown) => typeof value === "string" && /^(?:all|any|both)?$/i.test(value);
  if (typeof stated !== "string" || isAll(stated) || shape.values.length < 2) return undefined;
  const all = shape.values.find(isAll);
  const value: PlannedValue = { name, in: "query", source: { kind: "value", value: all ?? stated } };
  const others = shape.values.filter((other) => other !== stated).map((other) => quoted(String(other)));
  const evidence = `without ${quoted(name)} only ${quoted(stated)} is listed; other values are ${others.join(", ")}`;
  return { state: "middle", value, evidence, at: [at] };
}

function isTime(name: string, { format }: Shape): boolean {
  return /^date/.test(format) || /(?:date|time|since|until)$/i.test(name);
}
