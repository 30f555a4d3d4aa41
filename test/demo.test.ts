import { spawnSync } from "node:child_process";
import { expect } from "chai";
import { inRepository } from "./support/repository.js";

describe("npm run demo", () => {
  it("shows the round trip, byte for byte, and a mistake with its fix", () => {
    const { status, stdout } = spawnSync(process.execPath, [inRepository("examples/demo.mjs")], {
      encoding: "utf8",
    });
    expect(status, stdout).to.equal(0);
    expect(stdout)
      .to.include("same, byte for byte")
      .and.to.include("key-property-optional")
      .and.to.include("sensitive-not-write-only");
  });
});
