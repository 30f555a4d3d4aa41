import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { inRepository } from "./support/repository.js";

const TEXTS = /\.(?:ts|mjs|md|hbs)$/;

describe("docs/interface.md", () => {
  const page = readFileSync(inRepository("docs/interface.md"), "utf8");
  const anchors = new Set([...page.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, anchor]) => anchor));

  it("has an anchor for every section that a text of the repository names", () => {
    const lost = textFiles().flatMap((file) =>
      [...readFileSync(inRepository(file), "utf8").matchAll(/§(\d+(?:\.\d+)?)/g)]
        .filter(([, section]) => !anchors.has(`s${section?.replace(".", "-")}`))
        .map(([name]) => `${file} names ${name}`),
    );
    expect(lost).to.deep.equal([]);
  });

  it("has a heading under every anchor, and links only to anchors that it has", () => {
    const headings = [...page.matchAll(/<a id="s([\d-]+)"><\/a>\n#{2,3} §([\d.]+) /g)];
    expect(headings.map(([, anchor]) => anchor?.replace("-", "."))).to.deep.equal(
      headings.map(([, , section]) => section),
    );
    expect(headings).to.have.length(anchors.size);
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(links.filter((anchor) => !anchors.has(anchor ?? ""))).to.deep.equal([]);
  });
});

/** Sources, tests and pages, from the repository's root. */
function textFiles(): readonly string[] {
  const folders = ["schemas", "generators", "runtime", "scripts", "test", "docs", "examples"];
  return folders.flatMap((folder) =>
    readdirSync(inRepository(folder), { recursive: true, encoding: "utf8" })
      .filter((name) => TEXTS.test(name) && !name.includes("node_modules"))
      .map((name) => path.join(folder, name)),
  );
}
