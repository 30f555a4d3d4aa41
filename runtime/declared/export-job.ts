/** Lists that a target system makes as a file: a job is started, asked until it is done, and its file is downloaded. */
import { type ApiResponse, isPage, resultOrThrow } from "../client/api-response.js";
import { ResponseError } from "../client/errors.js";
import { clockOf, type HttpClient, type StreamedResponse, streamFrom } from "../client/http-client.js";
import { kindOf } from "../client/pages.js";
import { ended, quotedFrom } from "../client/target-words.js";
import { durationMs } from "../duration.js";
import type { RecordType } from "../records/record-type.js";
import type { FullReads, StopSignal } from "../registration/contracts.js";
import type { ResponseHeaders } from "../registration/http-messages.js";
import { retryAfterMs } from "../retry.js";
import type { DeclaredRequest } from "./calls.js";
import type {
  AnswerOf,
  DeletedWhen,
  ExportCall,
  ExportPages,
  PathOf,
  ReaderDeclaration,
  Refused,
  Since,
  ValueSource,
  VariablesOf,
} from "./declaration.js";
import { downloadedItems, type FileFormat, FileProblem } from "./downloaded-items.js";
import { isScalar, type Scalar, valueAt, type Way } from "./ways.js";

/** A call, with a value for each variable of its path. `{handle}` in the path is the handle of the job. */
type CallOf<Call extends string> = ([Exclude<VariablesOf<Call>, "handle">] extends [never]
  ? { readonly path?: undefined }
  : { readonly path: { readonly [Name in Exclude<VariablesOf<Call>, "handle">]: ValueSource } }) & {
  /** Method and path: `GET /exports/{handle}`; `GET {handle}` if the handle is an address. */
  readonly call: Call;
  /** Parameters of the query. */
  readonly query?: Readonly<Record<string, ValueSource | readonly Scalar[]>>;
  /** Headers. */
  readonly headers?: Readonly<Record<string, ValueSource>>;
};

/** How a job is started. */
export type ExportStart<Call extends string, Started> = PathOf<Call> & {
  /** Method and path below the base address: `POST /exports`. */
  readonly call: Call;
  /** Parameters of the query. */
  readonly query?: Readonly<Record<string, ValueSource | readonly Scalar[]>>;
  /** Headers. */
  readonly headers?: Readonly<Record<string, ValueSource>>;
  /** The body of a job that is started by POST. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The type of the answer: by it the compiler checks every way. Default: none, and ways are any texts. */
  readonly answer?: AnswerOf<Started>;
  /** Where the answer has what the job is asked by: a way, or a header. */
  readonly handle:
    | Way<NoInfer<Started>, Scalar>
    | {
        /** Name of the header, such as `Location`. */
        readonly header: string;
      };
};

/** How a job is asked whether it is done. */
export type ExportPoll<Call extends string, Polled> = CallOf<Call> & {
  /** The type of the answer: by it the compiler checks every way. Default: none, and ways are any texts. */
  readonly answer?: AnswerOf<Polled>;
  /** Where the answer says how far the job is. Default: the status 202 says that it goes on, any other success that it is done. */
  readonly state?: Way<NoInfer<Polled>, Scalar>;
  /** What stands there when the file is ready. */
  readonly ready?: Scalar | readonly Scalar[];
  /** What stands there when there will be none. With anything else the job goes on. */
  readonly failed?: Scalar | readonly Scalar[];
  /** Where the reason of a failure stands. */
  readonly message?: Way<NoInfer<Polled>, string>;
  /** Where the answer says how many records the file has. One that has fewer is an error. */
  readonly total?: Way<NoInfer<Polled>, number | string>;
  /**
   * How long to wait before the job is asked again, as an ISO 8601 duration. The header `Retry-After` goes before.
   * @default "PT5S"
   */
  readonly every?: string;
  /**
   * How long a run waits for the job. The next run asks for the same job.
   * @default "PT1H"
   */
  readonly longest?: string;
};

