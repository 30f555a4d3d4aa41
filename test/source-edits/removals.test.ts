import { expect } from "chai";
import {
  locate,
  ownProperty,
  removeConstant,
  removeProperty,
  removeUnusedImports,
  SourceFiles,
  usedImports,
} from "../../generators/source-edits/index.js";

function textAfter(text: string, edit: (files: SourceFiles) => unknown): string {
  const files = new SourceFiles((path) => (path === "m.ts" ? text : undefined));
  edit(files);
  return files.text("m.ts") ?? "";
}

function without(text: string, ...names: readonly string[]): string {
  return textAfter(text, (files) => {
    for (const name of names) {
      const { spot } = locate(files, { file: "m.ts", constant: "o" });
      const property = spot && ownProperty(spot, name);
      if (spot === undefined || property === undefined) throw new Error(`no ${name}`);
      removeProperty(files, spot, property);
    }
  });
}

describe("removing a property", () => {
  const CASES: readonly (readonly [what: string, before: string, after: string, ...names: string[]])[] = [
    ["first of a line", "const o = { a: 1, b: 2 };\n", "const o = { b: 2 };\n", "a"],
    ["last of a line", "const o = { a: 1, b: 2 };\n", "const o = { a: 1 };\n", "b"],
    ["last of a line with a comma", "const o = { a: 1, b: 2, };\n", "const o = { a: 1, };\n", "b"],
    ["between others of a line", "const o = {a: 1, b: 2, c: 3};\n", "const o = {a: 1, c: 3};\n", "b"],
    ["without spaces", "const o = {a:1,b:2};\n", "const o = {a:1};\n", "b"],
    ["the only one of a line", "const o = { a: 1 };\n", "const o = {};\n", "a"],
    ["the only one of a list over lines", "const o = {\n  a: 1,\n};\n", "const o = {};\n", "a"],
    ["on a line of its own", "const o = {\n  a: 1,\n  b: 2,\n};\n", "const o = {\n  b: 2,\n};\n", "a"],
    ["last, without a comma", "const o = {\n  a: 1,\n  b: 2\n};\n", "const o = {\n  a: 1\n};\n", "b"],
    ["last, before a bracket", "const o = {\n  a: 1,\n  b: 2 };\n", "const o = {\n  a: 1\n};\n", "b"],
    ["of several on a line", "const o = {\n  a: 1, b: 2,\n};\n", "const o = {\n  b: 2,\n};\n", "a"],
    ["with CRLF", "const o = {\r\n  a: 1,\r\n  b: 2,\r\n};\r\n", "const o = {\r\n  b: 2,\r\n};\r\n", "a"],
    [
      "with the comments right above it",
      "const o = {\n  // of a\n  a: 1,\n  /* of b, 1 */\n  // of b, 2\n  b: 2,\n};\n",
      "const o = {\n  // of a\n  a: 1,\n};\n",
      "b",
    ],
    [
      "with its remark",
      "const o = {\n  a: 1, // of a\n  b: 2, // of b\n};\n",
      "const o = {\n  b: 2, // of b\n};\n",
      "a",
    ],
    [
      "without the remark of the one before",
      "const o = {\n  a: 1, // of a\n  b: 2,\n};\n",
      "const o = {\n  a: 1, // of a\n};\n",
      "b",
    ],
    [
      "without comments that an empty line parts from it",
      "const o = {\n  // of the group\n\n  a: 1,\n  b: 2,\n};\n",
      "const o = {\n  // of the group\n\n  b: 2,\n};\n",
      "a",
    ],
    [
      "with one of the empty lines around it",
      "const o = {\n  a: 1,\n\n  b: 2,\n\n  c: 3,\n};\n",
      "const o = {\n  a: 1,\n\n  c: 3,\n};\n",
      "b",
    ],
    ["with a comma that leads", "const o = {\n  a: 1\n  , b: 2\n};\n", "const o = {\n  b: 2\n};\n", "a"],
    ["whose name is a string", "const o = { 'a': 1, b: 2 };\n", "const o = { b: 2 };\n", "a"],
    [
      "one after the other",
      "const o = {\n  a: 1,\n  b: 2,\n  c: 3\n};\n",
      "const o = {\n  b: 2\n};\n",
      "a",
      "c",
    ],
  ];
  for (const [what, before, after, ...names] of CASES) {
    it(what, () => expect(without(before, ...names)).to.equal(after));
  }

  it("keeps the comments of an object that is left without properties", () => {
    expect(without("const o = {\n  // kept\n\n  a: 1,\n};\n", "a")).to.match(
      /^const o = \{\n {2}\/\/ kept\n+\};\n$/,
    );
  });
});

describe("removing imports without use", () => {
  const textWithoutUnused = (text: string, ...names: readonly string[]) =>
    textAfter(text, (files) => removeUnusedImports(files, "m.ts", new Set(names)));

  it("takes the name only", () =>
    expect(textWithoutUnused('import { a, b } from "x";\nb();\n', "a")).to.equal(
      'import { b } from "x";\nb();\n',
    ));
  it("takes a statement of one name, and leaves what stands above it", () =>
    expect(
      textWithoutUnused('/** File. */\nimport { a } from "x";\nimport { b } from "y";\nb();\n', "a"),
    ).to.equal('/** File. */\nimport { b } from "y";\nb();\n'));
  it("takes the braces beside a default import", () =>
    expect(textWithoutUnused('import d, { a } from "x";\nd();\n', "a")).to.equal(
      'import d from "x";\nd();\n',
    ));
  it("leaves a name that a type uses", () => {
    const text = 'import { a } from "x";\nexport type B = typeof a;\n';
    expect(textWithoutUnused(text, "a")).to.equal(text);
  });
  it("leaves names that nothing used before", () => {
    const text = 'import { a, b } from "x";\nb();\n';
    const files = new SourceFiles(() => text);
    removeUnusedImports(files, "m.ts", usedImports(files, "m.ts"));
    expect(files.text("m.ts")).to.equal(text);
  });
});

describe("removing a constant", () => {
  it("takes its statement, with what is said right above it", () =>
    expect(
      textAfter("const a = 1;\n\n/** Of b. */\nexport const b = 2;\n\nconst c = 3;\n", (files) =>
        removeConstant(files, "m.ts", "b"),
      ),
    ).to.equal("const a = 1;\n\nconst c = 3;\n"));
});
