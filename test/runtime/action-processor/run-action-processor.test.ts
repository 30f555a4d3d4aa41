import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { recordHasher } from "../../../runtime/cache-writer/canonical-hash.js";
import { ResponseError } from "../../../runtime/client/index.js";
import type { ActionContext } from "../../../runtime/codegen/index.js";
import { failed, succeeded } from "../../../runtime/entries/runtime.js";
import { createLog } from "../../../runtime/host/index.js";
import { openSqliteStore } from "../../../runtime/store/sqlite/open-store.js";
import { queueAction, run, runUntilClosed, storedAction } from "../../support/action-processor.js";
import { endOf, type ItemCache, item, openItemCache, PATH } from "../../support/item-cache.js";
import { all, failure } from "../../support/promises.js";
import { objectSchema, recordClass } from "../../support/registration.js";

const CANARY = "canary-5ecret";

describe("the action processor", () => {
  let synced: ItemCache;
  beforeEach(async () => {
    synced = await openItemCache();
  });
  afterEach(() => synced.remove());

  const upsert = (id: number, more = {}) =>
    ({ dataObject: "Item", operation: "upsert", record: item(id, more) }) as const;
  const get = (id: number) => storedAction(synced.store, id);

  it("keeps the outcome of a handler with its changes, hashed as the cache writer hashes", async () => {
    await synced.full([item(1), item(2)]);
    const { id } = await queueAction(synced.store);
    const remove = { dataObject: "Item", operation: "delete", record: { company: "a", id: 2 } } as const;
    const result = await run(synced.store, async () => succeeded({ id: 3 }, [upsert(3), remove]));
    expect(result.attempts).to.deep.include({
      ...{ id, object: PATH, action: "create", attempts: 1, outcome: "succeeded" },
      ...{ dueAt: null, message: null, changes: 2, deletes: 1, result: { id: 3 } },
    });
    expect(await get(id)).to.deep.include({ state: "succeeded", result: { id: 3 } });
    expect(Object.keys(await synced.contents())).to.deep.equal(["id/a/1", "id/a/3"]);
    const stored = await synced.store.records.get(PATH, "id/a/3");
    expect(stored?.hash).to.equal(recordHasher()(item(3)));
    expect(endOf(await synced.full([item(1), item(3)]))).to.deep.equal({
      outcome: "succeeded",
      unchanged: 2,
    });
    expect((await synced.store.records.find(PATH, "number/n3")).map(({ key }) => key)).to.deep.equal([
      "id/a/3",
    ]);
  });

  it("leaves volatile members out of the hash as the cache writer does, so that the next read changes nothing", async () => {
    const volatile = ["seen_at"];
    await queueAction(synced.store);
    await run(synced.store, async () => succeeded({ id: 3 }, [upsert(3, { seen_at: 1 })]), {
      volatile: { [PATH]: volatile },
    });
    const stored = await synced.store.records.get(PATH, "id/a/3");
    expect(stored?.hash).to.equal(recordHasher({ volatile })(item(3)));
    expect(endOf(await synced.full([item(3, { seen_at: 2 })], { volatile }))).to.deep.equal({
      outcome: "succeeded",
      unchanged: 1,
    });
  });

  it("tells a handler that it is stopped where the stop came while its action was taken", async () => {
    const { id } = await queueAction(synced.store);
    const controller = new AbortController();
    const { source } = synced.store;
    const take = source.take.bind(source);
    source.take = async (options) => {
      const taken = await take(options);
      controller.abort();
      return taken;
    };
    const handler = async (_: unknown, { signal }: ActionContext) => {
      if (!signal.aborted) await once(signal, "abort");
      throw signal.reason;
    };
    const result = await run(synced.store, handler, { signal: controller.signal, timeoutMs: 1_000 });
    expect(result.attempts.map(({ outcome }) => outcome)).to.deep.equal(["stopped"]);
    expect(await get(id)).to.include({ state: "queued" });
  });

  it("holds an action no longer than its handler works, and leaves no timer behind", async () => {
    await queueAction(synced.store);
    const { source } = synced.store;
    const extend = source.extendLease.bind(source);
    let extensions = 0;
    source.extendLease = (attempt, leaseMs) => {
      extensions++;
      return extend(attempt, leaseMs);
    };
    const handler = async () => {
      while (extensions === 0) await sleep(1);
      return succeeded({ id: 3 });
    };
    const result = await run(synced.store, handler, { leaseMs: 30 });
    expect(result).to.include({ succeeded: 1 });
    const before = extensions;
    await sleep(60);
    expect(extensions).to.equal(before);
  });

  it("keeps the failure that a handler gives", async () => {
    const { id } = await queueAction(synced.store);
    expect(await run(synced.store, async () => failed({ code: "taken" }))).to.include({ failed: 1 });
    expect(await get(id)).to.deep.include({ state: "failed", result: { code: "taken" } });
  });

  const WRONG = [
    ["an output", "output-invalid", async () => succeeded({ id: "x", token: CANARY }, [upsert(3)])],
    ["a failure", "failure-invalid", async () => failed({ code: 1 })],
    ["no outcome", "outcome-invalid", async () => undefined],
    ["a change", "changes-invalid", async () => succeeded({ id: 1 }, [upsert(1), upsert(2, { name: 7 })])],
    [
      "a change of an object elsewhere",
      "changes-invalid",
      async () => succeeded({ id: 1 }, [{ ...upsert(1), dataObject: "Other" }]),
    ],
  ] as const;
  for (const [what, code, handler] of WRONG) {
    it(`puts ${what} that does not fit aside as a dead letter, and changes nothing`, async () => {
      const { id } = await queueAction(synced.store);
      const result = await run(synced.store, handler as never);
      expect(result).to.include({ dead: 1 });
      expect(await get(id)).to.deep.nested.include({ state: "dead", "result.code": code });
      expect(JSON.stringify(result)).to.not.include(CANARY);
      expect(await synced.contents()).to.deep.equal({});
      expect(await synced.store.source.requeue(id)).to.equal(true);
    });
  }

  it("keeps what a handler returned with its dead letter: what it did may be known from nothing else", async () => {
    const wrong = await queueAction(synced.store);
    await run(synced.store, (async () => succeeded({ id: "created-7" }, [upsert(3)])) as never);
    expect(await get(wrong.id)).to.deep.nested.include({
      "result.returned": { outcome: "succeeded", output: { id: "created-7" }, changes: [upsert(3)] },
    });
    const failure = await queueAction(synced.store);
    const result = await run(synced.store, (async () => failed({ reason: "taken" })) as never);
    expect(await get(failure.id)).to.deep.nested.include({
      "result.returned": { outcome: "failed", failure: { reason: "taken" } },
    });
    expect(result.attempts[0]?.message).to.match(/^the failure/);
  });

  it("tells the output or the failure, sensitive values hidden, and how many records it deleted", async () => {
    await synced.full([item(1), item(2)]);
    await queueAction(synced.store);
    const remove = { dataObject: "Item", operation: "delete", record: { company: "a", id: 2 } } as const;
    const done = await run(synced.store, async () =>
      succeeded({ id: 3, token: "t0k3n" }, [upsert(3), remove]),
    );
    expect(done.attempts[0]).to.deep.include({
      changes: 2,
      deletes: 1,
      result: { id: 3, token: "--hidden value--" },
    });
    await queueAction(synced.store);
    const refused = await run(synced.store, async () => failed({ code: "taken" }));
    expect(refused.attempts[0]).to.deep.include({ deletes: 0, result: { code: "taken" } });
  });

  it("keeps an action whose credentials are refused, without counting the attempt, but not for ever", async () => {
    const { id } = await queueAction(synced.store);
    let hasNewPassword = false;
    let calls = 0;
    const handler = async () => {
      calls++;
      if (!hasNewPassword) throw new ResponseError("POST items answered 401.", 401);
      return succeeded({ id: 1 });
    };
    for (let round = 0; round < 15; round++) {
      const { attempts } = await run(synced.store, handler, { id });
      if (attempts.length > 0) expect(attempts[0]).to.include({ outcome: "retry", attempts: 1 });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(calls).to.be.greaterThan(10);
    expect(await get(id)).to.include({ state: "queued", attempts: 0 });
    hasNewPassword = true;
    expect(await run(synced.store, handler, { id })).to.include({ succeeded: 1 });
    await queueAction(synced.store);
    hasNewPassword = false;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await run(synced.store, handler, { cancelAfterMs: 10, pollMs: undefined })).to.include({
      retry: 0,
      succeeded: 0,
    });
  });

  it("puts an answer that throws when it is read aside as a dead letter, without its secrets", async () => {
    const { id } = await queueAction(synced.store, { name: "x", password: CANARY });
    await queueAction(synced.store);
    let calls = 0;
    const result = await run(synced.store, async () => {
      if (++calls > 1) return succeeded({ id: 1 });
      const output = {
        toJSON() {
          throw new Error(`no JSON of ${CANARY}`);
        },
      };
      return succeeded(output);
    });
    expect(result).to.include({ dead: 1, succeeded: 1 });
    const kept = await get(id);
    expect(kept).to.deep.nested.include({ state: "dead" });
    expect(JSON.stringify([kept.result, result])).to.not.include(CANARY);
  });

  it("tries a transient failure again until it passes", async () => {
    const { id } = await queueAction(synced.store);
    let calls = 0;
    const attempts = await runUntilClosed(synced.store, async () => {
      if (++calls < 4) throw new ResponseError("POST items answered 503.", 503);
      return succeeded({ id: 1 });
    });
    expect(attempts.map(({ outcome }) => outcome)).to.deep.equal(["retry", "retry", "retry", "succeeded"]);
    expect(await get(id)).to.include({ state: "succeeded", attempts: 4 });
  });

  it("gives a transient failure up at the limit, and says why", async () => {
    const { id } = await queueAction(synced.store);
    const retry = { firstDelayMs: 1, maxAttempts: 3 };
    const handler = async () => {
      throw new ResponseError("POST items answered 503.", 503);
    };
    expect(await runUntilClosed(synced.store, handler, { retry })).to.have.length(3);
    expect(await get(id)).to.deep.include({
      state: "dead",
      result: { code: "ResponseError", errors: [{ text: "POST items answered 503." }] },
    });
  });

  it("holds an action to its own policy, and takes what that leaves out from the policy of all", async () => {
    const handler = async () => {
      throw new ResponseError("POST items answered 503.", 503);
    };
    const retry = { firstDelayMs: 1, maxAttempts: 3 };
    const own = { [`${PATH}/create`]: { retry: { maxAttempts: 2 } } };
    for (const [actions, attempts] of [
      [own, 2],
      [{ [`${PATH}/update`]: { retry: { maxAttempts: 2 } } }, 3],
    ] as const) {
      const { id } = await queueAction(synced.store);
      expect(await runUntilClosed(synced.store, handler, { retry, actions })).to.have.length(attempts);
      expect(await get(id)).to.include({ state: "dead" });
    }
    await queueAction(synced.store);
    const never: Parameters<typeof run>[1] = () => new Promise(() => {});
    const result = await run(synced.store, never, {
      ...{ graceMs: 1, retry: { firstDelayMs: 60_000 } },
      actions: { [`${PATH}/create`]: { timeoutMs: 1 } },
    });
    expect(result.attempts[0]?.message).to.include("more than 1 ms");
  });

  it("gives up at once where trying again would end the same", async () => {
    await queueAction(synced.store);
    const attempts = await runUntilClosed(synced.store, async () => {
      throw new ResponseError("POST items answered 422.", 422);
    });
    expect(attempts.map(({ outcome }) => outcome)).to.deep.equal(["dead"]);
  });

  it("holds an action back for as long as the target system asks", async () => {
    const { id } = await queueAction(synced.store);
    await run(synced.store, async () => {
      throw new ResponseError("wait", 429, { retryAfterMs: 90_000 });
    });
    const due = Date.parse((await get(id))?.dueAt ?? "") - Date.now();
    expect(due).to.be.within(80_000, 100_000);
  });

  it("hides the secrets of its input in the log while the handler runs, however it says them", async () => {
    await queueAction(synced.store, { name: "x", password: CANARY });
    const lines: string[] = [];
    const log = createLog({ level: "debug", destination: { write: (line) => lines.push(line) } });
    await run(
      synced.store,
      async (input, context) => {
        const { password } = input as { readonly password: string };
        context.log.info(`for ${password}`, { of: password, list: [`${password}!`] });
        context.log.error(Buffer.from(password).toString("base64"));
        return succeeded({ id: 1 });
      },
      { log },
    );
    expect(lines).to.have.length(2);
    expect(lines[0]).to.include('"msg":"for --hidden value--"').and.to.include('"of":"--hidden value--"');
    expect(lines[1]).to.include('"msg":"--hidden value--"');
  });

  it("puts no secret of input, connection and log into findings, failures and messages that it keeps", async () => {
    const schema = objectSchema({
      apiKey: { type: "string", writeOnly: true },
      pin: { type: "integer", writeOnly: true },
    });
    const connection = recordClass("Key", schema).from({ apiKey: "t0ken-of-all", pin: 471_100 });
    const log = createLog({ destination: { write: () => true } });
    log.hide(["rotated-t0ken"]);
    const said = `${"x".repeat(80)} ${CANARY} t0ken-of-all 471100 rotated-t0ken`;
    const handlers = [
      async () => succeeded({ id: said }),
      async () => succeeded({ id: 1, token: 5, Token: said }),
      async () => succeeded({ id: 1 }, [upsert(1, { name: said, unit: said })]),
      async () => failed({ code: said, more: { password: CANARY, texts: [said] } }),
      async () => failed({ code: 471_100 }),
      async () => {
        throw new TypeError(said);
      },
      async () => {
        throw new Error(`{"pass_word":"${"y".repeat(9)}","pasword":"${"y".repeat(9)}"}`);
      },
    ];
    for (const handler of handlers) {
      const { id } = await queueAction(synced.store, { name: "x", password: CANARY });
      const result = await run(synced.store, handler as never, { connection, log });
      const kept = JSON.parse((await synced.store.ledger.get(id))?.resultJson ?? "null");
      // What was returned is kept for whoever may see it.
      const { returned: _, ...words } = kept as { readonly returned?: unknown };
      for (const form of ["canary", "t0ken", "471100", "yyyy"]) {
        expect(JSON.stringify([words, result.attempts])).to.not.include(form);
      }
      expect(JSON.stringify(words)).to.include("--hidden value--");
      await synced.store.source.cancel(id);
    }
  });

  it("puts no secret of the input or the connection into what it keeps and tells of an error", async () => {
    const { id } = await queueAction(synced.store, { name: "x", password: CANARY });
    const result = await run(synced.store, async () => {
      throw new Error(`POST failed for {"password":"${CANARY}"} ${Buffer.from(CANARY).toString("base64")}`);
    });
    const kept = (await get(id))?.result;
    expect(JSON.stringify([result, kept]))
      .to.include("POST failed")
      .and.to.not.include(CANARY);
    expect(JSON.stringify([result, kept])).to.not.include(Buffer.from(CANARY).toString("base64"));
  });

  it("gives a handler its input as an instance, and does not perform one that fits no more", async () => {
    const { id } = await queueAction(synced.store);
    await run(synced.store, async (input) => {
      expect(Reflect.get(input as object, "name")).to.equal("x");
      expect(`${input}`).to.include("CreateItemInput");
      return succeeded({ id: 1 });
    });
    expect(await get(id)).to.include({ state: "succeeded" });
    const other = await synced.store.ledger.add({
      ...{ object: PATH, action: "create", inputJson: '{"name":7}' },
    });
    let calls = 0;
    expect(await run(synced.store, async () => succeeded({ id: ++calls }))).to.include({ dead: 1 });
    expect(calls).to.equal(0);
    expect(await get(other.id)).to.deep.nested.include({ "result.code": "RecordError" });
  });

  it("tells an attempt how far the one before it had come, under the same key", async () => {
    await queueAction(synced.store);
    const seen: unknown[] = [];
    await runUntilClosed(synced.store, async (_, { idempotency }) => {
      seen.push([idempotency.key, idempotency.previous]);
      if (seen.length === 1) {
        await idempotency.note("intent");
        await idempotency.note("sent", "number 7");
        throw new ResponseError("lost", 503);
      }
      return succeeded({ id: 7 });
    });
    const [[key, first], [again, second]] = seen as [[string, unknown], [string, unknown]];
    expect(key).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([first, again, second]).to.deep.equal([null, key, { stage: "sent", detail: "number 7" }]);
    await queueAction(synced.store);
    await run(synced.store, async (_, { idempotency }) => {
      expect(idempotency.key).to.not.equal(key);
      return succeeded({ id: 8 });
    });
  });

  it("gives actions of two tenants different keys, though all else is the same", async () => {
    const other = await openSqliteStore({ file: join(synced.folder, "acme.db"), tenant: "acme" });
    const now = Date.now();
    const realNow = Date.now;
    const keys: string[] = [];
    try {
      Date.now = () => now;
      for (const store of [synced.store, other]) {
        await queueAction(store);
        await run(store, async (_, { idempotency }) => {
          keys.push(idempotency.key);
          return succeeded({ id: 1 });
        });
      }
    } finally {
      Date.now = realNow;
      await other.close();
    }
    expect([keys.length, new Set(keys).size]).to.deep.equal([2, 2]);
  });

  it("keeps an action for as long as its handler takes", async () => {
    await queueAction(synced.store);
    let calls = 0;
    const slow = async () => {
      calls++;
      await sleep(300);
      return succeeded({ id: 1 });
    };
    const first = run(synced.store, slow, { leaseMs: 90 });
    await sleep(200);
    expect(await run(synced.store, slow)).to.include({ succeeded: 0 });
    expect(await first).to.include({ succeeded: 1 });
    expect(calls).to.equal(1);
  });

  it("writes nothing for a worker whose action another one has taken", async () => {
    await queueAction(synced.store);
    const blockThread = async (_: unknown, { idempotency }: ActionContext) => {
      // Nothing renews while a handler computes.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
      expect(await run(synced.store, async () => succeeded({ id: 2 }, [upsert(2)]))).to.include({
        succeeded: 1,
      });
      expect(await failure(idempotency.note("sent"))).to.include({ problem: "superseded" });
      return succeeded({ id: 1 }, [upsert(1)]);
    };
    expect(await run(synced.store, blockThread, { leaseMs: 20 })).to.include({ lost: 1 });
    expect(Object.keys(await synced.contents())).to.deep.equal(["id/a/2"]);
  });

  it("counts a handler without end as a time-out, and tells it to stop", async () => {
    const { id } = await queueAction(synced.store);
    let told = false;
    const result = await run(
      synced.store,
      (_, { signal }) =>
        new Promise(() => {
          signal.addEventListener("abort", () => {
            told = true;
          });
        }),
      { timeoutMs: 20, graceMs: 10, retry: { firstDelayMs: 60_000 } },
    );
    expect(result).to.include({ retry: 1 });
    expect([told, (await get(id))?.state]).to.deep.equal([true, "queued"]);
  });

  it("gives an action back untried when it is stopped, and takes no more", async () => {
    const { id } = await queueAction(synced.store);
    await queueAction(synced.store);
    const controller = new AbortController();
    const result = await run(
      synced.store,
      async (_, { signal }) => {
        setTimeout(() => controller.abort(), 10);
        await sleep(60_000, undefined, { signal });
        return succeeded({ id: 1 });
      },
      { signal: controller.signal, pollMs: 5 },
    );
    expect(result).to.include({ stopped: 1, succeeded: 0 });
    expect(await get(id)).to.include({ state: "queued", attempts: 0 });
  });

  it("closes what a handler has finished although it was stopped", async () => {
    await queueAction(synced.store);
    const controller = new AbortController();
    const handler = async () => {
      controller.abort();
      await sleep(5);
      return succeeded({ id: 1 });
    };
    expect(await run(synced.store, handler, { signal: controller.signal })).to.include({ succeeded: 1 });
  });

  it("leaves an action to its lease where its handler does not stop", async () => {
    const { id } = await queueAction(synced.store);
    const controller = new AbortController();
    const handler = () => {
      controller.abort();
      return new Promise<never>(() => {});
    };
    const options = { signal: controller.signal, graceMs: 5 };
    expect(await run(synced.store, handler, options)).to.include({ stopped: 1 });
    expect(await get(id)).to.include({ state: "taken" });
  });

  it("gives up an action that costs its worker's life each time", async () => {
    const { id } = await queueAction(synced.store);
    const actions = [{ object: PATH, action: "create" }];
    for (let kill = 0; kill < 2; kill++) await synced.store.source.take({ leaseMs: -1, actions });
    const result = await run(synced.store, async () => succeeded({ id: 1 }), { retry: { maxAttempts: 2 } });
    expect(result).to.include({ dead: 1 });
    expect(await get(id)).to.deep.nested.include({ "result.code": "worker-lost" });
  });

  it("cancels what has waited too long, and says how many", async () => {
    await queueAction(synced.store);
    await sleep(20);
    const handler = async () => succeeded({ id: 1 });
    expect(await run(synced.store, handler, { cancelAfterMs: 10 })).to.include({
      cancelled: 1,
      succeeded: 0,
    });
    expect((await all(synced.store.ledger.list())).map(({ state }) => state)).to.deep.equal(["cancelled"]);
  });

  it("performs one action only where it is asked to", async () => {
    const [, second] = [
      await queueAction(synced.store),
      await queueAction(synced.store),
      await queueAction(synced.store),
    ];
    const result = await run(synced.store, async () => succeeded({ id: 1 }), { id: second.id });
    expect(result.attempts.map(({ id }) => id)).to.deep.equal([second.id]);
  });

  it("takes actions that come while it watches", async () => {
    const controller = new AbortController();
    let performed = 0;
    const watching = run(synced.store, async () => succeeded({ id: ++performed }), {
      signal: controller.signal,
      pollMs: 5,
    });
    for (let count = 1; count <= 3; count++) {
      await queueAction(synced.store);
      while (performed < count) await sleep(2);
    }
    controller.abort();
    expect(await watching).to.include({ succeeded: 3 });
  });
});
