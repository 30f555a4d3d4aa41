import { readFileSync } from "node:fs";
import { expect } from "chai";
import { diagnosticsPage } from "../generators/docs-pages.js";
import { CATALOGUE } from "../scripts/project-checks/catalogue.js";
import { run } from "./support/processes.js";
import { inRepository } from "./support/repository.js";

describe("docs/diagnostics.md", () => {
  const page = readFileSync(inRepository("docs/diagnostics.md"), "utf8");

  it("is what the catalogue gives; if not, run: npm run docs", () => {
    expect(page).to.equal(diagnosticsPage(CATALOGUE).content);
  });

  it("is left as it is by npm run docs where it is right", async () => {
    const root = inRepository(".");
    const { status, stderr } = await run(root, process.execPath, [
      inRepository("dist/scripts/write-docs.js"),
    ]);
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: "" });
    expect(readFileSync(inRepository("docs/diagnostics.md"), "utf8")).to.equal(page);
  });

  it("lists every code of the catalogue, and none that is not in it", () => {
    const listed = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code);
    expect(listed.sort()).to.deep.equal(Object.keys(CATALOGUE).sort());
  });
});
