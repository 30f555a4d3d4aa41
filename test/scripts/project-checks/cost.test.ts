import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import { checkModel } from "../../../schemas/entries/model.js";
import { loadProject } from "../../../scripts/author-project/load-project.js";
import { findingsOfProject } from "../../../scripts/project-checks/findings-of-project.js";
import { manyObjects, smallConnector } from "../../support/connector-sources.js";
import { folderWith } from "../../support/folders.js";
import { inRepository, SLOW_TEST_MS } from "../../support/repository.js";

describe("the cost of check", () => {
  it("of 120 objects is at most half of what loading them takes", async function () {
    this.timeout(SLOW_TEST_MS);
    const folder = folderWith(manyObjects(120));
    const ratios: number[] = [];
    for (let attempt = 0; attempt < 5; attempt++) {
      const [project, total] = await timed(() => loadProject({ folder }));
      const { model } = project;
      if (model === undefined) throw new Error(JSON.stringify(project.diagnostics));
      const [, ofModel] = await timed(() => checkModel(model));
      const [, ofProject] = await timed(() => findingsOfProject(folder, project));
      ratios.push((total + ofProject) / (total - ofModel));
    }
    // The machine may be busy with something else for a while, but not always.
    expect(Math.min(...ratios)).to.be.lessThan(1.5);
  });

  it("of a connector.json of 10 MB stays within 400 MB", async function () {
    this.timeout(SLOW_TEST_MS);
    const properties = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, index) => [
        `p${index}`,
        { type: "string", description: "A text of it." },
      ]),
    );
    const large = fileWith({ type: "object", properties });
    const text = `${JSON.stringify(large).slice(0, -1)},"rest":"${"x".repeat(6_000_000)}"}`;
    expect(text.length).to.be.greaterThan(10_000_000);
    const { stdout } = await checkWithin(400, { "connector.ts": smallConnector(), "connector.json": text });
    expect(stdout).to.include("extract-stale");
  });

  it("of a module of 10 MB stays within 400 MB", async function () {
    this.timeout(SLOW_TEST_MS);
    const before = `const filler = "${"x".repeat(10_000_000)}"; void filler;`;
    const { stdout } = await checkWithin(400, {
      "connector.ts": smallConnector({ before, properties: "id: Type.String()," }),
    });
    expect(stdout).to.include("description-missing");
  });

  it("of a schema 1,000 levels deep is a message, in the modules and in connector.json", async function () {
    this.timeout(SLOW_TEST_MS);
    const before = "let deep: any = Type.String(); for (let i = 0; i < 1000; i++) deep = Type.Array(deep);";
    const properties = 'id: Type.String({ description: "What it is known by." }), deep,';
    let schema: object = { type: "string" };
    for (let level = 0; level < 1_000; level++) schema = { type: "array", items: schema };
    const { stdout } = await checkWithin(400, {
      "connector.ts": smallConnector({ before, properties }),
      "connector.json": JSON.stringify(fileWith(schema)),
    });
    expect(stdout).to.include("schema-too-deep").and.include("extract-stale");
  });
});

async function timed<T>(work: () => T | Promise<T>): Promise<readonly [T, number]> {
  const start = performance.now();
  const result = await work();
  return [result, performance.now() - start];
}

/** `check` in a process whose heap ends at so many MB; findings give status 1, a full heap kills it. */
async function checkWithin(megabytes: number, files: Readonly<Record<string, string>>) {
  const args = [`--max-old-space-size=${megabytes}`, inRepository("dist/scripts/connectorcli.js"), "check"];
  const run = promisify(execFile)(process.execPath, args, { cwd: folderWith(files), maxBuffer: 1 << 26 });
  return run.catch((error: { readonly code?: unknown; readonly stdout: string }) => {
    expect(error.code).to.equal(1);
    return error;
  });
}

function fileWith(configSchema: object): object {
  const named = { name: "A", urlPart: "a", key: "a", description: "A." };
  return { ...named, connectionDefinitions: [], configSchema, modules: [] };
}
