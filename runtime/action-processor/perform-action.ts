/** One attempt of an action: its handler is called within bounds, and what it returns or throws becomes an outcome. */
import { isJsonObject } from "../../schemas/json.js";
import {
  hideInLog,
  type Redaction,
  redactedErrorMessage,
  redactedFindings,
  serviceRedaction,
} from "../log/redaction.js";
import { redactTexts, sensitiveValues } from "../records/masking.js";
import { type RecordType, readRecord } from "../records/record-type.js";
import { serializedForm, toJsonText } from "../records/serialized-form.js";
import { typedRecord } from "../records/typed-record.js";
import type { ActionContext } from "../registration/contracts.js";
import type { AnyService, RegisteredAction } from "../registration/registration.js";
import { settingsFor } from "../registration/started.js";
import { retryOf } from "../retry.js";
import type { ActionLedger, ObjectWrites, TakenAction } from "../store/store.js";
import { safeGet, TimeoutError } from "../untrusted.js";
import { idempotencyOf } from "./idempotency.js";
import type { PreparedAction } from "./prepared-actions.js";
import type { ProcessorOptions } from "./processor-options.js";
import {
  CANCEL_AFTER_MS,
  delayMs,
  isAuthenticationFailure,
  isLastAttempt,
  longestDelayMs,
  maxAttemptsOf,
} from "./retry-rules.js";

const TIMEOUT_MS = 10 * 60_000;
const GRACE_MS = 10_000;
const MAX_RETURNED_LENGTH = 5 * 1024 * 1024;

/** How an attempt ended. What happens to the action follows from it alone. */
export type AttemptOutcome =
  /** The handler has performed the action; the changes belong to the same transaction as the output. */
  | {
      readonly kind: "succeeded";
      readonly outputJson: string;
      readonly changes: readonly ObjectWrites[];
      /** Records in `changes`. */
      readonly changeCount: number;
      /** Of these, records that are deleted. */
      readonly deleteCount: number;
      /** The output, sensitive values hidden. */
      readonly shown: unknown;
    }
  /** The handler has returned a failure. */
  | {
      readonly kind: "failed";
      readonly failureJson: string;
      /** The failure, sensitive values hidden. */
      readonly shown: unknown;
    }
  /** It is given up: another attempt would end in the same way, or there were too many. */
  | {
      readonly kind: "dead";
      readonly failureJson: string;
      readonly message: string;
      /** What the handler threw, if it threw. */
      readonly error?: unknown;
    }
  /** Another attempt is due at `dueAt` (ISO 8601, UTC). */
  | {
      readonly kind: "retry";
      readonly dueAt: string;
      readonly failureJson: string;
      readonly message: string;
      readonly error: unknown;
      /** Whether the attempt counts: credentials that are refused say nothing of the action. */
      readonly isCounted: boolean;
    }
  /** It was stopped from outside. If its handler has not ended, nobody knows yet what it does: the lease has to end. */
  | { readonly kind: "stopped"; readonly hasEnded: boolean; readonly message: string };

/** What an attempt needs beside its action. */
export interface AttemptContext<Client = unknown>
  extends Pick<
    ProcessorOptions<Client>,
    "client" | "connection" | "log" | "signal" | "retry" | "timeoutMs" | "graceMs" | "cancelAfterMs"
  > {
  readonly ledger: Pick<ActionLedger, "note">;
  readonly tenant: string;
  /** Values of the connection that must not be shown. */
  readonly secrets: readonly string[];
}

/**
 * Performs one attempt of an action that the caller holds. Nothing but notes is written: the outcome says what is to be
 * written. Never throws for what the handler does.
 */
