import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { ImportQuestion } from "../../generators/openapi/questions/open-questions.js";
import { importOpenApi } from "../../scripts/workbench/index.js";
import { typeErrors } from "../support/author-project.js";
import { connectorcli } from "../support/command-line.js";
import { folderWith, treeOf } from "../support/folders.js";
import { type ListDocument, listDocument, listOf, objectOf, operation } from "../support/openapi.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const REF = { $ref: "#/components/schemas/Project" };
const BODY = { requestBody: { content: { "application/json": { schema: objectOf("name") } } } };
const ANSWER = { responses: { 200: { content: { "application/json": { schema: REF } } } } };

type Operations = Readonly<Record<string, object>>;

/** A document as it was, and a later one: these operations of /projects, properties of a project, and other paths. */
function documentOf({
  parameters = ["page"],
  headers = {},
  project = objectOf("id", "name", "email"),
  writes = { post: { ...BODY, ...ANSWER } },
  paths = { "/teams": { get: operation({ answer: listOf(objectOf("id", "title")) }) } },
  projects = true,
}: {
  readonly parameters?: readonly string[];
  readonly headers?: object;
  readonly project?: object;
  readonly writes?: Operations;
  readonly paths?: Operations;
  readonly projects?: boolean;
} = {}): ListDocument {
  const document = listDocument({
    answer: listOf(REF),
    parameters,
    headers,
    schemas: { Project: project },
    paths,
  });
  const { "/projects": list, ...others } = document.paths;
  return { ...document, paths: { ...others, ...(projects && { "/projects": { ...list, ...writes } }) } };
}

/** A project that was imported from a document, and what imports of later ones do to it. */
async function imported(first: ListDocument = documentOf()) {
  const base = folderWith({ "api.json": JSON.stringify(first, undefined, 2) });
  const { status, stderr } = await connectorcli(base, "import", "openapi", "api.json", "--directory", "work");
  expect(status, stderr).to.equal(0);
  const folder = path.join(base, "work");
  const again = async (later: ListDocument | undefined, ...args: readonly string[]) => {
    if (later !== undefined) writeFileSync(path.join(base, "api.json"), JSON.stringify(later, undefined, 2));
    const result = await connectorcli(folder, "import", "openapi", "--json", ...args);
    const json = JSON.parse(result.stdout);
    return {
      status: result.status,
      report: json.report,
      files: json.files as readonly string[],
      codes: json.diagnostics.map(({ code }: { code: string }) => code) as readonly string[],
      diagnostics: json.diagnostics as readonly Readonly<Record<string, string>>[],
      changes: (json.report?.changes ?? []).map(
        ({ change, of, name, was, now }: Record<string, string>) =>
          `${change} ${of} ${name}: ${was} -> ${now}`,
      ) as readonly string[],
    };
  };
  return { base, folder, again };
}

/** The author's files of a project, by their paths. */
function authorsFiles(folder: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(treeOf(folder)).filter(([name]) => !/^(?:imported|\.connectorcli)/.test(name)),
  );
}

