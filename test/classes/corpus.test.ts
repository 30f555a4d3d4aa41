import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { projectLayout } from "../../generators/emitters/index.js";
import { readConnectorJson } from "../../schemas/entries/model.js";
import { typeErrors } from "../support/author-project.js";
import { connectorcli } from "../support/command-line.js";
import { corpusFiles, NO_CORPUS } from "../support/corpus.js";
import { filesIn, folderWith } from "../support/folders.js";
import { COMPILERS, inRepository } from "../support/repository.js";

const EXAMPLE = {
  name: "examples/projects-api",
  path: inRepository("examples/projects-api/connector.json"),
  text: readFileSync(inRepository("examples/projects-api/connector.json"), "utf8"),
};

/** A module that compiles only where each class's properties and the author's schema are the same type. */
function equalities(text: string): string {
  const { model } = readConnectorJson(text, "connector.json");
  if (model === undefined) throw new Error("no model");
  const lines = projectLayout(model).modules.flatMap((module, m) =>
    module.objects.flatMap(({ identifier, file }, o) => {
      const source = file.replace(/\.ts$/, ".js");
      const generated = source.replace(/^schemas/, "generated");
      const alias = `M${m}O${o}`;
      return [
        `import { ${identifier} as ${alias} } from "./${source}";`,
        `import type { ${identifier}Properties as ${alias}Properties } from "./${generated}";`,
        `export const ${alias}_equal: Equal<${alias}Properties, Static<typeof ${alias}.schema>> = true;`,
      ];
    }),
  );
  if (lines.length === 0) return "export {};\n";
  return [
    'import type { Static } from "connectorcli";',
    "type Equal<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;",
    ...lines,
    "",
  ].join("\n");
}

describe("connectorcli gen on real connectors", () => {
  const files = corpusFiles();
  if (files.length === 0) it.skip(`beside the example: the corpus ${NO_CORPUS}`);
  /** A project a folder: one run of a compiler checks all. */
  const projects = folderWith({});

  for (const { name, path: file, text } of [EXAMPLE, ...files]) {
    it(`writes classes for ${name}, and then nothing`, async () => {
      const folder = path.join(projects, path.basename(name));
      mkdirSync(folder);
      await connectorcli(folder, "import", "connector-json", file, "--directory", ".", "--repair");
      const first = await connectorcli(folder, "gen", "--json");
      expect(JSON.parse(first.stdout).diagnostics).to.deep.equal([]);
      const written = filesIn(folder).filter((one) => one.startsWith("generated/"));
      expect(
        JSON.parse(first.stdout)
          .files.map((one: { path: string }) => one.path)
          .sort(),
      ).to.deep.equal(written);
      const second = await connectorcli(folder, "gen", "--json");
      expect(JSON.parse(second.stdout).files).to.deep.equal([]);
      expect((await connectorcli(folder, "gen", "--check")).status).to.equal(0);
      writeFileSync(path.join(folder, "equal.ts"), equalities(text));
    });
  }

  for (const line of COMPILERS) {
    it(`writes classes that compile under TypeScript ${line} and equal the author's types`, async () => {
      expect(await typeErrors(projects, line)).to.equal("");
    });
  }
});
