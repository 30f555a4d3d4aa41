import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import type { GeneratedFile } from "../../generators/generated-file.js";
import { withHeader } from "../../generators/writer/header.js";
import { recoverWrites } from "../../generators/writer/journal.js";
import { planFiles } from "../../generators/writer/plan.js";
import { writePlan } from "../../generators/writer/write-files.js";
import { filesIn, folderWith } from "../support/command-line.js";
import { inRepository, runs } from "../support/repository.js";

const OPTIONS = { existingScaffold: "keep", generatedFolder: "generated" } as const;

function generated(name: string, body: string): GeneratedFile {
  return { path: `generated/${name}`, content: withHeader(`${body}\n`), ownership: "generated" };
}

/** Writes `files` into `root` and gives the step of each, by path. */
function write(root: string, files: readonly GeneratedFile[]): Readonly<Record<string, string>> {
  const plan = planFiles(root, files, OPTIONS);
  expect(writePlan(root, plan)).to.deep.equal([]);
  return Object.fromEntries(plan.files.map(({ step, file }) => [file.path, step]));
}

function contents(root: string): Readonly<Record<string, string>> {
  return Object.fromEntries(filesIn(root).map((file) => [file, readFileSync(path.join(root, file), "utf8")]));
}

const OLD = Array.from({ length: 12 }, (_, index) =>
  generated(`old/${index}.ts`, `export const a = ${index};`),
);
const NEW = [
  ...OLD.slice(0, 4),
  ...OLD.slice(4, 8).map(({ path: name }) =>
    generated(name.slice("generated/".length), "export const b = 1;"),
  ),
  ...Array.from({ length: 6 }, (_, index) => generated(`new/deep/${index}.ts`, `export const c = ${index};`)),
];

