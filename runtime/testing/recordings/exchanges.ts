/** The innermost transport, which sees every attempt: it keeps what passes, or answers from what was kept. */
import { gunzipSync } from "node:zlib";
import { jsonPointer } from "../../../schemas/json.js";
import { isSecretName, matchedPhrase, SECRET_NAMES } from "../../../schemas/naming/secret-names.js";
import { NetworkError } from "../../client/errors.js";
import type {
  IncomingResponse,
  OutgoingRequest,
  ResponseHeaders,
  Transport,
} from "../../registration/http-messages.js";
import { networkFault } from "../../retry.js";
import { jsonIn, safeGet } from "../../untrusted.js";
import type { RecordedExchange, RecordedRequest, RecordedResponse } from "./recording.js";
import { withSortedMembers } from "./sorted-members.js";

/** An exchange as it was, with all that is secret in it. */
export interface SeenExchange {
  readonly run: string;
  readonly request: OutgoingRequest;
  /** Undefined as long as there is none. */
  readonly response: SeenResponse | undefined;
}

/** An answer as it was. */
export interface SeenResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly text: string;
  readonly error?: string;
}

/** Keeps what passes it. */
export interface Recorder {
  readonly transport: Transport;
  /** All that has passed, in the order in which it was asked for. */
  readonly exchanges: readonly SeenExchange[];
  /** The run that what comes next belongs to. */
  begin(run: string): void;
}

/** @param maxBytes An answer that is longer ends the recording. */
export function createRecorder(maxBytes: number): Recorder {
  const exchanges: { run: string; request: OutgoingRequest; response: SeenResponse | undefined }[] = [];
  let run = "";
  let size = 0;
  const count = (bytes: Uint8Array) => {
    size += bytes.length;
    if (size > maxBytes) throw new TooLongError(maxBytes);
    return bytes;
  };
  const transport: Transport = (next) => async (request) => {
    const exchange: (typeof exchanges)[number] = { run, request, response: undefined };
    exchanges.push(exchange);
    try {
      const response = await next(request);
      const { statusCode: status, headers, body } = response;
      const keep = (bytes: Uint8Array) => {
        exchange.response = { status, headers, text: textOf(bytes, headers) };
      };
      if (body instanceof Uint8Array) {
        keep(count(body));
        return response;
      }
      return { ...response, body: kept(body, count, keep) };
    } catch (error) {
      if (error instanceof TooLongError) throw error;
      const code = safeGet(error, "code");
      exchange.response = {
        status: 0,
        headers: {},
        text: "",
        error: typeof code === "string" ? code : "ABORTED",
      };
      throw error;
    }
  };
  return {
    transport,
    exchanges,
    begin: (name) => {
      run = name;
    },
  };
}

/** The answers are more than a recording can hold. */
export class TooLongError extends Error {
  override readonly name = "TooLongError";
  readonly retry = "never";

  constructor(maxBytes: number) {
    super(`The answers have more than ${maxBytes / 1_000_000} MB. Record fewer records: --limit.`);
  }
}

/** A streamed body, which is kept when it was read, as far as it was read. */
async function* kept(
  body: AsyncIterable<Uint8Array>,
  count: (piece: Uint8Array) => Uint8Array,
  keep: (bytes: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of body) {
      pieces.push(count(piece));
      yield piece;
    }
  } finally {
    keep(Buffer.concat(pieces));
  }
}

