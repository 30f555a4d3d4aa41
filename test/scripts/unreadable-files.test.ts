import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { connectorcli } from "../support/command-line.js";
import { smallConnector } from "../support/connector-sources.js";
import { folderWith } from "../support/folders.js";
import {
  changeSettings,
  type Platform,
  platformProject,
  startPlatform,
} from "../support/projects-platform.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const TOKEN = "a-token-of-tests-7";
const DEPTH = 100_000;
const SETTINGS = [
  ["run", "cache-writer"],
  ["test", "connection"],
  ["test", "init"],
] as const;

describe("a file that can't be read", function () {
  this.timeout(SLOW_TEST_MS);
  let platform: Platform;
  let folder: string;

  before(async () => {
    platform = await startPlatform({ token: TOKEN, projects: 1 });
    folder = await platformProject(platform.address, TOKEN);
  });
  after(() => platform.close());

  const said = async (...args: readonly string[]) => {
    const { status, stdout, stderr } = await connectorcli(folder, ...args);
    return { status, text: stdout + stderr };
  };
  const input = (file: string) =>
    said(
      ...[
        "run",
        "action-processor",
        "--data-object-url",
        "project",
        "--action-url",
        "create",
        "--input",
        file,
      ],
    );
  /** Makes `name` something else for a while. */
  const replaced = async (name: string, make: (file: string) => void, use: () => Promise<void>) => {
    const file = path.join(folder, name);
    const before = readFileSync(file);
    rmSync(file);
    make(file);
    await use();
    rmSync(file, { recursive: true });
    writeFileSync(file, before, { mode: 0o600 });
  };
  const makePipe = (file: string) => execFileSync("mkfifo", [file]);
  const makeDevice = (file: string) => symlinkSync("/dev/zero", file);
  const makeLarge = (file: string) => writeFileSync(file, `{}${" ".repeat(17 * 1024 * 1024)}`);

  const KINDS = [
    ["a folder", mkdirSync, "it is a folder"],
    ["a pipe", makePipe, "it is a pipe, a socket or a device"],
    ["a device", makeDevice, "it is a pipe, a socket or a device"],
    ["too large", makeLarge, "it has more than 16 MB"],
  ] as const;

  for (const [kind, make, words] of KINDS) {
    it(`is said in words: the settings are ${kind}`, async function () {
      if (process.platform === "win32") this.skip();
      await replaced("test-settings.json", make, async () => {
        for (const args of SETTINGS) {
          const { status, text } = await said(...args);
          expect(text).to.include(`The file "test-settings.json" can't be read: ${words}`);
          expect(status).to.equal(1);
        }
      });
    });

    it(`is said in words: package.json is ${kind}`, async function () {
      if (process.platform === "win32") this.skip();
      await replaced("package.json", make, async () => {
        for (const args of [["run", "cache-writer"], ["check"]]) {
          const { status, text } = await said(...args);
          expect(text, args.join(" ")).to.include(`The file "package.json" can't be read: ${words}`);
          expect(status).to.equal(1);
        }
      });
    });

    it(`is said in words: an input, or a connector.json to compare with, is ${kind}`, async function () {
      if (process.platform === "win32") this.skip();
      const file = path.join(folder, "given.json");
      make(file);
      const { status, text } = await input("given.json");
      expect(text).to.include(`given.json can't be read: ${words}`);
      expect(status).to.equal(2);
      if (kind !== "too large")
        expect((await said("check", "--against", "given.json")).text).to.include(words);
      rmSync(file, { recursive: true });
    });
  }

  it("is said in words: JSON that is nested too deep", async () => {
    const nested = "[".repeat(DEPTH) + "]".repeat(DEPTH);
    const makeDeep = (file: string) => writeFileSync(file, `{"a":${nested}}`);
    await replaced("package.json", makeDeep, async () => {
      for (const args of [["run", "cache-writer"], ["check"]])
        expect((await said(...args)).text).to.match(/package\.json:1:\d+ +error +json-too-deep/);
      expect((await said("migrate", "--dry-run")).text).to.include("package.json");
    });
    await replaced("test-settings.json", makeDeep, async () => {
      for (const args of SETTINGS) expect((await said(...args)).text).to.include("json-too-deep");
    });
    makeDeep(path.join(folder, "deep.json"));
    const { status, text } = await input("deep.json");
    expect(text).to.include("deep.json:1: The file is nested more than 1000 levels deep.");
    expect(status).to.equal(2);
  });

  it("is not asked of the prototype: a variable is one that is set", async () => {
    for (const name of ["__proto__", "toString", "constructor"]) {
      changeSettings(folder, (settings) => {
        const [connection] = settings["connections"] as { configuration: Record<string, unknown> }[];
        Object.assign(connection?.configuration ?? {}, { apiToken: `\${${name}}` });
      });
      for (const args of SETTINGS.slice(0, 2)) {
        const { status, text } = await said(...args);
        expect(text).to.include("settings-variable-missing").and.to.include(name);
        expect(status).to.equal(1);
      }
    }
  });
});

describe("a temporary folder that is missing", () => {
  it("is said in words, with the variable that names it", async () => {
    const before = process.env["TMPDIR"];
    const folder = folderWith({ "connector.ts": smallConnector() });
    process.env["TMPDIR"] = path.join(folder, "nowhere");
    try {
      const { status, stderr } = await connectorcli(folder, "check");
      expect(stderr)
        .to.match(/^No temporary folder can be made in .*nowhere \(ENOENT.*\)\. Let TMPDIR name a folder/)
        .and.to.not.match(/^\s+at /m);
      expect(status).to.equal(1);
    } finally {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    }
  }).timeout(SLOW_TEST_MS);
});
