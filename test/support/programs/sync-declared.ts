/**
 * A process of its own that syncs the parts of all items by a declared reader, until it is done or killed:
 * `node sync-declared.js FILE ORIGIN FORM`, where FORM names a kind of pages. It says "go" when it starts to read.
 */
import { syncObject } from "../../../runtime/host/index.js";
import { openSqliteStore } from "../../../runtime/store/sqlite/open-store.js";
import { FORMS_BY_NAME, partsReaderOf } from "../declared-items.js";
import { fullObject, SILENT } from "../item-cache.js";
import { clientAt } from "../loopback.js";
import { FORMS } from "../paged-server.js";

const [file = "", origin = "", name = ""] = process.argv.slice(2);
const store = await openSqliteStore({ file });
process.stdout.write("go");
const result = await syncObject(fullObject(partsReaderOf(FORMS_BY_NAME[name] ?? FORMS.one)), {
  ...{ store, client: clientAt(origin), connection: {}, log: SILENT },
  signal: new AbortController().signal,
  pageSize: 20,
  approveDeletes: true,
});
await store.close();
process.stdout.write(result.outcome);
