/** The work of the programs that are killed over a database, and what it has to have led to. */
import type { RecordWrite } from "../../runtime/store/store.js";

export const OBJECT = "tests/app/1/read";
export const ACTION = { object: "tests/app/1/acted", action: "create" };
/** Short, so that what a killed worker held is soon taken again. */
export const LEASE_MS = 500;
export const PAGES = 40;
const ROWS = 20;
/** Records that a run deletes, for the target system no longer has them. */
export const OLD = 30;

export function pageAt(page: number): readonly RecordWrite[] {
  return Array.from({ length: ROWS }, (_, index) => recordAt(`id/${page}/${index}`));
}

export function recordAt(key: string): RecordWrite {
  return { operation: "upsert", key, hash: "h", record: { key }, alternateKeys: [`n/${key}`] };
}

/** Keys of all that a run reads, in their order. */
export const KEYS: readonly string[] = Array.from({ length: PAGES }, (_, page) =>
  pageAt(page).map(({ key }) => key),
)
  .flat()
  .sort();