describe("writing generated files", () => {
  it("creates, updates, leaves and removes, each where it should", () => {
    const root = folderWith({ "generated/mine.ts": "// an author's file\n" });
    write(root, OLD);
    const steps = write(root, NEW);
    expect(steps).to.include({
      "generated/old/0.ts": "unchanged",
      "generated/old/4.ts": "update",
      "generated/old/8.ts": "remove",
      "generated/new/deep/0.ts": "create",
    });
    expect(filesIn(root)).to.deep.equal([...NEW.map((file) => file.path), "generated/mine.ts"].sort());
    expect(Object.values(write(root, NEW)).every((step) => step === "unchanged")).to.equal(true);
  });

  it("takes other line endings for the same file", () => {
    const file = generated("a.ts", "export const a = 1;");
    const root = folderWith({ [file.path]: file.content.replaceAll("\n", "\r\n") });
    expect(write(root, [file])).to.deep.equal({ "generated/a.ts": "unchanged" });
  });

  it("stops at a file that was edited by hand, names it, and writes nothing", () => {
    const root = folderWith({});
    write(root, OLD);
    writeFileSync(path.join(root, "generated/old/5.ts"), `${OLD[5]?.content}// my change\n`);
    writeFileSync(path.join(root, "generated/new.ts"), "// no header\n");
    const before = contents(root);
    const plan = planFiles(root, [...NEW, generated("new.ts", "")], OPTIONS);
    expect(plan.diagnostics.map(({ code, message }) => [code, /"(.*?)"/.exec(message)?.[1]])).to.deep.equal([
      ["file-edited", "generated/old/5.ts"],
      ["file-edited", "generated/new.ts"],
    ]);
    expect(writePlan(root, plan)).to.have.length(2);
    expect(contents(root)).to.deep.equal(before);
  });

  it("leaves a file of the author's under generated/, and a generated one that was edited, when their sources go", () => {
    const root = folderWith({ "generated/mine.ts": "// mine\n" });
    write(root, OLD.slice(0, 2));
    writeFileSync(path.join(root, "generated/old/1.ts"), `${OLD[1]?.content}// my change\n`);
    write(root, []);
    expect(filesIn(root)).to.deep.equal(["generated/mine.ts", "generated/old/1.ts"]);
  });

  it("says so where a folder stands in the way, or a path leads out, and writes nothing", () => {
    const root = folderWith({ "generated/old": "a file where a folder should be", "elsewhere/.keep": "" });
    mkdirSync(path.join(root, "generated/a.ts"));
    symlinkSync(
      path.join(root, "..", path.basename(root), "elsewhere"),
      path.join(root, "generated/link"),
      "junction",
    );
    const files = [...OLD.slice(0, 1), generated("a.ts", ""), { ...generated("x.ts", ""), path: "../x.ts" }];
    const found = writePlan(root, planFiles(root, files, OPTIONS));
    expect(found.map(({ code }) => code)).to.deep.equal([
      "file-not-writable",
      "file-not-writable",
      "file-outside",
    ]);
  });

  it("changes nothing when the disk is full, wherever that happens", () => {
    for (let failing = 1; failing < 60; failing++) {
      const root = folderWith({});
      write(root, OLD);
      const before = contents(root);
      let step = 0;
      const found = writePlan(root, planFiles(root, NEW, OPTIONS), {
        onStep: () => {
          if (++step === failing) throw new Error("ENOSPC: no space left on device");
        },
      });
      if (step < failing) return;
      expect(found.map(({ code }) => code)).to.deep.equal(["file-not-writable"]);
      expect(found[0]?.message).to.include("ENOSPC");
      expect(contents(root)).to.deep.equal(before);
    }
    throw new Error("the write never came to its end");
  });

  it("replaces a file that is read-only, as its folder allows", () => {
    const root = folderWith({});
    write(root, OLD);
    chmodSync(path.join(root, "generated/old/4.ts"), 0o444);
    expect(write(root, NEW)).to.include({ "generated/old/4.ts": "update" });
  });

  it("leaves the old tree or the new one when it is killed, before every single step", function () {
    this.timeout(120_000);
    const planned = folderWith({ "plan.json": JSON.stringify(NEW) });
    const reference = folderWith({});
    write(reference, OLD);
    const old = contents(reference);
    write(reference, NEW);
    const fresh = contents(reference);
    const seen = new Set<string>();
    for (let fatal = 1; ; fatal++) {
      const root = folderWith({});
      write(root, OLD);
      const child = spawnSync(
        process.execPath,
        [
          inRepository("dist/test/support/killed-writer.js"),
          root,
          path.join(planned, "plan.json"),
          String(fatal),
        ],
        { encoding: "utf8" },
      );
      recoverWrites(root);
      const found = Object.fromEntries(
        Object.entries(contents(root)).filter(([file]) => !file.startsWith(".connectorcli-")),
      );
      const isOld = JSON.stringify(found) === JSON.stringify(old);
      if (!isOld) expect(found).to.deep.equal(fresh);
      seen.add(isOld ? "old" : "new");
      if (child.signal === null) break;
    }
    expect([...seen]).to.deep.equal(["old", "new"]);
  });

  it("is settled after one run, whatever was there and whatever comes", () => {
    const trees = fc.uniqueArray(fc.record({ name: fc.constantFrom(..."abcdefgh"), body: fc.string() }), {
      selector: ({ name }) => name,
    });
    fc.assert(
      fc.property(trees, trees, (before, after) => {
        const root = folderWith({});
        const files = (tree: typeof before) =>
          tree.map(({ name, body }) => generated(`${name}/${name}.ts`, body));
        write(root, files(before));
        write(root, files(after));
        expect(filesIn(root)).to.deep.equal(
          files(after)
            .map((file) => file.path)
            .sort(),
        );
        expect(Object.values(write(root, files(after))).every((step) => step === "unchanged")).to.equal(true);
      }),
      { numRuns: runs(30) },
    );
  });

  it("does nothing that a journal says of files outside the folder", () => {
    const steps = [
      [{ target: "../victim.txt" }],
      [{ target: "link/victim.txt" }],
      [{ target: "inside.txt", staged: "../../victim.txt" }],
      "no list",
    ];
    for (const [index, journal] of steps.entries()) {
      const outer = folderWith({
        "victim.txt": "precious",
        [`project/.connectorcli-${index}/journal.json`]: JSON.stringify(journal),
      });
      const root = path.join(outer, "project");
      symlinkSync(outer, path.join(root, "link"), "junction");
      recoverWrites(root);
      expect(readFileSync(path.join(outer, "victim.txt"), "utf8")).to.equal("precious");
    }
  });
});
