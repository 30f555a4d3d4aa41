/** A data object for tests of the cache: a composite key, an alternate key, a write-only property. */
import type { RecordType } from "../../runtime/records/record-type.js";
import type { Log } from "../../runtime/registration/contracts.js";
import { findings } from "../../runtime/validation/findings.js";

/** A record as its target system has it. */
export interface Item {
  readonly company: string;
  readonly id: number;
  readonly serial_number: string;
  readonly name?: string | null;
  readonly secret?: string;
  readonly [other: string]: unknown;
}

const SCHEMA = {
  type: "object",
  properties: {
    company: { type: "string" },
    id: { type: "integer" },
    serial_number: { type: "string" },
    name: { type: ["string", "null"], maxLength: 20 },
    secret: { type: "string", maxLength: 30, writeOnly: true },
  },
  required: ["company", "id", "serial_number"],
};

export const ITEM: RecordType = {
  name: "Item",
  schema: SCHEMA,
  check: (value) => findings(SCHEMA, value).length === 0,
  names: { properties: [["serialNumber", "serial_number"]] },
  keys: [
    { name: "id", isPrimary: true, properties: ["company", "id"] },
    { name: "number", isPrimary: false, properties: ["serialNumber"] },
  ],
};

export const PATH = "tests/app/1/item";

export function item(id: number, more: Partial<Item> = {}): Item {
  return { company: "a", id, serial_number: `n${id}`, ...more };
}

export const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** All that an iterable gives. */
export async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const list: Value[] = [];
  for await (const value of values) list.push(value);
  return list;
}

/** What `promise` is rejected with. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it did not fail");
}
