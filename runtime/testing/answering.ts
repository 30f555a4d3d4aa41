/** How a fake target system answers a request: the window of its rate, then credentials, then what is asked for; and faults. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { isJsonObject } from "../../schemas/json.js";
import { errorMessage } from "../untrusted.js";
import type { FakeConnection } from "./fake-connection.js";
import type { FakeOptions, FakeRequest } from "./fake-options.js";
import { seedOf } from "./fake-records.js";
import { FACTS_PATH, SIGN_IN_PATH, TOKEN_PATH } from "./fake-transport.js";
import { type createFaults, type Strike, type StruckBy, send, type WrittenAnswer } from "./faults.js";
import { TakenKeyError } from "./held-objects.js";
import { BadRequestError, type FakeAnswer } from "./list-answers.js";
import type { createRateWindow } from "./rate-window.js";
import { callsFor, errorBody, NOT_FOUND, type Route } from "./routes.js";
import type { TokenProvider } from "./token-provider.js";

/** Answers a request. */
export type Answering = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface AnsweringOptions {
  readonly routes: readonly Route[];
  readonly connection: FakeConnection;
  readonly tokens: TokenProvider | undefined;
  readonly faults: ReturnType<typeof createFaults>;
  readonly requests: FakeRequest[];
  readonly seed: number;
  readonly now: () => number;
  readonly rate: ReturnType<typeof createRateWindow> | undefined;
  readonly nextNumber: () => number;
  readonly onRequest: FakeOptions["onRequest"];
  /** What it tells of itself. */
  readonly facts: () => object;
}

/** The order of a target system: rates, credentials, then what is asked for. */
export function createAnswering(options: AnsweringOptions): Answering {
  const { faults, requests, seed, now, rate, nextNumber } = options;
  return async (request, response) => {
    const body = await textOf(request);
    const { method = "GET", url = "/", headers } = request;
    const beside = await answerBeside(options, request, body);
    const number = beside === undefined ? nextNumber() : 0;
    const fault = beside === undefined ? faults.at(number, addressOf(request).pathname) : undefined;
    const seen = { number, method, path: url, headers, body, fault: fault?.name };
    const place = requests.push({ ...seen, status: 0 }) - 1;
    response.once("finish", () => {
      const request = { ...seen, status: response.statusCode };
      requests[place] = request;
      options.onRequest?.(request);
    });
    response.once("close", () => {
      if (!response.writableFinished) options.onRequest?.({ ...seen, status: 0 });
    });
    if (beside !== undefined) return send(response, beside);
    const verdict = rate?.();
    let picks = 0;
    const pick = (limit: number) => (limit < 1 ? 0 : seedOf(seed, number, picks++) % limit);
    const answer: FakeAnswer = await (verdict?.isRefused === true
      ? { status: 429, headers: {}, body: errorBody("Too many requests.") }
      : answerTo({ ...options, request, text: body, fault, pick }));
    const common = { date: new Date(now()).toUTCString(), ...verdict?.headers };
    const { body: content, file = fileOf(content) } = answer;
    const text = file?.text ?? "";
    const type = file === undefined ? {} : { "content-type": file.type };
    const written = { status: answer.status, headers: { ...common, ...type, ...answer.headers }, text };
    await (fault?.write ?? send)(response, written);
  };
}

/** Answers what is asked beside the API itself: the facts of the fake, a sign-in, a token. */
async function answerBeside(
  { tokens, facts }: AnsweringOptions,
  { method, url = "/", headers }: IncomingMessage,
  body: string,
): Promise<WrittenAnswer | undefined> {
  const json = { "content-type": "application/json" };
  if (url === FACTS_PATH) return { status: 200, headers: json, text: JSON.stringify(facts()) };
  if (tokens === undefined) return undefined;
  const [path = "", query = ""] = url.split("?");
  if (path === SIGN_IN_PATH)
    return { status: 302, headers: { location: `${tokens.authorizationUrl}?${query}` }, text: "" };
  if (method !== "POST" || path !== TOKEN_PATH) return undefined;
  const { status, text } = await tokens.grant(body, headers.authorization);
  return { status, headers: json, text };
}

function fileOf(content: unknown): FakeAnswer["file"] {
  return content === undefined ? undefined : { type: "application/json", text: JSON.stringify(content) };
}

interface AskedRequest extends AnsweringOptions {
  readonly request: IncomingMessage;
  readonly text: string;
  readonly fault: StruckBy | undefined;
  readonly pick: Strike["pick"];
}

async function answerTo(asked: AskedRequest): Promise<FakeAnswer> {
  const { request, fault, tokens, routes, pick } = asked;
  const address = addressOf(request);
  const bearer = /^Bearer (.*)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
  if (fault?.endsToken === true) {
    if (tokens === undefined) return UNAUTHORIZED;
    await tokens.end(bearer);
  }
  const isLetIn = tokens === undefined ? hasCredentials(asked, address) : await tokens.isValid(bearer);
  if (!isLetIn) return UNAUTHORIZED;
  if (fault?.answer !== undefined) return fault.answer(address.href);
  try {
    const body = bodyOf(request, asked.text);
    const calls = callsFor(routes, request, { address, body });
    const found =
      calls.find(({ route, call }) => route.isMeant(call)) ??
      calls.find(({ route }) => route.list !== undefined);
    if (found === undefined) return NOT_FOUND;
    const { route, call } = found;
    const strike: Strike = { pick, object: route.list?.object, before: [] };
    const answer = await route.answer(call, fault && { fault, strike });
    return fault?.change?.(answer, strike) ?? answer;
  } catch (error) {
    if (error instanceof BadRequestError) return { status: 400, headers: {}, body: errorBody(error.message) };
    if (error instanceof TakenKeyError) return { status: 409, headers: {}, body: errorBody(error.message) };
    return { status: 500, headers: {}, body: errorBody(`The fake has failed: ${errorMessage(error)}`) };
  }
}

const UNAUTHORIZED: FakeAnswer = {
  status: 401,
  headers: { "www-authenticate": "Bearer" },
  body: errorBody("These credentials are not known."),
};

function hasCredentials({ connection, request }: AskedRequest, { searchParams }: URL): boolean {
  return connection.credentials.every(({ in: place, name, value }) => {
    const sent = place === "header" ? request.headers[name] : (searchParams.get(name) ?? undefined);
    return value === undefined ? sent !== undefined : sent === value;
  });
}

/** The address as the client knows it, by what the transport says. */
function addressOf({ url = "/", headers }: IncomingMessage): URL {
  const { host = "127.0.0.1", "x-forwarded-host": outerHost, "x-forwarded-proto": outerScheme } = headers;
  return new URL(url, `${outerScheme ?? "http"}://${outerHost ?? host}`);
}

function bodyOf({ headers }: IncomingMessage, text: string): unknown {
  if (text === "") return undefined;
  if (headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true)
    return Object.fromEntries(new URLSearchParams(text));
  try {
    const body: unknown = JSON.parse(text);
    return isJsonObject(body) || Array.isArray(body) ? body : undefined;
  } catch {
    throw new BadRequestError("The body is no JSON.");
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
