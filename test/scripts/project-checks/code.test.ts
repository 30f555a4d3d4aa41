import { expect } from "chai";
import type { ConnectorModel, Diagnostic } from "../../../schemas/entries/model.js";
import { checkProject } from "../../../scripts/project-checks/check-project.js";

/** What is found in one module of a project; `line:column code` with the author's reason where it is silenced. */
function foundIn(path: string, text: string, model?: ConnectorModel): readonly string[] {
  return checkProject({ files: [{ path, file: `/${path}`, text }], model }).map(shown);
}

function shown({ line, column, code, silenced }: Diagnostic): string {
  return `${line}:${column} ${code}${silenced === undefined ? "" : ` (${silenced})`}`;
}

const READER = "modules/app/site/site-reader.ts";
const CLIENT = "client/api-client.ts";

const TOKEN = "0a1b2c3d4e5f6a7b8c9d0e1f";

/** Code by what it is, and what is found in it; nothing in the near misses. */
const TABLE: Readonly<Record<string, readonly (readonly [wrong: string, fine: string])[]>> = {
  "code-credential": [
    [`const h = "Bearer ${TOKEN}";`, 'const h = "Bearer authentication";'],
    [`const h = \`Bearer ${TOKEN}\`;`, `const h = \`Bearer \${token}\`;`],
    [`f("AKIA${"ABCD1234".repeat(2)}");`, 'f("AKIA");'],
    [`f("ghp_${"a1".repeat(18)}");`, 'f("ghp_");'],
    [`f("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkw.x");`, 'f("eyJ");'],
    ['f("https://user:pass1@company.com");', 'f("https://company.com/@user:1");'],
    ['f("https://company.com?api_key=abcdef12");', `f(\`https://company.com?api_key=\${key}\`);`],
    [`f("-----BEGIN ${"PRIVATE"} KEY-----");`, `f("-----BEGIN ${"PUBLIC"} KEY-----");`],
  ],
  "code-secret-literal": [
    ['const apiKey = "4f9a1c22e0";', 'const apiKey = "X-Api-Key-1";'],
    ['f({ password: "hunter2hunter2" });', 'f({ password: "Password 1" });'],
    ['client.clientSecret = "a1b2c3d4e5";', 'client.tokenUrl = "a1b2c3d4e5";'],
  ],
  "code-environment": [
    ["f(process.env.REGION);", "f(context.env.REGION);"],
    ['f(process["env"]);', 'f(processes["env"]);'],
    ["const { env } = process;", "const { env } = settings;"],
    ['import { env } from "node:process";', 'import { env } from "./process.js";'],
  ],
  "code-files": [
    ['import { readFileSync } from "node:fs";', 'import type { Stats } from "node:fs";'],
    ['import fs from "fs/promises";', 'import fs from "./fs/promises.js";'],
    ['const fs = await import("node:fs");', 'const path = await import("node:path");'],
    ['const fs = require("fs");', 'const fs = require("fast");'],
  ],
  "code-standard-output": [
    ["console.log(record);", "log.info(record);"],
    ['process.stdout.write("x");', 'stream.write("x");'],
    ["console.error(error);", "my.console.error(error);"],
  ],
};

describe("the checks of a connector's code", () => {
  for (const [code, cases] of Object.entries(TABLE)) {
    for (const [wrong, fine] of cases) {
      it(`report ${code} in ${wrong.slice(0, 60)}, but not in ${fine}`, () => {
        expect(foundIn(CLIENT, wrong).map((found) => found.split(" ")[1])).to.deep.equal([code]);
        expect(foundIn(CLIENT, fine)).to.deep.equal([]);
      });
    }
  }

  it("name line and column, whatever ends the lines", () => {
    expect(foundIn(CLIENT, "f();\r\n  console.log(1);\r\n")).to.deep.equal(["2:3 code-standard-output"]);
  });

  it("leave what runs outside of the platform its files, its environment and its output", () => {
    const code = 'import "node:fs"; console.log(process.env.A);';
    for (const path of ["main.ts", "scripts/deploy.ts"]) expect(foundIn(path, code)).to.deep.equal([]);
  });

  it("look for credentials everywhere, and never say one", () => {
    const text = `const h = "Bearer ${TOKEN}";`;
    const found = checkProject({ files: [{ path: "main.ts", file: "/main.ts", text }] });
    expect(found).to.have.length(1);
    expect(JSON.stringify(found)).to.not.include(TOKEN);
  });

  it("find nothing in a module that can't be read: the loader tells that", () => {
    expect(foundIn(CLIENT, "const = ;")).to.deep.equal([]);
  });
});

