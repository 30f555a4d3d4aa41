import { expect } from "chai";
import { inRepository } from "../support/repository.js";
import { randomFrom } from "../validation/random.js";
import { chooseMistakes, linesOf, mistakesIn, withMistake } from "./mistakes.js";
import { testsByImports } from "./tests-of.js";

/** The texts that one mistake makes of `text`, by the kind of the mistake. */
function mistaken(text: string): readonly string[] {
  return mistakesIn(text).map((mistake) => `${mistake.kind}: ${withMistake(text, mistake)}`);
}

describe("mistakes that are made in modules", () => {
  for (const [text, expected] of [
    ["a < b", ["boundary: a <= b"]],
    ["(a) !== (b)", ["negated comparison: (a) === (b)"]],
    ["a && !b", ["other connective: a || !b", "dropped negation: a && b"]],
    ["a ?? b", ["dropped default: a"]],
    ["a - 1", ["other sign: a + 1", "off by one: a - 2"]],
    ['a + "b"', []],
    ["if (a) b;", ["dropped guard: ;", "negated condition: if (!(a)) b;"]],
    ["if (a) b; else c;", ["negated condition: if (!(a)) b; else c;"]],
    ["a ? b : c", ["negated condition: !(a) ? b : c"]],
    ["await a(true)", ["dropped statement: ;", "dropped await: a(true)", "other answer: await a(false)"]],
    ["class A extends B { constructor() { super(); } }", []],
    [
      "try { } finally { a(); }",
      ["dropped clean-up: try { } finally {}", "dropped statement: try { } finally { ; }"],
    ],
    ["x = a(b, c)", ["dropped statement: ;", "swapped arguments: x = a(c, b)"]],
    ["x(a, a).some(b)", ["dropped statement: ;", "other method: x(a, a).every(b)"]],
    ["const x = a.filter(b)", ["dropped step: const x = a"]],
    ["not a module (", []],
  ] as const) {
    it(text, () => {
      expect(mistaken(text)).to.have.members(expected);
    });
  }

  it("come from every folder, from no line twice, and are the same for a seed", () => {
    const modules = new Map(
      ["a/one.js", "a/two.js", "b/three.js", "b/c/four.js"].map((name) => [
        name,
        "a < 1;\nb > 2 && c();\nd(e, f);\n",
      ]),
    );
    const choose = (count: number, seed: number) =>
      chooseMistakes(modules, count, randomFrom(seed)).map((mistake) => {
        const { line } = linesOf(modules.get(mistake.module) ?? "", mistake);
        return `${mistake.module}:${line}`;
      });
    const chosen = choose(6, 1);
    expect(new Set(chosen)).to.have.length(6);
    expect(new Set(chosen.map((place) => place.split("/").slice(0, -1).join("/")))).to.have.length(3);
    expect(choose(6, 1)).to.deep.equal(chosen);
    expect(choose(100, 2)).to.have.length(12);
  });

  it("are tried with tests that only start the program in which they are, the nearest first", () => {
    const testsOf = testsByImports(inRepository("dist"));
    expect(testsOf("scripts/connector-run/trace-calls.js").slice(0, 5))
      .to.include("test/scripts/run-canary.test.js")
      .and.to.not.include("test/scripts/usage.test.js");
    expect(testsOf("scripts/connectorcli.js")).to.include("test/scripts/command-processes.test.js");
    expect(testsOf("scripts/write-docs.js")).to.include("test/docs.test.js");
  });

  it("are told by their line, before and after", () => {
    const text = "first();\n  if (a) second();\n";
    const [, mistake] = mistakesIn(text);
    if (mistake === undefined) throw new Error("no mistake was found");
    expect(linesOf(text, mistake)).to.deep.equal({ line: 2, before: "if (a) second();", after: ";" });
  });
});
