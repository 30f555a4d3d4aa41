import { expect } from "chai";
import fc from "fast-check";
import { type KeyedMethods, typedRecord } from "../../../runtime/codegen/index.js";
import { endOf, ITEM, type ItemCache, item, openItemCache, PATH } from "../../support/item-cache.js";
import { all } from "../../support/promises.js";
import { runs, SLOW_TEST_MS } from "../../support/repository.js";

describe("what a sync deletes", () => {
  it("is never a record that the target still has, unless that was approved", async function () {
    this.timeout(SLOW_TEST_MS);
    await fc.assert(
      fc.asyncProperty(fc.array(reading, { minLength: 1, maxLength: 6 }), async (readings) => {
        const cache = await openItemCache();
        for (const { records, envelope, guard, failAt } of readings) {
          const before = Object.keys(await cache.contents());
          const sent = sentBy(records, envelope);
          const result = await cache.full(
            async function* () {
              yield* sent.slice(0, failAt);
              if (failAt !== undefined) throw new Error("the target system went away");
            },
            { guard, rejectedLimit: { maxShare: 1 } },
          );
          const after = new Set(Object.keys(await cache.contents()));
          const deleted = before.filter((key) => !after.has(key));
          const existing = new Set(records.map(({ id }) => `id/a/${id}`));
          expect(
            deleted.filter((key) => existing.has(key)),
            "deleted although the target has it",
          ).to.deep.equal([]);
          expect(result.deleted).to.equal(deleted.length);
          const allowed = Math.max(guard.alwaysAllowed, (after.size + deleted.length) * guard.maxShare);
          expect(deleted.length).to.be.at.most(allowed);
          if (result.outcome === "succeeded") expect(rowsWithheld(after, records)).to.deep.equal([]);
        }
        await cache.remove();
      }),
      { numRuns: runs(100) },
    );
  });

  it("is nothing where every record was rejected, however few there are", async () => {
    const cache = await openItemCache();
    await cache.full([1, 2, 3, 4, 5, 6].map((id) => item(id)));
    const envelope = [{ items: [item(1)] }];
    const failed = await cache.full(envelope);
    expect(endOf(failed)).to.deep.equal({ outcome: "failed", rejected: 1 });
    expect(failed.message).to.include("1 record does not fit the schema, more than 50 % of 1.");
    expect(failed.message).to.include("rejectedLimit").and.include("--max-rejected");
    const held = await cache.full(envelope, { rejectedLimit: { maxShare: 1 } });
    expect(endOf(held)).to.deep.equal({ outcome: "needs-approval", rejected: 1 });
    expect(held.message).to.equal(
      "Item: 6 of 6 records were not read again: none of the records that the reader yielded is valid. Nothing was deleted.",
    );
    expect(Object.keys(await cache.contents())).to.have.length(6);
    await cache.remove();
  });

  it("is nothing unasked while a record was rejected whose key nobody knows, also over a resumed run", async () => {
    const cache = await openItemCache();
    await cache.full([1, 2, 3, 4].map((id) => item(id)));
    let isInterrupted = true;
    const read = (options = {}) =>
      cache.full(async function* ({ resumePoint, saveResumePoint }) {
        if (resumePoint === null) {
          yield item(1);
          yield { ...item(2), id: "two" };
          saveResumePoint("2");
          yield item(3);
        }
        if (isInterrupted) throw new Error("the target system went away");
      }, options);
    expect(await read()).to.include({ outcome: "failed" });
    isInterrupted = false;
    const held = await read();
    expect(endOf(held)).to.deep.equal({ outcome: "needs-approval", unchanged: 2, rejected: 1 });
    expect(held).to.include({
      resumed: true,
      withheldDeletes: 2,
      message:
        "Item: 2 of 4 records were not read again, but 1 record was rejected without a valid key, and may be among them. Nothing was deleted.",
    });
    expect(endOf(await read({ approveDeletes: true }))).to.deep.include({ outcome: "succeeded", deleted: 2 });
    await cache.remove();
  });

  it("is nothing unasked where the record whose key nobody knows looks like another that was rejected", async () => {
    const cache = await openItemCache();
    await cache.full([item(4)]);
    // 4 comes with the key of 5 as a text; 5 does not fit.
    const records = [item(0), { ...item(4), id: "5" }, item(5, { name: "x".repeat(21) })];
    const held = await cache.full(records, { rejectedLimit: { maxShare: 1 } });
    expect(endOf(held)).to.include({ outcome: "needs-approval" });
    expect(Object.keys(await cache.contents())).to.deep.equal(["id/a/0", "id/a/4"]);
    await cache.remove();
  });

  it("is withheld at one more than the guard allows, and not at exactly its share", async () => {
    const cache = await openItemCache();
    const guard = { maxShare: 0.25, alwaysAllowed: 0 };
    const upTo = (count: number) => Array.from({ length: count }, (_, id) => item(id));
    await cache.full(upTo(40));
    expect(endOf(await cache.full(upTo(29), { guard }))).to.deep.equal({
      outcome: "needs-approval",
      unchanged: 29,
    });
    expect(endOf(await cache.full(upTo(30), { guard }))).to.deep.equal({
      outcome: "succeeded",
      unchanged: 30,
      deleted: 10,
    });
    await cache.remove();
  });

  it("is withheld at one more than the numbers that are given, and not at them", async () => {
    const cache = await openItemCache();
    const upTo = (count: number) => Array.from({ length: count }, (_, id) => item(id));
    const outcome = async (count: number, options: object) =>
      (await cache.full(upTo(count), options)).outcome;
    await cache.full(upTo(40));
    expect(await outcome(35, { guard: { maxCount: 4 } })).to.equal("needs-approval");
    expect(await outcome(36, { guard: { maxCount: 4 } })).to.equal("succeeded");
    const few = { guard: { maxShare: 0, alwaysAllowed: 3 } };
    expect(await outcome(32, few)).to.equal("needs-approval");
    expect(await outcome(33, few)).to.equal("succeeded");
    const invalid = [...upTo(33), item(34, { name: "x".repeat(21) }), item(35, { name: "x".repeat(21) })];
    expect((await cache.full(invalid, { rejectedLimit: { maxCount: 1 } })).outcome).to.equal("failed");
    expect((await cache.full(invalid, { rejectedLimit: { maxCount: 2 } })).outcome).to.equal("succeeded");
    await cache.remove();
  });

  it("fails by default where most changes are rejected, but not for a few after a checkpoint", async () => {
    const cache = await openItemCache();
    const bad = (count: number) =>
      async function* ({ saveCheckpoint }: { saveCheckpoint(checkpoint: string): void }) {
        saveCheckpoint("1");
        for (let id = 1; id <= count; id++)
          yield { operation: "upsert" as const, record: item(id, { name: "x".repeat(21) }) };
      };
    expect(endOf(await cache.incremental(bad(1)))).to.deep.equal({ outcome: "failed", rejected: 1 });
    await cache.incremental(async function* ({ saveCheckpoint }) {
      saveCheckpoint("1");
      yield { operation: "upsert", record: item(100) };
    });
    expect(await cache.incremental(bad(10))).to.include({ outcome: "succeeded" });
    // Those of before are tried again in each run, and count no more.
    expect(await cache.incremental(bad(10))).to.include({ outcome: "succeeded" });
    expect(await cache.incremental(bad(11))).to.include({ outcome: "failed" });
    await cache.remove();
  });
});

