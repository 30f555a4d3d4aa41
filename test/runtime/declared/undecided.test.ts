import { expect } from "chai";
import { UndecidedError, undecided } from "../../../runtime/entries/runtime.js";

describe("an undecided reader", () => {
  it("ends with its question when it is read, and not before", async () => {
    const read = undecided("How does GET /notes come in pages?");
    const records = read({});
    const error = await records[Symbol.asyncIterator]()
      .next()
      .catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(UndecidedError);
    expect(error).to.include({
      message: "Nobody has decided how this is read: How does GET /notes come in pages?",
      retry: "never",
    });
  });
});
