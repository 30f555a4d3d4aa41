/** Lists of a GraphQL endpoint: a document with variables in place of a path, and errors that come with a success. */
import type { ApiResponse } from "../client/api-response.js";
import { ResponseError } from "../client/errors.js";
import { clockOf, type HttpClient } from "../client/http-client.js";
import { ended, quotedFrom } from "../client/target-words.js";
import type { Clock } from "../registration/connection-contracts.js";
import type { FullReads, StopSignal } from "../registration/contracts.js";
import { retryAfterMs } from "../retry.js";
import type {
  AnswerOf,
  CursorPages,
  DeletedWhen,
  NumberedPages,
  OffsetPages,
  OnePage,
  PageSize,
  Pages,
  ReaderDeclaration,
  SentAs,
  Since,
  SinceMark,
  SinceTime,
  Total,
  ValueSource,
} from "./declaration.js";
import { valueAt, type Way } from "./ways.js";

/** Pages of a Relay connection: the cursor is `pageInfo.endCursor`, beside the `nodes` or `edges` that `items` leads to. */
export interface RelayPages {
  /** Tells the kinds apart. */
  readonly kind: "relay";
  /**
   * Variable of the cursor.
   * @default "after"
   */
  readonly send?: string;
  /**
   * How many records a page is asked to have; as a number, by the variable `first`.
   * @default none: the document says it, or the target system
   */
  readonly size?: number | { readonly send: string; readonly value: number };
  /** Way to the number of records of the whole list. A list that ends before is an error. */
  readonly total?: string;
}

/** Where a value goes: the name of a variable. */
type InVariable<Form> = Form extends { readonly send: SentAs }
  ? Omit<Form, "send"> & { readonly send: string }
  : Form;

/** How a list of a GraphQL endpoint comes in pages. All that is sent goes into variables. */
export type GraphQLPages<Data> =
  | RelayPages
  | OnePage
  | InVariable<NumberedPages<Data>>
  | InVariable<OffsetPages<Data>>
  | InVariable<CursorPages<Data>>;

/** What is sent in a variable: a value, one that stands for it, or a list or an object of such. */
export type VariableValue =
  | ValueSource
  | null
  | readonly VariableValue[]
  | { readonly [name: string]: VariableValue };

/** How a data object is listed by a GraphQL query. Names in it are serialized names. */
export interface GraphQLDeclaration<Json, Data, Item, Time, Deleted> {
  /** The query. It declares a variable for each that is sent: `query ($after: String) { … }`. */
  readonly document: string;
  /**
   * Path of the endpoint below the base address.
   * @default "/graphql"
   */
  readonly endpoint?: string;
  /** Values of variables, at any depth. */
  readonly variables?: { readonly [name: string]: VariableValue };
  /** Headers. */
  readonly headers?: Readonly<Record<string, ValueSource>>;
  /** The type of `data` in an answer: by it the compiler checks every way. Default: none, and ways are any texts. */
  readonly answer?: AnswerOf<Data>;
  /** Way in `data` to the list of records, or of edges with a `node`. */
  readonly items:
    | Way<NoInfer<Data>, readonly (Item | null)[]>
    | Way<NoInfer<Data>, readonly ({ readonly node: Item | null } | null)[]>;
  /** How the list comes in pages. */
  readonly pages: GraphQLPages<NoInfer<Data>>;
  /** Makes the reader incremental: it asks for what has changed since the last run. `send` names a variable. */
  readonly since?: Time;
  /** Makes the reader incremental: which of the records were deleted. */
  readonly deletedWhen?: Deleted;
  /** How often an incremental reader reads everything. Default: never. */
  readonly full?: FullReads;
  /**
   * How many lists of parents are asked for at once, and so how many pages are kept.
   * @default 4
   */
  readonly concurrency?: number;
  /** Code for what can't be declared: the record of an item; undefined leaves it out. State the type of its parameter. */
  readonly each?: (item: Item) => NoInfer<Json> | undefined;
}

/** `since` with a variable. */
type SinceInVariable<Json, Data> = InVariable<SinceTime<Json>> | InVariable<SinceMark<Data>>;

