/** Links between pages lead to files and headings that exist. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect } from "chai";
import { inRepository } from "./support/repository.js";

const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(inRepository("docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

describe("README.md, CONTRIBUTING.md and docs/", () => {
  it("link to files and headings that exist", () => {
    const lost = PAGES.flatMap((page) =>
      linksOf(page)
        .filter((link) => !leadsSomewhere(page, link))
        .map((link) => `${page}: ${link}`),
    );
    expect(lost).to.deep.equal([]);
  });

  it("are all listed in README.md", () => {
    const links = new Set(linksOf("README.md").map((link) => link.split("#")[0]));
    expect(PAGES.filter((page) => page !== "README.md" && !links.has(page))).to.deep.equal([]);
  });
});

/** Links of a page, without those that leave the repository. */
function linksOf(page: string): readonly string[] {
  const text = readFileSync(inRepository(page), "utf8").replace(/^```[\s\S]*?^```$/gm, "");
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return links.filter((link) => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : posix.join(posix.dirname(page), path);
  if (!existsSync(inRepository(target))) return false;
  return anchor === undefined || anchorsOf(target).has(anchor);
}

/** The anchors of a page: those it sets, and those that its headings get. */
function anchorsOf(page: string): ReadonlySet<string> {
  const text = readFileSync(inRepository(page), "utf8");
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id)]);
}
