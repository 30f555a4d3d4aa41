import { mkdirSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { readText, readTextIfExists } from "../../scripts/system/read-text.js";
import { folderWith } from "../support/folders.js";

const MB = 1024 * 1024;

describe("files that the tool reads", () => {
  it("are read up to their limit, that size included", () => {
    const folder = folderWith({ "full.txt": "a".repeat(MB), "over.txt": "a".repeat(MB + 1) });
    expect(readText(path.join(folder, "full.txt"), 1)).to.have.length(MB);
    expect(() => readText(path.join(folder, "over.txt"), 1)).to.throw("1 MB");
  });

  it("may be missing, but may not be folders", () => {
    const folder = folderWith({});
    mkdirSync(path.join(folder, "folder"));
    expect(readTextIfExists(path.join(folder, "missing.txt"))).to.equal(undefined);
    expect(() => readText(path.join(folder, "folder"))).to.throw("it is a folder");
  });
});
