/** A recording as a file: HAR 1.2, which browsers open, written so that people can read what has changed in it. */
import { isJsonObject } from "../../../schemas/json.js";
import type { HttpMethod } from "../../registration/http-messages.js";
import type { RunCounts } from "../../store/store.js";
import { jsonIn } from "../../untrusted.js";
import { withSortedMembers } from "./sorted-members.js";

/** A header, or a parameter of a query. */
export interface NamedValue {
  /** In lower case for a header. */
  readonly name: string;
  /** With stand-ins. */
  readonly value: string;
}

/** What was sent. Credentials are not in it: no header is, but the type of the content. */
export interface RecordedRequest {
  /** `token` for a request of an auth handler. */
  readonly purpose: "call" | "token";
  /** HTTP method. */
  readonly method: HttpMethod;
  /** Absolute, without parameters that hold credentials. */
  readonly url: string;
  /** What was sent, as text; undefined for nothing. */
  readonly body?: string | undefined;
  /** Its content type. */
  readonly type?: string | undefined;
}

/** What was answered. */
export interface RecordedResponse {
  /** HTTP status; 0 if there was no whole answer. */
  readonly status: number;
  /** By lower-case name, only those that a connector may need. */
  readonly headers: Readonly<Record<string, string>>;
  /** The content, with stand-ins. */
  readonly text: string;
  /** The system's code of the network's error, such as `ECONNRESET`, if there was no whole answer. */
  readonly error?: string | undefined;
}

/** A request and its answer. */
export interface RecordedExchange {
  /** The run that it belongs to. */
  readonly run: string;
  /** What was sent. */
  readonly request: RecordedRequest;
  /** What was answered. */
  readonly response: RecordedResponse;
}

/** What a run of a reader made of the answers. */
export interface RecordedRun {
  /** `first` from the beginning, `next` from the checkpoint of the first one; `action` for an action. */
  readonly run: string;
  /** How it ended. */
  readonly outcome: string;
  /** How many records ended how; absent for an action. */
  readonly counts?: RunCounts;
  /** How many records did not fit, by what they did not fit: `/email format`. */
  readonly rejected?: Readonly<Record<string, number>>;
  /** The checkpoint that the run has saved; null for none. */
  readonly checkpoint?: string | null;
  /** What the cache holds then. */
  readonly cache?: RecordedCache;
  /** The output or the failure of an action. */
  readonly result?: unknown;
  /** What the action has changed, for the cache: `upsert projects/app/1/project id/7`, with a digest of the record. */
  readonly changes?: readonly string[];
}

/** What a cache holds, by digests. */
export interface RecordedCache {
  /** How many records. */
  readonly records: number;
  /** Of all keys. */
  readonly keys: string;
  /** Of all values of a property, by its serialized name: what differs can be named. */
  readonly properties: Readonly<Record<string, string>>;
}

/** What a recording is of. */
export interface RecordedSubject {
  /** Data path of the data object. */
  readonly object: string;
  /** The action's part of the address; absent for a reader. */
  readonly action?: string | undefined;
  /** Its input, with stand-ins. */
  readonly input?: unknown;
}

/** A recording. All values in it are stand-ins, but for what the schemas call harmless. */
export interface Recording {
  /** What was read or performed. */
  readonly subject: RecordedSubject;
  /** The connection, with stand-ins for its secrets. */
  readonly connection: {
    /** The definition key. */
    readonly DefinitionKey: string;
    /** Properties of the connection. */
    readonly properties: unknown;
  };
  /** What the connector was started with. */
  readonly settings: {
    readonly registrationConfiguration: unknown;
    readonly services: Readonly<Record<string, unknown>>;
  };
  /** The time that it is while a recording is made or replayed, as ISO 8601. */
  readonly time: string;
  /** What random numbers are made of. */
  readonly seed: number;
  /** The most records that are read; null for all. */
  readonly limit: number | null;
  /** What the connector made of the answers. */
  readonly runs: readonly RecordedRun[];
  /** In the order in which they were asked for. */
  readonly exchanges: readonly RecordedExchange[];
}

/** A file that is no recording; the message says what is wrong with it. */
export class RecordingError extends Error {
  override readonly name = "RecordingError";
}

/** Where a HAR keeps what it has no words for: names that begin with `_`. */
const OWN = "_connectorcli";
const FORMAT = 1;

