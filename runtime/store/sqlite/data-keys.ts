/** Where the embedded store keeps the wrapped keys by which it is sealed. */
import type { DataKeyStore, WrappedKey } from "../sealing/seal.js";
import type { Connection } from "./connection.js";

/** The data keys of the tenant of a file. */
export function sqliteDataKeys(connection: Connection, tenant: string): DataKeyStore {
  return {
    name: connection.file,
    tenant,
    list: async () =>
      connection.rows("SELECT version, wrapped, wrapped_by FROM data_keys ORDER BY version").map(
        ([version, wrapped, wrappedBy]): WrappedKey => ({
          version: Number(version),
          wrapped: String(wrapped),
          wrappedBy: String(wrappedBy),
        }),
      ),
    add: async ({ version, wrapped, wrappedBy }) => {
      const sql =
        "INSERT INTO data_keys (version, wrapped, wrapped_by) VALUES (?, ?, ?) ON CONFLICT DO NOTHING";
      connection.run(sql, version, wrapped, wrappedBy);
    },
    replace: async ({ version, wrapped, wrappedBy }) => {
      const sql = "UPDATE data_keys SET wrapped = ?, wrapped_by = ? WHERE version = ?";
      connection.run(sql, wrapped, wrappedBy, version);
    },
  };
}
