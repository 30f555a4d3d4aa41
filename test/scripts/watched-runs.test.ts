import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import Database from "libsql";
import { connectorcli } from "../support/command-line.js";
import {
  HANDLER,
  type Platform,
  platformProject,
  READER,
  startPlatform,
  useCode,
} from "../support/projects-platform.js";
import { SLOW_TEST_MS } from "../support/repository.js";
import { endWatched, watchedCommand } from "../support/watched-command.js";

const TOKEN = "a-token-of-tests-7";
const OBJECT = ["--data-object-url", "project"] as const;

describe("--watch", function () {
  this.timeout(SLOW_TEST_MS);
  let platform: Platform;
  let folder: string;

  before(async () => {
    platform = await startPlatform({ token: TOKEN, projects: 3 });
    folder = await platformProject(platform.address, TOKEN);
    useCode(folder, READER, HANDLER);
  });
  after(() => platform.close());
  afterEach(endWatched);

  const watched = (...args: readonly string[]) => watchedCommand(folder, ...args);
  const save = (name: string, from: string, to: string) => {
    const file = path.join(folder, name);
    writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
  };

  it("reads again with the code that was saved, waits where that can't be run, and ends when interrupted", async () => {
    const run = watched("run", "cache-writer", "--watch", ...OBJECT);
    await run.hears("Project: succeeded: 0 unchanged, 3 inserted");
    save(READER, "yield* items;", "yield* items.slice(0, 2);");
    await run.hears("Saved: starting again with the new code.");
    await run.hears("Project: succeeded: 2 unchanged, 0 inserted, 0 updated, 1 deleted");
    save(READER, "yield* items.slice(0, 2);", "yield* items.slice(;");
    await run.hears("project-reader.ts");
    await run.hears("not run (1 error");
    save(READER, "yield* items.slice(;", "yield* items;");
    await run.hears("Project: succeeded: 2 unchanged, 1 inserted");
    expect((await run.end()).status).to.equal(0);
  });

  it("stops a run that a save overtakes", async () => {
    const slow =
      "{ yield* items; console.error('waits'); await new Promise((end) => signal.addEventListener('abort', end)); }";
    save(READER, "yield* items;", slow);
    const run = watched("run", "cache-writer", "--watch", ...OBJECT);
    await run.hears("waits");
    save(READER, slow, "yield* items;");
    await run.hears("Project: failed");
    await run.hears("Project: succeeded: 3 unchanged");
    await run.end();
  });

  it("--every runs again after its time, and with the code that was saved", async () => {
    const run = watched("run", "cache-writer", "--every", "0.1", ...OBJECT);
    await run.hears("Project: succeeded: 3 unchanged");
    await run.hears("Project: succeeded: 3 unchanged");
    save(READER, "yield* items;", "yield* [...items];");
    await run.hears("Saved");
    await run.hears("Project: succeeded: 3 unchanged");
    expect((await run.end()).status).to.equal(0);
  });

  it("shows what a reader yields after each save, with --dry-run", async () => {
    const run = watched("run", "cache-writer", "--dry-run", "--watch", "--limit", "1", ...OBJECT);
    await run.hears("Project: 1 record read");
    save(READER, "yield* [...items];", 'yield* items.map((item) => ({ ...item, title: "As saved" }));');
    await run.hears("As saved");
    save(READER, 'yield* items.map((item) => ({ ...item, title: "As saved" }));', "yield* items;");
    await run.hears("Bridge 1");
    expect((await run.end()).status).to.equal(0);
  });

  it("performs what is queued later, with the handler that was saved last", async () => {
    const file = path.join(folder, "input.json");
    const action = [...OBJECT, "--action-url", "create", "--input", file];
    const queue = async (id: number) => {
      writeFileSync(
        file,
        JSON.stringify({ number: `N-${id}`, title: "Dam", status: "Planned", budget: null }),
      );
      platform.failures = 1;
      const { stdout } = await connectorcli(folder, "run", "action-processor", ...action);
      expect(stdout).to.include(`Action ${id} `).and.to.include("is tried again");
    };
    const makeDue = (id: number) => {
      const store = new Database(path.join(folder, ".connectorcli-cache/store.db"));
      store.prepare("UPDATE actions SET due_at = ? WHERE id = ?").run([new Date().toISOString(), id]);
      store.close();
    };
    await queue(1);
    await queue(2);
    makeDue(1);
    const run = watched("run", "action-processor", "--watch");
    await run.hears("Action 1 (projects-api/app/1/project/create) succeeded");
    save(HANDLER, "  await idem", '  console.error("the new handler");\n  await idem');
    await run.hears("Saved");
    makeDue(2);
    await run.hears("the new handler");
    await run.hears("Action 2 (projects-api/app/1/project/create) succeeded");
    expect((await run.end()).status).to.equal(0);
  });
});
