import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { loadProject } from "../../scripts/author-project/load-project.js";
import { prepareConnector } from "../../scripts/connector-run/prepare-connector.js";
import { readingHashes } from "../../scripts/connector-run/reading-hashes.js";
import { connectorcli } from "../support/command-line.js";
import { folderWith } from "../support/folders.js";
import { inRepository, SLOW_TEST_MS } from "../support/repository.js";

const BOTH = ["project", "timesheet"];

describe("readingHashes", function () {
  this.timeout(SLOW_TEST_MS);
  let folder: string;
  let known: ReadonlyMap<string, string>;

  before(async () => {
    folder = folderWith({});
    cpSync(inRepository("examples/projects-api"), folder, { recursive: true });
    change("modules/app/project/project-reader.ts", (text) => `import "../../page.js";\n${text}`);
    writeFileSync(path.join(folder, "modules/page.ts"), "export {};\n");
    known = await hashes();
  });

  async function hashes(): Promise<ReadonlyMap<string, string>> {
    const { model } = await loadProject({ folder });
    if (model === undefined) throw new Error("no model");
    const prepared = await prepareConnector(folder, model, { withFake: true });
    if (prepared.code === undefined) throw new Error("no code");
    return readingHashes(folder, model, prepared.imports);
  }

  function change(file: string, edit: (text: string) => string): void {
    const name = path.join(folder, file);
    writeFileSync(name, edit(readFileSync(name, "utf8")));
  }

  const lineMore = (text: string) => `${text}\n// one line more\n`;

  for (const [what, file, edit, objects] of [
    ["its reader", "modules/app/timesheet/timesheet-reader.ts", lineMore, ["timesheet"]],
    ["what its reader imports", "modules/page.ts", lineMore, ["project"]],
    ["the client", "client/api-client.ts", lineMore, BOTH],
    ["a handler", "modules/app/project/create-project-handler.ts", lineMore, []],
    ["the list of readers", "modules/app/services.ts", lineMore, []],
    ["the connection test", "connections/connection-test-handler.ts", lineMore, []],
    [
      "its schema",
      "schemas/app/timesheet.ts",
      (text: string) => text.replace("minimum: 0", "minimum: 1"),
      ["timesheet"],
    ],
    [
      "an action's schema",
      "schemas/app/project.ts",
      (text: string) => text.replace(/(defineAction\("\w+", \{\s+description: ")/, "$1It. "),
      [],
    ],
  ] as const) {
    it(`tells that reading may have changed with ${what}: ${objects.join(", ") || "none"}`, async () => {
      change(file, edit);
      expect((await connectorcli(folder, "gen")).status).to.equal(0);
      const after = await hashes();
      const changed = [...after].filter(([dataPath, hash]) => known.get(dataPath) !== hash);
      expect(changed.map(([dataPath]) => dataPath.split("/").at(-1))).to.deep.equal(objects);
      known = after;
    });
  }

  it("takes a reader that stands elsewhere for one that depends on everything", async () => {
    change("modules/app/services.ts", (text) => text.replace("./project/project-reader.js", "./moved.js"));
    const reader = readFileSync(path.join(folder, "modules/app/project/project-reader.ts"), "utf8");
    writeFileSync(path.join(folder, "modules/app/moved.ts"), reader.replaceAll("../../", "../"));
    known = await hashes();
    change("modules/app/moved.ts", lineMore);
    const after = await hashes();
    const changed = [...after].filter(([dataPath, hash]) => known.get(dataPath) !== hash);
    expect(changed.map(([dataPath]) => dataPath)).to.deep.equal(["projects-api/app/1/project"]);
  });
});
