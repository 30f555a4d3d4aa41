import { expect } from "chai";
import { COMMAND } from "../support/command-line.js";
import { run } from "../support/processes.js";
import { type Platform, platformProject, project, startPlatform } from "../support/projects-platform.js";
import { SLOW_TEST_MS } from "../support/repository.js";

describe("the progress of run cache-writer", function () {
  this.timeout(SLOW_TEST_MS);
  let platform: Platform;
  let folder: string;

  before(async function () {
    // script(1) of util-linux is the terminal.
    if (process.platform !== "linux") return this.skip();
    platform = await startPlatform({ token: "pt_canary-token" });
    folder = await platformProject(platform.address, "pt_canary-token");
  });
  after(() => platform?.close());

  async function onTerminal(): Promise<string> {
    const command = `'${process.execPath}' '${COMMAND}' run cache-writer`;
    const { stdout, status } = await run(folder, "script", ["-qec", command, "/dev/null"]);
    expect(status, stdout).to.equal(0);
    return stdout;
  }

  it("is a bar for each object on a terminal, with records, pages and rate", async () => {
    platform.projects = Array.from({ length: 2_500 }, (_, index) => project(index));
    const text = await onTerminal();
    expect(text).to.match(/Project \[.+\] 2500 records, \d+ pages, \d+\/s/);
    expect(text).to.match(/Timesheet \[.+\] 120 records, \d+ pages?/);
    expect(text).to.include("Project: succeeded: 0 unchanged, 2500 inserted");
  });
});
