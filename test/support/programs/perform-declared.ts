/**
 * A process of its own that performs actions by a declared handler until nothing is due or it is killed:
 * `node perform-declared.js FILE ORIGIN KIND`. It says "go" when it starts.
 */
import { openSqliteStore } from "../../../runtime/store/sqlite/open-store.js";
import { type OnceKind, onceHandler, performDeclared } from "../declared-action.js";
import { clientAt } from "../loopback.js";

const [file = "", origin = "", kind = ""] = process.argv.slice(2);
const store = await openSqliteStore({ file });
process.stdout.write("go");
await performDeclared(store, onceHandler(kind as OnceKind), {
  client: clientAt(origin),
  leaseMs: 50,
  retry: { maxAttempts: 1_000 },
});
await store.close();
process.stdout.write("done");
