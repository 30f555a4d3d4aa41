import { spawn } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { COMMAND, connectorcli, connectorcliOn } from "../support/command-line.js";
import { folderWith } from "../support/folders.js";
import { inRepository, SLOW_TEST_MS } from "../support/repository.js";
import { endFakes, type RunningFake, startedFake } from "../support/running-fake.js";

describe("test record and test replay", function () {
  this.timeout(SLOW_TEST_MS);
  let folder: string;
  let fake: RunningFake;

  const reader = () => path.join(folder, "modules/app/project/project-reader.ts");
  const recordingOf = (name: string) => path.join(folder, "recordings", `${name}.json`);
  const recorded = (...args: readonly string[]) =>
    connectorcli(folder, "test", "record", "--fake", fake.address, ...args);
  const replayed = (...args: readonly string[]) => connectorcli(folder, "test", "replay", ...args);

  before(async () => {
    folder = folderWith({});
    cpSync(inRepository("examples/projects-api"), folder, { recursive: true });
    fake = await startedFake(folder, "--records", "12");
  });
  after(endFakes);
  afterEach(() => {
    rmSync(path.join(folder, "recordings"), { recursive: true, force: true });
    cpSync(inRepository("examples/projects-api/modules"), path.join(folder, "modules"), { recursive: true });
  });

  it("replay ends well without any recording, and names those that there are for a wrong name", async () => {
    const none = await replayed();
    expect(none).to.include({ status: 0, stdout: "" });
    expect(none.stderr).to.include("There are no recordings. npx connectorcli test record makes them.");
    await recorded("--object", "project");
    const wrong = await replayed("projct");
    expect(wrong).to.include({ status: 2 });
    expect(wrong.stderr).to.include('no recording "projct": there is project. Did you mean "project"?');
  });

  it("record each data object in a file, from which the connector is run again without settings", async () => {
    const { status, stdout, stderr } = await recorded("--limit", "5");
    expect(status, stderr).to.equal(0);
    expect(stdout).to.match(/^project: \d requests?, \d records?: recordings[\\/]project\.json$/m);
    expect(stdout).to.match(/^timesheet: \d requests?, 5 records: recordings[\\/]timesheet\.json$/m);
    expect(readFileSync(recordingOf("project"), "utf8")).to.not.include("fake-apiToken");
    expect(existsSync(path.join(folder, "test-settings.json"))).to.equal(false);
    const again = await replayed("--json");
    expect(again.status, again.stderr).to.equal(0);
    const { recordings, diagnostics } = JSON.parse(again.stdout);
    expect(recordings.map(({ name }: { name: string }) => name)).to.deep.equal(["project", "timesheet"]);
    expect(recordings[1]).to.deep.include({ differences: [], records: 5 });
    expect(diagnostics).to.deep.equal([]);
  });

  it("hold the fake against what was recorded, if that is asked for", async () => {
    await recorded("--object", "project");
    const same = await replayed("--compare-fake");
    expect(same, same.stderr).to.include({ status: 0 });
    expect(same.stdout).to.include("  The fake answers in the same form.\n");
    const text = readFileSync(recordingOf("project"), "utf8");
    writeFileSync(recordingOf("project"), text.replaceAll(/"status":\s*200/g, '"status": 203'));
    const other = await replayed("--compare-fake");
    expect(other.stdout).to.include(
      "  The fake answers otherwise:\n    GET /v2/projects: it answers 203, and the fake 200\n",
    );
    expect(other.status, other.stdout).to.equal(0);
  });

  it("say what is not as it was recorded, and keep it if that is meant", async () => {
    await recorded("--object", "project");
    const code = readFileSync(reader(), "utf8");
    writeFileSync(
      reader(),
      code.replace('items: "$",', 'items: "$",\n  each: (item: ProjectJson) => ({ ...item, title: "T" }),'),
    );
    const before = readFileSync(recordingOf("project"), "utf8");
    const other = await replayed();
    expect(other).to.include({
      status: 1,
      stdout: "project: not as recorded\n  the cache has other values of title\n",
    });
    expect(other.stderr)
      .to.include("replay-differs")
      .and.to.include("(1 difference): the cache has other values");
    expect(readFileSync(recordingOf("project"), "utf8")).to.equal(before);
    expect((await replayed("project", "--update")).stdout).to.include("project: updated");
    expect(await replayed()).to.include({ status: 0 });
    // What nobody has answered can't be kept.
    writeFileSync(reader(), code.replace("value: 100", "value: 7"));
    const asking = await replayed("--update");
    expect(asking).to.include({ status: 1 });
    expect(asking.stdout).to.match(
      /pageSize=7&page=1 was not recorded\. The nearest is GET \S+ \(\?pageSize: recorded 100, asked 7\)/,
    );
  });

  it("record again only with --update, and show what has changed in the form of the answers", async () => {
    await recorded("--object", "project");
    const refused = await recorded("--object", "project");
    expect(refused).to.include({ status: 1, stdout: "" });
    expect(refused.stderr).to.include("recording-exists");
    expect((await recorded("--object", "project", "--update")).stdout).to.include(
      "  The answers have the form that they had.",
    );
    const old = readFileSync(recordingOf("project"), "utf8");
    writeFileSync(
      recordingOf("project"),
      old.replace(/\\"title\\":/g, '\\"heading\\":').replace(/"title":/g, '"heading":'),
    );
    const changed = await recorded("--object", "project", "--update");
    expect(changed.status, changed.stderr).to.equal(0);
    expect(changed.stdout)
      .to.include("GET /v2/projects 200: /*/heading is gone")
      .and.to.include("/*/title is new");
  });

  it("leave the recording that is there if recording is stopped or refused", async () => {
    await recorded("--object", "project");
    const before = readFileSync(recordingOf("project"), "utf8");
    const code = readFileSync(reader(), "utf8");
    writeFileSync(
      reader(),
      `export async function* projectReader({ signal }) {
        console.log("reading");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      }`,
    );
    const stop = new AbortController();
    const stopped = await connectorcliOn(
      { interruptible: (use) => use(stop.signal), say: (line) => void (line === "reading" && stop.abort()) },
      folder,
      ...["test", "record", "--object", "project", "--update", "--fake", fake.address],
    );
    expect(stopped).to.include({ status: 1 });
    expect(readFileSync(recordingOf("project"), "utf8")).to.equal(before);
    writeFileSync(reader(), code.replace("GET /projects", "GET /nowhere"));
    const refused = await recorded("--object", "project", "--update");
    expect(refused).to.include({ status: 1 });
    expect(refused.stderr).to.include("recording-refused").and.to.include("answered 404");
    expect(readFileSync(recordingOf("project"), "utf8")).to.equal(before);
  });

  it("leave the recording that is there if recording is killed", async () => {
    await recorded("--object", "project");
    const before = readFileSync(recordingOf("project"), "utf8");
    const marker = path.join(folder, "reading");
    // Once, and not for long: the process that reads is not the one that is killed.
    const wait = `each: (item: ProjectJson) => {
    if (!existsSync(${JSON.stringify(marker)})) {
      writeFileSync(${JSON.stringify(marker)}, "");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
    }
    return item;
  },`;
    const code = readFileSync(reader(), "utf8").replace('items: "$",', `items: "$",\n  ${wait}`);
    writeFileSync(reader(), `import { existsSync, writeFileSync } from "node:fs";\n${code}`);
    const call = ["test", "record", "--object", "project", "--update", "--fake", fake.address];
    const running = spawn(process.execPath, [COMMAND, ...call], { cwd: folder, stdio: "ignore" });
    const ended = new Promise((resolve) => running.once("exit", resolve));
    while (!existsSync(marker) && running.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 20));
    running.kill("SIGKILL");
    await ended;
    expect(existsSync(marker)).to.equal(true);
    expect(readFileSync(recordingOf("project"), "utf8")).to.equal(before);
  });

  it("record an action with its input, and perform it again on the recorded answer", async () => {
    const input = path.join(folder, "input.json");
    writeFileSync(input, JSON.stringify({ number: "P-77", title: "New", status: "Active", budget: null }));
    const { status, stderr } = await recorded("--action", "create", "--input", input);
    expect(status, stderr).to.equal(0);
    expect(await replayed()).to.include({ status: 0, stdout: "project.create: as recorded (1 request)\n" });
    const wrong = await recorded("--action", "create");
    expect(wrong).to.include({ status: 2 });
    expect(wrong.stderr).to.include("--action needs its input");
  });

  it("refuse a file that is no recording, and wrong options in package.json", async () => {
    await recorded("--object", "project");
    writeFileSync(recordingOf("other"), "{}");
    const { status, stdout, stderr } = await replayed();
    expect(status).to.equal(1);
    expect(stdout).to.include("other: not replayed\nproject: as recorded");
    expect(stderr).to.include("other.json can't be replayed: it has no log");
    const file = path.join(folder, "package.json");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("{", '{ "connectorcli": { "recordings": { "kept": [] } },'));
    const wrong = await recorded("--object", "project", "--update");
    expect(wrong.stderr).to.include('connectorcli.recordings: there is no option "kept"; there is keep');
    writeFileSync(file, text);
  });
});
