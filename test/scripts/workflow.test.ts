import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { connectorcli } from "../support/command-line.js";
import { manyObjects } from "../support/connector-sources.js";
import { folderWith } from "../support/folders.js";
import { inRepository, longOr, SLOW_TEST_MS } from "../support/repository.js";

/** The commands of the workflow that an author's project gets, as arguments: `npm run gen -- --check` is `gen --check`. */
const STEPS = [
  ...readFileSync(inRepository("generators/templates/author-workflow.yml.hbs"), "utf8").matchAll(
    /^ +- run: npm run (gen|extract|check) -- (.*)$/gm,
  ),
].map(([, command = "", args = ""]) => [command, ...args.split(" ")]);

const OBJECTS = longOr(120, 12);

describe("the workflow of an author's project", () => {
  let folder: string;

  before(async function () {
    this.timeout(SLOW_TEST_MS);
    folder = folderWith(manyObjects(OBJECTS));
    for (const command of ["gen", "extract"])
      expect((await connectorcli(folder, command)).status).to.equal(0);
    git("init", "-q");
    git("add", "-A");
    git("-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-q", "-m", "before");
    git("update-ref", "refs/remotes/origin/main", "HEAD");
  });

  it("generates, extracts, and compares with the main branch for annotations", () => {
    expect(STEPS.map((step) => step.join(" "))).to.deep.equal([
      "gen --check",
      "extract --check",
      "check --strict --against origin/main --format github",
    ]);
  });

  it(`passes on ${OBJECTS} data objects`, async function () {
    this.timeout(SLOW_TEST_MS);
    for (const step of STEPS) {
      const { status, stdout } = await connectorcli(folder, ...step);
      expect({ step, status, stdout: step[0] === "check" ? stdout : "" }).to.deep.equal({
        step,
        status: 0,
        stdout: "",
      });
    }
  });

  it("fails for what is stale, and annotates the breaking change at its line", async function () {
    this.timeout(SLOW_TEST_MS);
    const file = path.join(folder, "schemas/app/thing7.ts");
    writeFileSync(file, readFileSync(file, "utf8").replace("member3: Nullable", "renamed: Nullable"));
    const results = [];
    for (const step of STEPS) results.push(await connectorcli(folder, ...step));
    expect(results.map(({ status }) => status)).to.deep.equal([1, 1, 0]);
    expect(results[2]?.stdout).to.match(
      /^::warning file=schemas\/app\/thing7\.ts,line=\d+,col=\d+,title=[a-z-]+::Major change: /m,
    );
    const failing = await connectorcli(folder, ...(STEPS[2] ?? []), "--fail-on", "major");
    expect(failing.status).to.equal(1);
    expect(failing.stdout).to.include("::error file=schemas/app/thing7.ts");
  });

  it("gives changes in every format", async function () {
    this.timeout(SLOW_TEST_MS);
    for (const format of ["text", "json", "sarif", "github", "junit"]) {
      const { stdout } = await connectorcli(folder, "check", "--against", "origin/main", "--format", format);
      expect(stdout, format)
        .to.include("schemas/app/thing7.ts")
        .and.match(/renamed/);
    }
  });

  function git(...args: readonly string[]): void {
    execFileSync("git", args, { cwd: folder, stdio: "ignore" });
  }
});