describe("an OpenAPI document that is imported again", function () {
  this.timeout(SLOW_TEST_MS);

  it("changes nothing if it is the same, wherever its parts stand", async () => {
    const { folder, again } = await imported();
    const before = treeOf(folder);
    const { status, files, changes } = await again(undefined);
    expect([status, files, changes]).to.deep.equal([0, [], []]);
    expect(treeOf(folder)).to.deep.equal(before);
  });

  it("changes the tool's files, names each change with its line, and leaves the author's as they are", async () => {
    const { folder, again } = await imported();
    const file = path.join(folder, "schemas/app/project.ts");
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace("{ ...projectBase }", "{ ...projectBase, title: 'Mine' }"),
    );
    const before = authorsFiles(folder);
    const project = objectOf("id", { name: { type: "integer" } }, "phone");
    const { status, changes, report, files } = await again(documentOf({ project }));
    expect(status).to.equal(0);
    expect(authorsFiles(folder)).to.deep.equal(before);
    expect(changes).to.deep.equal([
      'changed property Project.name: optional {"type":"string"} -> optional {"type":"integer"}',
      'new property Project.phone:  -> optional {"type":"string","writeOnly":true}',
      'gone property Project.email: optional {"type":"string","writeOnly":true} -> ',
    ]);
    expect(report.changes.find(({ name }: { name: string }) => name === "Project.phone").place).to.match(
      /^api\.json:\d+$/,
    );
    expect(files).to.include("imported/app/project.ts").and.to.include("imported/lock.json");
    expect(report.verdict).to.equal("major");
    const second = await again(undefined);
    expect([second.status, second.files, second.changes]).to.deep.equal([0, [], []]);
  });

  it("changes what decides which records are read only when that is accepted", async () => {
    const { folder, again } = await imported();
    const before = treeOf(folder);
    const later = documentOf({ parameters: ["offset", "limit"] });
    const waiting = await again(later);
    expect([waiting.status, waiting.files, waiting.codes]).to.deep.equal([1, [], ["openapi-not-accepted"]]);
    expect(waiting.diagnostics[0]?.["file"]).to.equal("../api.json");
    expect(waiting.diagnostics[0]?.["message"]).to.match(
      /^Project\.pages decides which records are read; it was page by page from 1, and would be offset by offset: /,
    );
    expect(treeOf(folder)).to.deep.equal(before);
    const { status, changes } = await again(later, "--accept");
    expect(status).to.equal(0);
    expect(changes).to.deep.equal([
      "changed decision Project.pages: page by page from 1 -> offset by offset",
    ]);
    expect(readFileSync(path.join(folder, "imported/app/readers/project.ts"), "utf8")).to.include(
      'pages: { kind: "offset", send: "offset" }',
    );
  });

  it("keeps a decision whose text is still there, and refuses a list that is not decided any more", async () => {
    const { again } = await imported();
    const headers = { Link: { description: "The next page." } };
    const kept = await again(documentOf({ parameters: ["limit", "page"], headers }));
    expect([kept.status, kept.changes]).to.deep.equal([0, []]);
    expect(kept.report.kept).to.deep.equal([
      {
        name: "Project.pages",
        now: "link header",
        evidence: "the answer has the header Link",
        place: kept.report.kept[0]?.place,
      },
    ]);
    expect(kept.report.kept[0]?.place).to.match(/^api\.json:\d+$/);
    const lost = await again(documentOf({ parameters: ["limit"] }), "--accept");
    expect([lost.status, lost.codes, lost.files]).to.deep.equal([1, ["openapi-undecided-now"], []]);
  });

  it("offers what is new, and makes modules for it when it is told to", async () => {
    const { folder, again } = await imported(documentOf({ writes: {}, paths: {} }));
    const before = authorsFiles(folder);
    const offered = await again(documentOf());
    expect([offered.status, offered.report.offered]).to.deep.equal([0, ["Team", "Project.Create"]]);
    expect(offered.changes).to.include("new data object Team:  -> GET /teams");
    expect(offered.changes).to.include("new action Project.Create:  -> POST /projects");
    expect(authorsFiles(folder)).to.deep.equal(before);
    expect((await again(undefined)).changes).to.deep.equal([]);
    const added = await again(undefined, "--add");
    expect(added.status).to.equal(0);
    expect(added.files).to.include.members([
      "schemas/app/team.ts",
      "modules/app/team/team-reader.ts",
      "modules/app/project/create-project-handler.ts",
      "schemas/app/module.ts",
    ]);
    expect(added.report.verdict).to.equal("minor");
    const generated = await connectorcli(folder, "gen");
    expect(generated.status, generated.stderr).to.equal(0);
    expect(await typeErrors(folder)).to.equal("");
  });

  it("makes properties of connections for what calls need from then on, beside what its author wrote there", async () => {
    const tenant = { name: "X-Tenant", in: "header", required: true, schema: { type: "string" } };
    const laterThan = (document: ListDocument, servers: object) => {
      const text = JSON.stringify(document).replaceAll(
        '"parameters":[',
        `"parameters":[${JSON.stringify(tenant)},`,
      );
      return { ...(JSON.parse(text.replace(/,\]/g, "]")) as ListDocument), ...servers };
    };
    const first = { ...documentOf({ writes: {} }), security: [{ key: [] }] };
    const signed = (document: ListDocument) => ({
      ...document,
      components: {
        ...document.components,
        securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } },
      },
    });
    const { folder, again } = await imported(signed(first));
    const file = path.join(folder, "connections/key.ts");
    const mine = readFileSync(file, "utf8").replace("properties: {", "properties: {\n    // mine\n   ");
    writeFileSync(file, mine);
    const later = signed(
      laterThan(first, { servers: [{ url: "https://{region}.api.test" }] }) as typeof first,
    );
    const offered = await again(later, "--accept");
    expect([offered.status, offered.report.offered]).to.deep.equal([0, ["xTenant of the connection Key"]]);
    expect(readFileSync(file, "utf8"), "nothing of the author's changes unasked").to.equal(mine);
    const added = await again(undefined, "--add");
    expect([added.status, added.report.offered]).to.deep.equal([0, []]);
    const text = readFileSync(file, "utf8");
    expect(text).to.include("// mine").and.to.include('xTenant: Type.String({ title: "X Tenant"');
    const again_ = await again(undefined, "--add");
    expect([again_.files, again_.report.offered]).to.deep.equal([[], []]);
    const generated = await connectorcli(folder, "gen");
    expect(generated.status, generated.stderr).to.equal(0);
    const checked = await connectorcli(folder, "check", "--format", "json");
    expect(JSON.parse(checked.stdout).diagnostics.map(({ code }: { code: string }) => code)).to.not.include(
      "declared-setting-unknown",
    );
  });

  it("says the line of a property that it can't write, and is content with what its author writes there", async () => {
    const securitySchemes = { key: { type: "apiKey", in: "header", name: "X-Key" } };
    const first = {
      ...documentOf({ writes: {} }),
      security: [{ key: [] }],
      components: { securitySchemes, schemas: { Project: objectOf("id", "name") } },
    };
    const { folder, again } = await imported(first);
    const file = path.join(folder, "connections/key.ts");
    const written = readFileSync(file, "utf8").replace(
      /properties: (\{[^}]*\}[^}]*\})/,
      "properties: Object.freeze($1)",
    );
    expect(written).to.include("Object.freeze({");
    writeFileSync(file, written);
    const region = { name: "region", in: "query", required: true, schema: { type: "string" } };
    const list = operation({ answer: listOf(REF), parameters: [region] });
    const later = { ...first, paths: { "/projects": { get: list }, "/regions": { get: list } } };
    expect((await again(later, "--accept")).report.offered).to.deep.equal(["region of the connection Key"]);
    const { status, stderr } = await connectorcli(folder, "import", "openapi", "--add");
    const line = 'region: Type.String({ title: "Region", description: "", isSensitive: false })';
    expect(status).to.equal(1);
    expect(stderr)
      .to.include(`add the property ${line}`)
      .and.to.include("region of the connection Key. They are added when the errors above are corrected.")
      .and.to.not.include("Take them with --add");
    writeFileSync(
      file,
      written.replace("properties: Object.freeze({", `properties: Object.freeze({ ${line},`),
    );
    const content = await again(undefined, "--add");
    expect([content.status, content.codes, content.report.offered]).to.deep.equal([0, [], []]);
  });

  it("says how an address is entered from then on, where one stood in the author's module", async () => {
    const { folder, again } = await imported(documentOf());
    const [name = ""] = Object.keys(treeOf(folder)).filter((one) =>
      /^connections\/(?!connection-test)/.test(one),
    );
    const before = readFileSync(path.join(folder, name), "utf8");
    const servers = [{ url: "https://{region}.api.test" }];
    const waiting = await again({ ...documentOf(), servers }, "--add");
    expect([waiting.status, waiting.codes, waiting.files]).to.deep.equal([1, ["edit-by-hand"], []]);
    expect(waiting.diagnostics[0]?.["fix"]).to.include('baseUrl: { property: "baseUrl" }');
    expect(waiting.changes[0]).to.equal(
      "changed connection address: https://api.test -> entered by the user",
    );
    const written = before.replace('baseUrl: "https://api.test"', 'baseUrl: { property: "baseUrl" }');
    expect(written).to.not.equal(before);
    writeFileSync(path.join(folder, name), written);
    const { status, files, codes } = await again(undefined, "--add");
    expect([status, codes]).to.deep.equal([0, []]);
    expect(files).to.include(name);
    expect(readFileSync(path.join(folder, name), "utf8")).to.include("baseUrl: Type.String(");
  });

  it("keeps what the author uses of what is gone, until he removes it", async () => {
    const { folder, again } = await imported();
    const { status, changes, report } = await again(documentOf({ writes: {}, paths: {} }));
    expect(status).to.equal(0);
    expect(changes).to.include("gone data object Team: GET /teams -> ");
    expect(changes).to.include("gone action Project.Create: POST /projects -> ");
    expect(report.gone).to.deep.equal(["Project.Create", "Team"]);
    expect(Object.keys(treeOf(folder))).to.include.members([
      "imported/app/team.ts",
      "imported/app/actions/create-project.ts",
    ]);
    expect(report.verdict).to.equal("none");
    expect((await again(undefined)).changes).to.deep.equal([]);
    for (const name of ["schemas/app/team.ts", "modules/app/team/team-reader.ts"])
      rmSync(path.join(folder, name));
    const removed = await again(undefined);
    expect(removed.files).to.include("imported/app/team.ts").and.to.include("imported/app/readers/team.ts");
    expect(Object.keys(treeOf(folder))).to.not.include("imported/app/team.ts");
  });

  it("is said to say by itself what its author wrote, with the line", async () => {
    const { folder, again } = await imported();
    const files = {
      "schemas/app/project.ts": `import { defineAction, defineDataObject, Type } from "connectorcli";
import { createProjectBase } from "../../imported/app/actions/create-project.js";
import { projectBase } from "../../imported/app/project.js";

export const Project = defineDataObject("Project", {
  ...projectBase,
  primaryKey: "id",
  properties: {
    ...projectBase.properties,
    name: Type.Optional(Type.Integer()), // it is a number
    email: Type.Optional(Type.String({ writeOnly: true, title: "Mail" })),
  },
});
export const CreateProject = defineAction("Create", { dataObject: Project, ...createProjectBase });
`,
      "modules/app/project/project-reader.ts": `import { defineReader } from "connectorcli/runtime";
import { Project } from "../../../generated/app/project.js";
import { projectReaderBase } from "../../../imported/app/readers/project.js";

export const projectReader = defineReader(Project, {
  ...projectReaderBase,
  pages: {
    kind: "page",
    send: "page", first: 1,
  },
  items: "data",
});
`,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    const project = objectOf("id", { name: { type: "integer" } }, "email");
    const { status, diagnostics } = await again(documentOf({ project }));
    expect(status).to.equal(0);
    expect(diagnostics.map(({ code, file, line, message }) => [code, file, line, message])).to.deep.equal([
      [
        "openapi-override-moot",
        "schemas/app/project.ts",
        7,
        "Project.primaryKey says what the document says by now.",
      ],
      [
        "openapi-override-moot",
        "schemas/app/project.ts",
        10,
        "Project.name says what the document says by now.",
      ],
      [
        "openapi-override-moot",
        "modules/app/project/project-reader.ts",
        7,
        "projectReader.pages says what the document says by now.",
      ],
    ]);
    for (const [name, text] of Object.entries(files))
      expect(readFileSync(path.join(folder, name), "utf8")).to.equal(text);
  });

  it("is looked for by check when it is told to, and at no other time", async () => {
    const { base, folder } = await imported();
    const sourceFindings = async (...args: readonly string[]) => {
      const { stdout } = await connectorcli(folder, "check", "--format", "json", ...args);
      const { diagnostics } = JSON.parse(stdout);
      return diagnostics
        .filter(({ code }: Record<string, string>) => code?.startsWith("openapi"))
        .map(({ code, file, message }: Record<string, string>) => [code, file, message]);
    };
    expect(await sourceFindings("--source")).to.deep.equal([]);
    const later = { ...documentOf({ project: objectOf("id") }), info: { title: "Test", version: "2" } };
    writeFileSync(path.join(base, "api.json"), JSON.stringify(later));
    expect(await sourceFindings()).to.deep.equal([]);
    expect(await sourceFindings("--source")).to.deep.equal([
      [
        "openapi-newer",
        "openapi.config.ts",
        "The OpenAPI document has changed since it was imported (version 1 -> 2): 2 changes in what the connector is made of.",
      ],
    ]);
    rmSync(path.join(base, "api.json"));
    expect((await sourceFindings("--source"))[0]?.[0]).to.equal("openapi-unreadable");
    const other = await connectorcli(folderWith({ "connector.ts": "" }), "check", "--source");
    expect(other.stdout).to.include("openapi-config-missing");
    const { status } = await connectorcli(folder, "check", "--source", "--against", "HEAD");
    expect(status).to.equal(2);
  });

  it("refuses a base that was edited, and a lock that nobody understands", async () => {
    const { folder, again } = await imported();
    const file = path.join(folder, "imported/app/project.ts");
    writeFileSync(file, readFileSync(file, "utf8").replace("Type.String()", "Type.Integer()"));
    const before = treeOf(folder);
    const edited = await again(documentOf({ project: objectOf("id", "phone") }));
    expect([edited.status, edited.codes]).to.deep.equal([1, ["openapi-base-edited"]]);
    expect(edited.diagnostics[0]?.["fix"]).to.include("schemas/");
    expect(treeOf(folder)).to.deep.equal(before);
    const lock = path.join(folder, "imported/lock.json");
    for (const text of [readFileSync(lock, "utf8").replace("Project", "Projekt"), "<<<<<<<", "{}"]) {
      writeFileSync(lock, text);
      expect((await again(undefined)).codes).to.deep.equal(["openapi-lock"]);
    }
  });
});

