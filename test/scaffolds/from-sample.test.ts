import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { dataObjectScaffold } from "../../generators/scaffolds/index.js";
import { toPlain } from "../../schemas/json.js";
import { openProject, projectSources } from "../../scripts/scaffolding/change-project.js";
import { json, text } from "../support/arbitraries.js";
import { bareProject, clientProject, fillIn, loadModules, typeErrors } from "../support/author-project.js";
import { connectorcli, connectorcliOn } from "../support/command-line.js";
import { folderWith, treeOf } from "../support/folders.js";
import { answerJson, closeServers, serve } from "../support/loopback.js";
import { runs, SLOW_TEST_MS } from "../support/repository.js";

const OBJECT = ["data-object", "new", "--module-id", "app-1", "--name", "Site"];
const SITES = [
  { site_id: "7b3f8f0e-6f3a-4c58-9d2e-0b8a4f6f2c11", label: "North", opened_on: "2026-02-03", crew: 4 },
  { site_id: "7b3f8f0e-6f3a-4c58-9d2e-0b8a4f6f2c12", label: null, opened_on: "2026-02-04", crew: 5 },
];

const textIn = (folder: string, name: string) => readFileSync(path.join(folder, name), "utf8");

describe("data-object new --from", function () {
  this.timeout(SLOW_TEST_MS);
  afterEach(closeServers);

  it("makes what compiles, is extracted and reads the target system that the sample is from", async () => {
    const { origin } = await serve((_, response) =>
      answerJson(response, { ok: true, result: { rows: SITES } }),
    );
    const folder = await clientProject(origin, "ApiKey");
    const done = async (...args: readonly string[]) => {
      const { status, stdout, stderr } = await connectorcli(folder, ...args);
      expect(status, `${args.join(" ")}\n${stdout}${stderr}`).to.equal(0);
      return `${stdout}${stderr}`;
    };
    writeFileSync(path.join(folder, "sites.json"), JSON.stringify({ ok: true, result: { rows: SITES } }));
    expect(await done(...OBJECT, "--from", "sites.json")).to.include("Describe its properties");
    expect(
      textIn(folder, "schemas/app/site.ts"),
    ).to.equal(`/** Site: schema, keys and actions of the data object. */
import { defineDataObject, Nullable, Type } from "connectorcli";

export const Site = defineDataObject("Site", {
  description: "A site of the target system.",
  // It is called as keys are; it is another in each of the 2 records.
  primaryKey: "siteId",
  namingConvention: "snake_case",
  properties: {
    // In all 2 records; each has the format uuid.
    siteId: Type.String({
      format: "uuid",
      description: "Identifier of the site in the target system.",
    }),
    // In all 2 records; null in 1.
    label: Nullable(Type.String()),
    // In all 2 records; each has the format date.
    openedOn: Type.String({ format: "date" }),
    // In all 2 records; whole numbers only.
    crew: Type.Integer(),
  },
});
`);
    expect(
      textIn(folder, "modules/app/site/site-reader.ts"),
    ).to.include(`  // Where the sample has its records.
  items: "result.rows",`);
    await done("gen");
    await done("extract", "--allow-errors");
    await done("test", "init");
    fillIn(folder, "apiKeyAuth", { apiKey: "k" });
    expect(await typeErrors(folder)).to.equal("");
    expect(await done("run", "cache-writer")).to.include("Site: succeeded: 0 unchanged, 2 inserted");
  });

  it("takes the answer from standard input, and asks for changes by the property that tells of them", async () => {
    const folder = bareProject();
    const answer = JSON.stringify([{ id: 1, last_modified: "2026-02-03T04:05:06Z" }]);
    const args = [...OBJECT, "--from", "-", "--reader-type", "incremental"];
    const { status, stderr } = await connectorcliOn({ input: () => answer }, folder, ...args);
    expect(status, stderr).to.equal(0);
    expect(textIn(folder, "schemas/app/site.ts")).to.include('readerType: "incremental"');
    expect(textIn(folder, "modules/app/site/site-reader.ts"))
      .to.include('items: "$"')
      .and.to.include('since: { property: "last_modified", send: "modifiedSince" }');
  });

  it("goes with a reader in code", async () => {
    const folder = bareProject({ "s.json": JSON.stringify(SITES) });
    expect((await connectorcli(folder, ...OBJECT, "--from", "s.json", "--code")).status).to.equal(0);
    expect(textIn(folder, "modules/app/site/site-reader.ts")).to.include("pageNumbers");
    expect(textIn(folder, "schemas/app/site.ts")).to.include('primaryKey: "siteId"');
  });

  it("makes modules that compile of whatever a record is called and holds, and none says what it holds", async () => {
    const record = fc.array(fc.tuple(text, json), { maxLength: 8 });
    const batch = fc.array(fc.array(record, { minLength: 1, maxLength: 3 }), {
      minLength: 25,
      maxLength: 25,
    });
    const root = bareProject();
    const { project } = await openProject({ folder: root });
    if (project === undefined) throw new Error("it does not load");
    const { model } = project;
    await fc.assert(
      fc.asyncProperty(batch, async (samples) => {
        const files = samples.flatMap((records, index) => {
          const rows = records.map((members, id) =>
            Object.fromEntries([
              ...members.map(([name, value]) => [name, toPlain(value)]),
              ["id", `canary-${id}`],
            ]),
          );
          const source = { model, files: projectSources(root) };
          const wanted = { moduleId: "app-1", name: `Thing${index}`, readerType: "full" } as const;
          const scaffold = dataObjectScaffold({ ...wanted, from: { text: JSON.stringify(rows) } }, source);
          expect(scaffold.diagnostics, JSON.stringify(rows)).to.deep.equal([]);
          return scaffold.files.filter(({ path: name }) => name.startsWith("schemas/app/thing"));
        });
        expect(files).to.have.length(samples.length);
        expect(files.filter(({ content }) => content.includes("canary"))).to.deep.equal([]);
        const folder = bareProject(
          Object.fromEntries(files.map(({ path: name, content }) => [name, content])),
        );
        expect((await typeErrors(folder)).slice(0, 3_000)).to.equal("");
        const loaded = await loadModules(files.map(({ path: name }) => path.join(folder, name)));
        expect(loaded.filter((exported) => Object.keys(exported).length !== 1)).to.deep.equal([]);
      }),
      { numRuns: runs(1), endOnFailure: true },
    );
  });

  describe("refuses", () => {
    let folder = "";
    const big = path.join(folderWith({ "big.json": "" }), "big.json");
    before(async () => {
      folder = bareProject({ "a.json": '{"data":[]}', "b.json": "<html>", "ok.json": JSON.stringify(SITES) });
      truncateSync(big, 100 * 1024 * 1024);
      expect((await connectorcli(folder, ...OBJECT.slice(0, -1), "Known")).status).to.equal(0);
    });

    const WRONG: readonly (readonly [
      what: string,
      from: string,
      words: string,
      status: number,
      name?: string,
    ])[] = [
      ["an answer without records", "a.json", "its list is empty", 1],
      ["what is no JSON", "b.json", "b.json:1:1", 1],
      ["what is not there", "none.json", "none.json can't be read: ENOENT", 2],
      ["a folder", ".", ". can't be read: it is a folder.", 2],
      ["a hundred megabytes", big, "it has more than 16 MB", 2],
      [
        "an object that is defined already",
        "ok.json",
        'The data object "Known" is there already',
        1,
        "Known",
      ],
    ];
    for (const [what, from, words, status, name = "Site"] of WRONG) {
      it(`${what}, and writes nothing`, async () => {
        const tree = treeOf(folder);
        const args = [...OBJECT.slice(0, -1), name, "--from", from];
        const result = await connectorcli(folder, ...args);
        expect(result.stderr).to.include(words);
        expect(result.status).to.equal(status);
        expect(treeOf(folder)).to.deep.equal(tree);
      });
    }
  });
});
