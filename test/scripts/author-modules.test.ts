import { expect } from "chai";
import { connectorcli } from "../support/command-line.js";
import { smallConnector } from "../support/connector-sources.js";
import { filesIn, folderWith } from "../support/folders.js";

interface Case {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  readonly code: string;
  /** Text that the finding shows: the author's file, line and column. */
  readonly place: string;
  readonly words: string | RegExp;
  readonly args?: readonly string[];
}

const CASES: readonly Case[] = [
  {
    what: "a syntax error",
    files: { "connector.ts": 'import { Type } from "connectorcli";\n\nconst x = ;\n' },
    code: "project-syntax",
    place: "connector.ts:3:11",
    words: "Unexpected",
  },
  {
    what: "an import that does not exist, in another module",
    files: { "connector.ts": 'import "./a.js";\n', "a.ts": 'export const a = 1;\nimport "./nowhere.js";\n' },
    code: "project-import-missing",
    place: "a.ts:2:8",
    words: "./nowhere.js",
  },
  {
    what: "a package that is not installed",
    files: { "connector.ts": 'import "left-pad-of-nobody";\n' },
    code: "project-import-missing",
    place: "connector.ts:1:8",
    words: "left-pad-of-nobody",
  },
  {
    what: "a module that throws",
    files: {
      "connector.ts": 'import "./a.js";\n',
      "a.ts": '// a comment\n\nthrow new RangeError("out of tea");\n',
    },
    code: "project-throws",
    place: "a.ts:3:7",
    words: "RangeError: out of tea",
  },
  {
    what: "a rejection that nobody handles",
    files: {
      "connector.ts": `${smallConnector()}void Promise.reject(new RangeError("out of tea"));\n`,
    },
    code: "project-throws",
    place: "connector.ts:27:21",
    words: "RangeError: out of tea",
  },
  {
    what: "an overflow inside a package",
    files: {
      "package.json": '{ "type": "module" }',
      "node_modules/deep/package.json": '{ "name": "deep", "type": "module", "main": "index.js" }',
      "node_modules/deep/index.js": "export const dig = (depth) => dig(depth + 1) + 1;\n",
      "connector.ts": 'import { dig } from "deep";\n\ndig(0);\n',
    },
    code: "project-throws",
    place: "connector.ts:3:1",
    words: "Maximum call stack size exceeded",
  },
  {
    what: "a package that throws while it is loaded",
    files: {
      "package.json": '{ "type": "module" }',
      "node_modules/broken/package.json": '{ "name": "broken", "type": "module", "main": "index.js" }',
      "node_modules/broken/index.js": '// a comment\nthrow new RangeError("out of tea");\n',
      "connector.ts": 'import "broken";\n',
    },
    code: "project-throws",
    place: "node_modules/broken/index.js:2:7",
    words: "RangeError: out of tea",
  },
  {
    what: "a property called __proto__",
    files: {
      "connector.ts": smallConnector({
        properties: 'id: Type.String({ description: "x" }),\n  __proto__: Type.String({ description: "x" }),',
      }),
    },
    code: "definition-prototype",
    place: "connector.ts:6:3",
    words: "it sets a prototype",
  },
  {
    what: "a data object without a name, and not its property of that name",
    files: {
      "connector.ts": smallConnector({
        properties: 'id: Type.String({ description: "x" }),\n  name: Type.String({ description: "x" }),',
      }).replace('defineDataObject("Site"', 'defineDataObject(""'),
    },
    code: "name-empty",
    place: "connector.ts:3:14",
    words: "name of data object",
  },
  {
    what: "a module that throws no error",
    files: { "connector.ts": "throw null;\n" },
    code: "project-throws",
    place: "connector.ts",
    words: "null",
  },
  {
    what: "a root module that exports nothing",
    files: { "connector.ts": "export const answer = 42;\n" },
    code: "project-exports-nothing",
    place: "connector.ts",
    words: "does not export a connector",
  },
  {
    what: "a root module that exports two connectors",
    files: {
      "connector.ts":
        'import { defineConnector } from "connectorcli";\nconst o = { key: "a", description: "", connections: [], modules: [] };\nexport const one = defineConnector("One", o);\nexport const two = defineConnector("Two", o);\n',
    },
    code: "project-exports-several",
    place: "connector.ts",
    words: "one, two",
  },
  {
    what: "a module with an endless loop",
    files: { "connector.ts": "for (;;) {}\n" },
    code: "project-hangs",
    place: "connector.ts",
    words: "within 1 seconds",
    args: ["--load-timeout", "1"],
  },
  {
    what: "an await that never ends",
    files: { "connector.ts": "await new Promise(() => {});\n" },
    code: "project-hangs",
    place: "connector.ts",
    words: "never ends",
  },
  {
    what: "a module that ends the process",
    files: { "connector.ts": "process.exit(0);\n" },
    code: "project-throws",
    place: "connector.ts",
    words: "ended the process",
  },
  {
    what: "an import of generated code",
    files: {
      "connector.ts": 'import "./generated/site.js";\n',
      "generated/site.ts": "export const site = 1;\n",
    },
    code: "project-imports-generated",
    place: "generated/site.ts",
    words: "generated/site.ts",
  },
  {
    what: "a type that JSON can't carry",
    files: {
      "connector.ts": smallConnector({
        properties: 'id: Type.String({ description: "x" }),\n  since: Type.Date({ description: "x" }),',
      }),
    },
    code: "schema-not-json",
    place: "connector.ts:8:3",
    words: 'Type.String({ format: "date-time" })',
  },
  {
    what: "an option that JSON can't carry",
    files: {
      "connector.ts": smallConnector({ properties: 'id: Type.String({ description: "x", default: 10n }),' }),
    },
    code: "schema-keyword-not-json",
    place: "connector.ts:7:39",
    words: "a bigint",
  },
  {
    what: "a schema that contains itself",
    files: {
      "connector.ts": smallConnector({
        before: "const loop = Type.Object({});\nObject.assign(loop.properties, { loop });",
        properties: 'id: Type.String({ description: "x" }),\n  loop,',
      }),
    },
    code: "schema-cyclic",
    place: "connector.ts:9:3",
    words: "contains itself",
  },
  {
    what: "a folder without a connector",
    files: { "readme.txt": "" },
    code: "project-missing",
    place: ".",
    words: "no connector.ts",
  },
];

