import { expect } from "chai";
import { slowPart } from "../../schemas/checks/patterns/slow-patterns.js";

describe("the look for slow patterns", () => {
  const slow = "^(a+)+$";

  it("tells what is slow, and how", () => {
    expect(slowPart(slow)).to.include({ isExponential: true });
    expect(slowPart("^[a-z]+$")).to.equal(undefined);
    expect(slowPart("^a{2}$")).to.equal(undefined);
    // Asked again, it remembers.
    expect(slowPart(slow)).to.equal(slowPart(slow));
  });

  it("ends at patterns of 1,000 characters and groups ten deep, both included", () => {
    const long = (length: number) => `^(a+)+${"b".repeat(length - slow.length)}$`;
    expect(slowPart(long(1_000))).to.include({ isExponential: true });
    expect(slowPart(long(1_001))).to.equal(undefined);
    const deep = (depth: number) => `^${"(".repeat(depth)}a+${")".repeat(depth)}+$`;
    expect(slowPart(deep(10))).to.include({ isExponential: true });
    expect(slowPart(deep(11))).to.equal(undefined);
  });
});
