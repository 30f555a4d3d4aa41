import { expect } from "chai";
import fc from "fast-check";
import { delayMs, isLastAttempt } from "../../../runtime/action-processor/retry-rules.js";
import { resultOrThrow } from "../../../runtime/client/index.js";
import { runs } from "../../support/repository.js";

describe("an action whose handler throws", () => {
  it("is given up at the limit for its error", () => {
    const settings = { maxAttempts: 5, maxUnknownAttempts: 3 };
    expect([1, 4, 5].map((attempts) => isLastAttempt(attempts, "later", settings))).to.deep.equal([
      false,
      false,
      true,
    ]);
    expect([2, 3].map((attempts) => isLastAttempt(attempts, undefined, settings))).to.deep.equal([
      false,
      true,
    ]);
    expect(isLastAttempt(1, "never", settings)).to.equal(true);
    expect(isLastAttempt(1, undefined, { maxAttempts: 1 })).to.equal(true);
  });

  it("is tried again after twice as long each time, never less than half of it, never more than the limit", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempts, firstDelayMs, maxDelayMs, chance) => {
          const wait = delayMs(attempts, undefined, { firstDelayMs, maxDelayMs, random: () => chance });
          const whole = Math.min(firstDelayMs * 2 ** (attempts - 1), maxDelayMs);
          expect(wait)
            .to.be.at.least(whole / 2)
            .and.at.most(whole);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it("is tried again after as long as the target system asks", () => {
    const response = { isSuccessful: false, result: null, errorMessage: "x", errorBody: null };
    try {
      resultOrThrow({ ...response, statusCode: 429, headers: { "retry-after": "120" } });
      expect.fail("it did not throw");
    } catch (error) {
      expect(delayMs(1, error, { random: () => 0 })).to.equal(120_000);
    }
  });
});
