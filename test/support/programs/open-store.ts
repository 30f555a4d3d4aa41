/** A process of its own that opens a store and says how that went: `node open-store.js FILE`. */
import { StoreError } from "../../../runtime/host/index.js";
import { openSqliteStore } from "../../../runtime/store/sqlite/open-store.js";

try {
  const store = await openSqliteStore({ file: process.argv[2] ?? "" });
  await store.close();
  process.stdout.write("opened");
} catch (error) {
  process.stdout.write(error instanceof StoreError ? `${error.problem}: ${error.message}` : String(error));
}
