import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { GeneratedFile } from "../../generators/generated-file.js";
import { planFiles } from "../../generators/writer/plan.js";
import { recoverWrites, writePlan } from "../../generators/writer/transaction.js";
import { WRITE_OPTIONS } from "../../scripts/system/process-identity.js";
import { folderWith, putFiles, treeOf } from "../support/folders.js";
import { PowerCutDisk } from "../support/power-cut-disk.js";
import { AFTER, BEFORE, generatedFile, systemError, UNSYNCED, watchFileSystem } from "../support/writer.js";

const OPTIONS = { existingScaffold: "keep", generatedFolder: "generated" } as const;
const OURS = { ...WRITE_OPTIONS, fileSystem: UNSYNCED };
const GONE = { identity: { pid: 99_999_999, isAlive: () => false } };

const MODULE = { path: "src/project.ts", content: "// an hour's work\n" };
const SETTINGS = { path: "test-settings.json", content: '{ "token": "old" }\n' };
const AUTHORS: readonly GeneratedFile[] = [
  { ...MODULE, content: "// an hour's work, mended\n", ownership: "edited", read: MODULE.content },
  { ...SETTINGS, content: '{ "token": "new" }\n', ownership: "filled", read: SETTINGS.content },
  { path: "src/readers/new.ts", content: "// a reader\n", ownership: "scaffold" },
];

function oldRoot(): string {
  const root = folderWith({ [MODULE.path]: MODULE.content, [SETTINGS.path]: SETTINGS.content });
  putFiles(root, BEFORE);
  return root;
}

function treeAfter(files: readonly GeneratedFile[]) {
  const root = oldRoot();
  expect(writePlan(root, planFiles(root, files, OPTIONS), OURS)).to.deep.equal([]);
  return treeOf(root);
}

/** Whether a call moves a staged file to its place. */
function isReplacement(root: string, [from, to]: readonly unknown[]): boolean {
  return String(from).endsWith(".new") && String(to).startsWith(path.join(root, "generated"));
}

describe("a loss of power", () => {
  for (const isZeroed of [false, true]) {
    it(`leaves the old tree or the new one where files of the author's are replaced, whenever it comes, ${isZeroed ? "with zeros for" : "without"} what was not synced`, () => {
      const files = [...AFTER, ...AUTHORS];
      const [old, fresh] = [treeOf(oldRoot()), treeAfter(files)];
      const seen = new Set<string>();
      for (let call = 1; ; call++) {
        const root = oldRoot();
        const disk = new PowerCutDisk(call);
        writePlan(root, planFiles(root, files, OPTIONS), { ...GONE, fileSystem: disk.fileSystem });
        disk.lose(root, isZeroed);
        expect(recoverWrites(root, OURS), `at ${call}`).to.deep.equal([]);
        const tree = treeOf(root);
        const isOld = JSON.stringify(tree) === JSON.stringify(old);
        if (!isOld) expect(tree, `at ${call}`).to.deep.equal(fresh);
        expect(readdirSync(root)).to.not.include(".connectorcli");
        seen.add(isOld ? "old" : "new");
        if (!disk.isCut) break;
        expect(call).to.be.below(200);
      }
      expect([...seen]).to.deep.equal(["old", "new"]);
    });
  }

  it("finds the names of one step on the disk before the next, also while a write is taken back", () => {
    const files = [...AFTER, ...AUTHORS];
    for (let failing = 0; ; failing++) {
      const root = oldRoot();
      const disk = new PowerCutDisk(1000);
      let calls = 0;
      const fileSystem = watchFileSystem((call) => {
        calls = call;
        if (call === failing) throw systemError("ENOSPC");
      }, disk.fileSystem);
      writePlan(root, planFiles(root, files, OPTIONS), { ...WRITE_OPTIONS, fileSystem });
      expect(disk.reliedOn, `at ${failing}`).to.deep.equal([]);
      if (calls < failing) break;
    }
  });

  it("while only generated files are written, leaves each old, new or to be generated again, and every other file", () => {
    const lost = { ...treeOf(oldRoot()), ...treeAfter(AFTER) };
    for (let call = 1; ; call++) {
      const root = oldRoot();
      const disk = new PowerCutDisk(call);
      writePlan(root, planFiles(root, AFTER, OPTIONS), { ...GONE, fileSystem: disk.fileSystem });
      disk.lose(root, false);
      expect(recoverWrites(root, OURS), `at ${call}`).to.deep.equal([]);
      expect(writePlan(root, planFiles(root, AFTER, OPTIONS), OURS), `at ${call}`).to.deep.equal([]);
      const tree = treeOf(root);
      expect(Object.keys(lost)).to.include.members(Object.keys(tree));
      for (const file of AFTER) expect(tree[file.path], `at ${call}`).to.equal(file.content);
      expect(tree[MODULE.path]).to.equal(MODULE.content);
      if (!disk.isCut) break;
    }
  });

  it("that left a replaced file blank gives the old one back, and no edit that somebody made since", () => {
    for (const [left, expected] of [
      ["", BEFORE[1]?.content],
      ["\0".repeat(40), BEFORE[1]?.content],
      ["// mine\n", "// mine\n"],
    ] as const) {
      const root = oldRoot();
      let isMoved = false;
      const fileSystem = watchFileSystem((_call, _run, places) => {
        if (isMoved) throw systemError("EIO");
        isMoved = isReplacement(root, places);
      });
      const plan = planFiles(
        root,
        [AFTER[0], AFTER[1], BEFORE[2]].flatMap((file) => file ?? []),
        OPTIONS,
      );
      writePlan(root, plan, { ...GONE, fileSystem });
      const target = path.join(root, "generated/stale.ts");
      expect(readFileSync(target, "utf8")).to.equal(AFTER[1]?.content);
      writeFileSync(target, left);
      recoverWrites(root, OURS);
      expect(readFileSync(target, "utf8")).to.equal(expected);
    }
  });
});

describe("a file that was damaged", () => {
  it("before it was put in its place stays out of it: the old tree is restored", () => {
    for (const damage of ["", "half of i"]) {
      const root = oldRoot();
      const old = treeOf(root);
      let isStaged = false;
      const fileSystem = watchFileSystem((_call, _run, places) => {
        isStaged ||= isReplacement(root, places);
        if (isStaged) throw systemError("EIO");
      });
      writePlan(root, planFiles(root, AFTER, OPTIONS), { ...GONE, fileSystem });
      writeFileSync(path.join(root, ".connectorcli/1.new"), damage);
      expect(recoverWrites(root, OURS)).to.deep.equal([]);
      expect(treeOf(root)).to.deep.equal(old);
      expect(readdirSync(root)).to.not.include(".connectorcli");
    }
  });

  it("and is blank now is generated again", () => {
    for (const blank of ["", "\0\0\0"]) {
      const root = folderWith({});
      mkdirSync(path.join(root, "generated"));
      writeFileSync(path.join(root, "generated/a.ts"), blank);
      const file = generatedFile("a.ts", "export const a = 1;");
      expect(writePlan(root, planFiles(root, [file], OPTIONS), OURS)).to.deep.equal([]);
      expect(readFileSync(path.join(root, "generated/a.ts"), "utf8")).to.equal(file.content);
    }
  });
});
