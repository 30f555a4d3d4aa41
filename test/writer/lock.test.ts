import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { expect } from "chai";
import type { WriteOptions } from "../../generators/emitters/index.js";
import { realFileSystem } from "../../generators/writer/file-system.js";
import { acquireLock, releaseLock } from "../../generators/writer/lock.js";
import { planFiles } from "../../generators/writer/plan.js";
import { recoverWrites, writePlan } from "../../generators/writer/transaction.js";
import { WRITE_OPTIONS } from "../../scripts/system/process-identity.js";
import { folderWith, putFiles, treeOf } from "../support/folders.js";
import { inRepository } from "../support/repository.js";
import { AFTER, BEFORE, watchFileSystem } from "../support/writer.js";

const OPTIONS = { existingScaffold: "keep", generatedFolder: "generated" } as const;
const ELDEST_MS = 3_600_000;

/** A project with a lock as `holder` leaves it, `age` milliseconds ago. */
function lockedBy(holder: object | string, age = 0): string {
  const text = typeof holder === "string" ? holder : JSON.stringify({ token: "t-1", ...holder });
  const root = folderWith({ ".connectorcli/lock": text });
  const then = new Date(Date.now() - age);
  utimesSync(path.join(root, ".connectorcli/lock"), then, then);
  return root;
}

function write(root: string, options: WriteOptions = {}) {
  return writePlan(root, planFiles(root, AFTER, OPTIONS), {
    ...WRITE_OPTIONS,
    lockTimeoutMs: 60,
    ...options,
  });
}

/** The number of a process that was there and is gone. */
function deadPid(): number {
  return spawnSync(process.execPath, ["--version"]).pid;
}

