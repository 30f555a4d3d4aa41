import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import type { GeneratedFile } from "../../generators/emitters/index.js";
import { planFiles } from "../../generators/writer/plan.js";
import { recoverWrites, writePlan } from "../../generators/writer/transaction.js";
import { WRITE_OPTIONS } from "../../scripts/system/process-identity.js";
import { filesIn, folderWith } from "../support/folders.js";
import { runs } from "../support/repository.js";
import { generatedFile } from "../support/writer.js";

const OPTIONS = { existingScaffold: "keep", generatedFolder: "generated" } as const;

/** Writes `files` into `root` and gives the step of each, by path. */
function write(root: string, files: readonly GeneratedFile[]): Readonly<Record<string, string>> {
  const plan = planFiles(root, files, OPTIONS);
  expect(writePlan(root, plan, WRITE_OPTIONS)).to.deep.equal([]);
  return Object.fromEntries(plan.files.map(({ step, file }) => [file.path, step]));
}

function contents(root: string): Readonly<Record<string, string>> {
  return Object.fromEntries(filesIn(root).map((file) => [file, readFileSync(path.join(root, file), "utf8")]));
}

const OLD = Array.from({ length: 12 }, (_, index) =>
  generatedFile(`old/${index}.ts`, `export const a = ${index};`),
);
const NEW = [
  ...OLD.slice(0, 4),
  ...OLD.slice(4, 8).map(({ path: name }) =>
    generatedFile(name.slice("generated/".length), "export const b = 1;"),
  ),
  ...Array.from({ length: 6 }, (_, index) =>
    generatedFile(`new/deep/${index}.ts`, `export const c = ${index};`),
  ),
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
    const file = generatedFile("a.ts", "export const a = 1;");
    const root = folderWith({ [file.path]: file.content.replaceAll("\n", "\r\n") });
    expect(write(root, [file])).to.deep.equal({ "generated/a.ts": "unchanged" });
  });

  it("stops at a file that was edited by hand, names it, and writes nothing", () => {
    const root = folderWith({});
    write(root, OLD);
    writeFileSync(path.join(root, "generated/old/5.ts"), `${OLD[5]?.content}// my change\n`);
    writeFileSync(path.join(root, "generated/new.ts"), "// no header\n");
    const before = contents(root);
    const plan = planFiles(root, [...NEW, generatedFile("new.ts", "")], OPTIONS);
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
    const files = [
      ...OLD.slice(0, 1),
      generatedFile("a.ts", ""),
      { ...generatedFile("x.ts", ""), path: "../x.ts" },
    ];
    const found = writePlan(root, planFiles(root, files, OPTIONS));
    expect(found.map(({ code }) => code)).to.deep.equal([
      "file-not-writable",
      "file-not-writable",
      "file-outside",
    ]);
  });

  it("is settled after one run, whatever was there and whatever comes", () => {
    const trees = fc.uniqueArray(fc.record({ name: fc.constantFrom(..."abcdefgh"), body: fc.string() }), {
      selector: ({ name }) => name,
    });
    fc.assert(
      fc.property(trees, trees, (before, after) => {
        const root = folderWith({});
        const files = (tree: typeof before) =>
          tree.map(({ name, body }) => generatedFile(`${name}/${name}.ts`, body));
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
    const entry = (name: string) => ({ path: name, before: null, after: null });
    const journals = [
      { files: [entry("../victim.txt")], newFolders: [], oldFolders: [] },
      { files: [entry("link/victim.txt")], newFolders: [], oldFolders: [] },
      { files: [], newFolders: ["../new"], oldFolders: [] },
      { files: [], newFolders: [], oldFolders: ["../empty"] },
      "no journal",
    ];
    for (const journal of journals) {
      for (const name of ["journal.json", "undo.json"]) {
        const outer = folderWith({
          "victim.txt": "precious",
          [`project/.connectorcli/${name}`]: JSON.stringify(journal),
        });
        mkdirSync(path.join(outer, "empty"));
        const root = path.join(outer, "project");
        symlinkSync(outer, path.join(root, "link"), "junction");
        expect(recoverWrites(root, WRITE_OPTIONS).map(({ code }) => code)).to.deep.equal([
          "files-unfinished",
        ]);
        expect(contents(outer)).to.include({ "victim.txt": "precious" });
        expect(readdirSync(outer)).to.deep.equal(["empty", "project", "victim.txt"]);
      }
    }
  });
});