/**
 * The declaration of a list that is read by a GraphQL query, for `defineReader`.
 * @throws TypeError for a variable that the document does not declare, and for one that it asks for and nobody gives.
 * @example
 * export const projectReader = defineReader(Project, graphql({
 *   document: `query ($after: String, $first: Int) {
 *     projects(after: $after, first: $first) { nodes { id name } pageInfo { endCursor hasNextPage } }
 *   }`,
 *   items: "projects.nodes",
 *   pages: { kind: "relay", size: 100 },
 * }));
 */
export function graphql<
  Json,
  Data = unknown,
  Item = Json,
  const Time extends SinceInVariable<Json, Data> | undefined = undefined,
  const Deleted extends DeletedWhen | undefined = undefined,
>(
  declaration: GraphQLDeclaration<Json, Data, Item, Time, Deleted>,
): ReaderDeclaration<"POST /graphql", Json, Data, Item, NoInfer<Time>, NoInfer<Deleted>, never> {
  const { document, endpoint = "/graphql", variables = {}, items, pages, since, ...rest } = declaration;
  const form: AnyGraphQLForm = { items: `data.${items}`, pages: pages as GraphQLPages<unknown> };
  checkVariables(document, { ...form, variables, since });
  const declared = {
    ...rest,
    list: `POST ${endpoint}`,
    body: { query: document, variables },
    items: form.items,
    record: /\.edges$/.test(form.items) ? "node" : undefined,
    errors: "errors",
    pages: sentInVariables(form),
    since: since === undefined ? undefined : sinceInVariable(since as AnySince),
  };
  return declared as never;
}

/** Members of a declaration without the types of its answer; `items` leads from the answer. */
interface AnyGraphQLForm {
  readonly items: string;
  readonly pages: GraphQLPages<unknown>;
}

/** @throws TypeError if the document and what is sent do not fit each other. */
function checkVariables(
  document: string,
  {
    items,
    pages,
    variables,
    since,
  }: AnyGraphQLForm & { readonly variables: object; readonly since: { readonly send: string } | undefined },
): void {
  const declared = new Map(
    [...document.matchAll(/\$(\w+)\s*:\s*([\w[\]!]+)\s*(=?)/g)].map(([, name = "", type = "", isPreset]) => [
      name,
      type.endsWith("!") && isPreset === "",
    ]),
  );
  const size = "size" in pages ? pages.size : undefined;
  const send = pages.kind === "relay" ? (pages.send ?? "after") : "send" in pages ? pages.send : undefined;
  const sizeName = typeof size === "number" ? "first" : size?.send;
  const sent = [...Object.keys(variables), send, sizeName, since?.send].filter((name) => name !== undefined);
  for (const name of sent)
    if (typeof name !== "string" || !declared.has(name))
      throw new TypeError(
        `The document of the GraphQL query declares no variable $${String(name)}, which is sent: add it, as in query ($${String(name)}: String).`,
      );
  for (const [name, isNeeded] of declared)
    if (isNeeded && !sent.includes(name))
      throw new TypeError(
        `The document of the GraphQL query asks for $${name}: give it a value in variables.${name}.`,
      );
  if (pages.kind === "relay" && !/pageInfo\s*\{[^}]*endCursor/.test(document))
    throw new TypeError(
      `The document of the GraphQL query has to ask for pageInfo { endCursor hasNextPage } beside ${items.replace(/^data\./, "")}.`,
    );
}

function inVariable(name: string): SentAs {
  return { body: `variables.${name}` };
}

function sizeInVariable({ send, value }: { readonly send: SentAs; readonly value: number }): PageSize {
  return { send: inVariable(String(send)), value };
}

/** The pages as the interpreter knows them: variables are members of the body, and ways begin at the answer. */
function sentInVariables({ items, pages }: AnyGraphQLForm): Pages<unknown> {
  if (pages.kind === "one") return pages;
  const { size, total } = pages;
  const shared = {
    ...(total === undefined ? {} : { total: inData(total) }),
    ...(size === undefined
      ? {}
      : { size: sizeInVariable(typeof size === "number" ? { send: "first", value: size } : size) }),
  };
  if (pages.kind === "relay") {
    const pageInfo = items.replace(/\.?[^.]*$/, ".pageInfo");
    const [next, more] = [`${pageInfo}.endCursor`, `${pageInfo}.hasNextPage`];
    return { ...shared, kind: "cursor", send: inVariable(pages.send ?? "after"), next, more };
  }
  const send = inVariable(pages.send);
  if (pages.kind === "page")
    return { ...pages, ...shared, send, ...(pages.last === undefined ? {} : { last: `data.${pages.last}` }) };
  const more = pages.more === undefined ? {} : { more: `data.${pages.more}` };
  if (pages.kind === "offset") return { ...pages, ...shared, ...more, send };
  const next = typeof pages.next === "string" ? `data.${pages.next}` : pages.next;
  return { ...pages, ...shared, ...more, send, next };
}

