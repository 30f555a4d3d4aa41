/** Runs the connection test of a connector, for whoever entered its credentials (spec §4.3). */
import { createRedaction } from "../log/redaction.js";
import type {
  ClientHost,
  ConnectionContainer,
  ConnectionTestContext,
  TestConnectionResult,
} from "../registration/connection-contracts.js";
import type { Log, StopSignal } from "../registration/contracts.js";
import type { Transport } from "../registration/http-messages.js";
import type { ConnectorRegistration } from "../registration/registration.js";
import { isRetryableStatus, retryOf } from "../retry.js";
import { callWithin, errorChain, httpStatus, httpStatusOf, safeGet } from "../untrusted.js";
import { displayValue } from "../validation/finding.js";
import { checkConnection, openConnection } from "./connection.js";
import { registrationConfigurationOf } from "./start.js";

/** How a connection is tested. */
export interface TestConnectionOptions {
  /**
   * The registration configuration of the workspace (§2.3), with serialized names.
   * @default {}
   */
  readonly registrationConfiguration?: unknown;
  /**
   * Milliseconds until a test without an answer counts as one without a response.
   * @default 30_000
   */
  readonly timeoutMs?: number | undefined;
  /** Ends the test: it rejects with the reason of the signal. */
  readonly signal?: StopSignal | undefined;
  /**
   * Variables that may name a proxy, such as `process.env`.
   * @default {}: calls go straight to the target system
   */
  readonly environment?: ClientHost["environment"] | undefined;
  /** Keeps connection properties that changed, such as a rotated refresh token. */
  readonly saveProperties?: ClientHost["saveProperties"] | undefined;
  /**
   * Keeps other processes from using the refresh token at the same time.
   * @default none
   */
  readonly lockProperties?: ClientHost["lockProperties"] | undefined;
  /**
   * Put between the client and the network.
   * @default none: calls go straight to the network
   */
  readonly transport?: ClientHost["transport"] | undefined;
  /**
   * The clock of the client.
   * @default that of this machine
   */
  readonly clock?: ClientHost["clock"] | undefined;
  /** Told why a test was not successful, without the secrets of the connection. */
  readonly log?: Log | undefined;
}

const TIMEOUT_MS = 30_000;

/**
 * Calls the connection test handler and returns the row of the table of §4.3 that the call ends in, whatever the target
 * system and the handler do.
 * @throws ConnectionError for what comes before the test: no definition has the connection's key (§7), the properties
 * do not fit the definition, or the client helper throws. StartError if the registration configuration does not fit its
 * schema. The reason of `signal` if that is aborted.
 * @example
 * const { success, message } = await testConnection(registration, {
 *   DefinitionKey: "apiKeyAuth",
 *   Configuration: '{"apiKey":"…"}',
 * });
 */
export async function testConnection<Client>(
  registration: ConnectorRegistration<Client>,
  container: ConnectionContainer,
  options: TestConnectionOptions = {},
): Promise<TestConnectionResult> {
  const {
    timeoutMs = TIMEOUT_MS,
    signal,
    environment,
    saveProperties,
    lockProperties,
    transport,
    clock,
    log,
  } = options;
  const { connections, clientHelper, connectionTestHandler } = registration;
  const connection = checkConnection(connections, container);
  const configuration = registrationConfigurationOf(registration, options.registrationConfiguration);
  const redaction = createRedaction([connection.type, registration.configuration]);
  redaction.hide(configuration.secrets);
  const answers = recordStatuses(transport);
  const deadlineMs = Date.now() + timeoutMs;
  let isStarted = false;
  const callHandler = async (stop: AbortSignal): Promise<HandlerOutcome> => {
    const host = {
      ...{ signal: stop, environment, saveProperties, lockProperties, deadlineMs, clock },
      transport: answers.transport,
    };
    const services = openConnection(clientHelper, {
      ...{ container, connection, host, log, redaction },
      configuration: configuration.typed,
    });
    isStarted = true;
    const context = { ...services, registrationConfiguration: configuration.typed, signal: stop };
    try {
      // The registration has joined this handler to this very client helper and configuration.
      return {
        response: await connectionTestHandler(context as ConnectionTestContext<Client, never, never>),
      };
    } catch (error) {
      return { error };
    }
  };
  const limit = { timeoutMs, signal: signal as AbortSignal | undefined };
  const outcome = await callWithin(limit, callHandler).catch((error: unknown): HandlerOutcome => {
    if (!isStarted || signal?.aborted === true) throw error;
    return { error };
  });
  const result = resultOf(lastAnswer(outcome, answers.lastRetryable()));
  if (!result.success) log?.warn(result.message, redaction.value(reasonOf(outcome)) as object);
  return result;
}

/** How the call of a handler ended. */
type HandlerOutcome = { readonly response: unknown } | { readonly error: unknown };

