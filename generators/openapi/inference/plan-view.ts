/** A plan in words: each decision with its value, its evidence and the lines that it cites. */
import type { SentAs } from "../../../schemas/authoring/openapi-import.js";
import type { ApiOperation, At } from "../reading/api-description.js";
import type {
  Decision,
  ImportPlan,
  PlannedAuth,
  PlannedObject,
  PlannedPages,
  PlannedSince,
  PlannedValue,
  State,
} from "./plan.js";
import { decisionsOf, isDecided } from "./plan.js";

/** The file and the line of a part. */
export type PlaceOf = (at: At) => { readonly file: string; readonly line: number };

/** One decision. */
export interface DecisionView {
  /** What it decides: `items`, `key`, `pages`, `since`, `{variable}`, `?parameter`, `header Name`, `address`. */
  readonly about: string;
  /** `sure`: the document says it. `middle`: the first answer confirms it. `ask`: the document does not decide it. */
  readonly state: State;
  /** What was decided, in words; with `ask` a proposal; empty if there is none. */
  readonly value: string;
  /** Why, in one line. */
  readonly evidence: string;
  /** The lines that it rests on: `openapi.yaml:12`. */
  readonly places: readonly string[];
}

/** A data object that would be made. */
export interface ObjectView {
  /** Name of its class. */
  readonly name: string;
  /** The operation that lists its records: `GET /projects`. */
  readonly list: string;
  /** The line of the operation. */
  readonly places: readonly string[];
  /** Whether its list can be read without another answer. */
  readonly isDecided: boolean;
  /** How it is read. */
  readonly decisions: readonly DecisionView[];
  /** Other operations that list some of the same records. */
  readonly others: readonly string[];
  /** Operations that change records: `Create POST /projects`; those that are no actions with the reason. */
  readonly writes: readonly string[];
}

/** An operation that is not taken. */
export interface LeftOutView {
  /** `GET /health`. */
  readonly operation: string;
  /** Why, in one line. */
  readonly reason: string;
  /** The line of the operation. */
  readonly places: readonly string[];
}

/** What would be made of a document, what is undecided, and what is left out. */
export interface PlanView {
  /** The address of the API, then the connection definitions. */
  readonly connections: readonly DecisionView[];
  /** Data objects, in the order of the document. */
  readonly objects: readonly ObjectView[];
  /** Operations that are not taken: lists, then those that change something and that no object has among its writes. */
  readonly leftOut: readonly LeftOutView[];
}

/** The plan in words. */
export function planView(
  { address, connections, objects, leftOut, otherWrites }: ImportPlan,
  placeOf: PlaceOf,
): PlanView {
  const { value } = address;
  const where = value.kind === "fixed" ? value.url : "entered by the user";
  return {
    connections: [
      decisionView("address", where, address, placeOf),
      ...connections.map(({ name, auth }) =>
        decisionView(`connection ${name}`, authWords(auth.value), auth, placeOf),
      ),
    ],
    objects: objects.map((object) => objectView(object, placeOf)),
    leftOut: [...leftOut, ...otherWrites].map(({ operation, reason }) => ({
      operation: operation.id,
      reason,
      places: placesOf([operation.at], placeOf),
    })),
  };
}

function objectView(object: PlannedObject, placeOf: PlaceOf): ObjectView {
  const { name, list, others, writes } = object;
  const idOf = ({ id }: ApiOperation) => id;
  return {
    name,
    list: list.id,
    places: placesOf([list.at], placeOf),
    isDecided: isDecided(object),
    decisions: [
      ...[...decisionsOf(object)].map(([about, decision]) =>
        decisionView(about, decidedWords(about, decision.value), decision, placeOf),
      ),
    ],
    others: others.map(idOf),
    writes: writes.map(({ name: action, operation: { id }, problem }) =>
      problem === undefined ? `${action} ${id}` : `no ${action} ${id}: ${problem}`,
    ),
  };
}

function decisionView(
  about: string,
  value: string,
  { state, evidence: said, at, answered }: Decision<unknown>,
  placeOf: PlaceOf,
): DecisionView {
  if (answered === undefined || answered.evidence === "")
    return { about, state, value, evidence: said, places: placesOf(at, placeOf) };
  const document = answered.state === "ask" ? "the document leaves it open" : "the document";
  const evidence = `${said}; ${document}: ${answered.evidence}`;
  return { about, state, value, evidence, places: placesOf(answered.at, placeOf) };
}

function placesOf(at: readonly At[], placeOf: PlaceOf): readonly string[] {
  const places = at.filter((place) => place !== "").map(placeOf);
  return [...new Set(places.map(({ file, line }) => `${file}:${line}`))];
}

function authWords(auth: PlannedAuth): string {
  switch (auth.authType) {
    case "ApiKey": {
      const place = auth.in === "query" ? "parameter" : "header";
      return `ApiKey in the ${place} ${auth.parameter}${auth.prefix === "" ? "" : ` after "${auth.prefix}"`}`;
    }
    case "OAuth2CodeFlow":
    case "OAuth2ClientCredentials":
      return `${auth.authType}${auth.scopes.length === 0 ? "" : ` with ${auth.scopes.join(" ")}`}`;
    default:
      return auth.authType;
  }
}

/** What a decision on a list decided, in words. */
export function decidedWords(about: string, value: unknown): string {
  switch (about) {
    case "items":
      return String(value);
    case "key":
      return (value as readonly string[]).join(", ");
    case "pages":
      return pagesWords(value as PlannedPages);
    case "since":
      return sinceWords(value as PlannedSince | undefined);
    default:
      return sourceWords(value as PlannedValue);
  }
}

/** How a list comes in pages, in words. */
export function pagesWords(pages: PlannedPages): string {
  const size =
    "size" in pages && pages.size !== undefined
      ? `, ${pages.size.value} a page by ${sentWords(pages.size.send)}`
      : "";
  switch (pages.kind) {
    case "one":
      return "one";
    case "page": {
      const last = pages.last === undefined ? "" : `, last by ${pages.last}`;
      return `page by ${sentWords(pages.send)} from ${pages.first}${last}${size}`;
    }
    case "offset": {
      const end = pages.total ?? pages.more;
      return `offset by ${sentWords(pages.send)}${end === undefined ? "" : `, end by ${end}`}${size}`;
    }
    case "cursor": {
      const next = typeof pages.next === "string" ? pages.next : nextWords(pages.next);
      return `cursor by ${sentWords(pages.send)}${next === "" ? "" : ` from ${next}`}${size}`;
    }
    case "link":
      return `link ${pages.next}${size}`;
    case "linkHeader":
      return `link header${size}`;
    default:
      return pages satisfies never;
  }
}

function nextWords(next: { readonly header: string } | { readonly lastItem: string }): string {
  return "header" in next ? `header ${next.header}` : `the last record's ${next.lastItem}`;
}

function sinceWords(since: PlannedSince | undefined): string {
  if (since === undefined) return "";
  const property = since.property === undefined ? "" : `${since.property} by `;
  return `${property}${sentWords(since.send)} as ${since.format}`;
}

function sentWords(sent: SentAs): string {
  if (typeof sent === "string") return sent;
  return "header" in sent ? `header ${sent.header}` : `${sent.body} of the body`;
}

function sourceWords({ source }: PlannedValue): string {
  switch (source.kind) {
    case "value":
      return JSON.stringify(source.value);
    case "setting":
      return "a setting of the connection";
    case "parent":
      return `${source.object}.${source.property}`;
    default:
      return source satisfies never;
  }
}
