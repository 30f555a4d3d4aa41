/** What goes wrong between a connector and a real target system: on this machine, so that the system never hears of it. */
import { NetworkError } from "../../../client/errors.js";
import type { IncomingResponse, OutgoingRequest, Transport } from "../../../registration/http-messages.js";
import type { FaultName } from "../../fault-names.js";
import { ELSEWHERE } from "../world.js";

/** Faults that can be made of an answer. */
export const STRIKES = {
  serverError: status(500),
  unauthorized: status(401),
  forbidden: status(403),
  tooManyRequests: status(429, { "retry-after": "2" }),
  redirectElsewhere: status(302, { location: `${ELSEWHERE}/` }),
  resetBeforeAnswer: ({ method, url }) => {
    const request = `${method} ${new URL(url).pathname}`;
    throw new NetworkError({ request, code: "ECONNRESET", reason: "the connection was cut" });
  },
  truncatedJson: (_, answer) => withBody(answer, half(textOf(answer))),
  htmlWithSuccess: (_, answer) => withBody(answer, HTML, "text/html"),
  emptyBody: (_, answer) => withBody(answer, ""),
  nullBody: (_, answer) => withBody(answer, "null"),
  errorWithSuccess: (_, answer) =>
    withBody(answer, JSON.stringify({ error: { code: "internal", message: "Something went wrong." } })),
} as const satisfies Partial<
  Record<FaultName, (request: OutgoingRequest, answer: IncomingResponse) => IncomingResponse>
>;

/** The name of such a fault. */
export type StrikeName = keyof typeof STRIKES;

/** Which calls of a run are struck, counted from 0. */
export interface Strike {
  readonly name: StrikeName;
  readonly at: number;
  /** Whether everything behind it is struck too. */
  readonly isLasting: boolean;
}

/** Strikes calls. */
export interface StruckCalls {
  readonly transport: Transport;
  /** Begins a run, in which this goes wrong. */
  begin(strike?: Strike): void;
  /** Changes answers of the run that begins next; undefined leaves one as it is. */
  change: ((text: string) => string | undefined) | undefined;
}

/** Tokens are never struck: one that gets lost on its way could not be renewed. */
export function createStruckCalls(): StruckCalls {
  let count = 0;
  let planned: Strike | undefined;
  const strikeAt = (at: number) =>
    planned !== undefined && (planned.isLasting ? at >= planned.at : at === planned.at) ? planned : undefined;
  const struck: StruckCalls = {
    transport: (next) => async (request) => {
      if (request.purpose === "token") return next(request);
      const strike = strikeAt(count++);
      // What has a form of its own needs no answer.
      const isOwn = strike !== undefined && strike.name !== "truncatedJson";
      const answer = isOwn ? { ...NOTHING, url: request.url } : await next(request);
      if (strike !== undefined) return STRIKES[strike.name](request, answer);
      const text = isStream(answer) ? undefined : struck.change?.(textOf(answer));
      return text === undefined ? answer : withBody(answer, text);
    },
    begin: (strike) => {
      [count, planned] = [0, strike];
    },
    change: undefined,
  };
  return struck;
}

const HTML = "<!doctype html><title>Sign in</title><p>Please sign in.</p>";
const NOTHING: IncomingResponse = {
  ...{ url: "", statusCode: 200, headers: { "content-type": "application/json" } },
  ...{ body: new Uint8Array(), close: () => {} },
};

function status(statusCode: number, headers: Readonly<Record<string, string>> = {}) {
  const body = JSON.stringify({ error: { message: `fault: ${statusCode}` } });
  return (_: OutgoingRequest, answer: IncomingResponse): IncomingResponse => ({
    ...withBody(answer, body),
    statusCode,
    headers: { "content-type": "application/json", ...headers },
  });
}

function isStream({ body }: IncomingResponse): boolean {
  return !(body instanceof Uint8Array);
}

function textOf({ body }: IncomingResponse): string {
  return body instanceof Uint8Array ? Buffer.from(body).toString("utf8") : "";
}

function half(text: string): string {
  return text.slice(0, Math.max(text.length >> 1, 1));
}

function withBody(answer: IncomingResponse, text: string, type?: string): IncomingResponse {
  const headers = type === undefined ? answer.headers : { ...answer.headers, "content-type": type };
  return { ...answer, headers, body: Buffer.from(text) };
}
