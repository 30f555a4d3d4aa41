import { expect } from "chai";
import { usageOf } from "../../scripts/command-line/command.js";
import { COMMANDS } from "../../scripts/commands/command-table.js";
import { connectorcli, connectorcliProcess } from "../support/command-line.js";
import { smallConnector } from "../support/connector-sources.js";
import { folderWith } from "../support/folders.js";
import type { CommandResult } from "../support/processes.js";
import { longOr, SLOW_TEST_MS } from "../support/repository.js";

/** Every command in the long form, some of each kind in the short one. */
const TRIED = COMMANDS.filter((_, index) => index % longOr(1, 4) === 0);

/** A call of each command, by its words. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  "connector new": ["Sites", "--directory", "made"],
  "module new": ["--id", "app-2", "--name", "Other", "--key", "app", "--version", "2"],
  "data-object new": ["--module-id", "app-1", "--name", "Visit"],
  "action new": ["--module-id", "app-1", "--object-name", "Site", "--name", "Create"],
  "client new": ["--auth-type", "Basic"],
  check: [],
  explain: ["key-missing"],
  extract: ["--json"],
  gen: [],
  build: [],
  "import openapi": ["missing.yaml"],
  read: ["site"],
  act: ["create", "--input", "missing.json"],
  "test acceptance": [],
  "fake start": [],
  dev: ["--fault", "none"],
  // A right call would not end.
  console: ["--port", "70000"],
  "store copy": ["--to", "postgres://127.0.0.1:1/none", "--workspace", "acme"],
  serve: ["--database", "postgres://127.0.0.1:1/none"],
  "workspace add": ["acme", "--settings", "missing.json", "--database", "postgres://127.0.0.1:1/none"],
  "workspace set": ["acme", "--database", "postgres://127.0.0.1:1/none"],
  "workspace list": ["--database", "postgres://127.0.0.1:1/none"],
  "workspace remove": ["acme", "--database", "postgres://127.0.0.1:1/none"],
  "schedule list": ["--workspace", "acme", "--database", "postgres://127.0.0.1:1/none"],
  "schedule pause": ["a/b/1/c", "--workspace", "acme", "--database", "postgres://127.0.0.1:1/none"],
  "schedule resume": ["a/b/1/c", "--workspace", "acme", "--database", "postgres://127.0.0.1:1/none"],
  "schedule run": ["a/b/1/c", "--workspace", "acme", "--database", "postgres://127.0.0.1:1/none"],
  "worker list": ["--database", "postgres://127.0.0.1:1/none"],
  "action enqueue": [
    "sites/app/1/site/create",
    ...["--workspace", "acme", "--input", "missing.json", "--database", "postgres://127.0.0.1:1/none"],
  ],
  "store migrate": ["--database", "postgres://127.0.0.1:1/none"],
  "store prune": [],
  "consumers list": [],
  "consumers advance": ["etl", "--to", "1"],
  "consumers forget": ["etl"],
  "key new": ["made.key"],
  "key rotate": [],
  "import connector-json": ["missing.json", "--directory", "made"],
  migrate: ["--dry-run"],
  "test init": [],
  "test connection": ["--json"],
  "test record": [],
  "test replay": [],
  "run cache-writer": ["--json"],
  "run action-processor": [],
  "cache show": ["site"],
  "cache get": ["site", "1"],
  "cache changes": ["--since", "0"],
  "cache rejected": [],
  "queue list": [],
  "queue show": ["1"],
  "runs list": [],
  "runs show": ["1"],
  "queue cancel": ["1"],
  "queue retry": ["1"],
};

describe("a command in a process of its own", function () {
  this.timeout(SLOW_TEST_MS);

  it("has a call for every command", () => {
    expect(Object.keys(CALLS).sort()).to.deep.equal(COMMANDS.map(({ words }) => words.join(" ")).sort());
  });

  for (const command of TRIED) {
    const words = command.words.join(" ");
    it(`says what it says in this process: ${usageOf(command)}`, async () => {
      const [here, there] = await Promise.all(
        [connectorcli, connectorcliProcess].map(async (call) => {
          const folder = folderWith({
            "connector.ts": smallConnector({ before: 'console.error("loading");' }),
          });
          return withoutPath(await call(folder, ...command.words, ...(CALLS[words] ?? [])), folder);
        }),
      );
      expect(there).to.deep.equal(here);
      expect(`${here?.stdout}${here?.stderr}`).to.not.equal("");
    });
  }
});

function withoutPath({ status, stdout, stderr }: CommandResult, folder: string): CommandResult {
  return {
    status,
    stdout: stdout.replaceAll(folder, "<folder>"),
    stderr: stderr.replaceAll(folder, "<folder>"),
  };
}
