import { expect } from "chai";
import fc from "fast-check";
import { compactJson, jsonText } from "../../schemas/formats/json-text.js";
import { MAX_JSON_DEPTH, readJson } from "../../schemas/formats/read-json.js";
import { keepsOrder, membersOf, toPlain } from "../../schemas/json.js";
import { json } from "../support/arbitraries.js";
import { runs, SLOW_TEST_MS } from "../support/repository.js";

describe("jsonText", () => {
  it("writes two spaces, LF, no final newline, and empty lists and objects on their line", () => {
    const tree = membersOf(
      ["a", [1, true, null]],
      ["b", []],
      ["c", membersOf()],
      ["d", membersOf(["e", ""])],
    );
    expect(jsonText(tree)).to.equal(
      '{\n  "a": [\n    1,\n    true,\n    null\n  ],\n  "b": [],\n  "c": {},\n  "d": {\n    "e": ""\n  }\n}',
    );
  });

  it("escapes what the platform's files escape", () => {
    expect(jsonText("\"&'+<>`\\/\b\t\n\f\r\u0000\u001f\u007fé\u2028😀\ud800 ~")).to.equal(
      '"\\u0022\\u0026\\u0027\\u002B\\u003C\\u003E\\u0060\\\\/\\b\\t\\n\\f\\r\\u0000\\u001F\\u007F\\u00E9\\u2028\\uD83D\\uDE00\\uD800 ~"',
    );
  });

  it("is ASCII that means the same to JSON.parse and to readJson, for any tree", () => {
    fc.assert(
      fc.property(json, (tree) => {
        const text = jsonText(tree);
        expect(text).to.match(/^[\n\x20-\x7e]*$/);
        expect(JSON.parse(text)).to.deep.equal(toPlain(tree));
        expect(readJson(text, "a.json").document?.tree).to.deep.equal(tree);
        expect(readJson(compactJson(tree), "a.json").document?.tree).to.deep.equal(tree);
      }),
      { numRuns: runs(500) },
    );
  }).timeout(SLOW_TEST_MS);
});

describe("keepsOrder", () => {
  it("knows which names a JavaScript object moves to the front", () => {
    expect(keepsOrder(membersOf(["1", 0], ["a", 0]))).to.equal(true);
    expect(keepsOrder(membersOf(["a", 0], ["1", 0]))).to.equal(false);
    expect(keepsOrder(membersOf(["a", 0], ["01", 0], ["-1", 0], ["__proto__", 0]))).to.equal(true);
    expect(keepsOrder([membersOf(["x", membersOf(["2", 0], ["1", 0])])])).to.equal(false);
  });
});

describe("readJson", () => {
  const only = (text: string) => {
    const { document, diagnostics } = readJson(text, "a.json");
    expect(document).to.equal(undefined);
    expect(diagnostics).to.have.lengthOf(1);
    return diagnostics[0];
  };

  for (const [what, text, line, column] of [
    ["an empty file", "", 1, 1],
    ["a file of blanks", " \n\t", 2, 2],
    ["something else than JSON", "<html>", 1, 1],
    ["a truncated file", '{\n  "a": [1,', 2, 11],
    ["a text without its end", '{\n  "a": "b\n}', 2, 8],
    ["a comment", '{\n  // no\n  "a": 1 }', 2, 3],
    ["a trailing comma", '{\n  "a": 1,\n}', 3, 1],
    ["a second value", "{} {}", 1, 4],
    ["a name without quotes", "{ a: 1 }", 1, 3],
    ["a single quote", "{ 'a': 1 }", 1, 3],
    ["a control character in a text", '"a\u0001"', 1, 1],
    ["a wrong escape", '"\\x41"', 1, 1],
    ["NaN", "[NaN]", 1, 2],
    ["a number that no double holds", "[\n1e999]", 2, 1],
    ["a number with a leading zero", "[01]", 1, 3],
  ] as const) {
    it(`refuses ${what}, with its place`, () => {
      const found = only(text);
      expect(found).to.include({ code: "json-syntax", file: "a.json", line, column });
      expect(found?.message).to.not.match(/undefined|\{/);
    });
  }

  it("refuses a name that stands twice, with the pointer of the second", () => {
    const found = only('{\n  "a": [\n    { "b/c": 1, "d": 2, "b\\/c": 3 }\n  ]\n}');
    expect(found).to.include({ code: "json-duplicate-name", line: 3, column: 25, pointer: "/a/0/b~1c" });
  });

  it("refuses what would exhaust the stack, before it recurses", () => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
    ] as const) {
      const text = open.repeat(2_000) + (open === "[" ? "" : "1") + close.repeat(2_000);
      const found = only(text);
      expect(found).to.include({ code: "json-too-deep", line: 1, column: MAX_JSON_DEPTH * open.length + 1 });
    }
    expect(only("[".repeat(500_000))).to.include({ code: "json-too-deep" });
    expect(
      readJson("[".repeat(MAX_JSON_DEPTH) + "]".repeat(MAX_JSON_DEPTH), "a.json").diagnostics,
    ).to.deep.equal([]);
  });

  it("does not count brackets in texts", () => {
    expect(readJson(JSON.stringify("[{".repeat(5_000)), "a.json").diagnostics).to.deep.equal([]);
  });

  it("passes over a byte order mark, and counts columns behind it", () => {
    const { document } = readJson('\ufeff{"a": [1]}', "a.json");
    expect(document?.place(["a", 0])).to.deep.equal({ line: 1, column: 8 });
  });

  it("finds the place of a value, or of the nearest one around it", () => {
    const { document } = readJson('{\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}', "a.json");
    expect(document?.place(["a", "b"])).to.deep.equal({ line: 3, column: 10 });
    expect(document?.place(["a", "c", "d"])).to.deep.equal({ line: 2, column: 8 });
    expect(document?.place([])).to.deep.equal({ line: 1, column: 1 });
  });
});
