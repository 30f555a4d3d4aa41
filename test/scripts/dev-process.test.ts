import { spawn } from "node:child_process";
import { cpSync, existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { COMMAND } from "../support/command-line.js";
import { folderWith } from "../support/folders.js";
import { startedProcess } from "../support/processes.js";
import { inRepository, SLOW_TEST_MS } from "../support/repository.js";

describe("the process of dev", function () {
  this.timeout(SLOW_TEST_MS);
  let folder: string;

  beforeEach(() => {
    folder = folderWith({ "tmp/.keep": "" });
    cpSync(inRepository("examples/projects-api"), path.join(folder, "project"), { recursive: true });
  });

  /** The process once it has said `words`, and where its fake target system is. */
  async function started(words: string) {
    const child = startedProcess(
      spawn(process.execPath, [COMMAND, "dev", "--records", "3"], {
        cwd: path.join(folder, "project"),
        stdio: ["ignore", "ignore", "pipe"],
        env: { ...process.env, NO_COLOR: "1", TMPDIR: path.join(folder, "tmp") },
      }),
    );
    const ended = new Promise<number | null>((resolve) => child.once("exit", (status) => resolve(status)));
    let said = "";
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        if (said.includes(words)) resolve();
      });
      void ended.then(() => reject(new Error(said)));
    });
    const [, address = ""] = /answers at (http:\S+):/.exec(said) ?? [];
    return { child, ended, address };
  }

  const isOver = (address: string) =>
    fetch(address).then(
      () => false,
      () => true,
    );

  it("ends with all that it has started, whenever it is interrupted, and leaves nothing behind", async () => {
    for (const words of ["check: ", "Interrupt it to stop."]) {
      const { child, ended, address } = await started(words);
      child.kill("SIGINT");
      expect(await ended, words).to.equal(0);
      if (address !== "") expect(await isOver(address), words).to.equal(true);
      expect(readdirSync(path.join(folder, "tmp")), words).to.deep.equal([".keep"]);
    }
    expect(existsSync(path.join(folder, "project/.connectorcli-cache"))).to.equal(false);
  });

  it("takes the fake target system with it when it is killed", async () => {
    const { child, ended, address } = await started("Interrupt it to stop.");
    expect(await isOver(address)).to.equal(false);
    child.kill("SIGKILL");
    await ended;
    for (let turn = 0; turn < 200 && !(await isOver(address)); turn++)
      await new Promise((resolve) => setTimeout(resolve, 25));
    expect(await isOver(address)).to.equal(true);
  });
});
