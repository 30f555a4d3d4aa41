import { readFileSync } from "node:fs";
import { expect } from "chai";
import { blocksOf, follow, onFreePort } from "./support/documentation.js";
import { closeServers } from "./support/loopback.js";
import { inRepository, SLOW_TEST_MS } from "./support/repository.js";

describe("docs/from-openapi.md", function () {
  this.timeout(2 * SLOW_TEST_MS);

  before(function () {
    // Its commands are written for a shell.
    if (process.platform === "win32") this.skip();
  });
  after(closeServers);

  it("is followed from the document to its later version: every command, file and output is as it says", async () => {
    const blocks = blocksOf(readFileSync(inRepository("docs/from-openapi.md"), "utf8"));
    expect(blocks.filter(({ language }) => language === "text")).to.have.length.above(7);
    const { printed } = await follow(await onFreePort(blocks, "41081"));
    expect(printed).to.include("create succeeded").and.to.include("against the connector before: minor");
  });
});
