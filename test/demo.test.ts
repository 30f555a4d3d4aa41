import { expect } from "chai";
import { folderWith, treeOf } from "./support/folders.js";
import { type CommandResult, run } from "./support/processes.js";
import { inRepository, SLOW_TEST_MS } from "./support/repository.js";

const LINES: readonly (readonly [what: string, lines: readonly string[]])[] = [
  [
    "checks, generates and extracts",
    ["1 of 9 files written (0 errors, 0 warnings)", "connector.json: up to date"],
  ],
  ["holds records to their schema", ["its key:       id/7b3f8f0e", "/budget: expected at least 0, found -1"]],
  ["tests the connection", ["Successful test.\n", "customAuth: status 200\n"]],
  [
    "reads everything",
    ["Project: succeeded: 0 unchanged, 5000 inserted, 0 updated, 0 deleted, 0 rejected\n"],
  ],
  [
    "finds nothing changed",
    [
      "Project: succeeded: 5000 unchanged, 0 inserted, 0 updated, 0 deleted, 0 rejected\n",
      "Timesheet: succeeded: 0 unchanged, 0 inserted, 0 updated, 0 deleted, 0 rejected\n",
    ],
  ],
  [
    "finds what changed, and keeps a record aside that does not fit",
    [
      "Project: succeeded: 4998 unchanged, 0 inserted, 1 updated, 1 deleted, 1 rejected\n",
      "Timesheet: succeeded: 0 unchanged, 0 inserted, 1 updated, 1 deleted, 0 rejected\n",
      '/status: expected one of ["Planned","Active","Finished"], found "Lost"',
    ],
  ],
  [
    "performs an action, whose record is in the cache",
    [
      "Action 1 (projects-api/app/1/project/create) succeeded: 1 record in the cache\n",
      "10005  ",
      '"title":"Dam"',
    ],
  ],
  [
    "tells a refusal from an outage",
    ["2       failed  ", "ECONNREFUSED", "It is tried again after", "3       queued  "],
  ],
  ["hides write-only values", ['"managerEmail":"--hidden value--"']],
  ["shows the round trip, byte for byte", ["The two files are the same, byte for byte."]],
  [
    "shows a mistake with its fix",
    ["key-property-optional", "sensitive-not-write-only", "Add writeOnly: true."],
  ],
  ["says where to look", ["store.db\n", "docs/tutorial.md", "README.md"]],
];

describe("npm run demo", function () {
  this.timeout(SLOW_TEST_MS);
  const examples = treeOf(inRepository("examples"));
  let result: CommandResult;
  let said = "";

  before(async () => {
    const temporary = folderWith({});
    const environment = { TMPDIR: temporary, TEMP: temporary, TMP: temporary };
    const demo = inRepository("examples/demo.mjs");
    result = await run(temporary, process.execPath, [demo], { environment });
    said = result.stdout + result.stderr;
  });

  for (const [what, lines] of LINES) {
    it(what, () => {
      for (const line of lines) expect(said).to.include(line);
    });
  }

  it("goes the whole way", () => {
    expect(result.status, said).to.equal(0);
    expect(said).to.not.include("The demo stopped");
  });

  it("prints no secret", () => {
    expect(said)
      .to.not.include("fake-apiToken")
      .and.to.not.match(/manager-\d|@secret\.example/);
  });

  it("leaves nothing in the example", () => {
    expect(treeOf(inRepository("examples"))).to.deep.equal(examples);
  });
});
