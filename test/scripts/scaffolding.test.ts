import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { COMMANDS } from "../../scripts/commands/command-table.js";
import { COMMAND, connectorcli } from "../support/command-line.js";
import { smallConnector } from "../support/connector-sources.js";
import { folderWith, installInto, type Tree, treeOf } from "../support/folders.js";
import { startedProcess, tsc } from "../support/processes.js";
import { COMPILERS, SLOW_TEST_MS } from "../support/repository.js";

const MODULE = ["module", "new", "--id", "app-1", "--name", "App", "--key", "app", "--version", "1"];
const OBJECT = ["data-object", "new", "--module-id", "app-1"];
const ACTION = ["action", "new", "--module-id", "app-1"];

/** Runs commands one after another; all of them must succeed. Gives what the last one said. */
async function all(folder: string, ...calls: readonly (readonly string[])[]): Promise<string> {
  let said = "";
  for (const call of calls) {
    const { status, stderr } = await connectorcli(folder, ...call);
    expect(status, `${call.join(" ")}\n${stderr}`).to.equal(0);
    said = stderr;
  }
  return said;
}

const fileIn = (folder: string, name: string) => readFileSync(path.join(folder, name), "utf8");

/** A project of one module with one object, as the commands make it. */
async function smallProject(): Promise<string> {
  const folder = folderWith({});
  await all(folder, ["connector", "new", "Personnel"], MODULE, [...OBJECT, "--name", "Employee"]);
  return folder;
}

