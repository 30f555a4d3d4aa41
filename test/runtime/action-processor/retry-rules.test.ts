import { expect } from "chai";
import fc from "fast-check";
import { failureKind, isLastAttempt, waitMs } from "../../../runtime/action-processor/retry-rules.js";
import { ConnectionFailure, RequestRefused, ResponseError } from "../../../runtime/client/errors.js";
import { orThrow } from "../../../runtime/client/http/api-response.js";
import { TimeoutError } from "../../../runtime/host/bounded.js";
import { RecordError } from "../../../runtime/records/record-error.js";
import { runs } from "../../support/repository.js";

describe("a failure of a handler", () => {
  const CASES: readonly (readonly [what: string, error: unknown, kind: string])[] = [
    [
      "no answer",
      new ConnectionFailure({ request: "GET x", code: "ECONNRESET", reason: "reset" }),
      "transient",
    ],
    ["a time-out", new TimeoutError("late"), "transient"],
    ["408", new ResponseError("x", 408), "transient"],
    ["429", new ResponseError("x", 429), "transient"],
    ["500", new ResponseError("x", 500), "transient"],
    ["503", new ResponseError("x", 503), "transient"],
    ["400", new ResponseError("x", 400), "final"],
    ["401", new ResponseError("x", 401), "final"],
    ["an answer that can't be read", new ResponseError("x", 200), "unsure"],
    ["a call that may not be made", new RequestRefused("x"), "final"],
    ["a record that does not fit", new RecordError("Item", []), "final"],
    ["a slip of the pen", new TypeError("x is undefined"), "final"],
    ["fetch without network", new TypeError("fetch failed", { cause: systemError() }), "transient"],
    ["any other error", new Error("something"), "unsure"],
    ["what is no error", "something", "unsure"],
    ["nothing", undefined, "unsure"],
  ];
  for (const [what, error, kind] of CASES) {
    it(`is ${kind} where it is ${what}`, () => expect(failureKind(error)).to.equal(kind));
  }

  it("ends at the limit of its kind", () => {
    const settings = { maxAttempts: 5, maxUnsureAttempts: 3 };
    expect([1, 4, 5].map((tries) => isLastAttempt(tries, "transient", settings))).to.deep.equal([
      false,
      false,
      true,
    ]);
    expect([2, 3].map((tries) => isLastAttempt(tries, "unsure", settings))).to.deep.equal([false, true]);
    expect(isLastAttempt(1, "final", settings)).to.equal(true);
    expect(isLastAttempt(1, "unsure", { maxAttempts: 1 })).to.equal(true);
  });

  it("is waited after twice as long each time, never less than half of it, never more than the limit", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempts, firstWaitMs, longestWaitMs, chance) => {
          const wait = waitMs(attempts, undefined, { firstWaitMs, longestWaitMs, random: () => chance });
          const whole = Math.min(firstWaitMs * 2 ** (attempts - 1), longestWaitMs);
          expect(wait)
            .to.be.at.least(whole / 2)
            .and.at.most(whole);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it("is waited after as long as the target system asks", () => {
    const response = { isSuccessful: false, result: null, errorMessage: "x", errorBody: null };
    try {
      orThrow({ ...response, statusCode: 429, headers: { "retry-after": "120" } });
      expect.fail("it did not throw");
    } catch (error) {
      expect(waitMs(1, error, { random: () => 0 })).to.equal(120_000);
    }
  });
});

function systemError(): Error {
  return Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
}
