/** Where a database keeps the wrapped keys by which a workspace is sealed. */
import type { DataKeyStore, WrappedKey } from "../sealing/seal.js";
import type { Database } from "./database.js";

/** The data keys of a workspace. */
export function postgresDataKeys(
  database: Database,
  { workspace, tenant }: { readonly workspace: number; readonly tenant: string },
): DataKeyStore {
  return {
    name: database.nameOf(tenant),
    tenant,
    list: async () => {
      const sql =
        "SELECT version, wrapped, wrapped_by FROM connectorcli.data_keys WHERE workspace = $1 ORDER BY 1";
      return (await database.rows(sql, workspace)).map(
        ([version, wrapped, wrappedBy]): WrappedKey => ({
          version: Number(version),
          wrapped: String(wrapped),
          wrappedBy: String(wrappedBy),
        }),
      );
    },
    add: async ({ version, wrapped, wrappedBy }) => {
      const sql = `INSERT INTO connectorcli.data_keys (workspace, version, wrapped, wrapped_by)
        VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`;
      await database.run(sql, workspace, version, wrapped, wrappedBy);
    },
    replace: async ({ version, wrapped, wrappedBy }) => {
      const sql = `UPDATE connectorcli.data_keys SET wrapped = $3, wrapped_by = $4
        WHERE workspace = $1 AND version = $2`;
      await database.run(sql, workspace, version, wrapped, wrappedBy);
    },
  };
}
