import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { ResponseError } from "../../../runtime/client/index.js";
import { failed, succeeded } from "../../../runtime/entries/runtime.js";
import { type TriedAction, type TryActionOptions, tryAction } from "../../../runtime/host/index.js";
import { type Handler, moduleOf } from "../../support/action-processor.js";
import { item, PATH, SILENT } from "../../support/item-cache.js";
import { failure } from "../../support/promises.js";

/** One trial of a handler whose switch is off. */
function tried(
  handler: Handler,
  input: unknown = { name: "x" },
  options: Partial<TryActionOptions> = {},
): Promise<TriedAction> {
  const address = { object: PATH, action: "create", input };
  return tryAction([moduleOf(handler, false)], address, {
    client: undefined,
    connection: {},
    log: SILENT,
    signal: new AbortController().signal,
    ...options,
  });
}

const PASSWORD = "canary-5ecret";

describe("an action that is tried", () => {
  it("gives its output and what the cache would take over", async () => {
    const { error, ...result } = await tried(async () =>
      succeeded({ id: 3, token: "t" }, [
        { dataObject: "Item", operation: "upsert", record: item(3) },
        { dataObject: "Item", operation: "delete", record: { company: "a", id: 2 } },
      ]),
    );
    expect(error).to.equal(undefined);
    expect(result).to.deep.equal({
      ...{ object: PATH, action: "create", outcome: "succeeded", findings: [], message: null },
      result: { id: 3, token: "--hidden value--" },
      changes: [
        { object: PATH, operation: "upsert", key: "id/a/3", record: item(3) },
        { object: PATH, operation: "delete", key: "id/a/2", record: null },
      ],
    });
  });

  it("gives its failure without the secrets of its input", async () => {
    const result = await tried(async () => failed({ code: `no ${PASSWORD}` }), {
      name: "x",
      password: PASSWORD,
    });
    expect(result).to.deep.include({ outcome: "failed", result: { code: "no --hidden value--" } });
  });

  it("is not called with an input that does not fit, or is too long", async () => {
    const never: Handler = async () => {
      throw new Error("it was called");
    };
    const misfit = await tried(never, { name: 7 });
    expect([misfit.outcome, misfit.findings.map(({ instancePath }) => instancePath)]).to.deep.equal([
      "refused",
      ["/name"],
    ]);
    const long = await tried(never, { name: "x" }, { maxInputBytes: 5 });
    expect([long.outcome, long.findings[0]?.message]).to.deep.equal([
      "refused",
      "the input: expected at most 5 bytes, found 12 bytes",
    ]);
  });

  it("says what the action processor would do with what its handler throws or returns", async () => {
    const outcomes = await Promise.all([
      tried(async () => {
        throw new ResponseError("busy", 503);
      }),
      tried(async () => {
        throw new ResponseError("wrong", 400);
      }),
      tried(async () => succeeded({ id: "three" })),
      tried(async () => succeeded({ id: 3 }, [{ dataObject: "Other", operation: "upsert", record: {} }])),
    ]);
    expect(outcomes.map(({ outcome, message }) => [outcome, message])).to.deep.equal([
      ["retry", "busy"],
      ["dead", "wrong"],
      ["dead", 'the output at /id: expected integer, found "three"'],
      ["dead", "changes/0/dataObject: expected a data object of the module (Item)"],
    ]);
    expect(outcomes[0]?.error).to.be.instanceOf(ResponseError);
  });

  it("ends when it is stopped, and when it takes too long", async () => {
    const waits: Handler = async (_, { signal }) => sleep(10_000, undefined, { signal }) as never;
    const aborted = await tried(waits, { name: "x" }, { signal: AbortSignal.abort() });
    expect(aborted.outcome).to.equal("stopped");
    const late = await tried(waits, { name: "x" }, { timeoutMs: 5 });
    expect([late.outcome, late.message]).to.deep.equal(["retry", "The handler took more than 5 ms"]);
  });

  it("has an idempotency key of its own, nothing before it, and notes that go nowhere", async () => {
    const keys = new Set<string>();
    const handler: Handler = async (_, { idempotency }) => {
      keys.add(idempotency.key);
      expect(idempotency.previous).to.equal(null);
      await idempotency.note("sent", "detail");
      return succeeded({ id: 1 });
    };
    for (let attempt = 0; attempt < 2; attempt++) {
      expect((await tried(handler)).outcome).to.equal("succeeded");
      await sleep(2);
    }
    expect(keys.size).to.equal(2);
  });

  it("has to be one of the connector", async () => {
    const address = { object: PATH, action: "remove", input: {} };
    const options = { client: undefined, connection: {}, log: SILENT, signal: AbortSignal.abort() };
    const error = await failure(tryAction([moduleOf(async () => failed({}))], address, options));
    expect(error).to.be.instanceOf(RangeError);
    expect(String(error)).to.include(`${PATH} has no action remove`);
  });
});
