/** The ledger that a handler finds in its context: what attempts note, kept with the action in the store. */
import { createHash } from "node:crypto";
import type { Idempotency, IdempotencyNote } from "../registration/contracts.js";
import type { ActionQueue, QueuedAction, TakenAction } from "../store/queue.js";
import { isObject } from "../validation/values.js";

const STAGES = ["intent", "sent", "confirmed"] as const;

/** The ledger of an action that was taken. */
export function idempotencyOf(queue: ActionQueue, action: TakenAction): Idempotency {
  return {
    key: idempotencyKey(action),
    previous: noteOf(action),
    note: async (stage, detail) => {
      if (!STAGES.includes(stage)) throw new RangeError(`stage: expected one of ${STAGES.join(", ")}`);
      await queue.note(action, JSON.stringify({ stage, detail: detail ?? null }));
    },
  };
}

/** What was noted with an action last; null where there is nothing. */
export function noteOf({ note }: QueuedAction): IdempotencyNote | null {
  if (note === null) return null;
  const kept: unknown = JSON.parse(note);
  const stage = isObject(kept) ? STAGES.find((one) => one === kept["stage"]) : undefined;
  if (!isObject(kept) || stage === undefined) return null;
  const { detail } = kept;
  return { stage, detail: typeof detail === "string" ? detail : null };
}

/** A UUID (version 8) made of what never changes about an action: an id alone begins anew in another store. */
export function idempotencyKey({ object, action, id, queuedAt, input }: QueuedAction): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([object, action, id, queuedAt, input]))
    .digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const digits = hash.toString("hex", 0, 16);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
