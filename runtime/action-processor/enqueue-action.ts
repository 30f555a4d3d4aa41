/** Puts an action into the queue, or says what is wrong with its input: what is queued can be performed. */
import { createRedaction, redactedFindings } from "../log/redaction.js";
import type { RecordType } from "../records/record-type.js";
import { serializedForm, toJsonText } from "../records/serialized-form.js";
import type { StartedAction } from "../registration/started.js";
import type { ActionEntry, ActionLedger } from "../store/store.js";
import type { Finding } from "../validation/finding.js";

/** How an action is queued. */
export interface EnqueueOptions {
  /** Where the action is kept: `store.ledger`, or one that adds within a transaction of the caller. */
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
 * @throws StoreError if the store can't keep it.
 * @example
 * const { ledger } = await openSqliteStore({ file: "cache.db" });
 * const action = connector.modules
 *   .flatMap(({ actionProcessor }) => actionProcessor.actions)
 *   .find(({ dataPath, urlPart }) => dataPath === "projects-api/app/1/project" && urlPart === "create");
 * if (action === undefined) throw new Error("the connector has no such action");
 * const result = await enqueueAction(action, { title: "A bridge" }, { ledger });
 * if (result.outcome === "refused") for (const { message } of result.findings) console.error(message);
 */
export async function enqueueAction<Client>(
  { dataPath, urlPart, input: type, processQueuedEvent }: StartedAction<Client>,
  input: unknown,
  { ledger, maxInputBytes = MAX_INPUT_BYTES }: EnqueueOptions,
): Promise<EnqueueResult> {
  const { inputJson, findings } = checkInput(type, input, maxInputBytes);
  if (inputJson === undefined) return { outcome: "refused", findings };
  const action = await ledger.add({ object: dataPath, action: urlPart, inputJson });
  return { outcome: "queued", action, isEnabled: processQueuedEvent };
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
