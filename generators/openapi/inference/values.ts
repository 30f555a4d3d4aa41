/** What a list is asked for with besides its pages: variables of the path, and what the target system insists on. */
import { ownMember } from "../../../schemas/json.js";
import { didYouMean } from "../../../schemas/naming/nearest.js";
import { variablesIn } from "../../../schemas/naming/path-variables.js";
import { isSecretName } from "../../../schemas/naming/secret-names.js";
import { splitWords } from "../../../schemas/naming/words.js";
import type { ApiOperation, ApiParameter } from "../reading/api-description.js";
import { isTextOrNumber, type Shape } from "../reading/shapes.js";
import type { Decided } from "./decided.js";
import { type ListParameter, listParameters } from "./list-parameters.js";
import type { Decision, PlannedObject, PlannedValue, ValueSource } from "./plan.js";
import { isDecided, valueName } from "./plan.js";
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

/** What is known when an object is planned. */
export interface PlannedPlace {
  readonly survey: Survey;
  readonly decided: Decided;
  /** Objects that were planned already. */
  readonly planned: readonly PlannedObject[];
  /** The same by the pattern of their list's path. */
  readonly byPattern: ReadonlyMap<string, PlannedObject>;
}

/** Lists of lists of lists make too many calls to be taken unasked. */
const MOST_PARENTS = 2;

/** A value for each variable of the path. Parents are planned before their children. */
export function decideVariables(list: ApiOperation, place: PlannedPlace): readonly ValueDecision[] {
  const segments = segmentsOf(list.path);
  const inferred = variablesIn(list.path).map((name) => {
    const index = segments.findIndex(({ variable }) => variable === name);
    const before = index === -1 ? undefined : segments.slice(0, index);
    return decideVariable(name, { list, before, isLeading: place.survey.isLeading(segments, index), place });
  });
  return withFewParents(inferred).map((decision) => takeValue(decision, list, place));
}

/** The author's answer, or the earlier decision, in place of what the document says. */
function takeValue(inferred: ValueDecision, list: ApiOperation, place: PlannedPlace): ValueDecision {
  const { name, in: where } = inferred.value;
  const source = sourceAnswer(inferred.value, list, place);
  const answer = source && { value: { name, in: where, source } };
  const isOwn = Object.hasOwn(place.decided.answerTo(list).values ?? {}, name);
  const steps = isOwn ? ["values", name] : undefined;
  return place.decided.take({ list, about: valueName(inferred.value), steps, answer }, inferred);
}

/** Where the author says that the value comes from. */
function sourceAnswer(
  { name, in: where }: PlannedValue,
  list: ApiOperation,
  { decided, planned }: PlannedPlace,
): ValueSource | undefined {
  const answer = ownMember(decided.answerTo(list).values ?? {}, name);
  if (answer === undefined) return decided.isSetting(name) ? { kind: "setting", name } : undefined;
  if ("value" in answer) {
    if (where === "body" || typeof answer.value !== "object") return { kind: "value", value: answer.value };
    decided.refuseAnswer(list, ["values", name], "only a member of a body is a list or an object");
    return undefined;
  }
  if ("setting" in answer) return { kind: "setting", name };
  const parent = planned.find(({ list: { id } }) => id === answer.from);
  if (parent !== undefined && isDecided(parent))
    return { kind: "parent", object: parent.name, property: answer.property };
  const problem = parent === undefined ? "no data object that is read before it" : "not decided itself";
  decided.refuseAnswer(list, ["values", name], `"${answer.from}" is ${problem}`);
  return undefined;
}

/** Where a variable stands. */
interface VariablePlace {
  readonly list: ApiOperation;
  /** The segments before it; undefined if it is only a part of its own. */
  readonly before: readonly Segment[] | undefined;
  readonly isLeading: boolean;
  readonly place: PlannedPlace;
}

function decideVariable(
  name: string,
  { list, before, isLeading, place: { byPattern, survey } }: VariablePlace,
): ValueDecision {
  const declared = list.parameters.find(({ in: where, name: own }) => where === "path" && own === name);
  const at = [declared?.at ?? list.at];
  const value = (source: ValueSource): PlannedValue => ({ name, in: "path", source });
  const setting = value({ kind: "setting", name });
  const only = onlyValue(declared, survey);
  if (only !== undefined) {
    const evidence = `{${name}} has one value that fits`;
    return { state: "sure", value: value({ kind: "value", value: only }), evidence, at };
  }
  const parent = before && byPattern.get(patternOf(before));
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
  if (isLeading)
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
  const isOfPath = isListed(noun, parent);
  for (const start of [noun, parent.name]) {
    if (!isOfPath && isSameNoun(start, noun)) continue;
    const rest = plain.startsWith(plainName(start)) ? plain.slice(plainName(start).length) : "";
    const property = rest === "" ? undefined : named(rest);
    if (property !== undefined) return property;
  }
  // `{eid}` of an execution is its identifier too.
  const isKey = isIdentifierName(variable) || isSameNoun(variable, noun) || /^[a-z]id$/.test(plain);
  return isKey && isOfPath && own !== undefined && isIdentifierName(own) ? own : undefined;
}

/** Whether the list has what its path is called by: `category_groups` at `/categories` are groups, and no categories. */
function isListed(noun: string, { items, record }: PlannedObject): boolean {
  const [called = ""] = items.value.split(".").slice(-1);
  return items.state === "sure" || isSameNoun(called, noun) || isSameNoun(record.ref ?? "", noun);
}

/** Parameters that are no filter, whatever their default. */
const NO_FILTER = nameSet(
  `sort order sortby orderby sortorder direction sortdirection fields expand include includes embed format output lang
  language locale units view accept prefer raw pretty callback select properties alt render version`,
);

