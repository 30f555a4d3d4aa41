import path from "node:path";
import { expect } from "chai";
import { connectorcli } from "../support/command-line.js";
import { filesIn, folderWith } from "../support/folders.js";
import { listDocument, listOf, objectOf } from "../support/openapi.js";

const DOCUMENT = JSON.stringify(
  listDocument({ answer: listOf(objectOf("code", "name")), parameters: ["limit"] }),
);

/** The findings of a dry run in a folder with this config: code, line, message. */
async function findingsOf(config: string) {
  const folder = folderWith({ "api.json": DOCUMENT, "openapi.config.ts": config });
  const { stdout } = await connectorcli(folder, "import", "openapi", "--dry-run", "--json");
  const { diagnostics, plan } = JSON.parse(stdout);
  return {
    plan,
    found: diagnostics.map(({ code, line, message }: Record<string, unknown>) => [code, line, message]),
  };
}

describe("openapi.config.ts", () => {
  it("says where the document is, and what its author has decided", async () => {
    const { found, plan } = await findingsOf(`import { defineOpenApiImport } from "connectorcli";
      const key = "code";
      export default defineOpenApiImport({
        source: "api.json",
        select: ["/projects"],
        answers: { "GET /projects": { key, pages: { kind: "one" } } },
      });`);
    expect(found).to.deep.equal([]);
    expect(plan.objects.map(({ isDecided }: { isDecided: boolean }) => isDecided)).to.deep.equal([true]);
  });

  it("is told the line of an answer that decides nothing", async () => {
    const { found } = await findingsOf(`import { defineOpenApiImport } from "connectorcli";
export default defineOpenApiImport({
  source: "api.json",
  select: [
    "/projects",
    "/teams",
  ],
});`);
    expect(found).to.deep.equal([
      ["openapi-select-unknown", 6, 'The selected "/teams" is no tag and no path of the document.'],
    ]);
    const { found: answers } = await findingsOf(`import { defineOpenApiImport } from "connectorcli";
export default defineOpenApiImport({
  source: "api.json",
  answers: {
    "GET /project": { key: "code" },
    "GET /projects": {
      key: "id",
      since: false,
    },
  },
});`);
    expect(answers).to.deep.equal([
      ["openapi-answer-unused", 7, 'This decides nothing: a record has no property "id".'],
      [
        "openapi-answer-moot",
        8,
        "The document says the same as this answer: nothing in the document asks for changes.",
      ],
      [
        "openapi-answer-unused",
        5,
        'This decides nothing: the document has no operation "GET /project". Did you mean "GET /projects"?',
      ],
    ]);
  });

  it("is refused with its line if it holds what nobody understands", async () => {
    const { found } = await findingsOf(`import { defineOpenApiImport } from "connectorcli";
export default defineOpenApiImport({
  source: "api.json",
  answers: {
    "GET /projects": {
      pages: { kind: "page", send: "page" },
    },
  },
} as never);`);
    expect(found).to.deep.equal([
      ["openapi-config", 6, 'What is decided of the import can\'t be used: "first" is missing.'],
    ]);
  });

  it("is refused if it can't be loaded, or says nothing", async () => {
    const syntax = await findingsOf("export default {");
    expect(syntax.found.map(([code]: unknown[]) => code)).to.deep.equal(["project-syntax"]);
    const throws = await findingsOf('export default 1;\n\nthrow new Error("no");');
    expect(throws.found).to.deep.equal([
      ["openapi-config", 3, "What is decided of the import can't be used: it throws while it is loaded: no."],
    ]);
    const other = await findingsOf("export default {};");
    expect(other.found[0]?.[2]).to.include("its default export is no defineOpenApiImport({ … })");
  });

  it("is asked for where no document is named, and is written by the first import", async () => {
    const folder = folderWith({ "api.json": DOCUMENT });
    const nothing = await connectorcli(folder, "import", "openapi");
    expect([nothing.status, nothing.stderr.split("\n")[0]]).to.deep.equal([
      1,
      ".  error  openapi-config-missing",
    ]);
    const { status } = await connectorcli(folder, "import", "openapi", "api.json", "--directory", "made");
    expect(status).to.equal(1);
    expect(filesIn(folder)).to.deep.equal(["api.json"]);
    const selected = listDocument({ answer: listOf(objectOf("id", "name")) });
    const other = folderWith({ "api.json": JSON.stringify(selected) });
    const made = await connectorcli(
      other,
      "import",
      "openapi",
      "api.json",
      "--directory",
      "made",
      "--select",
      "/projects",
    );
    expect(made.status, made.stderr).to.equal(0);
    const again = await connectorcli(path.join(other, "made"), "import", "openapi", "--dry-run");
    expect(again.stdout).to.include("Project: GET /projects (api.json:");
  });
});
