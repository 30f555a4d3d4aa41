/** Which operations list records, and where in an answer the records stand. */
import type { ApiOperation, ApiSchema } from "../reading/api-description.js";
import { isJsonMediaType } from "../reading/read-description.js";
import { isArray, mayBeObject, type Shape } from "../reading/shapes.js";
import type { Decision } from "./plan.js";
import type { Survey } from "./survey.js";
import { vendorPages } from "./vendor-pages.js";
import { isSameNoun, nameSet, nounOf, plainName, quoted, segmentsOf } from "./words.js";

/** A list, or why the operation is none. `isPlausible` tells what a reader of the document may miss. */
export type FoundList =
  | { readonly kind: "list"; readonly items: Decision<string>; readonly record: ApiSchema }
  | { readonly kind: "none"; readonly reason: string; readonly isPlausible: boolean };

const RECORD_WORDS = nameSet(
  "data items item results result values value records record entries entry rows row list content contents elements objects resources entities collection docs hits nodes payload",
);
/** Lists that stand beside the records. */
const BESIDE = nameSet(
  "errors error warnings warning links link included meta metadata facets fields aggregations messages message notices columns sort filters breadcrumbs schema headers actions operations permissions",
);
/** Members that records stand in. */
const ENVELOPES = nameSet("data result results response payload body content d embedded list value items");
/** Members that speak of the answer, so that an object with them may be an envelope. */
const OF_ANSWER = nameSet(
  `page pages pagenumber pageno pagesize perpage pageindex limit offset start size count total totalcount totalpages
  totalitems totalresults totalrecords totalelements totalsize numpages pagecount itemcount first last next previous prev
  current self href url uri more hasmore hasnext hasprevious hasnextpage haspreviouspage islast isfirst lastpage firstpage
  numberofelements empty cursor nextcursor nextpage prevpage previouspage nextpagetoken nextlink nexttoken nexturl
  prevcursor status statuscode success ok message code error errorcode errormessage object kind type etag requestid
  traceid service resource operation version apiversion time timestamp took query odatacontext odatanextlink odatacount
  odatametadata from to startat maxresults number response result returned isempty warnings links meta`,
);

/** Whether the operation lists records. */
export function findList(operation: ApiOperation, survey: Survey): FoundList {
  const { answer, path } = operation;
  const { shapes } = survey;
  if (answer === undefined || answer.schema === undefined)
    return none("the document does not say what it answers", looksLikeList(operation));
  if (!isJsonMediaType(answer.mediaType)) return none(`it answers ${answer.mediaType}, no JSON`, false);
  const shape = shapes.of(answer.schema);
  const endsInVariable = segmentsOf(path).at(-1)?.variable !== undefined;
  if (isArray(shape)) return rootList(shape, survey);
  const named = namedByVendor(operation, survey);
  if (named !== undefined) return named;
  const scored = candidatesIn(shape, operation, survey).sort((a, b) => b.score - a.score);
  const [best, second] = scored;
  if (endsInVariable) {
    const isPaged = best !== undefined && best.score > 0 && operation.parameters.some(isPageParameter);
    return none(
      isPaged ? "its path ends in a variable, as that of one record does" : "it answers one record",
      isPaged,
    );
  }
  if (best === undefined) return withoutList(shape, operation);
  const others = scored.map(({ way }) => quoted(way)).join(", ");
  if (isRecord(shape, best)) return none(`it answers one record, with ${others} in it`, false);
  const at = [answer.at, best.at];
  if (second !== undefined && (best.score < 3 || best.score === second.score)) {
    const evidence = `${others} are lists, and none of them leads`;
    return listOf({ state: "ask", value: best.way, evidence, at }, best.record);
  }
  if (best.score === 0) {
    const evidence = `${quoted(best.way)} is the only list of objects in the answer`;
    return listOf({ state: "middle", value: best.way, evidence, at }, best.record);
  }
  return listOf(
    { state: "sure", value: best.way, evidence: `${quoted(best.way)} ${best.reason}`, at },
    best.record,
  );
}

/** The list that an extension names, if the answer has it. */
function namedByVendor(operation: ApiOperation, survey: Survey): FoundList | undefined {
  const { name, results } = vendorPages(operation, survey.shapes) ?? {};
  if (results === undefined) return undefined;
  const record = recordAt(operation, results, survey);
  if (record === undefined || !mayBeObject(survey.shapes.of(record))) return undefined;
  const evidence = `${name} names ${quoted(results)}`;
  return listOf({ state: "sure", value: results, evidence, at: [operation.at, record.at] }, record);
}

/** The schema of the records that stand at `way` in an answer; undefined if there is no list. */
export function recordAt({ answer }: ApiOperation, way: string, { shapes }: Survey): ApiSchema | undefined {
  if (answer?.schema === undefined || !isJsonMediaType(answer.mediaType)) return undefined;
  let shape = shapes.of(answer.schema);
  for (const step of way === "$" ? [] : way.split(".")) {
    const property = shape.properties.get(step);
    if (property === undefined) return undefined;
    shape = shapes.of(property.schema);
  }
  return isArray(shape) ? shape.items : undefined;
}

