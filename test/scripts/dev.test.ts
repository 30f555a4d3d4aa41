import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { connectorcli } from "../support/command-line.js";
import { folderWith } from "../support/folders.js";
import { inRepository, SLOW_TEST_MS } from "../support/repository.js";
import { endWatched, watchedCommand } from "../support/watched-command.js";

const SCHEMA = "schemas/app/project.ts";
const READER = "modules/app/project/project-reader.ts";
const HANDLER = "modules/app/project/create-project-handler.ts";

describe("dev", function () {
  this.timeout(SLOW_TEST_MS);
  let folder: string;

  beforeEach(() => {
    folder = folderWith({});
    cpSync(inRepository("examples/projects-api"), folder, { recursive: true });
  });
  afterEach(endWatched);

  const dev = (...args: readonly string[]) => watchedCommand(folder, "dev", "--records", "60", ...args);
  const save = (name: string, from: string, to: string) => {
    const file = path.join(folder, name);
    const before = readFileSync(file, "utf8");
    if (!before.includes(from)) throw new Error(`${name} has no ${from}`);
    writeFileSync(file, before.replace(from, to));
  };
  const READY = "Interrupt it to stop.";

  it("shows how the project is, and after each save what became of it, at one address", async () => {
    const run = dev("--limit", "2");
    const start = await run.hears(READY);
    expect(start).to.include("Project: 2 records read\n").and.to.include("Timesheet: 2 records read\n");
    const [, address = ""] = /answers at (http:\S+):/.exec(start) ?? [];

    save(READER, "value: 100", "value: 50");
    const read = await run.hears("Project: 2 records read");
    expect(read).to.match(/^\d\d:\d\d:\d\d {2}modules\/app\/project\/project-reader\.ts$/m);
    expect(read)
      .to.include("new code, with new records")
      .and.to.match(/^primary key +id +number/m);

    save(SCHEMA, "number: Type", "\n    number: Type");
    save(SCHEMA, "createdOn:", "startedOn:");
    const generated = await run.hears("Project: 2 records read");
    expect(generated).to.include("update generated/app/project.ts\n").and.to.include("extract-stale");
    expect(generated).to.not.include("Timesheet");

    save(HANDLER, "export const", "\nexport const");
    const handled = await run.hears("new records.");
    expect(handled).to.include("create-project-handler.ts").and.to.not.include("read");
    expect(await fetch(`${address}/v2/projects`)).to.include({ status: 401 });

    const { status } = await run.end();
    expect(status).to.equal(0);
    const failure = await fetch(address).catch((error: Error) => error);
    expect(failure).to.be.instanceOf(Error);
  });

  it("says of a mistake where it is, then that it is still there, then that it is mended", async () => {
    const run = dev();
    await run.hears(READY);
    save(READER, 'items: "$"', 'items: "$", items: ');
    const broken = await run.hears("check: 1 error");
    expect(broken).to.match(/project-reader\.ts:10:\d+ {2}error {2}project-syntax\n {4}\S/);
    save(HANDLER, "export const", "\nexport const");
    const still = await run.hears("check: 1 error");
    expect(still).to.match(
      /^modules.*project-reader\.ts:10:\d+ {2}error {2}project-syntax {2}\(as before\)$/m,
    );
    expect(still.split("project-syntax")).to.have.length(2);
    save(READER, 'items: "$", items: ', 'items: "$"');
    expect(await run.hears(", 1 mended\n")).to.not.include("project-syntax");
  });

  it("shows where a reader fails, or what does not fit", async () => {
    const run = dev();
    await run.hears(READY);
    const file = path.join(folder, READER);
    const declared = readFileSync(file, "utf8");
    writeFileSync(file, "export async function* projectReader() {\n  throw new Error('not this way');\n}\n");
    expect(await run.hears("project-reader.ts:2:9"))
      .to.include("then it failed\n")
      .and.to.include("not this way");
    writeFileSync(file, "export async function* projectReader() {\n  yield { id: 7 };\n}\n");
    expect(await run.hears("1 does not fit\n")).to.include("number");
    writeFileSync(file, declared);
    await run.hears("Project: 5 records read\n");
  });

  it("misses no save while a pass is under way, and none of the tools' own files is one", async () => {
    const run = dev();
    await run.hears(READY);
    for (const name of [".#project.ts", "dist/a.js", ".connectorcli/a.ts", "node_modules/a.ts", "a.ts~"]) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), "!");
    }
    for (const pages of [60, 70, 80]) {
      const [, before] = /value: (\d+)/.exec(readFileSync(path.join(folder, READER), "utf8")) ?? [];
      save(READER, `value: ${before}`, `value: ${pages}`);
      await run.hears(`  ${READER}\n`);
    }
    save("modules/app/timesheet/timesheet-reader.ts", "export const", "\n\nexport const");
    const said = await run.hears("Timesheet: 5 records read");
    expect(said).to.include("Project: 5 records read");
  });

  it("goes on without a fake target system that has ended, and starts it again after a save", async () => {
    const file = path.join(folder, "fake.ts");
    writeFileSync(
      file,
      `import { defineFake } from "connectorcli/testing";
export const fake = defineFake({ routes: { "GET /end": () => process.exit(7) } });
`,
    );
    const run = dev();
    const [, address] = /answers at (http:\S+):/.exec(await run.hears(READY)) ?? [];
    const headers = { authorization: "Token api=fake-apiToken" };
    await fetch(`${address}/v2/end`, { headers }).catch(() => {});
    await run.hears("The fake target system does not run:\n");
    await run.hears("status 7");
    writeFileSync(file, "export {};\n");
    await run.hears("with new records.");
    expect(await fetch(`${address}/v2/projects`, { headers })).to.include({ status: 200 });
  });

  it("waits where there is no client yet, and begins when there is one", async () => {
    const registration = path.join(folder, "registration.ts");
    const text = readFileSync(registration, "utf8");
    rmSync(registration);
    const run = dev();
    const start = await run.hears(READY);
    expect(start)
      .to.match(/^check: 0 errors/m)
      .and.to.include("client new --auth-type");
    expect(start).to.not.include("read\n");
    writeFileSync(registration, text);
    await run.hears("2 mended");
    await run.hears("Project: 5 records read\n");
  });

  it("prints each event as a line of JSON", async () => {
    const run = dev("--json", "--limit", "1");
    const lines = (await run.hears('{"kind":"waiting"}\n')).trim().split("\n");
    const events = lines.map((line) => JSON.parse(line));
    const kinds = ["saved", "checked", "faked", "previewed", "previewed", "waiting"];
    expect(events.map(({ kind }) => kind)).to.deep.equal(kinds);
    expect(events[1].findings[0]).to.include({ code: "name-style-mixed", file: "schemas/app/project.ts" });
    expect(events[3].previewed.records).to.have.length(1);
  });

  it("does not begin where there is no connector", async () => {
    const { status, stderr } = await connectorcli(folderWith({}), "dev");
    expect(status).to.equal(1);
    expect(stderr).to.include("project-missing");
  });
});
