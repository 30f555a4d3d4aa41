import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import fc from "fast-check";
import { answered, defineHandler, input, rest } from "../../../runtime/entries/runtime.js";
import type { Store } from "../../../runtime/host/index.js";
import { FAST, storedAction } from "../../support/action-processor.js";
import {
  type AnyHandler,
  attemptsAt,
  CreateItem,
  type Fault,
  newItem,
  ONCE_KINDS,
  type OnceKind,
  onceHandler,
  performDeclared,
  queueItem,
  serveItems,
} from "../../support/declared-action.js";
import { type ItemCache, item, openItemCache } from "../../support/item-cache.js";
import { answerJson, clientAt, closeServers, serve } from "../../support/loopback.js";
import { all } from "../../support/promises.js";
import { program, RandomKills } from "../../support/random-kills.js";
import { runs, SLOW_TEST_MS } from "../../support/repository.js";

const KILLS = process.env["SOAK"] === undefined ? 4 : 150;
const CREATE = { call: "POST /items", record: "$", change: "upsert" } as const;

describe("an action with a declared handler", () => {
  let synced: ItemCache;
  beforeEach(async () => {
    synced = await openItemCache();
  });
  afterEach(async () => {
    await synced.remove();
    await closeServers();
  });
  const keyOf = (id: number) => `id/a/${id}`;

  it("is performed, and its record is in the cache", async () => {
    const { origin, items } = await serveItems();
    const { id } = await queueItem(synced.store, newItem(5, { name: "Five" }));
    const attempts = await performDeclared(synced.store, onceHandler("key"), { client: clientAt(origin) });
    expect(attempts[0]).to.deep.include({
      ...{ outcome: "succeeded", attempts: 1, changes: 1, deletes: 0 },
      result: { id: 1, company: "a", name: "Five" },
    });
    expect(await storedAction(synced.store, id)).to.include({ state: "succeeded" });
    expect(await synced.contents()).to.deep.equal({ [keyOf(1)]: items[0] });
    await queueItem(synced.store, newItem(5, { id: 1 }));
    const remove = defineHandler(CreateItem, {
      call: "DELETE /items/{id}",
      path: { id: input("id") },
      change: "delete",
    });
    const deleted = await performDeclared(synced.store, remove, { client: clientAt(origin) });
    expect(deleted[0]).to.deep.include({ outcome: "succeeded", changes: 1, deletes: 1 });
    expect([items, await synced.contents()]).to.deep.equal([[], {}]);
  });

  it("fails in the target system's words, without what its input keeps secret", async () => {
    const { origin } = await serve((_, response) =>
      answerJson(response, { why: "The word s3cret-word is taken" }, 409),
    );
    const { id } = await queueItem(synced.store, newItem(5, { secret: "s3cret-word" }));
    const handler = defineHandler(CreateItem, {
      ...CREATE,
      failures: { 409: { code: "taken", text: answered("why") } },
    });
    const attempts = await performDeclared(synced.store, handler, { client: clientAt(origin) });
    const failed = { code: "taken", errors: [{ text: "The word --hidden value-- is taken" }] };
    expect(attempts[0]).to.deep.include({ outcome: "failed", result: failed });
    expect(await storedAction(synced.store, id)).to.deep.include({ state: "failed", result: failed });
  });

  it("goes on from the kept answer once its declaration is right, and calls nobody", async () => {
    const { origin, requests } = await serve((_, response) => answerJson(response, { key: item(3) }, 201));
    const { id } = await queueItem(synced.store, newItem(3));
    const wrong = defineHandler(CreateItem, CREATE);
    const given = await performDeclared(synced.store, wrong, { client: clientAt(origin) });
    expect(given[0]).to.include({ outcome: "dead" });
    expect(given[0]?.message).to.match(/the output/);
    expect(await synced.store.source.requeue(id)).to.equal(true);
    const right = defineHandler(CreateItem, { ...CREATE, record: "key" });
    const again = await performDeclared(synced.store, right, { client: clientAt(origin) });
    expect(again[0]).to.deep.include({ outcome: "succeeded", changes: 1 });
    expect(requests).to.have.length(1);
    expect(await synced.contents()).to.deep.equal({ [keyOf(3)]: item(3) });
  });

  const fault = fc.constantFrom<Fault>(
    ...(["none", "acts, then breaks off", "acts, then 503", "breaks off", 401, 429, 503] as const),
  );

  it("is performed once, whatever answers are lost, with a key, a look-up, or a PUT", async function () {
    this.timeout(SLOW_TEST_MS);
    const world = fc.record({
      kind: fc.constantFrom(...ONCE_KINDS),
      faults: fc.array(fault, { maxLength: 8 }),
      retries: fc.constantFrom(1, 3),
      count: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(world, async ({ kind, faults, retries, count }) => {
        const cache = await openItemCache();
        try {
          const { origin, items } = await serveItems((write) => faults[write - 1] ?? "none");
          for (let id = 0; id < count; id++) await queueItem(cache.store, newItem(id));
          await performAll(cache.store, onceHandler(kind), origin, retries);
          const numbers = items.map(({ serial_number }) => serial_number).sort();
          expect(numbers).to.deep.equal(Array.from({ length: count }, (_, id) => `n${id}`));
          const states = (await all(cache.store.ledger.list())).map(({ state }) => state);
          expect(states).to.deep.equal(Array(count).fill("succeeded"));
          expect(await cache.contents()).to.deep.equal(
            Object.fromEntries(items.map((each) => [keyOf(each.id), each])),
          );
        } finally {
          await cache.remove();
          await closeServers();
        }
      }),
      { numRuns: runs(40) },
    );
  });

  it("that deletes succeeds if the item was there when it was first called, whatever answers are lost", async function () {
    this.timeout(SLOW_TEST_MS);
    const remove = defineHandler(CreateItem, {
      call: "DELETE /items/{id}",
      path: { id: input("id") },
      change: "delete",
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fault, { maxLength: 5 }),
        fc.boolean(),
        fc.constantFrom(1, 3),
        async (faults, isThere, retries) => {
          const { origin, items } = await serveItems((write) => faults[write - 1] ?? "none");
          if (isThere) items.push(item(1));
          const attempts = attemptsAt(origin, { retry: { maxAttempts: retries, firstDelayMs: 1 } });
          let outcome: string | undefined;
          while (outcome === undefined)
            outcome = await remove(newItem(1, { id: 1 }), attempts.context).then(
              (result) => result.outcome,
              () => undefined,
            );
          // Where an answer was lost nobody knows what was there before: the item is gone, which is what was asked for.
          const isUnsure = faults
            .slice(0, faults.includes("none") ? faults.indexOf("none") : faults.length)
            .some((each) => each !== 401 && each !== 429);
          expect(outcome).to.equal(isThere || isUnsure ? "succeeded" : "failed");
          expect(items).to.deep.equal([]);
          await closeServers();
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it("reaches the resource that its input names, or none", async () => {
    const { origin, requests } = await serve((_, response) => answerJson(response, {}, 200));
    const handler = defineHandler(CreateItem, {
      call: "POST /a/{company}/b-{number}",
      path: { company: input("company"), number: input("serial_number") },
      query: { name: input("name"), tag: input("tags"), key: "fixed" },
      body: { all: input("$"), left: rest },
      output: { id: 1 },
    });
    await fc.assert(
      fc.asyncProperty(anyItem, async (given) => {
        const before = requests.length;
        const { context } = attemptsAt(origin);
        const result = await handler(given, context).catch((error: unknown) => error);
        const isDots = ["", ".", ".."].includes(given.company);
        const texts = [given.company, given.serial_number, given.name ?? "", ...(given.tags ?? [])];
        const isSendable = !isDots && texts.every((text) => text.isWellFormed());
        if (!isSendable) {
          expect(result).to.be.instanceOf(Error);
          expect(requests.length).to.equal(before);
          return;
        }
        expect(result).to.deep.include({ outcome: "succeeded" });
        const { path = "", body = "" } = requests.at(-1) ?? {};
        const { pathname, searchParams } = new URL(path, origin);
        const segments = pathname.split("/").map(decodeURIComponent);
        expect(segments).to.deep.equal(
          ["", "a", given.company, "b", `b-${given.serial_number}`].toSpliced(3, 1),
        );
        expect([...searchParams]).to.deep.equal([
          ...(typeof given.name === "string" ? [["name", given.name]] : []),
          ...(given.tags ?? []).map((tag) => ["tag", tag]),
          ["key", "fixed"],
        ]);
        const { company, serial_number, name, tags, ...left } = given;
        expect(JSON.parse(body)).to.deep.equal(JSON.parse(JSON.stringify({ all: given, left: { ...left } })));
      }),
      { numRuns: runs(300) },
    );
  });

  for (const kind of ["key", "lookUp"] as const)
    it(`has made one record, whenever its worker was killed (${kind})`, async function () {
      this.timeout(SLOW_TEST_MS);
      const { origin, items } = await serveItems(undefined, () => sleep(Math.random() * 4));
      const count = await performKilled(synced, origin, kind);
      expect(items.map(({ serial_number }) => serial_number).sort()).to.deep.equal(
        Array.from({ length: count }, (_, id) => `n${id}`).sort(),
      );
      const states = new Set((await all(synced.store.ledger.list())).map(({ state }) => state));
      expect([...states]).to.deep.equal(["succeeded"]);
      expect(Object.values(await synced.contents())).to.have.deep.members(items);
    });
});

/** Performs actions by workers that are killed, and what they left; returns how many actions there were. */
async function performKilled({ store, file }: ItemCache, origin: string, kind: OnceKind): Promise<number> {
  const kills = new RandomKills();
  let count = 0;
  for (let killed = 0, round = 0; killed < KILLS; round++) {
    if (round > KILLS * 4) throw new Error(`only ${killed} of ${round} workers were killed`);
    for (let index = 0; index < 6; index++) await queueItem(store, newItem(count++));
    if (await kills.kill(program("perform-declared", file, origin, kind))) killed++;
    await performAll(store, onceHandler(kind), origin);
  }
  return count;
}

/** Performs until nothing is left; one action may still be in the hands of the dead, others wait for their time. */
async function performAll(store: Store, handler: AnyHandler, origin: string, retries = 1): Promise<void> {
  const client = clientAt(origin, { retry: { maxAttempts: retries, firstDelayMs: 1 } });
  for (let round = 0; round < 100; round++) {
    await performDeclared(store, handler, { client, retry: { ...FAST, maxAttempts: 1_000 } });
    const open = [...(await all(store.ledger.list("taken"))), ...(await all(store.ledger.list("queued")))];
    if (open.length === 0) return;
    await sleep(10);
  }
}

const anyText = fc.oneof(
  fc.constantFrom("", ".", "..", "/", "a/../b", "?", "#", "%2e%2e", "\\", "\ud800", "$", "{id}", "\n"),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const anyItem = fc.record(
  {
    company: anyText,
    serial_number: anyText,
    name: fc.option(anyText),
    tags: fc.array(anyText, { maxLength: 3 }),
    address: fc.record({ city: fc.string() }, { requiredKeys: [] }),
    secret: fc.string(),
  },
  { requiredKeys: ["company", "serial_number"] },
);