/** If no answer came while a call was repeated, what the target system had said before counts. */
function lastAnswer(outcome: HandlerOutcome, statusCode: number | undefined): HandlerOutcome {
  if (statusCode === undefined || !("error" in outcome) || retryOf(outcome.error) !== "later") return outcome;
  return statusOfError(outcome.error) === undefined
    ? { response: { isSuccessful: false, statusCode } }
    : outcome;
}

/** A transport that keeps the status of the last answer to a call, and hands everything on to that of the host. */
function recordStatuses(inner: Transport = (next) => next) {
  let last: number | undefined;
  const transport: Transport = (next) => {
    const send = inner(next);
    return async (request) => {
      const response = await send(request);
      if (request.purpose === "call") last = response.statusCode;
      return response;
    };
  };
  const lastRetryable = () => (last !== undefined && isRetryableStatus(last) ? last : undefined);
  return { transport, lastRetryable };
}

/** What a developer wants to know; never the body of a response, which may be about people. */
function reasonOf(outcome: HandlerOutcome): object {
  if ("error" in outcome) return { error: outcome.error };
  const { response } = outcome;
  if (response === undefined) return { reason: "the connection test handler gave no response" };
  if (statusOf(response) === undefined) return { reason: unreadableReason(response) };
  const members = ["isSuccessful", "statusCode", "errorMessage", "success", "message", "ok", "status"];
  const present = members
    .map((name) => [name, safeGet(response, name)])
    .filter(([, value]) => isShort(value));
  return { response: Object.fromEntries(present) };
}

function isShort(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Names members, never their values. */
function unreadableReason(response: unknown): string {
  const isObject = typeof response === "object" && response !== null;
  const found = isObject ? `an object with ${memberNames(response)}` : displayValue(response);
  const expected =
    "expected isSuccessful and statusCode, a Response of fetch, or success, message and statusCode";
  return `what the connection test handler returned can't be read as a response: ${expected}; found ${found}`;
}

function memberNames(value: object): string {
  try {
    return Object.keys(value).slice(0, 10).join(", ") || "no members";
  } catch {
    return "unreadable members";
  }
}

const NO_RESPONSE: TestConnectionResult = Object.freeze({
  success: false,
  message: "Failed to get response from server",
  statusCode: 500,
});

/**
 * The row of the table, or the result that the handler itself gives. What can't be read counts as no response. An error
 * counts as an unsuccessful response if it or one of its causes has an HTTP status, else as no response.
 */
function resultOf(outcome: HandlerOutcome): TestConnectionResult {
  if ("error" in outcome) return unsuccessfulResult(statusOfError(outcome.error));
  const { response } = outcome;
  const statusCode = statusOf(response);
  const isSuccessful = statusCode === undefined ? undefined : successOf(response, statusCode);
  if (statusCode === undefined || isSuccessful === undefined) return NO_RESPONSE;
  const message = safeGet(response, "message") ?? safeGet(response, "Message");
  const isResult = typeof (safeGet(response, "success") ?? safeGet(response, "Success")) === "boolean";
  if (isResult && typeof message === "string")
    return Object.freeze({ success: isSuccessful, message, statusCode });
  if (!isSuccessful) return unsuccessfulResult(statusCode);
  return Object.freeze({ success: true, message: "Successful test.", statusCode });
}

/** Members that say whether a response is successful, by the clients that have them. */
const SUCCESS_MEMBERS = ["isSuccessful", "IsSuccessful", "success", "Success", "isSuccess", "ok"];

/** Members that hold the HTTP status. */
const STATUS_MEMBERS = ["statusCode", "StatusCode", "status"];

/** The HTTP status of a response of any usual shape. Returns undefined if it is none of them. */
function statusOf(response: unknown): number | undefined {
  const status = STATUS_MEMBERS.map((name) => httpStatus(safeGet(response, name))).find(
    (value) => value !== undefined,
  );
  return status !== undefined && successOf(response, status) !== undefined ? status : undefined;
}

/** Whether the response is successful: as it says itself; by its status if it says nothing and has headers. */
function successOf(response: unknown, statusCode: number): boolean | undefined {
  for (const name of SUCCESS_MEMBERS) {
    const value = safeGet(response, name);
    if (typeof value === "boolean") return value;
  }
  const headers = safeGet(response, "headers");
  return typeof headers === "object" && headers !== null ? statusCode >= 200 && statusCode < 300 : undefined;
}

function unsuccessfulResult(statusCode: number | undefined): TestConnectionResult {
  if (statusCode === undefined) return NO_RESPONSE;
  return Object.freeze({ success: false, message: unsuccessfulMessage(statusCode), statusCode });
}

function unsuccessfulMessage(statusCode: number): string {
  switch (statusCode) {
    case 403:
      return "Invalid Credentials: Forbidden.";
    case 401:
      return "Invalid Credentials: Unauthorized";
    default:
      return "Unknown Issue.";
  }
}

function statusOfError(error: unknown): number | undefined {
  for (const cause of errorChain(error)) {
    const status = httpStatusOf(cause);
    if (status !== undefined) return status;
  }
  return undefined;
}