describe("the scaffolding commands", () => {
  it("make a project that generates, checks, extracts and type-checks without a hand edit", async () => {
    const folder = await smallProject();
    await all(
      folder,
      [...OBJECT, "--name", "Timesheets", "--reader-type", "incremental"],
      ...["Create", "Update", "Delete", "SendInvite"].map((name) => [
        ...[...ACTION, "--object-name", "Employee", "--name", name],
      ]),
      ["module", "new", "--id", "app-2", "--name", "App", "--key", "app", "--version", "2"],
      ["data-object", "new", "--module-id", "app-2", "--name", "Employee"],
      ["action", "new", "--module-id", "app-2", "--object-name", "Employee", "--name", "Create"],
      ["gen"],
      ["extract"],
    );
    const check = await connectorcli(folder, "check");
    expect(check.stderr).to.equal("0 errors, 1 warning\n");
    expect(check.stdout).to.include("connection-none");
    installInto(folder);
    for (const version of COMPILERS) {
      const { status, stdout } = await tsc(version, folder);
      expect(status, stdout).to.equal(0);
    }
    const { modules } = JSON.parse(fileIn(folder, "connector.json"));
    expect(modules[0].dataObjects.map(({ name }: { name: string }) => name)).to.deep.equal([
      "Employee",
      "Timesheets",
    ]);
    expect(modules[0].dataObjects[0].actions).to.have.length(4);
  }).timeout(SLOW_TEST_MS);

  it("say what they wrote, and what comes next", async () => {
    const folder = await smallProject();
    const said = await all(folder, [...ACTION, "--object-name", "Employee", "--name", "Create"]);
    expect(said.split("\n").slice(0, 7)).to.deep.equal([
      "create modules/app/employee/create-employee-handler.ts",
      "kept client/api-client.ts",
      "update schemas/app/module.ts",
      "update schemas/app/employee.ts",
      "update modules/app/services.ts",
      "Next:",
      "  Adapt the input and output of the action, and its handler; then: npm run gen",
    ]);
  });

  it("print their result as JSON", async () => {
    const folder = folderWith({});
    const { stdout, stderr } = await connectorcli(folder, "connector", "new", "My HR", "--json");
    expect(stderr).to.equal("");
    const result = JSON.parse(stdout);
    expect(result).to.include({ written: true });
    expect(result.files[0]).to.deep.equal({ step: "create", path: "connector.ts" });
    expect(fileIn(folder, "connector.ts")).to.include('key: "my-hr"');
    const wrong = await connectorcli(folder, ...MODULE.slice(0, -1), "0", "--json");
    expect(wrong.status).to.equal(1);
    expect(JSON.parse(wrong.stdout).diagnostics[0].code).to.equal("scaffold-name-invalid");
  });

  it("start a project in another folder, which need not be there", async () => {
    const folder = folderWith({});
    const said = await all(folder, ["connector", "new", "HR", "--key", "hr-1", "--directory", "a/b"]);
    expect(said).to.include("  cd a/b\n");
    expect(fileIn(folder, "a/b/connector.ts")).to.include('key: "hr-1"');
    expect(JSON.parse(fileIn(folder, "a/b/package.json"))).to.include({ name: "hr-1-connector" });
  });

  it("start a project whose README names every command that a project needs", async () => {
    const folder = folderWith({});
    await all(folder, ["connector", "new", "HR"]);
    const readme = fileIn(folder, "README.md");
    const names = COMMANDS.map(({ words }) => words.join(" ")).filter(
      (name) => !["connector new", "import connector-json", "import openapi"].includes(name),
    );
    expect(names).to.include("run cache-writer").and.include("queue retry");
    const missing = names.filter((name) => !new RegExp(`\\b${name}\\b`).test(readme));
    expect(missing).to.deep.equal([]);
  });

  it("start a project beside a README, and add to what git ignores", async () => {
    const folder = folderWith({ "README.md": "# Mine\n", ".gitignore": "dist/\r\nnode_modules/\r\n" });
    const said = await all(folder, ["connector", "new", "HR"]);
    expect(said).to.include("kept README.md").and.to.include("update .gitignore");
    expect(fileIn(folder, "README.md")).to.equal("# Mine\n");
    expect(fileIn(folder, ".gitignore")).to.match(/^dist\/\r\nnode_modules\/\r\n(?:[^\n]+\r\n)+$/);
    expect(fileIn(folder, ".gitignore")).to.include("test-settings.json\r\n");
  });

  it("start a project in a folder into which the package was installed", async () => {
    const manifest = {
      ...{ name: "walk", version: "1.0.0", type: "commonjs", scripts: { test: "exit 1" } },
      dependencies: { connectorcli: "file:../connectorcli.tgz" },
    };
    const present = `${JSON.stringify(manifest, undefined, 4).replaceAll("\n", "\r\n")}\r\n`;
    const folder = folderWith({ "package.json": present });
    expect(await all(folder, ["connector", "new", "HR"])).to.include("update package.json");
    const text = fileIn(folder, "package.json");
    expect(text)
      .to.match(/^\{\r\n {4}"name": "walk"/)
      .and.to.not.match(/[^\r]\n/);
    const { name, type, scripts, dependencies, devDependencies } = JSON.parse(text);
    expect({ name, type }).to.deep.equal({ name: "walk", type: "module" });
    expect(scripts).to.include({ test: "exit 1", gen: "connectorcli gen", typecheck: "tsc" });
    expect(dependencies).to.include({ connectorcli: "file:../connectorcli.tgz" });
    expect(devDependencies).to.have.property("@sinclair/typebox");
    expect(devDependencies).to.have.property("typescript");
  });

  it("take the place of the tests that npm init says are missing", async () => {
    const missing = 'echo "Error: no test specified" && exit 1';
    const folder = folderWith({ "package.json": JSON.stringify({ scripts: { test: missing } }) });
    await all(folder, ["connector", "new", "HR"]);
    const { test } = JSON.parse(fileIn(folder, "package.json")).scripts;
    expect(test).to.equal("connectorcli test replay && connectorcli test acceptance");
    for (const call of test.split(" && "))
      expect(COMMANDS.map(({ words }) => `connectorcli ${words.join(" ")}`)).to.include(call);
    expect(fileIn(folder, ".github/workflows/connector.yml")).to.match(/- run: npm test\n$/);
  });

  it("start no project where a package.json can't be joined, and write nothing", async () => {
    for (const text of ["[]", "{ not JSON", '{ "scripts": 5 }', '{ "scripts": { "check": "eslint ." } }']) {
      const folder = folderWith({ "package.json": text });
      const { status, stderr } = await connectorcli(folder, "connector", "new", "HR");
      expect([status, stderr.includes("file-exists")], text).to.deep.equal([1, true]);
      expect(treeOf(folder)).to.deep.equal({ "package.json": text });
    }
  });

  it("join a new module to the registration where there is one", async () => {
    const folder = await smallProject();
    writeFileSync(
      path.join(folder, "registration.ts"),
      `import { appModuleServices } from "./modules/app/services.js";
export const registration = registerConnector({ AppModule: appModuleServices }, client);
`,
    );
    await all(folder, ["module", "new", "--id", "hr-1", "--name", "HR", "--key", "hr", "--version", "1"]);
    expect(fileIn(folder, "registration.ts")).to.equal(
      `import { appModuleServices } from "./modules/app/services.js";
import { hrModuleServices } from "./modules/hr/services.js";
export const registration = registerConnector({ AppModule: appModuleServices, HRModule: hrModuleServices }, client);
`,
    );
  });

  it("say which line is left to write by hand in a file that only wires", async () => {
    const folder = await smallProject();
    writeFileSync(path.join(folder, "modules/app/services.ts"), "export const appModuleServices = load();\n");
    const said = await all(folder, [...OBJECT, "--name", "Site"]);
    expect(said).to.include("warning  edit-by-hand").and.to.include("add the property Site: siteReader");
    expect(said).to.include("create schemas/app/site.ts");
  });

  it("work on a project that stands in one file", async () => {
    const folder = folderWith({ "connector.ts": smallConnector() });
    await all(
      folder,
      [...ACTION, "--object-name", "Site", "--name", "Close"],
      [...OBJECT, "--name", "Person"],
    );
    const text = fileIn(folder, "connector.ts");
    expect(text).to.include("dataObjects: [Site, Person], actions: [CloseSite]");
    expect(text.indexOf("export const CloseSite")).to.be.lessThan(text.indexOf("const Auth"));
  });

  it("take everything back where the result does not load as it should", async () => {
    const text = `import { defineConnector, defineModule } from "connectorcli";
const modules = [defineModule("App", { key: "app", version: 1, description: "All.", dataObjects: [] })];
modules.length = 1;
export const connector = defineConnector("X", { key: "x", description: "All.", connections: [], modules });
`;
    const folder = folderWith({ "connector.ts": text });
    const before = treeOf(folder);
    const { status, stderr } = await connectorcli(
      folder,
      ...["module", "new", "--id", "hr-1", "--name", "HR", "--key", "hr", "--version", "1"],
    );
    expect(status).to.equal(1);
    expect(stderr).to.include("scaffold-unconfirmed").and.to.include("nothing written");
    expect(treeOf(folder)).to.deep.equal(before);
  });
});

describe("a scaffolding command that is interrupted", () => {
  it("takes back what it wrote when Ctrl-C comes while it looks at the result", async function () {
    // A process can't be interrupted by another one there.
    if (process.platform === "win32") this.skip();
    const text = smallConnector().replace(
      "const Site",
      "await new Promise((go) => setTimeout(go, 1500));\nconst Site",
    );
    const folder = folderWith({ "connector.ts": text });
    const tree = treeOf(folder);
    const call = ["module", "new", "--id", "hr-1", "--name", "HR", "--key", "hr", "--version", "1"];
    const child = startedProcess(
      spawn(process.execPath, [COMMAND, ...call], {
        cwd: folder,
        stdio: ["ignore", "ignore", "pipe"],
      }),
    );
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (words: string) => {
      said += words;
    });
    const closed = new Promise((resolve) => child.once("close", resolve));
    while (!existsSync(path.join(folder, "schemas/hr/module.ts")) && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 20));
    // The lists are written last.
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill("SIGINT");
    expect(await closed, said).to.equal(1);
    expect(said).to.include("the command was interrupted");
    expect(treeOf(folder)).to.deep.equal(tree);
  });
});