export async function performAction<Client>(
  taken: TakenAction,
  prepared: PreparedAction<Client>,
  context: AttemptContext<Client>,
): Promise<AttemptOutcome> {
  const { action, types: schemas } = prepared;
  const { log, retry, cancelAfterMs } = context;
  if (taken.attempts > maxAttemptsOf(retry)) {
    const before = taken.attempts - 1;
    return giveUp("worker-lost", [`Its worker was lost at each of the last attempts, ${before} in all.`]);
  }
  const input: unknown = JSON.parse(taken.inputJson);
  const secrets = [...sensitiveValues(input, action.input.schema), ...context.secrets];
  const forget = hideInLog(log, secrets);
  const redaction = serviceRedaction({ schemas, secrets, log });
  const end = await callHandler(
    (signal) => invoke(taken, { action, input }, { ...context, signal }),
    context,
  );
  // A handler that goes on may still log what it was given.
  if (end.kind !== "ignores-stop") forget();
  switch (end.kind) {
    case "returned":
      return outcomeOrDead(end.answer, prepared, redaction);
    case "threw":
      return outcomeOfError(end.error, taken, { retry, redaction, cancelAfterMs });
    case "stopped":
      return { kind: "stopped", hasEnded: true, message: "It was stopped." };
    case "ignores-stop": {
      const message = "Its handler went on although it was told to stop.";
      return { kind: "stopped", hasEnded: false, message };
    }
    default:
      return end satisfies never;
  }
}

/** Calls the handler. @throws RecordError if the input does not fit: the schema has changed since it was queued. */
async function invoke<Client>(
  taken: TakenAction,
  { action, input }: { readonly action: PreparedAction<Client>["action"]; readonly input: unknown },
  { client, connection, log, signal, ledger, tenant }: AttemptContext<Client>,
): Promise<unknown> {
  const idempotency = idempotencyOf({ ledger, tenant }, taken);
  const typed = typedInput(action, input) as never;
  const called: ActionContext<Client> = {
    ...{ client, connection, log, signal, idempotency },
    ...settingsFor(action),
  };
  return action.handler(typed, called as ActionContext<Client, AnyService>);
}

function typedInput<Client>({ input, inputClass }: RegisteredAction<Client>, json: unknown): unknown {
  if (inputClass !== undefined) return inputClass.from(json);
  return isJsonObject(json) ? typedRecord<object, object, object>(input).from(json) : readRecord(input, json);
}

type HandlerEnd =
  | { readonly kind: "returned"; readonly answer: unknown }
  | { readonly kind: "threw"; readonly error: unknown }
  /** It ended because it was told to. */
  | { readonly kind: "stopped" }
  /** It was told to end, and did not. */
  | { readonly kind: "ignores-stop" };

/** Calls a handler and waits for its end, but not for ever. What it does after that is ignored. */
async function callHandler(
  call: (signal: AbortSignal) => Promise<unknown>,
  {
    signal,
    timeoutMs = TIMEOUT_MS,
    graceMs = GRACE_MS,
  }: Pick<ProcessorOptions, "signal" | "timeoutMs" | "graceMs">,
): Promise<HandlerEnd> {
  const controller = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const timeout = new TimeoutError(`The handler took more than ${timeoutMs} ms`);
  const endAfterAbort = (kind: "stopped" | "ignores-stop"): HandlerEnd =>
    controller.signal.reason === timeout ? { kind: "threw", error: timeout } : { kind };
  let onStop = () => {};
  const deadline = new Promise<HandlerEnd>((resolve) => {
    const abort = (reason: unknown) => {
      if (controller.signal.aborted) return;
      controller.abort(reason);
      timers.push(setTimeout(() => resolve(endAfterAbort("ignores-stop")), graceMs));
    };
    timers.push(setTimeout(() => abort(timeout), timeoutMs));
    onStop = () => abort(signal.reason);
    signal.addEventListener("abort", onStop, { once: true });
    if (signal.aborted) onStop();
  });
  const end = Promise.resolve()
    .then(() => call(controller.signal))
    .then(
      (answer): HandlerEnd => ({ kind: "returned", answer }),
      (error: unknown): HandlerEnd =>
        controller.signal.aborted ? endAfterAbort("stopped") : { kind: "threw", error },
    );
  try {
    return await Promise.race([end, deadline]);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener("abort", onStop);
  }
}

/** As `outcomeOf`; a value whose getters or `toJSON` throw is no outcome. */
function outcomeOrDead<Client>(
  answer: unknown,
  prepared: PreparedAction<Client>,
  redaction: Redaction,
): AttemptOutcome {
  try {
    return outcomeOf(answer, prepared, redaction);
  } catch (error) {
    return giveUp("outcome-invalid", [redactedErrorMessage(error, redaction)]);
  }
}