describe("loading an author's modules", () => {
  for (const { what, files, code, place, words, args = [] } of CASES) {
    it(`reports ${what}, with its place, and writes nothing`, async () => {
      const folder = folderWith(files);
      const before = filesIn(folder);
      const { status, stdout, stderr } = await connectorcli(folder, "extract", ...args);
      expect(stderr)
        .to.include(`${place}  error  ${code}`)
        .and.to.match(words instanceof RegExp ? words : new RegExp(patternOf(words)));
      expect(stderr).to.include("nothing written");
      expect(stdout).to.equal("");
      expect(status).to.equal(1);
      expect(filesIn(folder)).to.deep.equal(before);
    });
  }

  it("says in one sentence that writeOnly is no boolean", async () => {
    const folder = folderWith({
      "connector.ts": smallConnector({
        properties: 'id: Type.String({ description: "x", writeOnly: "yes" as never }),',
      }),
    });
    const { stdout } = await connectorcli(folder, "check");
    expect(stdout.match(/ error {2}[\w-]+/g)).to.deep.equal([" error  constraint-invalid"]);
  });

  for (const command of ["check", "extract", "gen"]) {
    it(`does not pass ${command} where a promise is rejected unheard`, async () => {
      const folder = folderWith({
        "connector.ts": smallConnector({ before: 'void Promise.reject(new Error("unheard"));' }),
      });
      const { status, stdout, stderr } = await connectorcli(folder, command);
      expect(stdout + stderr).to.match(/connector\.ts:\d+:\d+ {2}error {2}project-throws/);
      expect(status).to.equal(1);
    });
  }

  it("keeps standard output for results when a module prints", async () => {
    const folder = folderWith({
      "connector.ts": smallConnector({ before: 'console.log("hello from the module");' }),
    });
    const { status, stdout, stderr } = await connectorcli(folder, "extract", "--output", "-");
    expect(status).to.equal(0);
    expect(JSON.parse(stdout)).to.have.property("name", "Sites");
    expect(stderr).to.include("hello from the module");
  });

  it("loads the modules again when one of them changes, and not when none does", async () => {
    const { utimesSync, writeFileSync } = await import("node:fs");
    const folder = folderWith({
      "connector.ts": smallConnector({ before: 'import "./noise.js";' }),
      "noise.ts": 'console.log("loaded");\n',
      "node_modules/.keep": "",
    });
    const past = new Date(Date.now() - 60_000);
    for (const file of ["connector.ts", "noise.ts"]) utimesSync(`${folder}/${file}`, past, past);
    const first = await connectorcli(folder, "extract");
    const second = await connectorcli(folder, "extract");
    writeFileSync(`${folder}/noise.ts`, 'console.log("loaded again");\n');
    const third = await connectorcli(folder, "extract");
    expect([first, second, third].map(({ stderr }) => /loaded(?: again)?/.exec(stderr)?.[0])).to.deep.equal([
      "loaded",
      undefined,
      "loaded again",
    ]);
  });
});

function patternOf(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
