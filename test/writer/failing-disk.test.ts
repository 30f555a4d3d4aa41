import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { retryWhileBusy } from "../../generators/writer/file-system.js";
import { planFiles } from "../../generators/writer/plan.js";
import { recoverWrites, writePlan } from "../../generators/writer/transaction.js";
import { WRITE_OPTIONS } from "../../scripts/system/process-identity.js";
import { folderWith, putFiles, treeOf } from "../support/folders.js";
import { AFTER, BEFORE, systemError, watchFileSystem } from "../support/writer.js";

const OPTIONS = { existingScaffold: "keep", generatedFolder: "generated" } as const;
const OTHER = { identity: { pid: 99_999_999, isAlive: () => false } };

function oldRoot(): string {
  const root = folderWith({});
  putFiles(root, BEFORE);
  return root;
}

function callsOfAWrite(): number {
  let calls = 0;
  const root = oldRoot();
  const fileSystem = watchFileSystem((call) => {
    calls = call;
  });
  expect(writePlan(root, planFiles(root, AFTER, OPTIONS), { ...WRITE_OPTIONS, fileSystem })).to.deep.equal(
    [],
  );
  expect(readdirSync(root)).to.deep.equal(["generated"]);
  return calls;
}

const newTree = () => {
  const root = folderWith({});
  putFiles(root, AFTER);
  return treeOf(root);
};

describe("a disk that fails", () => {
  for (const code of ["ENOSPC", "EACCES", "EROFS", "EIO", "EXYZ"]) {
    it(`changes nothing and gives one message, whichever call meets ${code}`, () => {
      const calls = callsOfAWrite();
      expect(calls).to.be.above(15);
      const fresh = newTree();
      for (let failing = 1; failing <= calls; failing++) {
        const root = oldRoot();
        const before = treeOf(root);
        const fileSystem = watchFileSystem((call) => {
          if (call === failing) throw systemError(code);
        });
        const found = writePlan(root, planFiles(root, AFTER, OPTIONS), { ...OTHER, fileSystem });
        const after = treeOf(root);
        // What fails in tidying up, when all is written, is nothing to report.
        if (found.length === 0) expect(after).to.deep.equal(fresh);
        else {
          expect(after).to.deep.equal(before);
          expect(found.map((finding) => finding.code)).to.deep.equal(["file-not-writable"]);
          expect(found[0]?.message).to.include(`(${code})`).and.not.include("machine");
        }
        expect(recoverWrites(root, WRITE_OPTIONS)).to.deep.equal([]);
        expect(treeOf(root)).to.deep.equal(after);
        expect(readdirSync(root)).to.deep.equal(["generated"]);
      }
    });
  }

  it("and stays full, also while the write is taken back, leaves what the next run makes whole", () => {
    const calls = callsOfAWrite();
    const codes = new Set<string>();
    const [old, fresh] = [treeOf(oldRoot()), newTree()];
    for (let failing = 1; failing <= calls; failing++) {
      const root = oldRoot();
      const fileSystem = watchFileSystem((call) => {
        if (call >= failing) throw systemError("ENOSPC");
      });
      const found = writePlan(root, planFiles(root, AFTER, OPTIONS), { ...OTHER, fileSystem });
      expect(found.length).to.be.below(2);
      for (const { code, message } of found) {
        codes.add(code);
        expect(message).to.include("the disk is full").and.not.include("machine");
      }
      const settled = recoverWrites(root, WRITE_OPTIONS);
      expect(settled).to.deep.equal([]);
      const tree = treeOf(root);
      if (JSON.stringify(tree) !== JSON.stringify(old)) expect(tree).to.deep.equal(fresh);
    }
    expect([...codes]).to.deep.equal(["file-not-writable", "files-unfinished"]);
  });

  it("while all that makes things bigger fails, takes back what was begun", () => {
    for (let failing = 1; failing <= callsOfAWrite(); failing++) {
      const root = oldRoot();
      const before = treeOf(root);
      let calls = 0;
      const full = () => {
        if (++calls >= failing) throw systemError("ENOSPC");
      };
      const real = watchFileSystem(() => {});
      const fileSystem = {
        ...real,
        createFolder: (folder: string) => {
          full();
          real.createFolder(folder);
        },
        createFile: (file: string, content: string, mode?: number) => {
          full();
          real.createFile(file, content, mode);
        },
        linkOrCopy: (file: string, copy: string) => {
          full();
          real.linkOrCopy(file, copy);
        },
      };
      const found = writePlan(root, planFiles(root, AFTER, OPTIONS), { ...WRITE_OPTIONS, fileSystem });
      if (found.length === 0) return;
      expect(found[0]?.message).to.include("the disk is full (ENOSPC)");
      expect(treeOf(root)).to.deep.equal(before);
      expect(readdirSync(root)).to.deep.equal(["generated"]);
    }
    throw new Error("the write never came to its end");
  });

  it("leaves no folder behind where none was", () => {
    const outer = folderWith({});
    const root = path.join(outer, "a", "b");
    const fileSystem = watchFileSystem((call) => {
      if (call === 6) throw systemError("ENOSPC");
    });
    const found = writePlan(root, planFiles(root, AFTER, OPTIONS), { ...WRITE_OPTIONS, fileSystem });
    expect(found).to.have.length(1);
    expect(readdirSync(outer)).to.deep.equal([]);
  });

  it("is tried again where a file is in use for a moment, and not for ever", () => {
    let tries = 0;
    retryWhileBusy(() => {
      if (++tries < 3) throw systemError("EBUSY");
    });
    expect(tries).to.equal(3);
    tries = 0;
    const fail = (code: string) => () => {
      tries += 1;
      throw systemError(code);
    };
    expect(() => retryWhileBusy(fail("EPERM"))).to.throw("EPERM");
    expect(tries).to.equal(4);
    expect(() => retryWhileBusy(fail("ENOSPC"))).to.throw("ENOSPC");
    expect(tries).to.equal(5);
  });
});