/** In the charset that the answer states; it is kept as UTF-8. A compressed file is kept as what is in it. */
function textOf(given: Uint8Array, headers: ResponseHeaders): string {
  const bytes = given[0] === 0x1f && given[1] === 0x8b ? gunzipSync(given) : given;
  const [, charset = "utf-8"] =
    /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(String(headers["content-type"] ?? "")) ?? [];
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** A request that was not recorded: the connector asks for something else than it did. */
export class UnknownRequestError extends Error {
  override readonly name = "UnknownRequestError";
  /** The next attempt would not be known either. */
  readonly retry = "never";
}

/** Answers from what was kept. */
export interface Replayer {
  readonly transport: Transport;
  /** Begins a run: its answers are given again, from the first one on. */
  begin(run: string): void;
  /** What was asked for and was not recorded, a sentence each. */
  readonly unknown: readonly string[];
  /** The exchanges of the run that were not asked for. */
  unused(): readonly RecordedExchange[];
}

/** Answers the very requests that were recorded, those that are the same in their order. */
export function createReplayer(exchanges: readonly RecordedExchange[]): Replayer {
  let left: RecordedExchange[] = [];
  let ofRun: readonly RecordedExchange[] = [];
  const unknown: string[] = [];
  const transport: Transport = () => async (request) => {
    const asked = plainRequest(request);
    const index = left.findIndex((exchange) => sameRequest(exchange.request, asked));
    const [exchange] = index === -1 ? [] : left.splice(index, 1);
    if (exchange !== undefined) return answerOf(exchange.response, request);
    const words = unknownWords(asked, ofRun);
    unknown.push(words);
    throw new UnknownRequestError(words);
  };
  return {
    transport,
    unknown,
    begin: (run) => {
      ofRun = exchanges.filter((exchange) => exchange.run === run);
      left = [...ofRun];
    },
    unused: () => left,
  };
}

/** An answer as the network would give it. @throws NetworkError if there was none. */
export async function answerOf(
  response: RecordedResponse,
  request: OutgoingRequest,
): Promise<IncomingResponse> {
  const { error, status, headers, text } = response;
  if (error !== undefined) {
    request.signal?.throwIfAborted();
    const reason = networkFault(error)?.reason ?? "it ended so when it was recorded";
    throw new NetworkError({
      request: `${request.method} ${shownAddress(request.url)}`,
      code: error,
      reason,
    });
  }
  const bytes = Buffer.from(text);
  const type = headers["content-type"]?.replace(/;\s*charset\s*=\s*"?[\w.:-]+"?/i, "");
  return {
    url: request.url,
    statusCode: status,
    headers: type === undefined ? headers : { ...headers, "content-type": type },
    body: request.isStreamed === true ? pieces(bytes) : bytes,
    close: () => {},
  };
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** What is kept of a request: nothing that proves who the caller is. */
export function plainRequest({
  purpose,
  method,
  url,
  headers,
  body,
  secretParameters = [],
}: OutgoingRequest): RecordedRequest {
  const address = new URL(url);
  address.username = "";
  address.password = "";
  address.hash = "";
  const parameters = [...address.searchParams].filter(
    ([name]) => !secretParameters.includes(name) && !isCredential(name),
  );
  if (parameters.length !== [...address.searchParams].length)
    address.search = new URLSearchParams(parameters).toString();
  const type = headers["content-type"];
  const text = purpose === "token" ? tokenBody(body) : bodyText(body);
  return {
    ...{ purpose, method, url: address.href },
    ...(text !== undefined && { body: text, type: type ?? "" }),
  };
}

function isCredential(name: string): boolean {
  return isSecretName(name) && matchedPhrase(name, SECRET_NAMES) !== undefined;
}

function bodyText(body: OutgoingRequest["body"]): string | undefined {
  if (body === undefined || typeof body === "string") return body;
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : "(a stream)";
}

/** Only what is asked for, and not by whom. */
function tokenBody(body: OutgoingRequest["body"]): string | undefined {
  const text = bodyText(body);
  if (text === undefined) return undefined;
  const kept = [...new URLSearchParams(text)].filter(([name]) => name === "grant_type" || name === "scope");
  return new URLSearchParams(kept).toString();
}

/** Whether two requests ask for the same: the order of parameters and of members does not count. */
export function sameRequest(recorded: RecordedRequest, asked: RecordedRequest): boolean {
  return canonical(recorded) === canonical(asked);
}

const canonicalTexts = new WeakMap<RecordedRequest, string>();

function canonical(request: RecordedRequest): string {
  const known = canonicalTexts.get(request);
  if (known !== undefined) return known;
  const { purpose, method, url, body } = request;
  const address = new URL(url);
  address.searchParams.sort();
  const text = JSON.stringify([
    purpose,
    method,
    address.href,
    body === undefined ? null : canonicalBody(body),
  ]);
  canonicalTexts.set(request, text);
  return text;
}

function canonicalBody(body: string): unknown {
  const json = jsonIn(body);
  return json === undefined ? body : withSortedMembers(json.value);
}

/** Where two requests differ: each place with what is recorded and what is asked. */
export interface RequestDifference {
  readonly place: string;
  readonly recorded: string | undefined;
  readonly asked: string | undefined;
}

/** Where two requests differ. */
export function requestDifferences(
  recorded: RecordedRequest,
  asked: RecordedRequest,
): readonly RequestDifference[] {
  const [one, other] = [recorded, asked].map(placesIn);
  if (one === undefined || other === undefined) return [];
  return [...new Set([...one.keys(), ...other.keys()])]
    .map((place) => ({ place, recorded: one.get(place), asked: other.get(place) }))
    .filter(({ recorded: before, asked: after }) => before !== after);
}

function placesIn({ method, url, purpose, body }: RecordedRequest): ReadonlyMap<string, string> {
  const { origin, pathname, searchParams } = new URL(url);
  const places: [string, string][] = [
    ["purpose", purpose],
    ["method", method],
    ["origin", origin],
    ...pathname
      .split("/")
      .map((segment, index): [string, string] => [`segment ${index} of the path`, segment]),
    ["length of the path", String(pathname.split("/").length)],
    ...[...searchParams].sort().map(([name, value]): [string, string] => [`?${name}`, value]),
  ];
  const json = body === undefined ? undefined : jsonIn(body);
  if (json !== undefined) places.push(...scalarsIn(json.value, []));
  else if (body !== undefined) places.push(["body", body]);
  return new Map(places);
}

function scalarsIn(value: unknown, steps: readonly (string | number)[]): readonly [string, string][] {
  if (typeof value !== "object" || value === null)
    return [[`body ${jsonPointer(steps)}`, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, member]) => [...scalarsIn(member, [...steps, name])]);
}

const MAX_SHOWN = 4;
const MAX_VALUE_LENGTH = 60;

function unknownWords(asked: RecordedRequest, recorded: readonly RecordedExchange[]): string {
  const what = `${asked.method} ${asked.url} was not recorded`;
  const same = recorded.filter(({ request }) => sameRequest(request, asked)).length;
  if (same > 0)
    return `${what} so often: it has ${same} answer${same === 1 ? "" : "s"}, and was asked for once more.`;
  const [nearest] = recorded
    .map(({ request }) => ({ request, differences: requestDifferences(request, asked) }))
    .sort((a, b) => a.differences.length - b.differences.length);
  if (nearest === undefined) return `${what}: nothing was.`;
  const { request, differences } = nearest;
  const shown = differences
    .slice(0, MAX_SHOWN)
    .map(
      (difference) =>
        `${difference.place}: recorded ${valueWords(difference.recorded)}, asked ${valueWords(difference.asked)}`,
    );
  const more = differences.length > MAX_SHOWN ? `; and ${differences.length - MAX_SHOWN} more` : "";
  return `${what}. The nearest is ${request.method} ${request.url} (${shown.join("; ")}${more}).`;
}

function valueWords(value: string | undefined): string {
  if (value === undefined) return "nothing";
  return value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value;
}

const MAX_SEGMENT_LENGTH = 24;

/** The path of an address with `*` for what names one thing alone: no value is in it. */
export function pathForm(url: string): string {
  const isValue = (segment: string) =>
    (/[\d@%]/.test(segment) && !/^v\d+$/i.test(segment)) || segment.length > MAX_SEGMENT_LENGTH;
  return new URL(url).pathname
    .split("/")
    .map((segment) => (isValue(segment) ? "*" : segment))
    .join("/");
}

function shownAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
