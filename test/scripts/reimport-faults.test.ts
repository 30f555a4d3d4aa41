import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { makePlan } from "../../generators/openapi/inference/make-plan.js";
import { knownObjects } from "../../generators/openapi/reimport/import-lock.js";
import { recoverWrites, writePlan } from "../../generators/writer/transaction.js";
import { readSource } from "../../scripts/openapi-import/read-source.js";
import { planReimport, readProjectLock } from "../../scripts/openapi-import/reimport.js";
import { WRITE_OPTIONS } from "../../scripts/system/process-identity.js";
import { importOpenApi } from "../../scripts/workbench/index.js";
import { folderWith, treeOf } from "../support/folders.js";
import { listDocument, listOf, objectOf, operation } from "../support/openapi.js";
import { runs, SLOW_TEST_MS } from "../support/repository.js";
import { systemError, watchFileSystem } from "../support/writer.js";

const DEAD = { identity: { pid: 99_999_999, isAlive: () => false } };
const text = (properties: readonly string[], lists: readonly string[]) =>
  JSON.stringify(
    listDocument({
      answer: listOf(objectOf("id", ...properties)),
      paths: Object.fromEntries(
        lists.map((path) => [path, { get: operation({ answer: listOf(objectOf("id", "title")) }) }]),
      ),
    }),
  );

/** The write of a later import, with everything that an import does to a tree: new, changed and removed files, and edits. */
async function laterImport(folder: string) {
  const before = readProjectLock(folder);
  const source = path.join(folder, "../api.json");
  const read = await readSource({ source, overlays: [] });
  const { description, placeOf } = read;
  if (before === undefined || "code" in before || description === undefined) throw new Error("not imported");
  const plan = makePlan(description, { known: knownObjects(before, read) });
  const config = { source: "../api.json" };
  const { files, diagnostics } = planReimport(
    before,
    {
      description,
      placeOf,
      plan,
      select: [],
      read,
      config,
      name: "api.json",
      version: "1.0.0",
      placeOfDocument: () => ({}),
    },
    { folder, accept: true, add: true, answers: [{ steps: ["settings"], value: "tenant" }] },
  );
  expect(diagnostics).to.deep.equal([]);
  if (files === undefined) throw new Error("not planned");
  return files;
}

describe("an import that ends in the middle", function () {
  this.timeout(SLOW_TEST_MS);

  it("leaves the project as it was, or as it is afterwards, at whatever moment it ends", async () => {
    const base = folderWith({ "api.json": text(["name", "email"], ["/teams", "/notes"]) });
    const first = path.join(base, "first");
    const { diagnostics } = await importOpenApi({ directory: first, source: path.join(base, "api.json") });
    expect(diagnostics).to.deep.equal([]);
    // What nobody uses any more is removed.
    for (const name of ["schemas/app/note.ts", "modules/app/note/note-reader.ts"])
      writeFileSync(path.join(first, name), "export {};\n");
    writeFileSync(path.join(base, "api.json"), text(["name", "phone"], ["/teams", "/users"]));
    let count = 0;
    const copy = () => {
      const folder = path.join(base, `copy${count++}`);
      cpSync(first, folder, { recursive: true });
      return folder;
    };
    const old = treeOf(first);
    const whole = copy();
    let calls = 0;
    const counting = watchFileSystem((call) => {
      calls = call;
    });
    expect(
      writePlan(whole, await laterImport(whole), { ...WRITE_OPTIONS, fileSystem: counting }),
    ).to.deep.equal([]);
    const fresh = treeOf(whole);
    expect(Object.keys(fresh)).to.include("schemas/app/user.ts").and.to.not.include("imported/app/note.ts");
    expect(readFileSync(path.join(whole, "openapi.config.ts"), "utf8")).to.include('settings: ["tenant"]');
    const ends = { old: 0, fresh: 0 };
    for (let last = 1; last <= calls; last += runs(1) > 1 ? 1 : 3) {
      const folder = copy();
      const fileSystem = watchFileSystem((call) => {
        if (call >= last) throw systemError("EIO");
      });
      writePlan(folder, await laterImport(folder), { ...DEAD, fileSystem });
      expect(
        recoverWrites(folder, WRITE_OPTIONS).filter(({ severity }) => severity === "error"),
      ).to.deep.equal([]);
      const now = treeOf(folder);
      const end = JSON.stringify(now) === JSON.stringify(old) ? "old" : "fresh";
      ends[end]++;
      if (end === "fresh") expect(now).to.deep.equal(fresh);
    }
    expect(ends.old).to.be.above(10);
    expect(ends.fresh).to.be.above(0);
  });
});