describe("the checks of readers", () => {
  const reader = (body: string) => `export async function* read({ client }) {\n${body}\n}`;

  it("report a caught error that is not thrown again", () => {
    const caught = (end: string) =>
      reader(`for (;;) { try { yield await client.get(); } catch (e) { ${end} } }`);
    expect(foundIn(READER, caught("break;"))).to.deep.equal(["2:46 reader-stops-silently"]);
    expect(foundIn(READER, caught("return;"))).to.have.length(1);
    expect(foundIn(READER, caught("log.warn(e); throw e;"))).to.deep.equal([]);
    expect(foundIn(READER, caught("if (isLast(e)) return; throw e;"))).to.deep.equal([]);
  });

  it("see a throw in a function inside the clause as none, and a catch outside of readers as none of theirs", () => {
    expect(
      foundIn(READER, reader("try { yield 1; } catch { const f = () => { throw 1; }; }")),
    ).to.have.length(1);
    expect(foundIn(READER, "async function f() { try { g(); } catch { return 1; } }")).to.deep.equal([]);
    expect(foundIn(CLIENT, reader("try { yield 1; } catch { return; }"))).to.deep.equal([]);
  });

  it("see readers that are methods and constants", () => {
    const body = "{ try { yield 1; } catch { return; } }";
    expect(foundIn(READER, `export const readers = { async *Site() ${body} };`)).to.have.length(1);
    expect(foundIn(READER, `const read = async function* () ${body};`)).to.have.length(1);
  });

  it("report a variable of the module that is changed, but not one that only holds something", () => {
    expect(foundIn(READER, `let page = 0;\n${reader("page++; yield page;")}`)).to.deep.equal([
      "1:5 reader-state-kept",
    ]);
    expect(foundIn(READER, `export let page = 0;\n${reader("page = 1; yield page;")}`)).to.have.length(1);
    expect(foundIn(READER, `let page = 0;\n${reader("yield page;")}`)).to.deep.equal([]);
    expect(foundIn(READER, `const pages = 9;\n${reader("let page = 0; page++; yield page;")}`)).to.deep.equal(
      [],
    );
  });
});

describe("the checks of handlers", () => {
  it("note a handler that never tells a change", () => {
    expect(foundIn("modules/app/create.ts", "return_(succeeded(output));")).to.deep.equal([
      "1:9 handler-cache-untouched",
    ]);
    expect(foundIn("modules/app/create.ts", "f(succeeded(a)); f(succeeded(a, [change]));")).to.deep.equal([]);
  });
});

describe("a comment that silences", () => {
  const above = (comment: string) => `// ${comment}\nconsole.log(1);`;

  it("silences the finding on its line and on the next one, with its reason", () => {
    const expected = ["2:1 code-standard-output (A test.)"];
    expect(foundIn(CLIENT, above("connectorcli-silence code-standard-output: A test."))).to.deep.equal(
      expected,
    );
    const beside = "console.log(1); /* connectorcli-silence code-standard-output: A test. */";
    expect(foundIn(CLIENT, beside)).to.deep.equal(["1:1 code-standard-output (A test.)"]);
  });

  const WRONG = [
    ["silence-invalid", "connectorcli-silence code-standard-output"],
    ["silence-invalid", "connectorcli-silence code-standard-output:  "],
    ["silence-code-unknown", "connectorcli-silence code-standard-outputs: A test."],
    ["silence-refused", "connectorcli-silence code-files: A test."],
    ["silence-unused", "connectorcli-silence reader-state-kept: A test."],
  ] as const;
  for (const [code, comment] of WRONG) {
    it(`is ${code} where it is "${comment}"`, () => {
      expect(foundIn(CLIENT, above(comment))).to.deep.equal(["2:1 code-standard-output", `1:1 ${code}`]);
    });
  }
});
