/** Puts an action into the queue, or says what is wrong with its input: what is queued can be performed. */
import { serialized } from "../cache-writer/prepare-record.js";
import type { ActionQueue, QueuedAction } from "../store/queue.js";
import type { Finding } from "../validation/finding.js";
import { validate } from "../validation/findings.js";
import type { ProcessedAction } from "./processed-actions.js";

export interface EnqueueOptions {
  readonly queue: ActionQueue;
  /** Longest input as JSON, in bytes of UTF-8. By default 5 MB (5 × 1024 × 1024). */
  readonly maxInputBytes?: number | undefined;
}

export type Enqueued =
  | {
      readonly outcome: "queued";
      readonly action: QueuedAction;
      /** Whether its switch is on; it stays queued until it is. */
      readonly isProcessed: boolean;
    }
  /** Nothing was queued. Sensitive values are hidden in the findings. */
  | { readonly outcome: "refused"; readonly findings: readonly Finding[] };

const MAX_INPUT_BYTES = 5 * 1024 * 1024;

/**
 * Queues `input`: an instance of the generated class, or the serialized form.
 * @throws StoreError where the store can't keep it.
 */
export async function enqueueAction<Client>(
  { object, action }: ProcessedAction<Client>,
  input: unknown,
  { queue, maxInputBytes = MAX_INPUT_BYTES }: EnqueueOptions,
): Promise<Enqueued> {
  const text = jsonText(serialized(action.input, input));
  if (text === undefined) return refused("json", "a value that can be written as JSON", "one that can't");
  const bytes = Buffer.byteLength(text);
  if (bytes > maxInputBytes) return refused("size", `at most ${maxInputBytes} bytes`, `${bytes} bytes`);
  const json: unknown = JSON.parse(text);
  const findings = validate(action.input, json);
  if (findings.length > 0) return { outcome: "refused", findings };
  const queued = await queue.add({ object, action: action.urlPart, input: json });
  return { outcome: "queued", action: queued, isProcessed: action.processQueuedEvent };
}

/** `value` as JSON; undefined where it can't be written as such. */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function refused(keyword: string, expected: string, actual: string): Enqueued {
  const message = `the input: expected ${expected}, found ${actual}`;
  return { outcome: "refused", findings: [{ instancePath: "", keyword, expected, actual, message }] };
}