/** Where the file of a job is, and how it holds records: by a call, or at an address that the job tells. */
export type ExportFile<Call extends string, Polled> = FileFormat &
  (
    | (CallOf<Call> & { readonly address?: undefined })
    | {
        /**
         * Way to the address in the answer of a job that is done. One of another origin gets no credentials. Without an address the
         * file is empty, if the total says so.
         */
        readonly address: Way<NoInfer<Polled>, string>;
        /** There is no call. */
        readonly call?: undefined;
      }
  );

/** How a data object is exported. Names in it are serialized names. */
export interface ExportDeclaration<
  Start extends string,
  Poll extends string,
  Download extends string,
  Json,
  Started,
  Polled,
  Item,
  Time,
  Deleted,
> {
  /** Starts the job. */
  readonly start: ExportStart<Start, Started>;
  /** Asks whether it is done. */
  readonly poll: ExportPoll<Poll, Polled>;
  /** Where its file is. */
  readonly download: ExportFile<Download, Polled>;
  /** How the target system tells an error with a success, in the answers of both calls. */
  readonly refused?: Refused<unknown>;
  /** Statuses of the start that say that there is nothing to export. Any other throws. */
  readonly absent?: readonly number[];
  /** Makes the reader incremental: the job exports what has changed since the last run. */
  readonly since?: Time;
  /** Makes the reader incremental: which of the records were deleted. */
  readonly deletedWhen?: Deleted;
  /** How often an incremental reader reads everything. Default: never. */
  readonly full?: FullReads;
  /** Code for what can't be declared: the record of an item; undefined leaves it out. State the type of its parameter. */
  readonly each?: (item: Item) => NoInfer<Json> | undefined;
}

/**
 * The declaration of a list that is exported as a file, for `defineReader`. A run that was interrupted goes on with the
 * same job; one that has expired is started again.
 * @example
 * export const projectReader = defineReader(Project, exportJob({
 *   start: { call: "POST /exports", body: { type: "projects" }, handle: "id" },
 *   poll: { call: "GET /exports/{handle}", state: "status", ready: "done", failed: "error" },
 *   download: { call: "GET /exports/{handle}/file", format: "csv" },
 * }));
 */
export function exportJob<
  const Start extends string,
  const Poll extends string,
  Json,
  const Download extends string = never,
  Started = unknown,
  Polled = unknown,
  Item = Json,
  const Time extends Since<Json, Started> | undefined = undefined,
  const Deleted extends DeletedWhen | undefined = undefined,
>(
  declaration: ExportDeclaration<Start, Poll, Download, Json, Started, Polled, Item, Time, Deleted>,
): ReaderDeclaration<Start, Json, Started, Item, NoInfer<Time>, NoInfer<Deleted>, never> {
  const { start, poll, download, ...rest } = declaration;
  const { call: list, handle, ...request } = start;
  const declared = {
    ...rest,
    ...request,
    list,
    items: "$",
    pages: { kind: "export", handle, poll, download },
  };
  return declared as never;
}

/** There is no file: the job has failed or takes too long, or its file can't be read. */
export class ExportJobError extends Error {
  override readonly name = "ExportJobError";
  /** The next run asks for the same job, or starts it again. */
  readonly retry = "later";
}

/** What an export needs of the run that reads it. */
export interface ExportRun {
  /** Name of the data object, for messages. */
  readonly name: string;
  readonly type: RecordType;
  readonly pages: ExportPages;
  readonly http: HttpClient;
  readonly signal: StopSignal;
  /** Starts a job; undefined if there is nothing to export. */
  start(): Promise<ApiResponse | undefined>;
  /** The request of another call; `handle` is a variable of its path. */
  requestOf(call: ExportCall, handle: string): DeclaredRequest;
  /** Sends a request. @throws ResponseError if its answer is a refusal with a success. */
  send(request: DeclaredRequest): Promise<ApiResponse>;
}

/** Some records of the file, or none: then the job was started. */
export interface ExportedPage {
  readonly items: readonly unknown[];
  /** The answer with which the job was started; null and empty if that was an earlier run. */
  readonly body: unknown;
  readonly headers: ResponseHeaders;
  /** The handle of the job, by which a run goes on. */
  readonly next: string;
}

