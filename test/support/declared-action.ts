/** An action of items for declared handlers, and the context of its attempts, which keeps notes from one to the next. */
import { type ActionClass, type RecordMethods, typedRecord } from "../../runtime/codegen/index.js";
import type { DeclaredActionContext, IdempotencyNote } from "../../runtime/entries/runtime.js";
import { ITEM, type Item, SILENT } from "./item-cache.js";
import { clientAt } from "./loopback.js";
import { objectSchema, recordType } from "./registration.js";

/** What the action is given. */
export type NewItem = {
  readonly company: string;
  readonly serial_number: string;
  readonly id?: number;
  readonly name?: string | null;
  readonly tags?: readonly string[];
  readonly address?: { readonly city?: string; readonly street?: string };
  readonly secret?: string;
};

/** What it gives. */
export interface NewItemOutput {
  readonly id: number;
  readonly company?: string;
  readonly name?: string | null;
}

/** Why it was refused. */
export interface NewItemFailure {
  readonly code?: string;
  readonly errors?: { readonly text?: string }[];
}

const TEXT = { type: "string" };

export class ItemClass extends typedRecord<object, Item, RecordMethods<Item>>(ITEM) {}
export class InputClass extends typedRecord<object, NewItem, RecordMethods<NewItem>>(
  recordType(
    "CreateItemInput",
    objectSchema(
      {
        company: TEXT,
        serial_number: TEXT,
        id: { type: "integer" },
        name: { type: ["string", "null"] },
        tags: { type: "array", items: TEXT },
        address: objectSchema({ city: TEXT, street: TEXT }),
        secret: { type: "string", writeOnly: true },
      },
      ["company", "serial_number"],
    ),
    { properties: [["serialNumber", "serial_number"]] },
  ),
) {}
export class OutputClass extends typedRecord<object, NewItemOutput, RecordMethods<NewItemOutput>>(
  recordType(
    "CreateItemOutput",
    objectSchema({ id: { type: "integer" }, company: TEXT, name: { type: ["string", "null"] } }, ["id"]),
  ),
) {}
export class FailureClass extends typedRecord<object, NewItemFailure, RecordMethods<NewItemFailure>>(
  recordType(
    "CreateItemFailure",
    objectSchema({ code: TEXT, errors: { type: "array", items: objectSchema({ text: TEXT }) } }),
  ),
) {}

/** As generated code has it. */
export const CreateItem: ActionClass<{
  input: NewItem;
  output: NewItemOutput;
  failure: NewItemFailure;
  dataObject: "Item";
  record: Item;
}> = Object.freeze({
  name: "CreateItem",
  input: InputClass,
  output: OutputClass,
  failure: FailureClass,
  dataObject: ItemClass,
});

export function newItem(id: number, more: Partial<NewItem> = {}): NewItem {
  return { company: "a", serial_number: `n${id}`, ...more };
}

/** The key of the action in every context. */
export const KEY = "0b4f1c1e-1111-8111-8111-0123456789ab";

/** An action whose attempts are made against `origin`. */
export function attemptsAt(origin: string, options: Parameters<typeof clientAt>[1] = {}) {
  const notes: IdempotencyNote[] = [];
  const warnings: string[] = [];
  const controller = new AbortController();
  return {
    notes,
    warnings,
    controller,
    /** The context of every attempt. */
    context: {
      client: clientAt(origin, options),
      connection: { Region: "eu 1" },
      registrationConfiguration: { Team: "t/1" },
      serviceConfiguration: {},
      settings: {},
      log: { ...SILENT, warn: (message) => void warnings.push(message) },
      signal: controller.signal,
      idempotency: {
        key: KEY,
        get previous() {
          return notes.at(-1) ?? null;
        },
        note: async (stage, detail) => void notes.push({ stage, detail: detail ?? null }),
      },
    } satisfies DeclaredActionContext as DeclaredActionContext,
  };
}
