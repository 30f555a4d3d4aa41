import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { connectorcli, folderWith, installInto, tsc } from "./support/command-line.js";
import { corpusFiles, NO_CORPUS } from "./support/corpus.js";
import { type KeyFault, keyFaults } from "./support/key-faults.js";

describe("connector.json of real connectors", () => {
  const files = corpusFiles();
  if (files.length === 0) {
    it.skip(NO_CORPUS);
    return;
  }
  for (const { name, path: file, text } of files) {
    it(`${name} is imported and extracted again byte for byte, and type-checks under TypeScript 5.9 and 7`, async () => {
      const work = folderWith({});
      const project = path.join(work, "project");
      const imported = await connectorcli(work, "import", "connector-json", file, "--directory", "project");
      expect(imported.status, imported.stderr).to.equal(0);
      expect(imported.stderr).to.not.include("import-differs");
      await connectorcli(project, "extract", "--allow-errors");
      expect(readFileSync(path.join(project, "connector.json"), "utf8")).to.equal(text);
      installInto(project);
      const [older, newer] = await Promise.all([tsc("5.9", project), tsc("7", project)]);
      expect(older.stdout).to.equal("");
      expect(newer.stdout).to.equal("");
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

    it(`${name} has no key fault left after --repair, and type-checks`, async () => {
      const work = folderWith({});
      await connectorcli(work, "import", "connector-json", file, "--directory", ".", "--repair");
      const { stdout } = await connectorcli(work, "check", "--format", "json");
      expect(
        JSON.parse(stdout).diagnostics.filter(({ code }: KeyFault) => code.startsWith("key-")),
      ).to.deep.equal([]);
      installInto(work);
      expect((await tsc("7", work)).stdout).to.equal("");
    });
  }
});