const ITEMS_PER_PAGE = 500;
const EVERY = "PT5S";
const LONGEST = "PT1H";
/** A job, or its file, is no more. */
const GONE: readonly number[] = [404, 410];

/**
 * The records of the file, behind a page without any as soon as there is a handle. A job of an earlier run that has failed or is
 * no more is started again.
 */
export async function* exportedPages(
  run: ExportRun,
  resumed: string | undefined,
): AsyncGenerator<ExportedPage> {
  let handle = resumed;
  let answer: Pick<ExportedPage, "body" | "headers"> = { body: null, headers: {} };
  for (;;) {
    const isOwn = handle === undefined;
    if (handle === undefined) {
      const started = await run.start();
      if (started === undefined) return;
      answer = { body: bodyOf(started), headers: started.headers };
      handle = handleIn(run, answer);
      yield { items: [], ...answer, next: handle };
    }
    const job = await finishedJob(run, handle);
    const lost = "problem" in job ? job : yield* recordsOf(run, handle, job.body, answer);
    if (lost === undefined) return;
    if (isOwn) throw new ExportJobError(`The export of ${run.name} ${lost.problem}`);
    handle = undefined;
  }
}

/** The records of the file; returns why there is none. */
async function* recordsOf(
  run: ExportRun,
  handle: string,
  job: unknown,
  answer: Pick<ExportedPage, "body" | "headers">,
): AsyncGenerator<ExportedPage, Lost | undefined> {
  const file = await fileOf(run, handle, job);
  if ("problem" in file) return file;
  for await (const items of itemsOf(run, file, job)) yield { items, ...answer, next: handle };
  return undefined;
}

/** Why there is no job or no file that could be waited for: the end of a sentence. */
interface Lost {
  readonly problem: string;
}

function handleIn(
  { name, pages }: ExportRun,
  { body, headers }: Pick<ExportedPage, "body" | "headers">,
): string {
  const { handle } = pages;
  const found = typeof handle === "string" ? valueAt(body, handle) : headers[handle.header.toLowerCase()];
  if (isScalar(found) && found !== "") return String(found);
  const where = typeof handle === "string" ? `"${handle}"` : `the header ${handle.header}`;
  throw new TypeError(
    `The export of ${name}: start.handle ${where} leads to ${kindOf(found)}, and to nothing to ask by.`,
  );
}

/** The content of an answer, which may have none. @throws ResponseError if it was not successful. */
function bodyOf(response: ApiResponse): unknown {
  return response.isSuccessful ? response.result : resultOrThrow(response);
}

/** Asks for the job until it has ended. @throws ExportJobError if that takes too long. */
async function finishedJob(run: ExportRun, handle: string): Promise<{ readonly body: unknown } | Lost> {
  const { name, http, signal } = run;
  const { poll } = run.pages;
  const clock = clockOf(http);
  const everyMs = durationMs(poll.every ?? EVERY) ?? 0;
  const longest = poll.longest ?? LONGEST;
  const endMs = clock.now() + (durationMs(longest) ?? 0);
  for (;;) {
    const response = await run.send(run.requestOf(poll, handle));
    if (GONE.includes(response.statusCode)) return { problem: "is not known to the target system." };
    const body = bodyOf(response);
    const state = stateOf(run, response);
    if (state === "ready") return { body };
    if (state === "failed") return { problem: `has failed${reasonIn(run, body)}` };
    const waitMs = retryAfterMs(response.headers, clock.now()) ?? everyMs;
    if (clock.now() + waitMs > endMs)
      throw new ExportJobError(
        `The export of ${name} is not done after ${longest}. The next run asks for the same job; poll.longest says how long a run waits.`,
      );
    await clock.sleep(waitMs, signal);
  }
}

