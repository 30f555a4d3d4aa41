import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { bareProject, clientProject, fillIn, typeErrors } from "../support/author-project.js";
import { connectorcli } from "../support/command-line.js";
import { treeOf } from "../support/folders.js";
import { answerJson, closeServers, serve } from "../support/loopback.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const OBJECT = ["data-object", "new", "--module-id", "app-1", "--name"];
const CONFIGURATION = `import { defineRegistrationConfiguration, Type } from "connectorcli";
export const RegistrationConfiguration = defineRegistrationConfiguration("RegistrationConfiguration", {
  title: "Sites",
  description: "Which sites.",
  properties: {
    workspaceId: Type.String({ title: "Workspace", description: "Its number." }),
    region: Type.String({ title: "Region", description: "Its name." }),
  },
});
`;

async function done(folder: string, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await connectorcli(folder, ...args);
  expect(status, `${args.join(" ")}\n${stdout}${stderr}`).to.equal(0);
  return `${stdout}${stderr}`;
}

const readerOf = (folder: string, name: string) =>
  readFileSync(path.join(folder, `modules/app/${name}/${name}-reader.ts`), "utf8");

describe("scaffolded declared readers", () => {
  afterEach(closeServers);

  it("read a list that comes at once, and changes, and of a longer list delete nothing", async () => {
    const sites = [
      { id: "1", name: "North" },
      { id: "2", name: "South" },
    ];
    let [listed, link]: readonly [object, string] = [sites, ""];
    const { origin, requests } = await serve(({ path: address }, response) => {
      if (address.startsWith("/visits")) {
        response.setHeader("date", "Wed, 01 Jan 2020 12:00:00 GMT");
        answerJson(response, [{ id: "v", name: "Visit" }]);
        return;
      }
      if (link !== "") response.setHeader("link", link);
      answerJson(response, listed);
    });
    const folder = await clientProject(origin, "ApiKey");
    await done(folder, ...OBJECT, "Site");
    await done(folder, ...OBJECT, "Visit", "--reader-type", "incremental");
    await done(folder, "gen");
    await done(folder, "test", "init");
    fillIn(folder, "apiKeyAuth", { apiKey: "k" });
    expect(await typeErrors(folder)).to.equal("");

    const sync = () => connectorcli(folder, "run", "cache-writer");
    const first = await sync();
    expect(first.stdout, first.stderr).to.include("Site: succeeded: 0 unchanged, 2 inserted");
    await sync();
    const changes = requests.map(({ path: address }) => address).filter((one) => one.startsWith("/visits"));
    expect(changes).to.deep.equal(["/visits", "/visits?modifiedSince=2020-01-01T11%3A59%3A00.000Z"]);

    [listed, link] = [sites.slice(1), '<?page=2>; rel="next"'];
    const cut = await sync();
    expect(cut.status).to.equal(1);
    expect(cut.stdout + cut.stderr).to.include('pages: { kind: "linkHeader" }');
    [listed, link] = [{ data: sites }, ""];
    expect((await sync()).status).to.equal(1);
    [listed, link] = [sites, ""];
    expect((await sync()).stdout).to.include(
      "Site: succeeded: 2 unchanged, 0 inserted, 0 updated, 0 deleted",
    );
  }).timeout(SLOW_TEST_MS);

  it("take the values of their paths from parents and from settings", async () => {
    const folder = bareProject({ "schemas/registration-configuration.ts": CONFIGURATION });
    const root = path.join(folder, "connector.ts");
    const text = readFileSync(root, "utf8")
      .replace("// filled by the tool", "registrationConfiguration: RegistrationConfiguration,")
      .replace(
        'from "connectorcli";',
        `from "connectorcli";\nimport { RegistrationConfiguration } from "./schemas/registration-configuration.js";`,
      );
    writeFileSync(root, text);
    const LISTS: readonly (readonly [
      name: string,
      list: string,
      options: readonly string[],
      path: string,
    ])[] = [
      ["Site", "/workspaces/{workspaceId}/sites", [], 'workspaceId: setting("WorkspaceId")'],
      ["Visit", "GET /sites/{siteId}/visits", [], 'siteId: from(siteReader, "id")'],
      ["Note", "GET sites/{id}/notes", [], 'id: from(siteReader, "id")'],
      [
        "Photo",
        "POST /in/{where}/visits/{visit_id}/photos",
        ["--parent", "Visit", "--setting", "region"],
        'where: setting("Region"), visit_id: from(visitReader, "id")',
      ],
      ["Crew", "GET /{part}/crews", ["--parent", "Site"], 'part: from(siteReader, "id")'],
      ["Tool", "GET /tools/{a-b}", ["--setting", "Region"], '"a-b": setting("Region")'],
    ];
    for (const [name, list, options, values] of LISTS) {
      await done(folder, ...OBJECT, name, "--list", list, ...options);
      expect(readerOf(folder, name.toLowerCase())).to.include(`path: { ${values} },`);
    }
    await done(folder, ...OBJECT, "Truck", "--list", "GET /trucks?archived=false&of=a%20b");
    expect(readerOf(folder, "truck")).to.include('query: { archived: "false", of: "a b" }');
    await done(folder, ...OBJECT, "Coded", "--code");
    await done(folder, ...OBJECT, "Bit", "--list", "GET /codeds/{codedId}/bits");
    expect(readerOf(folder, "bit")).to.include('from(readCoded, "id")');
    await done(folder, "gen");
    expect(await typeErrors(folder)).to.equal("");
  }).timeout(SLOW_TEST_MS);

  it("name the properties of a parent whose key has several", async () => {
    const folder = bareProject();
    await done(folder, ...OBJECT, "Site");
    const schema = path.join(folder, "schemas/app/site.ts");
    writeFileSync(
      schema,
      readFileSync(schema, "utf8").replace('primaryKey: "id"', 'primaryKey: ["id", "name"]'),
    );
    const kid = [...OBJECT, "Kid", "--list", "GET /of/{it}/kids"];
    const { status, stderr } = await connectorcli(folder, ...kid);
    expect([status, stderr.includes("--parent Site.id, --parent Site.name;")]).to.deep.equal([1, true]);
    await done(folder, ...kid, "--parent", "Site.name");
    expect(readerOf(folder, "kid")).to.include('it: from(siteReader, "name")');
  });

  describe("are refused", () => {
    let folder = "";
    before(async () => {
      folder = bareProject();
      await done(folder, ...OBJECT, "Site");
      await done(folder, ...OBJECT, "Visit");
    });

    const WRONG: readonly (readonly [what: string, args: readonly string[], words: readonly string[]])[] = [
      ["by another method", ["--list", "PUT /a"], ['"PUT /a" is no list', "no method and path"]],
      ["with an address", ["--list", "GET https://a.example/b"], ["has an address"]],
      ["with another host", ["--list", "GET //a.example/b"], ["has an address"]],
      ["with empty braces", ["--list", "GET /a/{}"], ["braces hold no name"]],
      ["with an open brace", ["--list", "GET /a/{b"], ["braces hold no name"]],
      ["without a path", ["--list", ""], ["no method and path"]],
      [
        "with a variable that has no value",
        ["--list", "GET /a/{b}/c"],
        ['variable "b"', "--parent Site, --parent Visit"],
      ],
      [
        "with a variable that several may give",
        ["--list", "GET /a/{b}", "--parent", "Site,Visit"],
        ['variable "b"', "--parent Site, --parent Visit"],
      ],
      [
        "with variables that share one parent",
        ["--list", "GET /{a}/{b}", "--parent", "Site"],
        ['variable "a"', 'variable "b"'],
      ],
      [
        "with a parent that is not there",
        ["--list", "GET /a", "--parent", "Sit"],
        ['no parent "Sit"', 'Did you mean "Site"?'],
      ],
      ["with a setting that is not there", ["--list", "GET /a", "--setting", "b"], ['no setting "b"']],
    ];
    for (const [what, args, words] of WRONG) {
      it(`${what}, with what is right, and nothing is written`, async () => {
        const tree = treeOf(folder);
        const { status, stderr } = await connectorcli(folder, ...OBJECT, "Thing", ...args);
        expect(status).to.equal(1);
        for (const word of words) expect(stderr).to.include(word);
        expect(treeOf(folder)).to.deep.equal(tree);
      });
    }

    it("with --code, which has nothing to fill in", async () => {
      const { status, stderr } = await connectorcli(folder, ...OBJECT, "Thing", "--code", "--list", "GET /a");
      expect([status, stderr]).to.deep.equal([
        2,
        "--list fills in a declared reader: leave --code out, or --list.\n",
      ]);
    });
  });
});