describe("the lock of a project", () => {
  it("makes a second run wait, and end with the holder's number and the lock's name", () => {
    const root = lockedBy({ pid: process.pid, host: hostname() });
    const start = Date.now();
    const found = write(root, { lockTimeoutMs: 300 });
    expect(Date.now() - start).to.be.within(300, 3_000);
    expect(found.map(({ code, message }) => `${code}: ${message}`)).to.deep.equal([
      `files-locked: Another run is writing files here: process ${process.pid} holds ".connectorcli/lock".`,
    ]);
    expect(treeOf(root)).to.deep.equal({});
    unlinkSync(path.join(root, ".connectorcli/lock"));
    expect(write(root)).to.deep.equal([]);
  });

  it("goes on as soon as the holder has ended", async () => {
    const root = folderWith({});
    const script = `
      import { rmSync, mkdirSync, writeFileSync } from "node:fs";
      import { hostname } from "node:os";
      mkdirSync(".connectorcli");
      writeFileSync(".connectorcli/lock", JSON.stringify({ pid: process.pid, host: hostname(), token: "t" }));
      console.log("held");
      setTimeout(() => rmSync(".connectorcli/lock"), 400);
      setTimeout(() => {}, 5000).unref();`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], { cwd: root });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    expect(write(root, { lockTimeoutMs: 5_000 })).to.deep.equal([]);
    expect(existsSync(path.join(root, ".connectorcli"))).to.equal(false);
    await new Promise((resolve) => child.once("close", resolve));
  });

  it("is broken where its process is gone, at once", () => {
    const root = lockedBy({ pid: deadPid(), host: hostname() });
    expect(write(root)).to.deep.equal([]);
    expect(existsSync(path.join(root, ".connectorcli"))).to.equal(false);
  });

  it("is broken where another process has the number now, as far as the system tells them apart", function () {
    const { startTime } = WRITE_OPTIONS.identity ?? {};
    if (startTime === undefined) this.skip();
    expect(write(lockedBy({ pid: process.pid, host: hostname(), startTime: "1" }))).to.deep.equal([]);
    expect(write(lockedBy({ pid: process.pid, host: hostname(), startTime }))).to.have.length(1);
  });

  it("of another machine is left alone while it is young, and named with it", () => {
    const pid = deadPid();
    const found = write(lockedBy({ pid, host: "elsewhere" }));
    expect(found[0]?.message).to.include(`process ${pid} on elsewhere holds`);
    expect(write(lockedBy({ pid, host: "elsewhere" }, ELDEST_MS))).to.deep.equal([]);
  });

  it("is broken when it is older than any writing, whoever has the number now", () => {
    expect(write(lockedBy({ pid: process.pid, host: hostname() }, ELDEST_MS))).to.deep.equal([]);
  });

  it("that says nothing, as of a run that died while it made it, is broken after a moment", () => {
    for (const text of ["", '{"pid":']) {
      expect(write(lockedBy(text), { lockTimeoutMs: 2_000 })).to.deep.equal([]);
      expect(write(lockedBy(text, 60_000))).to.deep.equal([]);
    }
  });

  it("keeps to its patience while another run is about to break the same dead lock", () => {
    const root = lockedBy({ pid: deadPid(), host: hostname() });
    const breaker = { pid: process.pid, host: hostname(), token: "t-2" };
    writeFileSync(path.join(root, ".connectorcli/lock-t-1"), JSON.stringify(breaker));
    const start = Date.now();
    expect(write(root, { lockTimeoutMs: 100 }).map(({ code }) => code)).to.deep.equal(["files-locked"]);
    expect(Date.now() - start).to.be.below(3_000);
  });

  it("is taken away by its holder only", () => {
    const file = path.join(folderWith({}), "lock");
    const options = { identity: { pid: 1, isAlive: () => true }, fs: realFileSystem, timeoutMs: 0 };
    const lock = acquireLock(file, options);
    expect(acquireLock(file, options)).to.equal(undefined);
    if (lock === undefined) throw new Error("nobody held it");
    releaseLock({ ...lock, token: "another" }, realFileSystem);
    expect(existsSync(file)).to.equal(true);
    releaseLock(lock, realFileSystem);
    expect(existsSync(file)).to.equal(false);
  });

  it("stops a run that lost it while it slept, before its next change, and leaves the rest to the next run", () => {
    for (let moment = 3; moment < 16; moment++) {
      const root = folderWith({});
      putFiles(root, BEFORE);
      const lock = path.join(root, ".connectorcli/lock");
      let before = treeOf(root);
      const fileSystem = watchFileSystem((call) => {
        if (call !== moment) return;
        before = treeOf(root);
        writeFileSync(lock, JSON.stringify({ pid: deadPid(), host: hostname(), token: "thief" }));
      });
      const found = write(root, { fileSystem });
      if (found.length === 0) {
        expect(moment).to.be.above(11);
        continue;
      }
      expect(found.map(({ code }) => code)).to.deep.equal(["files-locked"]);
      const changed = Object.entries(treeOf(root)).filter(([name, text]) => before[name] !== text);
      // One call was under way, and folders that stay empty harm nobody.
      expect(changed.filter(([, text]) => text !== null).length).to.be.below(2);
      expect(readFileSync(lock, "utf8")).to.include("thief");
      expect(recoverWrites(root, WRITE_OPTIONS)).to.deep.equal([]);
    }
  });

  it("keeps many runs at once apart: each writes all of its files, or says why not", async function () {
    this.timeout(60_000);
    const root = folderWith({});
    const writer = inRepository("dist/test/support/programs/write-plan.js");
    const plans = [BEFORE, AFTER].map((files) => folderWith({ "plan.json": JSON.stringify(files) }));
    const trees = [BEFORE, AFTER].map((files) => {
      const folder = folderWith({});
      putFiles(folder, files);
      return JSON.stringify(treeOf(folder));
    });
    mkdirSync(path.join(root, "generated"));
    for (let round = 0; round < 5; round++) {
      const runs = [0, 1, 0, 1].map((index) => {
        const args = [writer, root, path.join(plans[index] ?? "", "plan.json"), "0"];
        const child = spawn(process.execPath, args, { stdio: "ignore" });
        return new Promise((resolve) => child.once("close", resolve));
      });
      expect(await Promise.all(runs)).to.deep.equal([0, 0, 0, 0]);
      expect(trees).to.include(JSON.stringify(treeOf(root)));
      expect(existsSync(path.join(root, ".connectorcli"))).to.equal(false);
    }
  });
});
