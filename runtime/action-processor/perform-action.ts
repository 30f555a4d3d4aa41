/** Performs one action: from what was taken to how it is settled. */
import { serialized } from "../cache-writer/prepare-record.js";
import { createRedaction, type Redaction } from "../host/log/redaction.js";
import { hideIn, messageOf } from "../host/unsure.js";
import { sensitiveValues } from "../records/masked.js";
import { type RecordType, read } from "../records/record-type.js";
import { typedRecord } from "../records/typed-record.js";
import type { Settlement, TakenAction } from "../store/queue.js";
import { validate } from "../validation/findings.js";
import { isObject } from "../validation/values.js";
import { changePreparer } from "./cache-changes.js";
import { jsonText } from "./enqueue-action.js";
import { callHandler, type HandlerEnd, holdLease } from "./handler-call.js";
import { idempotencyOf } from "./idempotency.js";
import type { HandledAction, ProcessedAction } from "./processed-actions.js";
import type { ProcessorOptions } from "./processor-options.js";
import { failureKind, isLastAttempt, mostAttempts, waitMs } from "./retry-rules.js";

const LEASE_MS = 60_000;
const TIMEOUT_MS = 10 * 60_000;
const GRACE_MS = 10_000;

/** How an attempt ended. Without a settlement the action is left to whoever finds its lease over. */
export interface Attempt {
  readonly settlement?: Settlement;
  /** Why it was not closed well; null where it was. */
  readonly message: string | null;
  /** Records that it changes in the cache. */
  readonly changes: number;
}

/** Milliseconds for which an action is taken at a time. */
export function leaseOf<Client>({ leaseMs = LEASE_MS }: ProcessorOptions<Client>): number {
  return leaseMs;
}

/** Never throws for what the handler does. */
export async function performAction<Client>(
  taken: TakenAction,
  processed: ProcessedAction<Client>,
  options: ProcessorOptions<Client>,
): Promise<Attempt> {
  const { action } = processed;
  const redaction = createRedaction([action.input, action.output, action.failure]);
  const secrets = [
    ...sensitiveValues(taken.input, action.input.schema),
    ...sensitiveValues(options.connection, true),
  ];
  redaction.hide(secrets);
  hideIn(options.log, secrets);
  const tries = taken.attempts - 1;
  if (taken.attempts > mostAttempts(options.retry)) {
    return dead("worker-lost", [`Its worker was lost at each of the last attempts, ${tries} in all.`]);
  }
  const end = await called(taken, processed, options);
  switch (end.kind) {
    case "answered":
      return closed(end.answer, processed, { options, redaction });
    case "threw":
      return afterError(end.error, taken, { options, redaction });
    case "stopped":
      return { settlement: { state: "queued", isUntried: true }, message: "It was stopped.", changes: 0 };
    case "ignores-stop":
      return { message: "Its handler went on although it was told to stop.", changes: 0 };
    default:
      return end satisfies never;
  }
}

async function called<Client>(
  taken: TakenAction,
  { action }: ProcessedAction<Client>,
  options: ProcessorOptions<Client>,
): Promise<HandlerEnd> {
  const { store, client, connection, log, timeoutMs = TIMEOUT_MS, graceMs = GRACE_MS } = options;
  const lease = holdLease(store.queue, taken, leaseOf(options));
  try {
    const idempotency = idempotencyOf(store.queue, taken);
    const call = async (signal: AbortSignal) =>
      action.handler(inputOf(action, taken.input), { client, connection, log, signal, idempotency });
    const signal = AbortSignal.any([options.signal, lease.lost]);
    return await callHandler(call, { timeoutMs, graceMs, signal });
  } finally {
    lease.release();
  }
}

/** @throws RecordError where the schema has changed since it was queued. */
function inputOf<Client>({ input, inputClass }: HandledAction<Client>, json: unknown): unknown {
  if (inputClass !== undefined) return inputClass.from(json);
  return isObject(json) ? typedRecord<object, object, object>(input).from(json) : read(input, json);
}

interface Closing<Client> {
  readonly options: ProcessorOptions<Client>;
  readonly redaction: Redaction;
}

function closed<Client>(
  answer: unknown,
  { action, objects }: ProcessedAction<Client>,
  { options }: Closing<Client>,
): Attempt {
  const { outcome, output, failure, changes } = isObject(answer) ? answer : {};
  if (outcome === "failed") {
    const result = payload(action.failure, failure);
    if ("problems" in result) return dead("failure-invalid", result.problems);
    return { settlement: { state: "failed", result: result.json }, message: null, changes: 0 };
  }
  if (outcome !== "succeeded")
    return dead("outcome-invalid", ["The handler gave neither succeeded(…) nor failed(…)."]);
  const result = payload(action.output, output);
  if ("problems" in result) return dead("output-invalid", result.problems);
  const prepared = changePreparer(objects, options.volatile).prepare(changes);
  if ("problems" in prepared) return dead("changes-invalid", prepared.problems);
  const settlement = { state: "succeeded", result: result.json, changes: prepared.writes } as const;
  return { settlement, message: null, changes: prepared.count };
}

/** What the handler gave as JSON, or what is wrong with it. */
function payload(
  type: RecordType,
  value: unknown,
): { readonly json: unknown } | { readonly problems: readonly string[] } {
  const text = jsonText(serialized(type, value));
  if (text === undefined) return { problems: [`${type.name} can't be written as JSON.`] };
  const json: unknown = JSON.parse(text);
  const findings = validate(type, json);
  return findings.length === 0 ? { json } : { problems: findings.map(({ message }) => message) };
}

function afterError<Client>(
  error: unknown,
  { attempts }: TakenAction,
  { options, redaction }: Closing<Client>,
): Attempt {
  const kind = failureKind(error);
  const message = redaction.text(messageOf(error)).toWellFormed();
  const code = isObject(error) && typeof error["name"] === "string" ? error["name"] : "Error";
  if (isLastAttempt(attempts, kind, options.retry)) return dead(code, [message]);
  const dueAt = new Date(Date.now() + waitMs(attempts, error, options.retry)).toISOString();
  const settlement = { state: "queued", dueAt, result: failureWords(code, [message]) } as const;
  return { settlement, message, changes: 0 };
}

function dead(code: string, texts: readonly string[]): Attempt {
  const settlement = { state: "dead", result: failureWords(code, texts) } as const;
  return { settlement, message: texts.join("; "), changes: 0 };
}

/** In the shape of the standard failure. */
function failureWords(code: string, texts: readonly string[]): object {
  return { code, errors: texts.map((text) => ({ text })) };
}