describe("what an import asks", () => {
  const UNDECIDED = documentOf({
    parameters: ["limit"],
    writes: {},
    paths: { "/notes": { get: operation({ answer: listOf(objectOf("title", "number")) }) } },
  });
  /** Answers each question by the first choice that begins so, and notes what was asked. */
  const answering = (answers: Readonly<Record<string, string>>, asked: string[]) => {
    return async ({ asks, choices }: ImportQuestion) => {
      asked.push(asks.join());
      return choices.find(({ words }) => words.startsWith(answers[asks.join()] ?? "leave it undecided"));
    };
  };

  it("is written into the config, by the first import and by a later one", async () => {
    const base = folderWith({ "api.json": JSON.stringify(UNDECIDED) });
    const folder = path.join(base, "work");
    const asked: string[] = [];
    const source = path.join(base, "api.json");
    const first = await importOpenApi({
      directory: folder,
      source,
      ask: answering({ "GET /projects pages": "one" }, asked),
    });
    expect(first.diagnostics).to.deep.equal([]);
    expect(asked).to.deep.equal(["GET /notes key", "GET /projects pages"]);
    const config = path.join(folder, "openapi.config.ts");
    expect(readFileSync(config, "utf8")).to.include('"GET /projects": { pages: { kind: "one" } }');
    writeFileSync(config, `${readFileSync(config, "utf8")}// mine\n`);
    const again = (more: object) => importOpenApi({ directory: folder, ...more });
    asked.length = 0;
    await again({ ask: answering({}, asked) });
    expect(asked, "what was left open is not asked again by itself").to.deep.equal([]);
    const added = await again({ ask: answering({ "GET /notes key": "number" }, asked), add: true });
    expect(added.diagnostics).to.deep.equal([]);
    expect(asked).to.deep.equal(["GET /notes key"]);
    expect(readFileSync(config, "utf8"))
      .to.include('"GET /notes": { key: ["number"] }')
      .and.to.include("// mine");
    expect(added.files).to.include.members(["openapi.config.ts", "schemas/app/note.ts"]);
  });

  it("is asked once for lists that leave the same open, and is another decision where a later document leaves other things open", async () => {
    const lists = (sent: readonly string[]) => ({
      "/notes": { get: operation({ answer: listOf(objectOf("id", "text")), parameters: ["limit"] }) },
      "/tasks": { get: operation({ answer: listOf(objectOf("id", "name")), parameters: sent }) },
    });
    const documentWith = (sent: readonly string[]) =>
      JSON.stringify(documentOf({ parameters: ["limit"], writes: {}, paths: lists(sent) }));
    const base = folderWith({ "api.json": documentWith(["limit"]) });
    const folder = path.join(base, "work");
    const source = path.join(base, "api.json");
    const asked: string[] = [];
    const all = "GET /notes pages,GET /tasks pages,GET /projects pages";
    const first = await importOpenApi({ directory: folder, source, ask: answering({ [all]: "one" }, asked) });
    expect([first.diagnostics, asked]).to.deep.equal([[], [all]]);
    const config = path.join(folder, "openapi.config.ts");
    expect(readFileSync(config, "utf8").replace(/\s+/g, " ")).to.include(
      'sharedAnswers: [ { operations: ["GET /notes", "GET /tasks", "GET /projects"], pages: { kind: "one" } }, ],',
    );
    const reader = (name: string) =>
      readFileSync(path.join(folder, `imported/app/readers/${name}.ts`), "utf8").replace(/\s+\/\/ /g, " ");
    expect(reader("task")).to.include(
      'pages: openapi.config.ts says so; the document leaves it open: there is parameter "limit", but nothing says',
    );
    const again = (more: object = {}) => importOpenApi({ directory: folder, ...more });
    expect((await again()).files).to.deep.equal([]);
    writeFileSync(source, documentWith(["limit", "offsets"]));
    expect((await again()).diagnostics, "what is asked is the same").to.deep.equal([]);
    writeFileSync(source, documentWith(["page_size"]));
    const { diagnostics, files } = await again();
    expect([files, diagnostics.map(({ code, message }) => [code, message])]).to.deep.equal([
      [],
      [
        [
          "openapi-not-accepted",
          'Task.pages decides which records are read; it was one (openapi.config.ts says so; the document leaves it open: there is parameter "limit", but nothing says how the next page is asked for), and would be one: openapi.config.ts says so; the document leaves it open: there is parameter "page_size", but nothing says how the next page is asked for.',
        ],
      ],
    ]);
    const accepted = await again({ accept: true });
    expect(accepted.diagnostics).to.deep.equal([]);
    expect(reader("task")).to.include('there is parameter "page_size"');
    writeFileSync(config, readFileSync(config, "utf8").replace('"GET /notes"', '"GET /note"'));
    const wrong = await again();
    expect(wrong.diagnostics.map(({ code, message, line }) => [code, message, line])).to.deep.equal([
      [
        "openapi-answer-unused",
        'This decides nothing: the document has no operation "GET /note". Did you mean "GET /notes"?',
        readFileSync(config, "utf8")
          .split("\n")
          .findIndex((line) => line.includes("GET /note")) + 1,
      ],
    ]);
  });

  it("is nothing more when somebody has had enough, and nothing without somebody to ask", async () => {
    const base = folderWith({ "api.json": JSON.stringify(UNDECIDED) });
    const asked: string[] = [];
    const source = path.join(base, "api.json");
    await importOpenApi({
      directory: path.join(base, "work"),
      source,
      ask: async ({ asks }) => void asked.push(asks.join()),
    });
    expect(asked).to.deep.equal(["GET /notes key"]);
    const reader = readFileSync(path.join(base, "work/modules/app/project/project-reader.ts"), "utf8");
    expect(reader).to.include("undecided(");
  });

  it("makes a reader of one that was undecided, where it is told to, and keeps what its author wrote", async () => {
    const { folder, again } = await imported(UNDECIDED);
    const reader = path.join(folder, "modules/app/project/project-reader.ts");
    writeFileSync(reader, `${readFileSync(reader, "utf8")}// mine\n`);
    const config = path.join(folder, "openapi.config.ts");
    const answered = readFileSync(config, "utf8").replace(
      /source: "(.*)"/,
      'source: "$1", answers: { "GET /projects": { pages: { kind: "one" } } }',
    );
    writeFileSync(config, answered);
    const before = authorsFiles(folder);
    const { status, changes } = await again(undefined);
    expect([status, changes]).to.deep.equal([0, ["changed decision Project.pages: undecided -> one"]]);
    expect(authorsFiles(folder)).to.deep.equal(before);
    const added = await again(undefined, "--add");
    expect(added.status).to.equal(0);
    expect(readFileSync(reader, "utf8"))
      .to.include("export const projectReader = defineReader(Project, { ...projectReaderBase });")
      .and.to.include("// mine")
      .and.to.not.include("undecided")
      .and.to.not.include("// ?");
    expect(await typeErrors(folder)).to.include("generated/app/project.js");
  });

  it("leaves it to the config what is selected once a project was imported", async () => {
    const { folder } = await imported();
    const { status, stderr } = await connectorcli(folder, "import", "openapi", "--select", "/projects");
    expect(status).to.equal(1);
    expect(stderr).to.include("openapi-config-decides").and.to.include("--select is for the first import");
  });
});