/** The text of the file. Members are sorted, and JSON stands in it as such too: a difference is read line by line. */
export function recordingText(recording: Recording): string {
  const { exchanges, time, runs, ...own } = recording;
  const log = {
    version: "1.2",
    creator: { name: "connectorcli", version: String(FORMAT) },
    comment:
      "Recorded by connectorcli test record. Secrets and what no schema describes are replaced by stand-ins.",
    pages: runs.map(({ run }) => ({
      id: run,
      startedDateTime: time,
      title: titleOf(recording, run),
      pageTimings: {},
    })),
    entries: exchanges.map((exchange) => entryOf(exchange, time)),
    [OWN]: { format: FORMAT, ...own, time, runs },
  };
  return `${JSON.stringify(withSortedMembers({ log }, isBody), undefined, 2)}\n`;
}

/** The order of a body is its own. */
const isBody = (name: string) => name === "_json";

function titleOf({ subject: { object, action } }: Recording, run: string): string {
  return `${object}${action === undefined ? "" : `/${action}`}: ${run}`;
}

function entryOf({ run, request, response }: RecordedExchange, time: string) {
  const { method, url, body, type = "", purpose } = request;
  const { status, headers, text, error } = response;
  const json = jsonIn(text);
  const none = { cookies: [], headersSize: -1, bodySize: -1, httpVersion: "HTTP/1.1" };
  return {
    pageref: run,
    startedDateTime: time,
    time: 0,
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    request: {
      ...none,
      method,
      url,
      headers: [],
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      ...(body === undefined ? {} : { postData: { mimeType: type, params: [], text: body } }),
      ...(purpose === "token" && { _purpose: purpose }),
    },
    response: {
      ...none,
      status,
      statusText: "",
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      redirectURL: headers["location"] ?? "",
      content: {
        size: Buffer.byteLength(text),
        mimeType: headers["content-type"] ?? "",
        ...(json === undefined ? {} : { _json: json.value }),
        text,
      },
      ...(error !== undefined && { _error: error }),
    },
  };
}

/** The recording in the text of a file. @throws RecordingError if it is none. */
export function readRecording(text: string): Recording {
  const parsed = jsonIn(text);
  const log = isJsonObject(parsed?.value) ? parsed.value["log"] : undefined;
  if (!isJsonObject(log)) throw new RecordingError(parsed === undefined ? "it is no JSON" : "it has no log");
  const own = log[OWN];
  if (!isJsonObject(own)) throw new RecordingError("connectorcli test record did not write it");
  if (own["format"] !== FORMAT)
    throw new RecordingError("another version of connectorcli wrote it: record it again");
  const { format: _, ...members } = own;
  const entries = log["entries"];
  const isWhole =
    isJsonObject(own["subject"]) &&
    isJsonObject(own["connection"]) &&
    isJsonObject(own["settings"]) &&
    Array.isArray(own["runs"]) &&
    Array.isArray(entries);
  if (!isWhole) throw new RecordingError("members of it are missing");
  const exchanges = (entries as readonly unknown[]).map(exchangeOf);
  return { ...members, exchanges } as unknown as Recording;
}

/** @throws RecordingError */
function exchangeOf(entry: unknown, index: number): RecordedExchange {
  const problem = (what: string) => new RecordingError(`entry ${index + 1}: ${what}`);
  const { request, response, pageref } = Object(entry);
  if (!isJsonObject(request) || !isJsonObject(response)) throw problem("it has no request or no response");
  const { method, url, postData, _purpose } = request as Readonly<Record<string, unknown>>;
  const { status, headers, content, _error } = response as Readonly<Record<string, unknown>>;
  if (typeof url !== "string" || !URL.canParse(url)) throw problem("its request has no address");
  if (!isJsonObject(content) || typeof content["text"] !== "string")
    throw problem("its response has no text");
  const text = content["text"];
  if ("_json" in content && JSON.stringify(content["_json"]) !== text)
    throw problem("text and _json of its content differ: change both, or record it again");
  const named = Array.isArray(headers) ? (headers as readonly NamedValue[]) : [];
  return {
    run: String(pageref),
    request: {
      purpose: _purpose === "token" ? "token" : "call",
      method: method as HttpMethod,
      url,
      ...(isJsonObject(postData) && { body: String(postData["text"]), type: String(postData["mimeType"]) }),
    },
    response: {
      status: Number(status),
      headers: Object.fromEntries(named.map(({ name, value }) => [name, value])),
      text,
      ...(typeof _error === "string" && { error: _error }),
    },
  };
}
