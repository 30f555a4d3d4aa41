import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { type GeneratedFile, type WriteFilesResult, writeFiles } from "../../generators/emitters/index.js";
import { folderWith, treeOf } from "../support/folders.js";
import { generatedFile } from "../support/writer.js";

const PAGE: GeneratedFile = {
  path: "docs/employee.md",
  content: "# Employee\n",
  ownership: "scaffold",
};

const steps = ({ files }: WriteFilesResult) => files.map(({ step, file }) => `${step} ${file.path}`);
const codes = ({ diagnostics }: WriteFilesResult) => diagnostics.map(({ code }) => code);

describe("writeFiles", () => {
  it("shows what it would do, and then does it, in a folder that need not exist", () => {
    const root = path.join(folderWith({}), "connector");
    const planned = writeFiles(root, [PAGE], { dryRun: true });
    expect(steps(planned)).to.deep.equal(["create docs/employee.md"]);
    expect(existsSync(root)).to.equal(false);
    expect(steps(writeFiles(root, [PAGE]))).to.deep.equal(["create docs/employee.md"]);
    expect(steps(writeFiles(root, [PAGE]))).to.deep.equal(["unchanged docs/employee.md"]);
    expect(treeOf(root)).to.deep.equal({ docs: null, "docs/employee.md": "# Employee\n" });
  });

  it("keeps an author's scaffold, or stops at it if it must be new", () => {
    const root = folderWith({ [PAGE.path]: "# Mine\n" });
    expect(steps(writeFiles(root, [PAGE]))).to.deep.equal(["keep docs/employee.md"]);
    expect(codes(writeFiles(root, [PAGE], { existingScaffold: "conflict" }))).to.deep.equal(["file-exists"]);
    expect(readFileSync(path.join(root, PAGE.path), "utf8")).to.equal("# Mine\n");
  });

  it("removes generated files that are not in the list any more, and names others", () => {
    const root = folderWith({ "generated/mine.ts": "// mine\n" });
    writeFiles(root, [generatedFile("a.ts", "1"), generatedFile("b.ts", "2")], {
      generatedFolder: "generated",
    });
    const result = writeFiles(root, [generatedFile("a.ts", "1")], { generatedFolder: "generated" });
    expect(steps(result)).to.deep.equal(["unchanged generated/a.ts", "remove generated/b.ts"]);
    expect(codes(result)).to.deep.equal(["file-foreign"]);
    expect(Object.keys(treeOf(root))).to.deep.equal(["generated", "generated/a.ts", "generated/mine.ts"]);
  });

  it("writes nothing at all if one file is in conflict", () => {
    const root = folderWith({ "generated/a.ts": "// no header\n" });
    expect(codes(writeFiles(root, [PAGE, generatedFile("a.ts", "1")]))).to.deep.equal(["file-edited"]);
    expect(existsSync(path.join(root, "docs"))).to.equal(false);
  });

  it("only tells that a run is unfinished when it looks, and recovers it when it writes", () => {
    const root = folderWith({});
    const journal = { files: [], newFolders: [], oldFolders: [] };
    mkdirSync(path.join(root, ".connectorcli"));
    writeFileSync(path.join(root, ".connectorcli/journal.json"), JSON.stringify(journal));
    expect(codes(writeFiles(root, [PAGE], { dryRun: true }))).to.deep.equal(["files-unfinished"]);
    expect(steps(writeFiles(root, [PAGE]))).to.deep.equal(["create docs/employee.md"]);
    expect(existsSync(path.join(root, ".connectorcli"))).to.equal(false);
  });
});
