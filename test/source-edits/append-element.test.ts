import { expect } from "chai";
import { appendElement, importedName, SourceFiles } from "../../generators/source-edits/index.js";

const PLACE = { start: { file: "connector.ts", call: "defineConnector" }, steps: [0, "modules"] };
const NEW = importedName("New", { file: "schemas/new/module.ts" });

/** The text of the changed file after `New` was appended to the modules of `sources`. */
function textWithElement(sources: string | Readonly<Record<string, string>>, file = "connector.ts"): string {
  const texts: Readonly<Record<string, string>> =
    typeof sources === "string" ? { "connector.ts": sources } : sources;
  const files = new SourceFiles((path) => texts[path]);
  const edit = appendElement(files, PLACE, NEW);
  if (edit.problem !== undefined) throw new Error(edit.problem.message);
  expect(edit.file).to.equal(file);
  expect(files.changes().map(({ path }) => path)).to.deep.equal([file]);
  return files.text(file) ?? "";
}

const call = (list: string) =>
  `import { A } from "./a.js";\nexport const c = defineConnector({ modules: ${list} });\n`;
const grown = (list: string) =>
  `import { A } from "./a.js";\nimport { New } from "./schemas/new/module.js";\nexport const c = defineConnector({ modules: ${list} });\n`;

describe("appending an element", () => {
  const LAYOUTS: readonly (readonly [what: string, before: string, after: string])[] = [
    ["an empty list", "[]", "[New]"],
    ["an empty list with a space", "[ ]", "[ New ]"],
    ["an empty list over two lines", "[\n  ]", "[\n    New,\n  ]"],
    ["an empty list with a remark", "[/* none */]", "[/* none */ New]"],
    [
      "an empty list with a remark on its own line",
      "[\n    // none yet\n  ]",
      "[\n    // none yet\n    New,\n  ]",
    ],
    ["one line", "[A]", "[A, New]"],
    ["one line with spaces", "[ A ]", "[ A, New ]"],
    ["one line with a comma at the end", "[A,]", "[A, New,]"],
    ["one line with a remark", "[A /* old */]", "[A /* old */, New]"],
    ["lines with a comma at the end", "[\n    A,\n  ]", "[\n    A,\n    New,\n  ]"],
    ["lines without a comma at the end", "[\n    A\n  ]", "[\n    A,\n    New\n  ]"],
    ["lines indented by tabs", "[\n\t\tA,\n\t]", "[\n\t\tA,\n\t\tNew,\n\t]"],
    ["lines that begin with a comma", "[\n    A\n  , A\n  ]", "[\n    A\n  , A, New\n  ]"],
    ["a remark behind the last element", "[\n    A, // a\n  ]", "[\n    A, // a\n    New,\n  ]"],
    ["a remark instead of a comma", "[\n    A // a\n  ]", "[\n    A, // a\n    New\n  ]"],
    ["a comma behind the remark", "[\n    A /* , */\n    ,\n  ]", "[\n    A /* , */\n    ,\n    New,\n  ]"],
    ["a remark at the end of the list", "[\n    A,\n    // B,\n  ]", "[\n    A,\n    // B,\n    New,\n  ]"],
    ["a line remark inside a filled line", "[A, A // a\n  ]", "[A, A, // a\n  New\n  ]"],
    ["filled lines", "[\n    A, A,\n    A, A,\n  ]", "[\n    A, A,\n    A, A, New,\n  ]"],
    ["a list that is spread into it", "[...old, A]", "[...old, A, New]"],
    ["parentheses", "([(A)])", "([(A), New])"],
    ["as const", "[A] as const", "[A, New] as const"],
    ["satisfies", "[A] satisfies unknown[]", "[A, New] satisfies unknown[]"],
  ];
  for (const [what, before, after] of LAYOUTS) {
    it(`keeps ${what}`, () => {
      expect(textWithElement(call(before))).to.equal(grown(after));
      const crlf = (text: string) => text.replaceAll("\n", "\r\n");
      expect(textWithElement(crlf(call(before)))).to.equal(crlf(grown(after)));
    });
  }

  it("finds a list that is a constant, shorthand and spread", () => {
    const text = `import { A } from "./a.js";
const modules = [A];
const options = { name: "x", modules };
export default sdk.defineConnector({ ...options, key: "x" } satisfies Options);
`;
    expect(textWithElement(text)).to.include("const modules = [A, New];\nconst options = { name");
  });

  it("finds a root that is exported again, and writes where the list stands", () => {
    const sources = {
      "connector.ts": 'export { root as connector } from "./src/index.js";\n',
      "src/index.ts": 'export * from "./connector.js";\n',
      "src/connector.ts":
        'import { defineConnector as define } from "connectorcli";\nimport { modules } from "./modules.js";\nexport const root = define({ modules });\n',
      "src/modules.ts": 'import { A } from "../a.js";\nexport const modules = [A];\n',
    };
    expect(textWithElement(sources, "src/modules.ts")).to.equal(
      'import { A } from "../a.js";\nimport { New } from "../schemas/new/module.js";\nexport const modules = [A, New];\n',
    );
  });

  it("makes a list that is missing", () => {
    const text = 'export const c = defineConnector({\n  name: "x",\n});\n';
    expect(textWithElement(text)).to.equal(
      'import { New } from "./schemas/new/module.js";\n\nexport const c = defineConnector({\n  name: "x",\n  modules: [New],\n});\n',
    );
  });

  it("takes another name where its own is taken, and the one that is imported already", () => {
    expect(textWithElement(call("[A]").replaceAll("A", "New"))).to.include("modules: [New, New2]");
    const present = `import { New as Old } from "./schemas/new/module.js";\nexport const c = defineConnector({ modules: [] });\n`;
    expect(textWithElement(present)).to.equal(present.replace("[]", "[Old]"));
  });

  it("changes nothing where the element stands there", () => {
    const text =
      'import { New } from "./schemas/new/module.js";\ndefineConnector({ modules: [(New as any)] });\n';
    const files = new SourceFiles(() => text);
    expect(appendElement(files, PLACE, NEW)).to.deep.equal({ file: "connector.ts", changed: false });
    expect(files.changes()).to.deep.equal([]);
  });

  const REFUSED: readonly (readonly [text: string, reason: string])[] = [
    ["defineConnector({ modules: listOf() });", '"modules" is not written as a plain list'],
    ["defineConnector({ modules: [A,,B] });", '"modules" is not written as a plain list'],
    ["defineConnector(load());", 'what holds "modules" is not written as a plain object'],
    ["defineConnector({}); defineConnector({});", "there are several calls of defineConnector"],
    ["export const x = 1;", "there is no call of defineConnector"],
    ["const x = ;", "it has a syntax error"],
    ["const modules = modules; defineConnector({ modules });", '"modules" is not written as a plain list'],
  ];
  for (const [text, reason] of REFUSED) {
    it(`refuses ${text} and says what to write`, () => {
      const files = new SourceFiles((path) => (path === "connector.ts" ? text : undefined));
      const { problem } = appendElement(files, PLACE, NEW);
      expect(problem).to.include({ code: "edit-by-hand", file: "connector.ts" });
      expect(problem?.message).to.include(reason);
      expect(problem?.fix).to.include('add New to "modules"');
      expect(files.changes()).to.deep.equal([]);
    });
  }
});