describe("keys that a read gives", () => {
  it("are named if records of different content share them, in one page or over several, and not if they are the same", async () => {
    const cache = await openItemCache();
    const shared = [
      item(1),
      item(1, { name: "other" }),
      item(2),
      item(3),
      item(4),
      item(2, { name: "other" }),
    ];
    const first = await cache.full(shared);
    expect(first.repeatedKeys).to.deep.equal(["id/a/1", "id/a/2"]);
    expect((await cache.full(shared)).repeatedKeys).to.deep.equal(["id/a/1", "id/a/2"]);
    expect((await cache.full([item(3), item(4), item(3), item(5), item(3)])).repeatedKeys).to.deep.equal([]);
    await cache.remove();
  });

  it("are named if a value in them is blank, with sensitive values hidden", async () => {
    const cache = await openItemCache();
    const records = [item(1), item(2, { company: "" }), item(3, { company: " " })];
    expect((await cache.full(records)).blankKeys).to.deep.equal(["id//2", "id/ /3"]);
    const schema = { type: "object", properties: { company: { type: "string", writeOnly: true } } };
    expect((await cache.full(records, { type: { ...ITEM, schema } })).blankKeys).to.deep.equal([
      "id/--hidden value--",
      "id/--hidden value--",
    ]);
    await cache.remove();
  });
});

