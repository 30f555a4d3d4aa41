import { expect } from "chai";
import { failureKind } from "../../../runtime/action-processor/retry-rules.js";
import { type ApiResponse, orRetry, ResponseError } from "../../../runtime/client/index.js";

const answered = (statusCode: number, headers = {}): ApiResponse => ({
  ...{ isSuccessful: statusCode < 300, result: null, errorMessage: null, errorBody: null },
  ...{ statusCode, headers },
});

/** What orRetry throws for an answer of this status. */
function thrownFor(response: ApiResponse): unknown {
  try {
    expect(orRetry(response)).to.equal(response);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("orRetry", () => {
  it("throws for the very statuses that an action is tried again after", () => {
    for (let status = 100; status < 600; status++) {
      const isTransient = failureKind(new ResponseError("x", status)) === "transient";
      expect(thrownFor(answered(status)) instanceof ResponseError, String(status)).to.equal(isTransient);
    }
  });

  it("keeps how long the target system wants to be left alone", () => {
    expect(thrownFor(answered(429, { "retry-after": "7" }))).to.include({ retryAfterMs: 7_000 });
  });
});
