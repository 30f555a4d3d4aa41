import { runInNewContext } from "node:vm";
import { expect } from "chai";
import { transformSync } from "esbuild";
import fc from "fast-check";
import { appendElement, importedName, SourceFiles } from "../../generators/source-edits/index.js";
import { runs, SLOW_TEST_MS } from "../support/repository.js";

const NAMES = ["A", "B", "C", "D"];

/** White space and remarks, as they may stand between any two tokens. */
const gap = fc
  .array(
    fc.constantFrom(
      " ",
      "\n",
      "  ",
      "\t",
      "\n    ",
      "/* , ] */",
      "/* [ */ ",
      "// ], {\n",
      "// last\n  ",
      "\n\n",
    ),
    { maxLength: 3 },
  )
  .map((parts) => parts.join(""));

const element = fc
  .constantFrom(...NAMES)
  .chain((name) =>
    fc.constantFrom(name, `(${name})`, `${name} as string`, `...[${name}]`, `(${name} satisfies string)`),
  );

const items = fc.array(fc.tuple(gap, element, gap), { maxLength: 5 });

const list = fc.tuple(items, fc.boolean(), gap).map(([all, hasComma, end]) => {
  const text = all.map((parts) => parts.join("")).join(",");
  return `[${text}${hasComma && all.length > 0 ? "," : ""}${end}]`;
});

const source = fc
  .record({
    list,
    gaps: fc.array(gap, { minLength: 4, maxLength: 4 }),
    imports: fc.constantFrom("", 'import { define } from "sdk"\n', "import { define } from 'sdk' // sdk\n\n"),
    form: fc.constantFrom("inline", "shorthand", "wrapped", "exported"),
    crlf: fc.boolean(),
  })
  .map(({ list: array, gaps: [a = "", b = "", c = "", d = ""], imports, form, crlf }) => {
    const forms = {
      inline: `export const c = defineConnector({${a}modules:${b}${array}${c},${d}});`,
      shorthand: `const modules =${a}${array};${b}\nexport const c = defineConnector({${c}modules${d}});`,
      wrapped: `export const c = defineConnector(({${a}modules:${b}(${array}) as const,${c}}) satisfies {}${d});`,
      exported: `const root = defineConnector({ name: "x",${a}modules:${b}${array}${c}});${d}\nexport { root as c };`,
    };
    const text = `// header\n\n${imports}${forms[form as keyof typeof forms]}\n`;
    return crlf ? text.replaceAll("\n", "\r\n") : text;
  });

/** The modules that the text, run as it stands, gives its connector. */
function modulesOf(text: string): readonly string[] {
  const { code } = transformSync(text, { loader: "ts", format: "cjs" });
  const module: { exports: { c?: { modules: readonly string[] } } } = { exports: {} };
  const values = Object.fromEntries([...NAMES, "New"].map((name) => [name, name]));
  runInNewContext(code, {
    ...values,
    module,
    require: () => values,
    defineConnector: (options: object) => options,
  });
  return [...(module.exports.c?.modules ?? [])];
}

/** What must be put into `before` to get `after`; undefined where something was taken away. */
function insertions(before: string, after: string): string | undefined {
  let rest = "";
  let at = 0;
  for (const character of after) {
    if (character === before[at]) at++;
    else rest += character;
  }
  return at === before.length ? rest : undefined;
}

describe("appending an element, whatever the layout", () => {
  it("adds it, and keeps every byte that was there", () => {
    fc.assert(
      fc.property(source, (before) => {
        const files = new SourceFiles((path) => (path === "connector.ts" ? before : undefined));
        const place = { start: { file: "connector.ts", call: "defineConnector" }, steps: [0, "modules"] };
        const { problem } = appendElement(
          files,
          place,
          importedName("New", { file: "schemas/new/module.ts" }),
        );
        expect(problem).to.equal(undefined);
        const after = files.text("connector.ts") ?? "";
        expect(insertions(before, after)?.length).to.be.lessThan(90);
        expect(modulesOf(after)).to.deep.equal([...modulesOf(before), "New"]);
        expect(after.includes("\r\n")).to.equal(before.includes("\r\n"));
        expect(/(?<!\r)\n/.test(after)).to.equal(/(?<!\r)\n/.test(before));
      }),
      { numRuns: runs(500) },
    );
  }).timeout(SLOW_TEST_MS);
});
