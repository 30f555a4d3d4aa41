import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { typeErrors } from "./support/author-project.js";
import { connectorcli } from "./support/command-line.js";
import { corpusFiles, type KeyFault, keyFaults, NO_CORPUS } from "./support/corpus.js";
import { folderWith } from "./support/folders.js";
import { COMPILERS, inRepository } from "./support/repository.js";

const AUTHORS_TSCONFIG = readFileSync(inRepository("generators/templates/author-tsconfig.json.hbs"), "utf8");

describe("connector.json of real connectors", () => {
  const files = corpusFiles();
  if (files.length === 0) {
    it.skip(NO_CORPUS);
    return;
  }
  /** A project a folder: one run of a compiler checks all. */
  const work = folderWith({});

  for (const { name, path: file, text } of files) {
    it(`${name} is imported and extracted again byte for byte`, async () => {
      const project = path.join(work, name);
      const imported = await connectorcli(work, "import", "connector-json", file, "--directory", name);
      expect(imported.status, imported.stderr).to.equal(0);
      expect(imported.stderr).to.not.include("import-differs");
      await connectorcli(project, "extract", "--allow-errors");
      expect(readFileSync(path.join(project, "connector.json"), "utf8")).to.equal(text);
      expect(readFileSync(path.join(project, "tsconfig.json"), "utf8")).to.equal(AUTHORS_TSCONFIG);
    });

    it(`${name} shows exactly the key faults that it has, each with a line`, async () => {
      const work = folderWith({});
      await connectorcli(work, "import", "connector-json", file, "--directory", ".");
      const { stdout } = await connectorcli(work, "check", "--format", "json");
      const found = JSON.parse(stdout).diagnostics.filter(({ code }: KeyFault) => code.startsWith("key-"));
      const order = (a: KeyFault, b: KeyFault) => (a.pointer + a.code < b.pointer + b.code ? -1 : 1);
      const shown: KeyFault[] = found.map(({ code, pointer }: KeyFault) => ({ code, pointer }));
      const counted = keyFaults(JSON.parse(text)).map(({ code, pointer }) => ({ code, pointer }));
      expect(shown.sort(order)).to.deep.equal(counted.sort(order));
      for (const { file: source, line } of found) {
        expect(readFileSync(path.join(work, source), "utf8").split("\n")[line - 1]).to.match(
          /primaryKey|name: /,
        );
      }
    });

    it(`${name} has no key fault left after --repair`, async () => {
      const repaired = `${name}-repaired`;
      await connectorcli(work, "import", "connector-json", file, "--directory", repaired, "--repair");
      const { stdout } = await connectorcli(path.join(work, repaired), "check", "--format", "json");
      expect(
        JSON.parse(stdout).diagnostics.filter(({ code }: KeyFault) => code.startsWith("key-")),
      ).to.deep.equal([]);
    });
  }

  for (const line of COMPILERS) {
    it(`type-check when they are imported, as they are and repaired, under TypeScript ${line}`, async () => {
      expect(await typeErrors(work, line)).to.equal("");
    });
  }
});
