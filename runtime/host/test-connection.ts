/** Runs the connection test of a connector, for whoever entered its credentials (spec §4.3). */
import { sensitiveValues } from "../records/masked.js";
import type {
  ClientHost,
  ClientServices,
  ConnectionContainer,
} from "../registration/connection-contracts.js";
import type { Log, StopSignal } from "../registration/contracts.js";
import type { ConnectorRegistration } from "../registration/registration.js";
import { bounded } from "./bounded.js";
import { type CheckedConnection, ConnectionError, checkedConnection } from "./connection.js";
import { createRedaction, type Redaction } from "./log/redaction.js";
import { type HandlerOutcome, type TestConnectionResult, testResult } from "./test-result.js";
import { hideIn, memberOf, messageOf } from "./unsure.js";

export interface TestConnectionOptions {
  /** Milliseconds until a test without an answer counts as one without a response; 30,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Ends the test: it then rejects with the reason of the signal. */
  readonly signal?: StopSignal | undefined;
  /** Keeps connection properties that changed, such as a rotated refresh token. */
  readonly saveProperties?: ClientHost["saveProperties"] | undefined;
  /** Told why a test had no success, without the secrets of the connection. */
  readonly log?: Log | undefined;
}

const TIMEOUT = 30_000;

/**
 * The row of the table of §4.3 that the test ends in. Whatever the target system and the handler do is a row.
 * @throws ConnectionError for what comes before the test: `Unable to find services for definition key <key>` (§7), a
 * configuration that does not fit its definition, with every finding, or a client helper that fails.
 */
export async function testConnection<Client>(
  registration: ConnectorRegistration<Client>,
  container: ConnectionContainer,
  { timeoutMs = TIMEOUT, signal, saveProperties, log }: TestConnectionOptions = {},
): Promise<TestConnectionResult> {
  const connection = checkedConnection(registration, container);
  const redaction = createRedaction([connection.type]);
  redaction.hide(connection.secrets);
  hideIn(log, connection.secrets);
  const started = { reached: false };
  const run = async (stop: AbortSignal): Promise<HandlerOutcome> => {
    const host = { signal: stop, saveProperties: saver(connection, { saveProperties, redaction, log }) };
    const services = servicesOf(registration, { container, host, redaction });
    started.reached = true;
    try {
      return { response: await registration.connectionTestHandler({ ...services, signal: stop }) };
    } catch (error) {
      return { error };
    }
  };
  const outcome = await bounded({ timeoutMs, signal: signal as AbortSignal | undefined }, run).catch(
    (error: unknown): HandlerOutcome => {
      if (!started.reached || signal?.aborted === true) throw error;
      return { error };
    },
  );
  const result = testResult(outcome);
  if (!result.success) log?.warn(result.message, redaction.value(reasonOf(outcome)) as object);
  return result;
}

function servicesOf<Client>(
  registration: ConnectorRegistration<Client>,
  { container, host, redaction }: { container: ConnectionContainer; host: ClientHost; redaction: Redaction },
): ClientServices<Client> {
  try {
    return registration.clientHelper(container, host);
  } catch (error) {
    throw new ConnectionError(redaction.text(messageOf(error)));
  }
}

/** What a developer wants to know; never the body of a response, which may be about people. */
function reasonOf(outcome: HandlerOutcome): object {
  if ("error" in outcome) return { error: outcome.error };
  const { response } = outcome;
  const members = ["isSuccessful", "statusCode", "errorMessage"];
  return { response: Object.fromEntries(members.map((name) => [name, memberOf(response, name)])) };
}

/** Properties that change are secrets as those before were. */
function saver(
  { type }: CheckedConnection,
  {
    saveProperties,
    redaction,
    log,
  }: Pick<TestConnectionOptions, "saveProperties" | "log"> & { redaction: Redaction },
): NonNullable<ClientHost["saveProperties"]> {
  return async (properties) => {
    const secrets = sensitiveValues(properties, type.schema);
    redaction.hide(secrets);
    hideIn(log, secrets);
    await saveProperties?.(properties);
  };
}
