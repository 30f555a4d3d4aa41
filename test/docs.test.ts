import { readFileSync } from "node:fs";
import { expect } from "chai";
import { diagnosticsPage } from "../generators/docs-pages.js";
import { CATALOGUE } from "../scripts/project-checks/catalogue.js";
import { inRepository } from "./support/repository.js";

describe("docs/diagnostics.md", () => {
  const page = readFileSync(inRepository("docs/diagnostics.md"), "utf8");

  it("is what the catalogue gives; if not, run: npm run docs", () => {
    expect(page).to.equal(diagnosticsPage(CATALOGUE).content);
  });

  it("lists every code of the catalogue, and none that is not in it", () => {
    const listed = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code);
    expect(listed.sort()).to.deep.equal(Object.keys(CATALOGUE).sort());
  });
});
