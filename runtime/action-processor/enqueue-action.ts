/** Puts an action into the queue, or says what is wrong with its input: what is queued can be performed. */
import { createRedaction, redactedFindings } from "../log/redaction.js";
import type { RecordType } from "../records/record-type.js";
import { serializedForm, toJsonText } from "../records/serialized-form.js";
import type { ConnectorRegistration } from "../registration/registration.js";
import type { StartedAction } from "../registration/started.js";
import type { ActionEntry, ActionLedger } from "../store/store.js";
import type { Finding } from "../validation/finding.js";

/** An action that can be queued: one of a started connector, or of `queueableActions`. */
export interface QueueableAction extends Pick<StartedAction, "dataPath" | "urlPart" | "input"> {
  /**
   * Whether its switch is on.
   * @default true: who has no settings of the workspace does not know
   */
  readonly processQueuedEvent?: boolean | undefined;
}

/** How an action is queued. */
export interface EnqueueOptions {
  /**
   * Where the action is kept: `store.ledger`, or one that adds within a transaction of the caller, as `ledgerIn` of
   * `openPostgres` gives one.
   */
  readonly ledger: Pick<ActionLedger, "add">;
  /**
   * Longest input as JSON, in bytes of UTF-8.
   * @default 5_242_880
   */
  readonly maxInputBytes?: number | undefined;
}

/** The action that was queued, or what is wrong with its input. */
export type EnqueueResult =
  | {
      /** The action was queued. */
      readonly outcome: "queued";
      /** What the ledger has of it. */
      readonly action: ActionEntry;
      /** Whether the switch of the action is on; it stays queued until it is. */
      readonly isEnabled: boolean;
    }
  | {
      /** Nothing was queued. */
      readonly outcome: "refused";
      /** What is wrong with the input. Sensitive values are hidden. */
      readonly findings: readonly Finding[];
    };

const MAX_INPUT_BYTES = 5 * 1024 * 1024;

/**
 * Queues an action with `input`: an instance of the generated class, or the serialized form.
 * @throws StoreError if the store can't keep it; `queue-full` if as many wait as may wait.
 * @example
 * const { ledger } = await openSqliteStore({ file: "cache.db" });
 * const action = connector.modules
 *   .flatMap(({ actionProcessor }) => actionProcessor.actions)
 *   .find(({ dataPath, urlPart }) => dataPath === "projects-api/app/1/project" && urlPart === "create");
 * if (action === undefined) throw new Error("the connector has no such action");
 * const result = await enqueueAction(action, { title: "A bridge" }, { ledger });
 * if (result.outcome === "refused") for (const { message } of result.findings) console.error(message);
 */
export async function enqueueAction(
  { dataPath, urlPart, input: type, processQueuedEvent = true }: QueueableAction,
  input: unknown,
  { ledger, maxInputBytes = MAX_INPUT_BYTES }: EnqueueOptions,
): Promise<EnqueueResult> {
  const { inputJson, findings } = checkInput(type, input, maxInputBytes);
  if (inputJson === undefined) return { outcome: "refused", findings };
  const action = await ledger.add({ object: dataPath, action: urlPart, inputJson });
  return { outcome: "queued", action, isEnabled: processQueuedEvent };
}

/**
 * The actions of a connector, with their addresses, for a program that queues them and starts no connector.
 * @example
 * for (const { address } of queueableActions(registration)) console.log(address);
 */
export function queueableActions<Client>({
  modules,
}: ConnectorRegistration<Client>): readonly (QueueableAction & {
  /** Data path of the object, `/`, and the action's part. */
  readonly address: string;
})[] {
  return modules.flatMap(({ dataObjects, actions }) =>
    actions.flatMap(({ dataObject, urlPart, input }) =>
      dataObjects
        .filter(({ name }) => name === dataObject)
        .map(({ dataPath }) => ({ address: `${dataPath}/${urlPart}`, dataPath, urlPart, input })),
    ),
  );
}

/** An input as JSON text, or what is wrong with it. Sensitive values are hidden. */
export function checkInput(
  type: RecordType,
  input: unknown,
  maxInputBytes: number = MAX_INPUT_BYTES,
): { readonly inputJson?: string; readonly findings: readonly Finding[] } {
  const inputJson = toJsonText(serializedForm(type, input));
  if (inputJson === undefined) return refuse("json", "a value that can be written as JSON", "one that can't");
  const bytes = Buffer.byteLength(inputJson);
  if (bytes > maxInputBytes) return refuse("size", `at most ${maxInputBytes} bytes`, `${bytes} bytes`);
  const findings = redactedFindings(type, JSON.parse(inputJson), createRedaction([type]));
  return findings.length > 0 ? { findings } : { inputJson, findings };
}

function refuse(
  keyword: string,
  expected: string,
  actual: string,
): { readonly findings: readonly Finding[] } {
  const message = `the input: expected ${expected}, found ${actual}`;
  return { findings: [{ instancePath: "", keyword, expected, actual, message }] };
}
