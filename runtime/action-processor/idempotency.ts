/** What a handler finds in its context to tell, after a crash, whether it has acted already: a key and notes. */
import { createHash } from "node:crypto";
import { isJsonObject } from "../../schemas/json.js";
import type { Idempotency, IdempotencyNote } from "../registration/contracts.js";
import {
  type ActionEntry,
  type ActionLedger,
  DEFAULT_TENANT,
  type Store,
  type TakenAction,
} from "../store/store.js";

const STAGES = ["intent", "sent", "confirmed"] as const;

/** The key and the notes of an action of `tenant` that was taken. */
export function idempotencyOf(
  { ledger, tenant }: Pick<Store, "tenant"> & { readonly ledger: Pick<ActionLedger, "note"> },
  action: TakenAction,
): Idempotency {
  return {
    key: idempotencyKey(tenant, action),
    previous: noteOf(action),
    note: async (stage, detail) => {
      if (!STAGES.includes(stage)) throw new RangeError(`stage: expected one of ${STAGES.join(", ")}`);
      await ledger.note(action, JSON.stringify({ stage, detail: detail ?? null }));
    },
  };
}

/** The last note of an action; null if there is none. */
export function noteOf({ noteJson }: Pick<ActionEntry, "noteJson">): IdempotencyNote | null {
  if (noteJson === null) return null;
  const note: unknown = JSON.parse(noteJson);
  if (!isJsonObject(note)) return null;
  const { stage, detail } = note;
  const known = STAGES.find((name) => name === stage);
  return known === undefined ? null : { stage: known, detail: typeof detail === "string" ? detail : null };
}

/**
 * A UUID (version 8) made of what never changes about an action: a number alone begins anew in another store. The default
 * tenant is left out, for stores knew no tenants at first: the key of an action must never change.
 */
function idempotencyKey(tenant: string, { object, action, id, queuedAt, inputJson }: ActionEntry): string {
  const owner = tenant === DEFAULT_TENANT ? [] : [tenant];
  const identity = JSON.stringify([...owner, object, action, id, queuedAt]).slice(0, -1);
  const hash = createHash("sha256").update(`${identity},${inputJson}]`).digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const digits = hash.toString("hex", 0, 16);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
