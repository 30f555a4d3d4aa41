/** A real target system that stands still: what it was asked once is answered from memory, as it was answered then. */
import type {
  IncomingResponse,
  OutgoingRequest,
  Send,
  Transport,
} from "../../../registration/http-messages.js";
import type { FakeConnection } from "../../fake-connection.js";

/**
 * Where an answer comes from.
 * - `learn`: from memory, where the same request was answered before so often; else from the target system
 * - `still`: from memory, where the same request was ever answered; else from the target system
 */
export type AnswerSource = "learn" | "still";

/** Answers that are remembered. */
export interface RememberedAnswers {
  readonly transport: Transport;
  /** How many calls have reached the target system since the last run began. */
  readonly asked: number;
  /** Begins a run. */
  begin(source: AnswerSource): void;
  /** Lets the target system be asked anew for everything. */
  forget(): void;
}

interface Answer extends Omit<IncomingResponse, "body" | "close"> {
  readonly bytes: Uint8Array;
}

/** @param credentials What differs from call to call although the same is asked for. */
export function createRememberedAnswers(credentials: FakeConnection["credentials"]): RememberedAnswers {
  const answers = new Map<string, Answer[]>();
  let counts = new Map<string, number>();
  let source: AnswerSource = "learn";
  let asked = 0;

  async function askedFor(request: OutgoingRequest, next: Send): Promise<Answer> {
    asked++;
    const { body, close, ...facts } = await next(request);
    const bytes = body instanceof Uint8Array ? body : await bytesOf(body);
    close();
    return { ...facts, bytes };
  }

  async function answerTo(request: OutgoingRequest, next: Send): Promise<IncomingResponse> {
    const key = keyOf(request, credentials);
    if (key === undefined) return responseTo(request, await askedFor(request, next));
    const known = answers.get(key) ?? [];
    const turn = counts.get(key) ?? 0;
    counts.set(key, turn + 1);
    const remembered = known[turn] ?? (source === "still" ? known.at(-1) : undefined);
    if (remembered !== undefined) return responseTo(request, remembered);
    const answer = await askedFor(request, next);
    const { statusCode } = answer;
    // What says to come again later is no answer.
    if (statusCode < 500 && statusCode !== 429) answers.set(key, [...(answers.get(key) ?? []), answer]);
    return responseTo(request, answer);
  }

  return {
    transport: (next) => (request) => (request.purpose === "call" ? answerTo(request, next) : next(request)),
    get asked() {
      return asked;
    },
    begin(given) {
      [source, asked, counts] = [given, 0, new Map()];
    },
    forget: () => answers.clear(),
  };
}

function responseTo({ isStreamed, signal }: OutgoingRequest, { bytes, ...facts }: Answer): IncomingResponse {
  signal?.throwIfAborted();
  return { ...facts, body: isStreamed === true ? inOnePiece(bytes) : bytes, close: () => {} };
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const VOLATILE = new Set(["authorization", "cookie", "date", "traceparent", "x-request-id"]);

/** What is asked for, without who asks; undefined for a body that can be read only once. */
function keyOf(
  { method, url, headers, body }: OutgoingRequest,
  credentials: FakeConnection["credentials"],
): string | undefined {
  if (body !== undefined && typeof body !== "string") return undefined;
  const address = new URL(url);
  const inHeaders = new Set(credentials.filter((each) => each.in === "header").map(({ name }) => name));
  for (const { in: place, name } of credentials) if (place === "query") address.searchParams.delete(name);
  const sent = Object.entries(headers).filter(([name]) => !VOLATILE.has(name) && !inHeaders.has(name));
  return JSON.stringify([method, address.href, sent.sort(), body]);
}