/** Words of parameters that say how a value is written: the last one of a name tells. */
const WRITTEN = nameSet("format unit units granularity resolution timezone currency");

const ORDERING = nameSet("sort sorting sorted order ordering");

/** What else every call needs, or what would leave records out if it were not sent. `sent` are the names of the paging. */
export function decideParameters(
  list: ApiOperation,
  { sent, signed }: { readonly sent: readonly string[]; readonly signed: ReadonlySet<string> },
  place: PlannedPlace,
): readonly ValueDecision[] {
  const answers = place.decided.answerTo(list).values ?? {};
  const parameters = listParameters(list, place.survey.shapes);
  const decisions = parameters.flatMap((parameter): readonly ValueDecision[] => {
    const { in: where, name } = parameter;
    if (
      where === "path" ||
      sent.some((one) => one === name || one.startsWith(`${name}[`) || one.startsWith(`${name}.`)) ||
      signed.has(plainName(name))
    )
      return [];
    const inferred = decideParameter(parameter, place.survey);
    if (inferred !== undefined) return [takeValue(inferred, list, place)];
    const isAnswered = where !== "cookie" && Object.hasOwn(answers, name);
    return isAnswered ? [takeValue(notNeeded(parameter, where), list, place)] : [];
  });
  const known = new Set([...variablesIn(list.path), ...decisions.map(({ value }) => value.name)]);
  for (const name of Object.keys(answers).filter((other) => !known.has(other)))
    place.decided.refuseAnswer(
      list,
      ["values", name],
      `the list takes no "${name}" beside its pages`,
      didYouMean(
        name,
        parameters.map((parameter) => parameter.name),
      ),
    );
  return decisions;
}

function decideParameter(parameter: ListParameter, survey: Survey): ValueDecision | undefined {
  const { in: where, required } = parameter;
  if (where === "cookie") return required ? cookie(parameter) : undefined;
  if (required && where !== "path") return needed(parameter, where, survey);
  return where === "query" || where === "body" ? narrowing(parameter, where, survey) : undefined;
}

/** What is only sent because the author says so. */
function notNeeded({ name, at }: ListParameter, where: PlannedValue["in"]): ValueDecision {
  const value: PlannedValue = { name, in: where, source: { kind: "setting", name } };
  return { state: "ask", value, evidence: `${quoted(name)} is not required`, at: [at] };
}

function cookie({ name, at }: ListParameter): ValueDecision {
  const value: PlannedValue = { name, in: "header", source: { kind: "setting", name } };
  return { state: "ask", value, evidence: `needs the cookie ${quoted(name)}`, at: [at] };
}

function needed(parameter: ListParameter, place: "query" | "header" | "body", survey: Survey): ValueDecision {
  const { name, at } = parameter;
  const { parts, values } = survey.shapes.of(parameter.schema);
  const stated = parts.map(({ defaultValue }) => defaultValue).find((value) => value !== undefined);
  const only = values.length === 1 ? values[0] : undefined;
  // A credential that stands in a document is an example.
  const constant = only ?? (isSecretName(name) ? undefined : stated);
  if (constant !== undefined) {
    const value: PlannedValue = { name, in: place, source: { kind: "value", value: constant } };
    const evidence = `${quoted(name)} is required, and ${only === undefined ? "this is its default" : "has one value"}`;
    return { state: "sure", value, evidence, at: [at] };
  }
  const value: PlannedValue = { name, in: place, source: { kind: "setting", name } };
  if (place !== "body" && survey.isNeededByMost({ in: place, name }))
    return { state: "sure", value, evidence: `${quoted(name)} is required by most operations`, at: [at] };
  return {
    state: "ask",
    value,
    evidence: `${quoted(name)} is required, and the document has no value for it`,
    at: [at],
  };
}

/** A filter that holds unless another value is sent. */
function narrowing(
  parameter: ListParameter,
  where: "query" | "body",
  survey: Survey,
): ValueDecision | undefined {
  const { name, description, at } = parameter;
  const words = splitWords(name).map(plainName);
  const isOfForm = words.some((word) => ORDERING.has(word)) || WRITTEN.has(words.at(-1) ?? "");
  if (NO_FILTER.has(plainName(name)) || isOfForm) return undefined;
  const shape = survey.shapes.of(parameter.schema);
  const stated = shape.parts.map(({ defaultValue }) => defaultValue).find((value) => value !== undefined);
  if (isTime(name, shape) && (stated !== undefined || /\bdefaults? (?:to|is|value|:)/i.test(description))) {
    const value: PlannedValue = { name, in: where, source: { kind: "setting", name } };
    const evidence = `without ${quoted(name)} only a span of time is listed: its description names a default`;
    return { state: "ask", value, evidence, at: [at] };
  }
  const isAll = (value: unknown) => typeof value === "string" && /^(?:all|any|both)?$/i.test(value);
  if (typeof stated !== "string" || isAll(stated) || shape.values.length < 2) return undefined;
  const all = shape.values.find(isAll);
  const value: PlannedValue = { name, in: where, source: { kind: "value", value: all ?? stated } };
  const only = `without ${quoted(name)} only ${quoted(stated)} is listed`;
  if (all !== undefined)
    return {
      state: "sure",
      value,
      evidence: `${only}, and with ${quoted(String(all))} everything`,
      at: [at],
    };
  // Which of them the connector is for, no answer of the target system shows.
  const others = shape.values.filter((other) => other !== stated).map((other) => quoted(String(other)));
  return { state: "ask", value, evidence: `${only}; other values are ${others.join(", ")}`, at: [at] };
}

function isTime(name: string, { format }: Shape): boolean {
  return /^date/.test(format) || /(?:date|time|since|until)$/i.test(name);
}
