import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { COMMAND, connectorcli } from "../support/command-line.js";
import { folderWith, treeOf } from "../support/folders.js";
import { startedProcess } from "../support/processes.js";

const MODULE = ["module", "new", "--id", "app-1", "--name", "App", "--key", "app", "--version", "1"];

/** Runs a command on a terminal; each answer is typed when its question is seen. */
function onTerminal(
  cwd: string,
  args: readonly string[],
  answers: readonly (readonly [question: string, typed: string])[],
): Promise<{ status: number | null; seen: string }> {
  const line = [process.execPath, COMMAND, ...args].map((word) => `'${word}'`).join(" ");
  const child = startedProcess(
    spawn("script", ["-qec", line, "/dev/null"], { cwd, stdio: ["pipe", "pipe", "ignore"] }),
  );
  const open = [...answers];
  let seen = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    seen += text;
    const [next] = open;
    if (next === undefined || !seen.includes(next[0])) return;
    open.shift();
    // The prompt listens a moment after it is drawn.
    setTimeout(() => child.stdin.write(next[1]), 300);
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, seen }));
  });
}

describe("the questions of the scaffolding commands", () => {
  let folder = "";
  before(async function () {
    const { status } = spawnSync("script", ["-qec", "true", "/dev/null"], { stdio: "ignore" });
    if (status !== 0) this.skip();
    folder = folderWith({});
    for (const call of [["connector", "new", "Personnel"], MODULE]) await connectorcli(folder, ...call);
  });

  it("ask for what is missing, and offer what is there", async () => {
    const { status, seen } = await onTerminal(
      folder,
      ["data-object", "new"],
      [
        ["app-1", "\r"],
        ["Name of the data object", "Contract\r"],
      ],
    );
    expect(status, seen).to.equal(0);
    expect(readFileSync(path.join(folder, "schemas/app/module.ts"), "utf8")).to.include("[Contract]");
  });

  it("ask for the value of a variable in the path of a list, and offer what may give it", async () => {
    const list = ["--name", "Clause", "--list", "GET /firms/{firm}/clauses"];
    const { status, seen } = await onTerminal(
      folder,
      ["data-object", "new", "--module-id", "app-1", ...list],
      [["id of each Contract", "\r"]],
    );
    expect(status, seen).to.equal(0);
    expect(seen).to.include("Value of {firm} in the path");
    expect(readFileSync(path.join(folder, "modules/app/clause/clause-reader.ts"), "utf8")).to.include(
      'path: { firm: from(contractReader, "id") }',
    );
  });

  it("end with Ctrl-C, and leave the tree as it was", async () => {
    const tree = treeOf(folder);
    for (const [args, question] of [
      [["data-object", "new", "--module-id", "app-1"], "Name of the data object"],
      [
        [...["data-object", "new", "--module-id", "app-1", "--name", "Part"], "--list", "GET /of/{it}"],
        "Value of {it}",
      ],
      [["connector", "new", "--directory", "x"], "Name of the connector"],
      [["module", "new"], "Name of the module"],
      [["action", "new", "--module-id", "app-1", "--object-name", "Contract"], "Name of the action"],
    ] as const) {
      const { status, seen } = await onTerminal(folder, args, [[question, "\x03"]]);
      expect(status).to.equal(130);
      expect(seen).to.include("Interrupted; nothing was written.");
      expect(treeOf(folder)).to.deep.equal(tree);
    }
  });
});