describe("an edit made while a plan is carried out", () => {
  const EDIT = "// the author's\n";

  /** The content of `name` after a write in which `edit` was made to it before the call `moment`; none where it could not be. */
  function editedAt(
    name: string,
    moment: number,
    edit: (place: string, isOwnCall: boolean) => void,
  ): string | null | undefined {
    const root = oldRoot();
    const place = path.join(root, name);
    let isMade = false;
    const fileSystem = watchFileSystem((call, _run, places) => {
      if (call !== moment) return;
      try {
        edit(place, places.includes(place));
        isMade = readFileSync(place, "utf8") === EDIT;
      } catch {
        // The file, or its folder, has not come yet or has gone.
      }
    });
    writePlan(root, planFiles(root, AFTER, OPTIONS), { ...WRITE_OPTIONS, fileSystem });
    return isMade ? treeOf(root)[name] : EDIT;
  }

  it("is never overwritten, whichever call it comes before, the one that replaces the file included", () => {
    for (const { path: name } of BEFORE) {
      for (let moment = 1; moment <= callsOfAWrite(); moment++) {
        const content = editedAt(name, moment, (place) => {
          truncateSync(place);
          writeFileSync(place, EDIT, { flag: "r+" });
        });
        expect(content, `${name} at ${moment}`).to.equal(EDIT);
      }
    }
  });

  for (const isSavedAnew of [false, true]) {
    it(`stops the run by the file's name and leaves the old tree with the edit in it, ${isSavedAnew ? "saved anew" : "saved in place"}`, () => {
      const name = "generated/stale.ts";
      const old = treeOf(oldRoot());
      let stops = 0;
      for (let moment = 1; moment <= callsOfAWrite(); moment++) {
        const root = oldRoot();
        let isInTime = false;
        const fileSystem = watchFileSystem((call, _run, places) => {
          const place = path.join(root, name);
          if (call !== moment || treeOf(root)[name] !== old[name]) return;
          if (isSavedAnew && places.includes(place)) return;
          isInTime = true;
          if (isSavedAnew) rmSync(place);
          writeFileSync(place, EDIT);
        });
        const found = writePlan(root, planFiles(root, AFTER, OPTIONS), { ...WRITE_OPTIONS, fileSystem });
        if (!isInTime) continue;
        stops += 1;
        expect(found.map(({ code }) => code)).to.deep.equal(["file-changed"]);
        expect(found[0]?.message).to.include(`"${name}"`);
        expect(treeOf(root)).to.deep.equal({ ...old, [name]: EDIT });
        expect(readdirSync(root)).to.deep.equal(["generated"]);
      }
      expect(stops).to.be.above(6);
    });
  }

  it("is never overwritten where a file is saved anew, up to the last look before it is replaced", () => {
    for (const { path: name } of [...AFTER, ...BEFORE]) {
      for (let moment = 1; moment <= callsOfAWrite(); moment++) {
        const content = editedAt(name, moment, (place, isOwnCall) => {
          if (isOwnCall) return;
          rmSync(place, { force: true });
          writeFileSync(place, EDIT);
        });
        expect(content, `${name} at ${moment}`).to.equal(EDIT);
      }
    }
  });
});
