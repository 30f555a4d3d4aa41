import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import type { ReaderContext } from "../../../runtime/codegen/index.js";
import { runCacheWriter } from "../../../runtime/host/index.js";
import {
  endOf,
  fullObject,
  type Item,
  type ItemCache,
  item,
  NO_SETTINGS,
  openItemCache,
  PATH,
  SILENT,
} from "../../support/item-cache.js";
import { all } from "../../support/promises.js";

const PAGE = 100;

describe("the cache writer against a target system over HTTP", () => {
  let synced: ItemCache;
  let server: Server;
  let items: Item[];
  /** Requests after which the target answers with an error. */
  let patience: number;

  beforeEach(async () => {
    synced = await openItemCache();
    items = Array.from({ length: 5_000 }, (_, id) => item(id, { name: "first" }));
    patience = Infinity;
    server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://localhost");
      const after = Number(url.searchParams.get("after") ?? -1);
      const page = items.filter(({ id }) => id > after).slice(0, PAGE);
      if (patience-- <= 0) response.writeHead(503).end();
      else response.end(JSON.stringify({ items: page, next: page.length < PAGE ? null : page.at(-1)?.id }));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });

  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await synced.remove();
  });

  /** A reader as authors write it: cursor by cursor, and it throws where the target does not answer well. */
  async function* reader({ client, resumePoint, saveResumePoint }: ReaderContext<string>) {
    for (let after = resumePoint; ; ) {
      const response = await fetch(`${client}/items${after === null ? "" : `?after=${after}`}`);
      if (!response.ok) throw new Error(`GET items: ${response.status}`);
      const { items: page, next } = (await response.json()) as { items: Item[]; next: number | null };
      yield* page;
      if (next === null) return;
      after = String(next);
      saveResumePoint(after);
    }
  }

  async function run() {
    const { port } = server.address() as AddressInfo;
    const { signal } = new AbortController();
    const object = { ...fullObject(reader), ...NO_SETTINGS, uploadObject: true };
    const off = { ...object, name: "Off", dataPath: "tests/app/1/off", uploadObject: false };
    const results = await runCacheWriter([object, off], {
      store: synced.store,
      client: `http://127.0.0.1:${port}`,
      connection: {},
      log: SILENT,
      signal,
      settings: { [PATH]: { pageSize: 250 } },
    });
    expect(results.map((result) => result.object)).to.deep.equal(["Item"]);
    const [result] = results;
    if (result === undefined) throw new Error("nothing ran");
    return result;
  }

  it("counts exactly: a first run, an unchanged one, 1 % changed, 1 % deleted", async () => {
    expect(endOf(await run())).to.deep.equal({ outcome: "succeeded", inserted: 5000 });
    expect(endOf(await run())).to.deep.equal({ outcome: "succeeded", unchanged: 5000 });
    items = items.map((item) => (item.id % 100 === 0 ? { ...item, name: "second" } : item));
    expect(endOf(await run())).to.deep.equal({ outcome: "succeeded", unchanged: 4950, updated: 50 });
    items = items.filter(({ id }) => id % 100 !== 1);
    expect(endOf(await run())).to.deep.equal({ outcome: "succeeded", unchanged: 4950, deleted: 50 });
    expect(await synced.store.records.count(PATH)).to.equal(4_950);
    expect(await all(synced.store.changes.since(5_000))).to.have.length(100);
  });

  it("loses nothing when the target fails in the middle, and goes on from there", async () => {
    await run();
    items = items.map((item) => ({ ...item, name: "second" }));
    patience = 20;
    const failed = await run();
    expect(failed).to.include({ outcome: "failed", message: "GET items: 503", updated: 2_000, deleted: 0 });
    expect(await synced.store.records.count(PATH)).to.equal(5_000);
    patience = Infinity;
    const resumed = await run();
    expect(endOf(resumed)).to.deep.equal({ outcome: "succeeded", updated: 5000 });
    expect(resumed).to.include({ resumed: true, read: 3_000 });
  });
});
