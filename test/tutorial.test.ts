import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { blocksOf, type Followed, follow, onFreePort } from "./support/documentation.js";
import { closeServers } from "./support/loopback.js";
import { rejection } from "./support/promises.js";
import { inRepository, SLOW_TEST_MS } from "./support/repository.js";

const EXAMPLE = inRepository("examples/projects-api");
const SANDBOX = "https://sandbox.projects-platform.com/v2";
const PLATFORM = "http://127.0.0.1:4010/v2";

describe("docs/tutorial.md", function () {
  this.timeout(2 * SLOW_TEST_MS);
  const blocks = blocksOf(readFileSync(inRepository("docs/tutorial.md"), "utf8"));
  let followed: Followed;

  before(async function () {
    // Its commands are written for a shell.
    if (process.platform === "win32") this.skip();
    followed = await follow(await onFreePort(blocks, "4010"));
  });
  after(closeServers);

  it("is followed from an empty folder to its end: every command, file and output is as it says", () => {
    expect(followed.printed).to.include("Successful test.");
    expect(blocks.filter(({ language }) => language === "text")).to.have.length.above(10);
  });

  it("prints no write-only value", () => {
    expect(followed.printed)
      .to.include("--hidden value--")
      .and.to.not.match(/manager-\d|someone@/);
  });

  it("ends with examples/projects-api", () => {
    for (const { language, words, content } of blocks) {
      if (language !== "ts") continue;
      const own = readFileSync(path.join(EXAMPLE, words), "utf8");
      expect(content, words).to.equal(own.replace(SANDBOX, PLATFORM));
    }
    const [made, example] = [followed.folder, EXAMPLE].map((folder) => {
      const { modules } = JSON.parse(readFileSync(path.join(folder, "connector.json"), "utf8"));
      return modules[0].dataObjects;
    });
    expect(made).to.deep.equal(example);
  });
});

describe("following a page", () => {
  before(function () {
    if (process.platform === "win32") this.skip();
  });

  const WRONG: readonly (readonly [what: string, page: string, words: string])[] = [
    ["an output that is another", "```sh\necho 251 read\n```\n```text\n25 read\n```", "output at line 4"],
    ["an output that goes on", "```sh\necho a; echo b\n```\n```text\na\n```", "output at line 4"],
    ["a command that fails", "```sh\nfalse\n```", "line 1: false"],
    ["a command that should fail", "```sh that fails\ntrue\n```", "line 1: true"],
  ];
  for (const [what, page, words] of WRONG) {
    it(`stops at ${what}`, async () => {
      expect((await rejection(follow(blocksOf(`${page}\n`)))).message).to.include(words);
    });
  }

  it("takes … for anything in a line, and alone for any lines", async () => {
    const page = "```sh\necho a 17 b; echo c; echo d\n```\n```text\na … b\n…\nd\n```\n";
    expect((await follow(blocksOf(page))).printed).to.equal("a 17 b\nc\nd\n");
  });
});
