import { spawnSync } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import type { GeneratedFile } from "../../generators/emitters/index.js";
import { planFiles } from "../../generators/writer/plan.js";
import { recoverWrites, writePlan } from "../../generators/writer/transaction.js";
import { WRITE_OPTIONS } from "../../scripts/system/process-identity.js";
import { folderWith, putFiles, type Tree, treeOf } from "../support/folders.js";
import { inRepository, longOr, runs, SLOW_TEST_MS } from "../support/repository.js";
import { AFTER, BEFORE, generatedFile, systemError, UNSYNCED, watchFileSystem } from "../support/writer.js";

const OPTIONS = { existingScaffold: "keep", generatedFolder: "generated" } as const;

function treeWith(files: readonly GeneratedFile[]): string {
  const root = folderWith({});
  putFiles(root, files);
  return root;
}

const OLD_TREE = treeOf(treeWith(BEFORE));
const NEW_TREE = treeOf(treeWith(AFTER));
const PLAN = path.join(folderWith({ "plan.json": JSON.stringify(AFTER) }), "plan.json");

/** Runs a writer that dies before its call `fatal`; gives whether it lived. */
function child(root: string, plan: string, fatal: number, failing = 0): { lived: boolean } {
  const writer = inRepository("dist/test/support/programs/write-plan.js");
  const { signal, status, stderr } = spawnSync(
    process.execPath,
    [writer, root, plan, String(fatal), String(failing)],
    { encoding: "utf8" },
  );
  expect(signal === "SIGKILL" || status === 0, stderr).to.equal(true);
  return { lived: signal === null };
}

function callsToWrite(): number {
  let calls = 0;
  const root = treeWith(BEFORE);
  const fileSystem = watchFileSystem((call) => {
    calls = call;
  });
  writePlan(root, planFiles(root, AFTER, OPTIONS), { ...WRITE_OPTIONS, fileSystem });
  return calls;
}

/** `old` or `new`; what the writer keeps for itself must have gone. */
function settledAs(root: string, before: Tree = OLD_TREE, after: Tree = NEW_TREE): "old" | "new" {
  expect(recoverWrites(root, { ...WRITE_OPTIONS, fileSystem: UNSYNCED })).to.deep.equal([]);
  expect(readdirSync(root)).to.not.include(".connectorcli");
  const tree = JSON.stringify(treeOf(root));
  if (tree === JSON.stringify(before)) return "old";
  expect(JSON.parse(tree)).to.deep.equal(after);
  return "new";
}

