import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { typeErrors } from "../support/author-project.js";
import { connectorcli } from "../support/command-line.js";
import { folderWith, treeOf } from "../support/folders.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const APP = ["--module-id", "app-1"];
const SITE = `import { defineAction, defineDataObject, Type } from "connectorcli";

export const Site = defineDataObject("Site", {
  description: "A site.",
  primaryKey: "number",
  readerType: "incremental",
  properties: { number: Type.Integer(), city: Type.String() },
});

export const CreateSite = defineAction("Create", {
  dataObject: Site,
  description: "Creates a site.",
  input: Type.Object({ city: Type.String() }),
  output: Type.Object({ number: Type.Integer(), city: Type.String() }),
});

export const RenameSite = defineAction("Rename", {
  dataObject: Site,
  description: "Renames a site.",
  input: Type.Object({ number: Type.Integer(), name: Type.String() }),
  output: Type.Object({ name: Type.String() }),
});

export const CloseSite = defineAction("Close", {
  dataObject: Site,
  description: "Closes a site.",
  input: Type.Object({ reason: Type.String() }),
});

export const DeleteSite = defineAction("Delete", {
  dataObject: Site,
  description: "Deletes a site.",
  input: Type.Object({ number: Type.Integer(), reason: Type.String() }),
});
`;
const imported = (names: string) => (names === "" ? "" : `import { ${names} } from "./site.js";\n`);
const MODULE = (objects: string, actions: string) => `import { defineModule } from "connectorcli";
${imported([objects, actions].filter((names) => names !== "").join(", "))}
export const App = defineModule("App", {
  key: "app",
  version: 1,
  description: "Sites.",
  dataObjects: [${objects}],
  actions: [${actions}],
});
`;
const CONNECTOR = `import { defineConnector } from "connectorcli";
import { App } from "./schemas/app/module.js";

export const connector = defineConnector("Sites", {
  key: "sites",
  description: "Sites.",
  connections: [],
  modules: [App],
});
`;

function project(objects: string, actions: string): string {
  return folderWith({
    "package.json": '{ "type": "module" }\n',
    "connector.ts": CONNECTOR,
    "schemas/app/module.ts": MODULE(objects, actions),
    "schemas/app/site.ts": SITE,
  });
}

const textIn = (folder: string, name: string) => readFileSync(path.join(folder, name), "utf8");

async function done(folder: string, ...args: readonly string[]): Promise<string> {
  const { status, stderr } = await connectorcli(folder, ...args);
  expect(status, `${args.join(" ")}\n${stderr}`).to.equal(0);
  return stderr;
}

describe("what is defined by hand", () => {
  it("gets its reader and its handlers, which compile and leave the definitions as they are", async () => {
    const folder = project("Site", "CreateSite, RenameSite, CloseSite, DeleteSite");
    const schemas = treeOf(path.join(folder, "schemas"));
    await done(folder, "data-object", "new", ...APP, "--name", "Site");
    for (const name of ["Create", "Rename", "Close", "Delete"])
      await done(folder, "action", "new", ...APP, "--object-name", "Site", "--name", name, "--code");
    expect(treeOf(path.join(folder, "schemas"))).to.deep.equal(schemas);
    expect(textIn(folder, "modules/app/site/site-reader.ts")).to.include("since:");
    await done(folder, "gen");
    expect(await typeErrors(folder)).to.equal("");
    const handler = (name: string) => textIn(folder, `modules/app/site/${name}-site-handler.ts`);
    expect(handler("create")).to.include("no output without the record").and.include("city: record.city");
    expect(handler("rename")).to.include("input.number}/rename`").and.include("name: input.name");
    expect(handler("close")).to.include('"sites/close"').and.include("post<SiteJson>(target, input");
    expect(handler("delete")).to.include('operation: "delete"').and.include("{},\n");
    const tree = treeOf(folder);
    for (const call of [
      ["data-object", "new", ...APP, "--name", "Site"],
      ["action", "new", ...APP, "--object-name", "Site", "--name", "Create"],
    ]) {
      const { status, stderr } = await connectorcli(folder, ...call);
      expect([status, stderr.includes("is there already")]).to.deep.equal([1, true]);
    }
    expect(treeOf(folder)).to.deep.equal(tree);
  }).timeout(SLOW_TEST_MS);

  it("gets its handlers declared, which compile whatever its actions take and give", async () => {
    const folder = project("Site", "CreateSite, RenameSite, CloseSite, DeleteSite");
    await done(folder, "data-object", "new", ...APP, "--name", "Site");
    for (const name of ["Create", "Rename", "Close", "Delete"])
      await done(folder, "action", "new", ...APP, "--object-name", "Site", "--name", name);
    await done(folder, "gen");
    expect(await typeErrors(folder)).to.equal("");
    const handler = (name: string) => textIn(folder, `modules/app/site/${name}-site-handler.ts`);
    expect(handler("create")).to.include('"POST /sites"').and.include('reread: "Location"');
    expect(handler("rename"))
      .to.include('"POST /sites/{number}/rename"')
      .and.include('"GET /sites/{number}"');
    expect(handler("close")).to.include('"POST /sites/close"').and.include('change: "upsert"');
    expect(handler("delete")).to.include('path: { number: input("number") }').and.include('change: "delete"');
  }).timeout(SLOW_TEST_MS);

  it("is listed if no module lists it yet", async () => {
    const folder = project("", "");
    await done(folder, "data-object", "new", ...APP, "--name", "Site");
    const said = await done(folder, "action", "new", ...APP, "--object-name", "Site", "--name", "Create");
    expect(said)
      .to.include("update schemas/app/module.ts")
      .and.include("create modules/app/site/create-site");
    expect(textIn(folder, "schemas/app/site.ts")).to.equal(SITE);
    const module = textIn(folder, "schemas/app/module.ts");
    expect(module).to.include("dataObjects: [Site]").and.include("actions: [CreateSite]");
    await done(folder, "gen");
    expect(await typeErrors(folder)).to.equal("");
  }).timeout(SLOW_TEST_MS);

  it("keeps a handler that is written and not listed, and lists it", async () => {
    const folder = project("Site", "CreateSite");
    await done(folder, "action", "new", ...APP, "--object-name", "Site", "--name", "Create");
    const services = path.join(folder, "modules/app/services.ts");
    const listed = readFileSync(services, "utf8");
    writeFileSync(services, listed.replace("    CreateSite: createSiteHandler,\n", ""));
    const handler = path.join(folder, "modules/app/site/create-site-handler.ts");
    expect(existsSync(handler)).to.equal(true);
    writeFileSync(handler, "export const createSite = mine();\n");
    const said = await done(folder, "action", "new", ...APP, "--object-name", "Site", "--name", "Create");
    expect(said).to.include("kept modules/app/site/create-site-handler.ts");
    expect(readFileSync(handler, "utf8")).to.equal("export const createSite = mine();\n");
    expect(readFileSync(services, "utf8")).to.include("CreateSite: createSite,");
  }).timeout(SLOW_TEST_MS);

  it("is left alone where its name means something else", async () => {
    const folder = project("Site", "");
    const file = path.join(folder, "schemas/app/site.ts");
    writeFileSync(file, SITE.replace('defineAction("Create"', 'defineAction("Make"'));
    const tree = treeOf(folder);
    const { status, stderr } = await connectorcli(
      folder,
      ...["action", "new", ...APP, "--object-name", "Site", "--name", "Create"],
    );
    expect([status, stderr.includes('"CreateSite" means something else there')]).to.deep.equal([1, true]);
    expect(treeOf(folder)).to.deep.equal(tree);
  }).timeout(SLOW_TEST_MS);
});
