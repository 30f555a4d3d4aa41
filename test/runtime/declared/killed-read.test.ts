import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import { FORMS_BY_NAME, partsReaderOf } from "../../support/declared-items.js";
import { type Item, item, openItemCache, Replica } from "../../support/item-cache.js";
import { clientAt, closeServers } from "../../support/loopback.js";
import { type PagedForm, serveList } from "../../support/paged-server.js";
import { program, RandomKills } from "../../support/random-kills.js";
import { SLOW_TEST_MS } from "../../support/repository.js";

const IS_SOAKING = process.env["SOAK"] !== undefined;
/** For each kind of pages. */
const KILLS = IS_SOAKING ? 30 : 2;
const SIX_KINDS = ["one", "page", "offset", "cursor", "link", "linkHeader"];
const PARENTS = Array.from({ length: 25 }, (_, id) => item(id));

describe("declared readers with parents", () => {
  afterEach(closeServers);

  it(`fill the cache as the target is after each of ${KILLS} kills by every kind of pages, and go on where they were`, async function () {
    this.timeout(SLOW_TEST_MS);
    let resumed = 0;
    const kills = new RandomKills();
    const forms = Object.entries(FORMS_BY_NAME).filter(([name]) => IS_SOAKING || SIX_KINDS.includes(name));
    for (const [name, form] of forms) resumed += await killAndGoOn(name, form, kills);
    expect(resumed).to.be.greaterThan(0);
  });
});

/** Kills reads at random moments and lets another one go on. Returns how many did so in the middle of the list. */
async function killAndGoOn(name: string, form: PagedForm, kills: RandomKills): Promise<number> {
  const cache = await openItemCache();
  const feed = new Replica();
  let parts = randomParts();
  const { origin, close } = await serveList({
    ...{ form, cap: form.pages.kind === "one" ? 1_000 : 7 },
    listAt: (path) => (path === "/items" ? PARENTS : parts.get(path)),
  });
  let resumed = 0;
  try {
    for (let killed = 0, round = 0; killed < KILLS; round++) {
      if (round > KILLS * 4 + 1) throw new Error(`only ${killed} of ${round} runs by ${name} were killed`);
      parts = randomParts();
      if (await kills.kill(program("sync-declared", cache.file, origin, name))) killed++;
      await feed.follow(cache.store);
      const read = partsReaderOf(form);
      const result = await cache.full((context) => read({ ...context, client: clientAt(origin) } as never), {
        pageSize: 20,
        approveDeletes: true,
      });
      expect(result.outcome, result.message ?? "").to.equal("succeeded");
      if (result.resumed) resumed++;
      const expected = Object.fromEntries([...parts.values()].flat().map((part) => [keyOf(part), part]));
      const contents = await cache.contents();
      // Far faster than chai on thousands of records.
      expect(isDeepStrictEqual(contents, expected), `the cache by ${name}`).to.equal(true);
      await feed.follow(cache.store);
      expect(isDeepStrictEqual(feed.records, contents), `the feed by ${name}`).to.equal(true);
    }
  } finally {
    await close();
    await cache.remove();
  }
  return resumed;
}

/** About forty parts of each parent, some with another name than before. */
function randomParts(): Map<string, readonly Item[]> {
  const parts = PARENTS.map(({ id: parent }) => {
    const ids = Array.from({ length: 45 }, (_, index) => index * PARENTS.length + parent);
    const kept = ids.filter(() => Math.random() < 0.9);
    return [
      `/parts/${parent}`,
      kept.map((id) => item(id, { name: Math.random() < 0.9 ? "first" : "second" })),
    ];
  });
  return new Map(parts as [string, readonly Item[]][]);
}

function keyOf({ id }: Item): string {
  return `id/a/${id}`;
}