describe("integers that lose digits", () => {
  const PAST = JSON.parse("9007199254740993") as number;
  let cache: ItemCache;
  beforeEach(async () => {
    cache = await openItemCache();
  });
  afterEach(() => cache.remove());

  it("reject the record where they stand in a key, and the reason names the member", async () => {
    const records = [item(Number.MAX_SAFE_INTEGER), item(-PAST), item(PAST), item(PAST + 2)];
    const limits = { rejectedLimit: { maxShare: 1 } };
    expect(endOf(await cache.full(records, limits))).to.deep.equal({
      outcome: "succeeded",
      inserted: 1,
      rejected: 3,
    });
    expect(Object.keys(await cache.contents())).to.deep.equal(["id/a/9007199254740991"]);
    const rejected = await all(cache.store.rejected.list(PATH));
    const expected =
      "/id: expected an integer up to 9007199254740991 or a text, because larger numbers lose digits when JSON is read, found a larger one";
    for (const { key, findings } of rejected) {
      expect(key).to.equal(undefined);
      expect(findings.map(({ message }) => message)).to.deep.equal([expected]);
    }
    const gone = await cache.incremental(async function* () {
      yield { operation: "delete", record: { company: "a", id: PAST } };
    });
    expect(endOf(gone)).to.deep.include({ rejected: 4 });
  });

  it("reject the record where they stand in an alternate key", async () => {
    const keys = [
      { name: "id", isPrimary: true, properties: ["id"] },
      { name: "number", isPrimary: false, properties: ["number"] },
    ];
    const type = { name: "Item", schema: {}, check: () => true, keys };
    const records = [{ id: 1 }, { id: 2, number: 5 }, { id: 3, number: PAST }];
    expect(endOf(await cache.full(records, { type }))).to.deep.equal({
      outcome: "succeeded",
      inserted: 2,
      rejected: 1,
    });
  });

  it("are named in the result where they stand elsewhere, by their paths", async () => {
    const records = [
      item(1, { amount: Number.MAX_SAFE_INTEGER, lines: [{ price: 1.5 }] }),
      item(2, { "a/b": PAST, lines: [{ price: 1 }, { price: PAST }, { price: -PAST }] }),
      item(3, { lines: [{ price: PAST }], far: { away: 1e300 } }),
    ];
    const result = await cache.full(records);
    expect(endOf(result)).to.deep.equal({ outcome: "succeeded", inserted: 3 });
    expect(result.inexactNumbers).to.deep.equal(["/a~1b", "/lines/*/price", "/far/away"]);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`n${index}`, PAST]));
    expect((await cache.full([item(1, many)], { approveDeletes: true })).inexactNumbers).to.have.length(20);
    expect((await cache.full([item(1)])).inexactNumbers).to.deep.equal([]);
  });

  it("are no value of a key of a generated class either", () => {
    class Item extends typedRecord<{ company: string; id: number }, unknown, KeyedMethods>(ITEM) {}
    expect(() => new Item({ company: "a", id: PAST }).key()).to.throw(
      '"id" is past 9007199254740991, where integers lose digits, and key "id" needs it',
    );
  });
});

const FORMS = [
  "valid",
  "changed",
  "invalid",
  "twice",
  "no key",
  "null key",
  "key as text",
  "key of another",
] as const;
type Form = (typeof FORMS)[number];

const WITH_KEY: ReadonlySet<Form> = new Set(["valid", "changed", "invalid", "twice"]);

/** What is in the cache and not in the target, if each record of the target says its key. */
function rowsWithheld(cached: ReadonlySet<string>, records: readonly Held[]): readonly string[] {
  if (!records.every(({ form }) => WITH_KEY.has(form))) return [];
  const existing = new Set(records.map(({ id }) => `id/a/${id}`));
  return [...cached].filter((key) => !existing.has(key));
}

interface Held {
  readonly id: number;
  /** How the target sends the record. */
  readonly form: Form;
}

const held: fc.Arbitrary<Held> = fc.record({
  id: fc.integer({ min: 0, max: 11 }),
  form: fc.oneof({ weight: 6, arbitrary: fc.constant("valid" as const) }, fc.constantFrom(...FORMS)),
});

const reading = fc.record({
  records: fc.uniqueArray(held, { selector: ({ id }) => id, maxLength: 12 }),
  /** Whether the target sends its list as a member of another record than before. */
  envelope: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
  guard: fc.record({
    maxShare: fc.constantFrom(0, 0.2, 0.5, 1),
    alwaysAllowed: fc.integer({ min: 0, max: 10 }),
  }),
  /** How many records the target sends before it fails. */
  failAt: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, fc.integer({ min: 0, max: 11 })),
});

function sentBy(records: readonly Held[], envelope: boolean): readonly unknown[] {
  const items = records.flatMap((record) => sentAs(record));
  return envelope ? [{ items }] : items;
}

function sentAs({ id, form }: Held): readonly unknown[] {
  const { id: _, ...keyless } = item(id);
  switch (form) {
    case "valid":
      return [item(id)];
    case "changed":
      return [item(id, { name: "new" })];
    case "invalid":
      return [item(id, { name: "x".repeat(21) })];
    case "twice":
      return [item(id), item(id, { name: "again" })];
    case "no key":
      return [keyless];
    case "null key":
      return [{ ...keyless, id: null }];
    case "key as text":
      return [{ ...keyless, id: String(id) }];
    case "key of another":
      return [{ ...keyless, id: String((id + 1) % 12) }];
    default:
      return form satisfies never;
  }
}
