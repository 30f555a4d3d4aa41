import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { changeLines } from "../../generators/openapi/reimport/report-lines.js";
import { importOpenApi } from "../../scripts/workbench/index.js";
import { folderWith, treeOf } from "../support/folders.js";
import { inRepository, SLOW_TEST_MS } from "../support/repository.js";

/** A part of Harbor's document. Its later version is by hand: what vendors do to their documents, one of each. */
const DOCUMENT = readFileSync(inRepository("test/openapi/versions/harbor.yaml"), "utf8");

/** What the import says of it; `UPDATE_GOLDEN=1` writes it anew: read each line against the edits. */
const CHANGES = inRepository("test/openapi/versions/harbor-changes.txt");

/** What is different in the later version: text, and what stands there then. */
const EDITS: readonly (readonly [was: string, is: string])[] = [
  ['version: "2.0"', 'version: "2.1"'],
  // A parameter is called otherwise.
  ["name: page_size", "name: limit"],
  // A header is needed from then on.
  ["in: header\n    type: string\n    required: false", "in: header\n    type: string\n    required: true"],
  // Properties: one goes, one comes, one has another type; a description is another.
  ["      deleted:\n        type: boolean\n        description: A deletion mark of the project.\n", ""],
  ["      pull_count:", "      star_count:\n        type: integer\n      pull_count:"],
  [
    "      registry_id:\n        type: integer\n        format: int64",
    "      registry_id:\n        type: string",
  ],
  [
    "  Repository:\n    type: object\n",
    "  Repository:\n    type: object\n    description: Images of a project.\n",
  ],
  // An action.
  [
    "  /registries/{id}:\n",
    '  /registries/{id}:\n    delete:\n      parameters: [{ name: id, in: path, required: true, type: integer }]\n      responses: { "200": { description: Success } }\n',
  ],
  // The key of a record is called otherwise.
  [
    "  Registry:\n    type: object\n    properties:\n      id:",
    "  Registry:\n    type: object\n    properties:\n      registry_id:",
  ],
];

/** Paths that go, and one that comes. */
const GONE = /^ {2}\/labels(?:\/\{label_id\})?:\n(?: {3,}.*\n)+/gm;
const NEW = `  /robots:
    get:
      parameters: [{ $ref: "#/parameters/requestId" }, { $ref: "#/parameters/page" }]
      responses:
        "200":
          description: Success
          headers: { Link: { type: string } }
          schema: { type: array, items: { $ref: "#/definitions/Robot" } }
`;
const ROBOT = `  Robot:
    type: object
    properties: { id: { type: integer }, name: { type: string } }
`;

function laterVersion(): string {
  let text = DOCUMENT;
  for (const [was, is] of EDITS) {
    expect(text, was).to.include(was);
    text = text.replace(was, is);
  }
  const withoutLabels = text.replace(GONE, "");
  expect(withoutLabels).to.not.include("/labels");
  return withoutLabels
    .replace("\nparameters:\n", `\n${NEW}parameters:\n`)
    .replace("\n  Registry:\n", `\n${ROBOT}  Registry:\n`);
}

/** Lines of the author's, for the files that were made for him. */
const MINE: Readonly<Record<string, readonly (readonly [was: string, is: string])[]>> = {
  "schemas/app/project.ts": [
    [
      "{ ...projectBase }",
      '{\n  ...projectBase,\n  // as people call it\n  title: "Harbor project",\n  properties: { ...projectBase.properties, note: Type.Optional(Type.String()) },\n}',
    ],
    [
      'import { defineAction, defineDataObject } from "connectorcli";',
      'import { defineAction, defineDataObject, Type } from "connectorcli";',
    ],
  ],
  "modules/app/repository/repository-reader.ts": [
    ["...repositoryReaderBase,", "...repositoryReaderBase,\n  absent: [404], // a project that has gone"],
  ],
  "modules/app/project/delete-project-handler.ts": [
    ["{ ...deleteProjectHandlerBase }", "{ ...deleteProjectHandlerBase, /* mine */ }"],
  ],
  "connections/basic-auth.ts": [["properties: {", "properties: {\n    // mine"]],
  "openapi.config.ts": [["source:", "// mine\n  source:"]],
};

/** Whether `later` is `text` with something put into it, and nothing taken away. */
function isKept(text: string, later: string): boolean {
  let place = 0;
  for (const character of later) if (character === text[place]) place++;
  return place === text.length;
}

describe("a later version of a published OpenAPI document", function () {
  this.timeout(SLOW_TEST_MS);

  it("names each change with its line, and takes no letter of the author's away", async () => {
    const base = folderWith({ "harbor.yaml": DOCUMENT });
    const folder = path.join(base, "work");
    const source = path.join(base, "harbor.yaml");
    expect((await importOpenApi({ directory: folder, source })).diagnostics).to.deep.equal([]);
    for (const [name, edits] of Object.entries(MINE)) {
      const file = path.join(folder, name);
      let text = readFileSync(file, "utf8");
      for (const [was, is] of edits) {
        expect(text, name).to.include(was);
        text = text.replace(was, is);
      }
      writeFileSync(file, text);
    }
    const authors = () =>
      Object.entries(treeOf(folder) as Readonly<Record<string, string>>).filter(
        ([name, text]) => text !== null && !/^(?:imported|\.connectorcli)\//.test(name),
      );
    const before = authors();
    const later = laterVersion();
    writeFileSync(source, later);
    const waiting = await importOpenApi({ directory: folder });
    expect(waiting.files).to.deep.equal([]);
    expect(new Set(waiting.diagnostics.map(({ code }) => code))).to.deep.equal(
      new Set(["openapi-not-accepted"]),
    );
    expect(authors()).to.deep.equal(before);
    const { report, diagnostics } = await importOpenApi({ directory: folder, accept: true, add: true });
    expect(diagnostics).to.deep.equal([]);
    const { versions, offered, gone, kept } = report ?? {};
    expect([versions, offered, gone, kept]).to.deep.equal([{ before: "2.0", now: "2.1" }, [], ["Label"], []]);
    const lines = `${changeLines(report?.changes ?? []).join("\n")}\n`;
    if (process.env["UPDATE_GOLDEN"] !== undefined) writeFileSync(CHANGES, lines);
    expect(lines).to.equal(readFileSync(CHANGES, "utf8"));
    const now = new Map(authors());
    for (const [name, text] of before) {
      const file = now.get(name) ?? "";
      expect(isKept(text, file), `${name}:\n${file}`).to.equal(true);
    }
    expect(now.get("connections/basic-auth.ts"))
      .to.include("// mine")
      .and.to.include("xRequestId: Type.String(");
    expect([...now.keys()]).to.include("modules/app/robot/robot-reader.ts");
    const again = await importOpenApi({ directory: folder, add: true });
    expect([again.files, again.report?.changes, again.diagnostics]).to.deep.equal([[], [], []]);
  });
});
