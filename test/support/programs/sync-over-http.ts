/**
 * A process of its own that syncs a target system over HTTP once: `node sync-over-http.js FILE ORIGIN [plain]`, where plain is
 * without alternate keys. It says as JSON what came of it, how long it took, and how much memory it had at most.
 */

import { readFileSync } from "node:fs";
import { type HttpClient, resultOrThrow } from "../../../runtime/client/index.js";
import type { ReaderContext } from "../../../runtime/codegen/index.js";
import { syncObject } from "../../../runtime/host/index.js";
import { openSqliteStore } from "../../../runtime/store/sqlite/open-store.js";
import { checkOf } from "../../validation/emitted.js";
import { endOf, fullObject, ITEM, SILENT } from "../item-cache.js";
import { clientAt } from "../loopback.js";

/** What the program says. */
export interface Synced {
  /** The outcome, and the counts that are not 0. */
  readonly end: ReturnType<typeof endOf>;
  readonly message: string | null;
  readonly seconds: number;
  /** The highest resident memory of the process. */
  readonly megabytes: number;
}

interface Page {
  readonly items: readonly unknown[];
  readonly next: number | null;
}

const [file = "", origin = "", kind] = process.argv.slice(2);
/** As generated code has it. */
const TYPE = {
  ...ITEM,
  check: checkOf(ITEM.schema),
  keys: (ITEM.keys ?? []).filter(({ isPrimary }) => isPrimary || kind !== "plain"),
};

async function* reader({ client, signal, resumePoint, saveResumePoint }: ReaderContext<HttpClient>) {
  for (let after = resumePoint; ; ) {
    const { items, next } = resultOrThrow(await client.get<Page>("items", { query: { after }, signal }));
    yield* items;
    if (next === null) return;
    after = String(next);
    saveResumePoint(after);
  }
}

const store = await openSqliteStore({ file });
let most = 0;
const measure = () => {
  most = Math.max(most, process.memoryUsage.rss());
};
const timer = setInterval(measure, 50);
const start = performance.now();
const result = await syncObject(fullObject(reader, TYPE), {
  ...{ store, client: clientAt(origin), connection: {}, log: SILENT },
  signal: new AbortController().signal,
  onProgress: measure,
});
const seconds = (performance.now() - start) / 1_000;
clearInterval(timer);
await store.close();
const { message } = result;
const synced: Synced = { end: endOf(result), message, seconds, megabytes: highest() / 2 ** 20 };
process.stdout.write(JSON.stringify(synced));

/** What the system knows, where it does; its count for a process and its children would hold that of the parent too. */
function highest(): number {
  if (process.platform !== "linux") return most;
  const [, kibibytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Math.max(most, Number(kibibytes) * 1_024);
}