function none(reason: string, isPlausible: boolean): FoundList {
  return { kind: "none", reason, isPlausible };
}

function listOf(items: Decision<string>, record: ApiSchema): FoundList {
  return { kind: "list", items, record };
}

function rootList({ items, parts }: Shape, survey: Survey): FoundList {
  const at = [parts.find((part) => part.items === items)?.at ?? parts[0]?.at ?? ""];
  if (items === undefined) return none("the document does not say what is in the list that it answers", true);
  if (!mayBeObject(survey.shapes.of(items)))
    return none("it answers a list of values, not of objects", false);
  return listOf({ state: "sure", value: "$", evidence: "the answer is the list", at }, items);
}

function looksLikeList({ path, parameters }: ApiOperation): boolean {
  if (segmentsOf(path).at(-1)?.variable !== undefined) return false;
  return nounOf(path).toLowerCase().endsWith("s") || parameters.some(isPageParameter);
}

function isPageParameter({ in: place, name }: ApiOperation["parameters"][number]): boolean {
  return place === "query" && /^(?:page|perpage|pagesize|limit|offset|cursor)$/.test(plainName(name));
}

/** Pages of what the document calls one record: there it is the document that is wrong. */
function withoutList(shape: Shape, operation: ApiOperation): FoundList {
  const paged = operation.parameters.filter(isPageParameter).map(({ name }) => quoted(name));
  if (paged.length > 1)
    return none(`it takes ${paged.join(" and ")}, but the document says that it answers one record`, true);
  if (shape.properties.size === 0 && shape.types.length === 0)
    return none("the document does not say what it answers", looksLikeList(operation));
  return none("it answers no list of objects", false);
}

interface Candidate {
  readonly way: string;
  readonly record: ApiSchema;
  readonly score: number;
  readonly reason: string;
  readonly at: string;
}

/** Deeper lists belong to a record. */
const DEEPEST = 3;

function candidatesIn(shape: Shape, operation: ApiOperation, survey: Survey): Candidate[] {
  const noun = nounOf(operation.path);
  const itemNames = namesOfItem(operation, survey);
  const found: Candidate[] = [];
  const visit = ({ properties }: Shape, way: readonly string[]): void => {
    for (const { name, schema } of properties.values()) {
      const inner = survey.shapes.of(schema);
      const plain = plainName(name);
      if (isArray(inner) && inner.items !== undefined) {
        if (!mayBeObject(survey.shapes.of(inner.items)) || (BESIDE.has(plain) && !isSameNoun(name, noun)))
          continue;
        const { score, reason } = scoreOf({ name, record: inner.items, noun, itemNames }, survey);
        found.push({ way: [...way, name].join("."), record: inner.items, score, reason, at: schema.at });
      } else if (way.length + 1 < DEEPEST && (ENVELOPES.has(plain) || isSameNoun(name, noun)))
        visit(inner, [...way, name]);
    }
  };
  visit(shape, []);
  return found;
}

/** Names of the schema that `GET <list>/{x}` answers. */
function namesOfItem(operation: ApiOperation, survey: Survey): ReadonlySet<string> {
  const names = new Set<string>();
  for (const item of survey.itemsOf(operation)) {
    if (item.method !== "GET" || item.answer?.schema === undefined) continue;
    const shape = survey.shapes.of(item.answer.schema);
    for (const name of shape.names) names.add(name);
    // The record may stand in an envelope of its own.
    for (const { schema } of shape.properties.values())
      for (const name of survey.shapes.of(schema).names) names.add(name);
  }
  return names;
}

function scoreOf(
  candidate: {
    readonly name: string;
    readonly record: ApiSchema;
    readonly noun: string;
    readonly itemNames: ReadonlySet<string>;
  },
  survey: Survey,
): { readonly score: number; readonly reason: string } {
  const { name, record, noun, itemNames } = candidate;
  const shared = survey.shapes.of(record).names.find((item) => itemNames.has(item));
  const reasons: readonly (readonly [number, string] | undefined)[] = [
    shared === undefined ? undefined : [5, `holds ${shared}, as GET of one item answers`],
    isSameNoun(name, noun) ? [4, "is called as the path ends"] : undefined,
    RECORD_WORDS.has(plainName(name)) ? [3, "is a usual name for records"] : undefined,
  ];
  const given = reasons.filter((reason) => reason !== undefined);
  return {
    score: given.reduce((sum, [points]) => sum + points, 0),
    reason: given.map(([, reason]) => reason).join(", and "),
  };
}

/** An object with an identifier, or with data of its own, is a record that lists stand in. */
function isRecord({ properties }: Shape, best: Candidate): boolean {
  const own = [...properties.keys()].filter((name) => !best.way.startsWith(name));
  if (own.some((name) => plainName(name) === "id") && properties.size >= 4) return true;
  const data = own.filter((name) => !OF_ANSWER.has(plainName(name)) && !BESIDE.has(plainName(name)));
  return data.length >= 4 && best.score < 4;
}