describe("wrong uses of the scaffolding commands", () => {
  let folder = "";
  let tree: Tree = {};
  before(async () => {
    folder = await smallProject();
    await all(folder, [...ACTION, "--object-name", "Employee", "--name", "Create"]);
    mkdirSync(path.join(folder, "empty"));
    writeFileSync(path.join(folder, "modules/app/blocked"), "a file\n");
    writeFileSync(path.join(folder, "schemas/app/mine.ts"), "// mine\n");
    tree = treeOf(folder);
  });

  const EMPLOYEE = ["--object-name", "Employee"];
  const module = (id: string, key: string, version: string, name = "App") => [
    ...["module", "new", "--id", id, "--name", name, "--key", key, "--version", version],
  ];
  const WRONG: readonly (readonly [what: string, args: readonly string[], words: string, status: number])[] =
    [
      ["no options", ["module", "new"], "Missing: --name, --key, --version, --id.", 2],
      ["no name", ["connector", "new"], "Missing: <name>.", 2],
      ["an option that is missing", [...ACTION, "--name", "X"], "Missing: --object-name.", 2],
      ["an option that does not exist", [...OBJECT, "--nam", "X"], 'Did you mean "name"?', 2],
      [
        "a reader type that does not exist",
        [...OBJECT, "--name", "X", "--reader-type", "ful"],
        "incremental",
        2,
      ],
      ["an unknown module", [...OBJECT.slice(0, -1), "ap-1", "--name", "X"], 'Did you mean "app-1"?', 1],
      [
        "an unknown object",
        [...ACTION, "--object-name", "Employe", "--name", "X"],
        'Did you mean "Employee"?',
        1,
      ],
      [
        "an existing object",
        [...OBJECT, "--name", "Employee"],
        'The data object "Employee" is there already.',
        1,
      ],
      ["an object of the same address", [...OBJECT, "--name", "EMPLOYEE"], 'both be called "employee"', 1],
      ["a file that is the author's", [...OBJECT, "--name", "Mine"], "schemas/app/mine.ts", 1],
      ["an existing action", [...ACTION, ...EMPLOYEE, "--name", "Create"], 'The action "Create" is there', 1],
      ["an existing module", module("app-1", "app", "1"), 'The module "app-1" is there already.', 1],
      ["a module id that is none", module("app-2", "app", "1"), 'which make "app-1"', 1],
      ["a key with capitals", module("Hr-1", "Hr", "1"), 'Did you mean "hr"?', 1],
      ["a version that is no number", module("hr-x", "hr", "x"), "a whole number from 1", 1],
      ["a name without letters", module("hr-1", "hr", "1", " ... "), "no letter and no digit", 1],
      ["a name with a space", [...OBJECT, "--name", "sales order"], 'Did you mean "SalesOrder"?', 1],
      ["a name in lower case", [...OBJECT, "--name", "site"], 'Did you mean "Site"?', 1],
      ["a reserved word", [...OBJECT, "--name", "Promise"], "a word of the language", 1],
      ["a path", [...OBJECT, "--name", "../../x"], "letters and digits", 1],
      ["a very long name", [...OBJECT, "--name", `X${"x".repeat(200)}`], "longer than 60 characters", 1],
      ["a folder that can't be made", [...OBJECT, "--name", "Blocked"], '"blocked" is not a folder', 1],
      ["a folder without a connector", [...MODULE, "--connector-path", "empty"], "project-missing", 1],
      [
        "a folder that is a file",
        ["connector", "new", "X", "--directory", "modules/app/blocked"],
        "blocked",
        1,
      ],
      ["a folder with a project", ["connector", "new", "X"], "file-exists", 1],
      [
        "a name that is no key",
        ["connector", "new", "X", "--key", "A B", "--directory", "n"],
        'mean "a-b"',
        1,
      ],
    ];
  for (const [what, args, words, status] of WRONG) {
    it(`refuse ${what}, say what is wrong, and leave the tree as it was`, async () => {
      const result = await connectorcli(folder, ...args);
      expect(result.stderr).to.include(words);
      expect(result.status).to.equal(status);
      expect(treeOf(folder)).to.deep.equal(tree);
    });
  }
});
