import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { moduleNames, rootNames } from "../../generators/schema-modules/project-names.js";
import { readConnectorJson } from "../../schemas/model/index.js";
import { connectorcli, filesIn, folderWith, installInto, tsc } from "../support/command-line.js";
import { corpusFiles, NO_CORPUS } from "../support/corpus.js";
import { inRepository } from "../support/repository.js";

const EXAMPLE = {
  name: "examples/projects-api",
  path: inRepository("examples/projects-api/connector.json"),
  text: readFileSync(inRepository("examples/projects-api/connector.json"), "utf8"),
};

/** A module that compiles only where each class's properties and the author's schema are the same type. */
function equalities(text: string): string {
  const { model } = readConnectorJson(text, "connector.json");
  if (model === undefined) throw new Error("no model");
  const lines = moduleNames(model, rootNames()).flatMap((module, m) =>
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
  for (const { name, path: file, text } of [EXAMPLE, ...files]) {
    it(`writes classes for ${name} that compile under TypeScript 5.9 and 7 and equal the author's types, and then nothing`, async () => {
      const folder = folderWith({});
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
      installInto(folder);
      const [older, newer] = await Promise.all([tsc("5.9", folder), tsc("7", folder)]);
      expect(older.stdout).to.equal("");
      expect(newer.stdout).to.equal("");
    });
  }
});