function stateOf({ name, pages }: ExportRun, response: ApiResponse): "ready" | "failed" | "running" {
  const { state: way, ready, failed } = pages.poll;
  const isAccepted = response.statusCode === 202;
  if (way === undefined) return isAccepted ? "running" : "ready";
  const state = valueAt(response.result, way);
  if (isOneOf(state, ready)) return "ready";
  if (isOneOf(state, failed)) return "failed";
  if (isScalar(state) || isAccepted) return "running";
  throw new TypeError(
    `The export of ${name}: poll.state "${way}" leads to ${kindOf(state)}, which is no state.`,
  );
}

function isOneOf(state: unknown, stated: Scalar | readonly Scalar[] | undefined): boolean {
  return stated !== undefined && [stated].flat().some((one) => one === state);
}

function reasonIn({ pages: { poll } }: ExportRun, body: unknown): string {
  const reason = poll.message === undefined ? undefined : valueAt(body, poll.message);
  const words = quotedFrom(body, typeof reason === "string" ? reason : undefined);
  return words === "" ? "." : `: ${ended(words)}`;
}

/** The file, as an answer that is read piece by piece; null for one that need not be asked for, because it is empty. */
async function fileOf(
  run: ExportRun,
  handle: string,
  job: unknown,
): Promise<{ readonly response: StreamedResponse | null } | Lost> {
  const { name, http, signal } = run;
  const { download } = run.pages;
  const address = addressIn(run, job);
  if (address === null) return { response: null };
  const response =
    address === undefined
      ? await streamOf(run, run.requestOf(download as ExportCall, handle))
      : await streamFrom(http, address, signal);
  if (response.isSuccessful && !isPage(response.headers)) return { response };
  response.close();
  const { statusCode, errorMessage, headers } = response;
  if (GONE.includes(statusCode)) return { problem: "has a file that is no more there." };
  const message = errorMessage ?? `The file of the export of ${name} is a page for people, and no records.`;
  throw new ResponseError(message, statusCode, { retryAfterMs: retryAfterMs(headers, clockOf(http).now()) });
}

function streamOf(
  { http, signal }: ExportRun,
  { method, path, query, headers, body }: DeclaredRequest,
): Promise<StreamedResponse> {
  const json = method === "get" ? undefined : (body ?? {});
  return http.stream(path, {
    ...{ method: method.toUpperCase() as "GET", query, json, signal, isIdempotent: true },
    headers: { accept: "*/*", ...headers },
  });
}

/** Where the job says that its file is; null if it has none because there are no records, undefined if it is called. */
function addressIn({ name, pages }: ExportRun, job: unknown): string | null | undefined {
  const { address: way } = pages.download;
  if (way === undefined) return undefined;
  const address = valueAt(job, way);
  if (typeof address === "string" && address !== "") return address;
  if ((address === undefined || address === null || address === "") && totalIn(pages, job) === 0) return null;
  throw new TypeError(
    `The export of ${name}: download.address "${way}" leads to ${kindOf(address)}, which is no address.`,
  );
}

function totalIn({ poll }: ExportPages, job: unknown): number | undefined {
  const total = poll.total === undefined ? undefined : valueAt(job, poll.total);
  return typeof total === "string" && /^\d+$/.test(total) ? Number(total) : (total as number | undefined);
}

/** The items of the file, some at a time. @throws ExportJobError if they can't be read, or are fewer than the job says. */
async function* itemsOf(
  { name, type, pages }: ExportRun,
  { response }: { readonly response: StreamedResponse | null },
  job: unknown,
): AsyncGenerator<readonly unknown[]> {
  let items: unknown[] = [];
  let count = 0;
  try {
    const all = response === null ? [] : downloadedItems(response.body, pages.download, type);
    for await (const item of all) {
      count++;
      if (items.push(item) < ITEMS_PER_PAGE) continue;
      yield items;
      items = [];
    }
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    throw new ExportJobError(
      `The file of the export of ${name} can't be read: ${error.message}. Nothing was deleted.`,
    );
  } finally {
    response?.close();
  }
  const total = totalIn(pages, job);
  if (total !== undefined && count < total)
    throw new ExportJobError(
      `The file of the export of ${name} ended after ${count} records, but the job says ${total} (poll.total). Nothing was deleted.`,
    );
  yield items;
}