/** What a handler has returned, held to the schemas. The target system may have acted, so nothing wrong is retried. */
function outcomeOf<Client>(
  answer: unknown,
  { action, changes }: PreparedAction<Client>,
  redaction: Redaction,
): AttemptOutcome {
  const result = isJsonObject(answer) ? answer : {};
  if (result["outcome"] === "failed") {
    const failure = toPayload(action.failure, result["failure"], redaction);
    if ("problems" in failure)
      return giveUp("failure-invalid", about("failure", failure.problems), returnedBy(answer));
    const { schema } = action.failure;
    // Words for people, unlike an output: a secret has no place in them.
    const kept = redactTexts(failure.value, schema, redaction.wholeText);
    const shown = redaction.json(failure.value, schema);
    return { kind: "failed", failureJson: JSON.stringify(kept), shown };
  }
  if (result["outcome"] !== "succeeded")
    return giveUp(
      "outcome-invalid",
      ["The handler gave neither succeeded(…) nor failed(…)."],
      returnedBy(answer),
    );
  const output = toPayload(action.output, result["output"], redaction);
  if ("problems" in output)
    return giveUp("output-invalid", about("output", output.problems), returnedBy(answer));
  const prepared = changes.prepare(result["changes"], redaction);
  if ("problems" in prepared) return giveUp("changes-invalid", prepared.problems, returnedBy(answer));
  const { writes, count } = prepared;
  const deletes = writes.flatMap(({ records }) => records.filter(({ operation }) => operation === "delete"));
  return {
    kind: "succeeded",
    outputJson: output.json,
    shown: redaction.json(output.value, action.output.schema),
    changes: writes,
    changeCount: count,
    deleteCount: deletes.length,
  };
}

/** Findings that say whether they speak of the output or of the failure. */
function about(what: "output" | "failure", messages: readonly string[]): readonly string[] {
  return messages.map((message) =>
    message.startsWith("the value:")
      ? message.replace("the value", `the ${what}`)
      : `the ${what} at ${message}`,
  );
}

/** All that the handler has returned: what the target system has done may be known from nothing else. */
function returnedBy(answer: unknown): unknown {
  const json = toJsonText(answer);
  return json === undefined || json.length > MAX_RETURNED_LENGTH ? undefined : JSON.parse(json);
}

/** An output or a failure as JSON text, or what is wrong with it. */
function toPayload(
  type: RecordType,
  given: unknown,
  redaction: Redaction,
): { readonly json: string; readonly value: unknown } | { readonly problems: readonly string[] } {
  const json = toJsonText(serializedForm(type, given));
  if (json === undefined) return { problems: [`${type.name} can't be written as JSON.`] };
  const value: unknown = JSON.parse(json);
  const findings = redactedFindings(type, value, redaction);
  return findings.length === 0 ? { json, value } : { problems: findings.map(({ message }) => message) };
}

interface Failing extends Pick<ProcessorOptions, "retry" | "cancelAfterMs"> {
  readonly redaction: Redaction;
}

function outcomeOfError(
  error: unknown,
  { attempts, queuedAt }: TakenAction,
  { retry, redaction, cancelAfterMs = CANCEL_AFTER_MS }: Failing,
): AttemptOutcome {
  const message = redactedErrorMessage(error, redaction);
  const name = safeGet(error, "name");
  const code = typeof name === "string" ? name : "Error";
  if (isAuthenticationFailure(error) && Date.now() - Date.parse(queuedAt) < cancelAfterMs) {
    const dueAt = new Date(Date.now() + longestDelayMs(retry)).toISOString();
    return {
      kind: "retry",
      dueAt,
      failureJson: toFailureJson(code, [message]),
      message,
      isCounted: false,
      error,
    };
  }
  if (isLastAttempt(attempts, retryOf(error), retry)) return { ...giveUp(code, [message]), error };
  const dueAt = new Date(Date.now() + delayMs(attempts, error, retry)).toISOString();
  return {
    kind: "retry",
    dueAt,
    failureJson: toFailureJson(code, [message]),
    message,
    isCounted: true,
    error,
  };
}

/** @param returned What the handler has returned, to be kept with the dead letter. */
function giveUp(
  code: string,
  texts: readonly string[],
  returned?: unknown,
): AttemptOutcome & { readonly kind: "dead" } {
  return { kind: "dead", failureJson: toFailureJson(code, texts, returned), message: texts.join("; ") };
}

/** In the shape of the standard failure. */
function toFailureJson(code: string, texts: readonly string[], returned?: unknown): string {
  return JSON.stringify({ code, errors: texts.map((text) => ({ text })), returned });
}