describe("a writer that is killed", () => {
  it("leaves the old tree or the new one, before every single call", function () {
    this.timeout(SLOW_TEST_MS);
    const seen = new Set<string>();
    for (let fatal = 1; ; fatal += longOr(1, 2)) {
      const root = treeWith(BEFORE);
      const { lived } = child(root, PLAN, fatal);
      seen.add(settledAs(root));
      if (lived) break;
      expect(fatal).to.be.below(100);
    }
    expect([...seen]).to.deep.equal(["old", "new"]);
  });

  it("leaves the old tree or the new one when it dies while it takes back what failed", function () {
    this.timeout(SLOW_TEST_MS);
    const calls = callsToWrite();
    const failing = calls - 8;
    let deaths = 0;
    for (let fatal = failing + 1; ; fatal += longOr(1, 2)) {
      const root = treeWith(BEFORE);
      const { lived } = child(root, PLAN, fatal, failing);
      expect(settledAs(root)).to.equal(fatal === failing + 1 ? "new" : "old");
      if (lived) break;
      deaths += 1;
    }
    expect(deaths).to.be.above(longOr(5, 2));
  });

  it("leaves the old tree or the new one when the one that recovers is killed too", function () {
    this.timeout(SLOW_TEST_MS);
    const first = callsToWrite() - 8;
    let deaths = 0;
    for (let second = 1; ; second += longOr(1, 3)) {
      const root = treeWith(BEFORE);
      child(root, PLAN, first);
      const { lived } = child(root, "-", second);
      settledAs(root);
      if (lived) break;
      deaths += 1;
    }
    expect(deaths).to.be.above(longOr(5, 2));
  });

  it("leaves the old tree or the new one after any failure, death and second death there can be", function () {
    this.timeout(SLOW_TEST_MS);
    const calls = callsToWrite();
    const identity = { pid: 99_999_999, isAlive: () => false };
    const seen = { old: 0, new: 0 };
    for (let failing = 0; failing <= calls; failing++) {
      for (let first = failing + 1; first <= calls + 8; first += longOr(1, 3)) {
        for (let second = 1; second <= 16; second += failing === 0 ? 1 : longOr(3, 7)) {
          const root = treeWith(BEFORE);
          writePlan(root, planFiles(root, AFTER, OPTIONS), {
            identity,
            fileSystem: dying(first, { failing }),
          });
          recoverWrites(root, { identity, fileSystem: dying(second) });
          seen[settledAs(root)] += 1;
        }
      }
    }
    expect(Math.min(seen.old, seen.new)).to.be.above(longOr(100, 20));
  });

  it("leaves one of the two trees in all, whatever is written, fails, dies and dies again", function () {
    this.timeout(SLOW_TEST_MS);
    const trees = fc.uniqueArray(fc.record({ name: fc.constantFrom(..."abcdef"), body: fc.nat(2) }), {
      selector: ({ name }) => name,
      maxLength: 4,
    });
    const moment = fc.integer({ min: 1, max: 45 });
    fc.assert(
      fc.property(
        trees,
        trees,
        moment,
        moment,
        moment,
        fc.boolean(),
        (before, after, failing, first, second, torn) => {
          const files = (tree: typeof before) =>
            tree.map(({ name, body }) => generatedFile(`${name}/${name}.ts`, `export const a = ${body};`));
          const root = treeWith([generatedFile("kept.ts", ""), ...files(before)]);
          const plan = planFiles(root, [generatedFile("kept.ts", ""), ...files(after)], OPTIONS);
          const old = treeOf(root);
          const fresh = treeOf(treeWith([generatedFile("kept.ts", ""), ...files(after)]));
          const identity = { pid: 99_999_999, isAlive: () => false };
          writePlan(root, plan, { identity, fileSystem: dying(first, { failing, torn }) });
          recoverWrites(root, { identity, fileSystem: dying(second, { torn }) });
          settledAs(root, old, fresh);
        },
      ),
      { numRuns: runs(150) },
    );
  });

  it("leaves an edit made before the next run, says where the rest is kept, and goes on when that is put right", () => {
    let stopped = 0;
    for (let fatal = 1; fatal <= 60; fatal += longOr(1, 2)) {
      for (const { path: name } of [...AFTER, ...BEFORE]) {
        const root = treeWith(BEFORE);
        const identity = { pid: 99_999_999, isAlive: () => false };
        writePlan(root, planFiles(root, AFTER, OPTIONS), { identity, fileSystem: dying(fatal) });
        const before = treeOf(root)[name];
        putFiles(root, [{ path: name, content: "// the author's\n", ownership: "scaffold" }]);
        const found = recoverWrites(root, { ...WRITE_OPTIONS, fileSystem: UNSYNCED });
        expect(treeOf(root)[name]).to.equal("// the author's\n");
        if (found.length === 0) continue;
        stopped += 1;
        expect(found.map(({ code }) => code)).to.deep.equal(["files-unfinished"]);
        expect(found[0]?.message).to.include(`"${name}" was changed since`).and.include(".connectorcli");
        expect(readdirSync(root)).to.include(".connectorcli");
        if (typeof before === "string") writeFileSync(path.join(root, name), before);
        else rmSync(path.join(root, name));
        settledAs(root);
      }
    }
    expect(stopped).to.be.above(longOr(5, 3));
  });

  it("is not taken for done, nor for untouched, where it did half of it and all of its files were edited since", () => {
    const filesWith = (text: string) => ["a.ts", "b.ts"].map((name) => generatedFile(name, text));
    const [old, next] = [filesWith("was"), filesWith("is")];
    let stopped = 0;
    for (let fatal = 1; fatal <= 60; fatal++) {
      const root = treeWith(old);
      const identity = { pid: 99_999_999, isAlive: () => false };
      writePlan(root, planFiles(root, next, OPTIONS), { identity, fileSystem: dying(fatal) });
      const tree = treeOf(root);
      if (next.filter(({ path: name, content }) => tree[name] === content).length !== 1) continue;
      const edited = next.map((file) => ({ ...file, content: `// the author's ${file.path}\n` }));
      putFiles(root, edited);
      const found = recoverWrites(root, { ...WRITE_OPTIONS, fileSystem: UNSYNCED });
      expect(found.map(({ code }) => code)).to.deep.equal(["files-unfinished"]);
      for (const { path: name, content } of edited) expect(treeOf(root)[name]).to.equal(content);
      stopped++;
    }
    expect(stopped).to.be.above(0);
  });
});

/** A disk that nothing reaches any more from the call `fatal` on, as of a process that is gone. */
function dying(fatal: number, { failing = 0, torn = false } = {}) {
  return watchFileSystem((call, _run, [file, content]) => {
    if (call === fatal && torn && typeof content === "string" && !content.startsWith("/"))
      writeFileSync(String(file), content.slice(0, content.length / 2));
    if (call >= fatal) throw systemError("EIO");
    if (call === failing) throw systemError("ENOSPC");
  });
}