function inData(total: Total<unknown>): Total<unknown> {
  return typeof total === "string" ? `data.${total}` : total;
}

type AnySince = SinceInVariable<Record<string, unknown>, unknown>;

function sinceInVariable(since: AnySince): Since<Record<string, unknown>> {
  const send = inVariable(since.send);
  return "mark" in since ? { ...since, send, mark: `data.${since.mark}` } : { ...since, send };
}

/** Codes with which endpoints say that they were asked too much; letters only. */
const THROTTLED = /^(?:throttled|ratelimited|ratelimitexceeded|toomanyrequests|complexitybudgetexhausted)$/;
/** Codes of errors that may be gone later. */
const TEMPORARY = /^(?:internalservererror|serviceunavailable|timeout|unavailable)$/;

const MAX_ATTEMPTS = 10;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;

/** The answer to a query, which is asked again as long as it is refused only for now. */
export async function askPatiently(
  http: HttpClient,
  ask: () => Promise<ApiResponse>,
  signal: StopSignal,
): Promise<ApiResponse> {
  const clock = clockOf(http);
  for (let attempt = 1; ; attempt++) {
    const response = await ask();
    const isThrottled = errorsIn(response.result, "errors").some((error) => THROTTLED.test(codeOf(error)));
    if (!isThrottled || attempt === MAX_ATTEMPTS) return response;
    await clock.sleep(delayMs(response, { attempt, clock }), signal);
  }
}

/** Until the endpoint has earned what the query costs, until it wants to be asked again, or a while that doubles. */
function delayMs(
  { result, headers }: ApiResponse,
  { attempt, clock }: { readonly attempt: number; readonly clock: Clock },
): number {
  const [cost, has, rate] = [
    "requestedQueryCost",
    "throttleStatus.currentlyAvailable",
    "throttleStatus.restoreRate",
  ].map((way) => valueAt(result, `extensions.cost.${way}`));
  const earnedMs =
    typeof cost === "number" && typeof has === "number" && typeof rate === "number" && rate > 0
      ? Math.ceil(((cost - has) / rate) * 1_000)
      : undefined;
  const ms = retryAfterMs(headers, clock.now()) ?? earnedMs ?? FIRST_DELAY_MS * 2 ** (attempt - 1);
  return Math.min(Math.max(ms, FIRST_DELAY_MS), MAX_DELAY_MS);
}

/** The errors that an answer tells at `way`; none if there are none. */
function errorsIn(body: unknown, way: string): readonly unknown[] {
  const errors = valueAt(body, way);
  return Array.isArray(errors) ? errors : [];
}

/**
 * The error of an answer that came with a success and has errors at `way`, in the endpoint's own words; undefined if it has
 * none. Half an answer is none: what is missing in it would be taken for deleted.
 */
export function errorWithSuccess(
  subject: string,
  { result, statusCode }: Pick<ApiResponse, "result" | "statusCode">,
  way: string | undefined,
): ResponseError | undefined {
  if (way === undefined) return undefined;
  const errors = errorsIn(result, way);
  if (errors.length === 0) return undefined;
  const [first] = errors;
  const message = valueAt(first, "message");
  const words = quotedFrom(result, typeof message === "string" ? message : undefined);
  const more = errors.length === 1 ? "" : ` It told ${errors.length} errors.`;
  const isLater = errors.some((error) => THROTTLED.test(codeOf(error)) || TEMPORARY.test(codeOf(error)));
  return new ResponseError(
    `${subject} was answered with an error: ${ended(words === "" ? "without a message" : words)}${more}`,
    statusCode,
    isLater ? { retry: "later" } : {},
  );
}

/** The code of an error, in lower-case letters; empty if it has none. */
function codeOf(error: unknown): string {
  const code = valueAt(error, "extensions.code") ?? valueAt(error, "type");
  return typeof code === "string" ? code.toLowerCase().replace(/[^a-z]/g, "") : "";
}
