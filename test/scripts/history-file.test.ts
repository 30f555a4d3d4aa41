/** What runs have asked, as it is kept beside a store. */
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { MadeCall } from "../../runtime/history/history.js";
import { HistoryFile } from "../../scripts/workbench/history-file.js";
import { folderWith } from "../support/folders.js";

const OBJECT = "list/1/thing";

describe("the history of runs", () => {
  it("has the calls of a run by its object and its time, and those of an action by its number", async () => {
    const history = new HistoryFile(path.join(folderWith({}), "store.db"));
    expect(await history.ofRun(run(0, null))).to.deep.equal({ calls: [], pages: [] });
    const calls = [
      call({ object: OBJECT }, 1),
      call({ object: OBJECT }, 2),
      call({ object: "list/1/other" }, 2),
      call({ object: OBJECT }, 5),
      call({ action: 7 }, 2),
      call({ action: 8 }, 2),
      call(null, 2),
    ];
    for (const each of calls) history.noteCall(each);
    const timesOf = (found: readonly MadeCall[]) => found.map((each) => each.at);
    expect(timesOf((await history.ofRun(run(2, at(4)))).calls)).to.deep.equal([at(2)]);
    expect(timesOf((await history.ofRun(run(2, null))).calls)).to.deep.equal([at(2), at(5)]);
    expect((await history.ofAction({ id: 7, queuedAt: at(0) })).calls).to.have.length(1);
    expect((await history.ofAction({ id: 7, queuedAt: at(3) })).calls).to.deep.equal([]);
  });

  it("does without a line that was torn, and without a file that can't be written", async () => {
    const folder = folderWith({});
    const file = path.join(folder, "store.db");
    const history = new HistoryFile(file);
    history.noteCall(call({ action: 1 }, 1));
    appendFileSync(`${file}-history.jsonl`, '{"kind":"call","of":{"act');
    appendFileSync(`${file}-history.jsonl`, "\n");
    history.noteCall(call({ action: 1 }, 2));
    expect((await history.ofAction({ id: 1, queuedAt: at(0) })).calls).to.have.length(2);
    const nowhere = new HistoryFile(path.join(folder, "none", "store.db"));
    nowhere.noteCall(call({ action: 1 }, 1));
    expect((await nowhere.ofAction({ id: 1, queuedAt: at(0) })).calls).to.deep.equal([]);
  });

  it("takes two files of bounded size", async () => {
    const file = path.join(folderWith({}), "store.db");
    const [current, older] = [`${file}-history.jsonl`, `${file}-history.older.jsonl`];
    writeFileSync(older, "the oldest\n");
    const line = `${JSON.stringify({ kind: "call", ...call({ action: 1 }, 1) })}\n`;
    writeFileSync(current, line.repeat(Math.ceil(4_000_001 / line.length)));
    const history = new HistoryFile(file);
    history.noteCall(call({ action: 2 }, 3));
    expect(existsSync(older)).to.equal(true);
    expect(readFileSync(older, "utf8")).to.not.include("the oldest");
    expect(statSync(current).size).to.be.lessThan(1_000);
    expect((await history.ofAction({ id: 2, queuedAt: at(0) })).calls).to.have.length(1);
  });
});

function at(second: number): string {
  return new Date(second * 1_000).toISOString();
}

function run(startedAt: number, endedAt: string | null) {
  return { object: OBJECT, startedAt: at(startedAt), endedAt };
}

function call(of: MadeCall["of"], second: number): MadeCall {
  const facts = { purpose: "call", method: "GET", address: "https://x.example/", status: 200 } as const;
  return { of, at: at(second), ...facts, ms: 1, attempt: 1, problem: null };
}
