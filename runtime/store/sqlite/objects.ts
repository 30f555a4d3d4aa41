/** Objects by their data path, and the index of their alternate keys. */
import type { AlternateKeys } from "../records.js";
import type { Connection } from "./connection.js";

/** Row of the object; undefined where nothing was ever written of it. */
export function objectRow(connection: Connection, path: string): number | undefined {
  const row = connection.row("SELECT id FROM objects WHERE path = ?", path);
  return row === undefined ? undefined : Number(row[0]);
}

/** Row of the object, which is made where there is none. */
export function madeObjectRow(connection: Connection, path: string): number {
  const known = objectRow(connection, path);
  if (known !== undefined) return known;
  connection.run("INSERT INTO objects (path) VALUES (?)", path);
  return madeObjectRow(connection, path);
}

const ROWS_A_PAGE = 1_000;

/** Makes the index of alternate keys anew where it was made by other keys, as a part of the transaction. */
export function indexAlternateKeys(
  connection: Connection,
  object: number,
  { version, alternateKeys }: { readonly version: string; readonly alternateKeys: AlternateKeys },
): void {
  const [known] = connection.row("SELECT alternate_keys_version FROM objects WHERE id = ?", object) ?? [];
  if (known === version) return;
  connection.run("UPDATE objects SET alternate_keys_version = ? WHERE id = ?", version, object);
  connection.run("DELETE FROM alternate_keys WHERE object = ?", object);
  const sql = "SELECT id, record FROM records WHERE object = ? AND id > ? ORDER BY id LIMIT ?";
  const add = "INSERT INTO alternate_keys (object, key, record) VALUES (?, ?, ?)";
  for (let last = 0; ; ) {
    const rows = connection.rows(sql, object, last, ROWS_A_PAGE);
    if (rows.length === 0) return;
    for (const [row, record] of rows) {
      last = Number(row);
      for (const key of alternateKeys(JSON.parse(String(record)))) connection.run(add, object, key, last);
    }
  }
}
