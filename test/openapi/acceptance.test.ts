/** What an import makes is accepted: the way of a user, from a document to a connector that the suite finds nothing in. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { connectorcli } from "../support/command-line.js";
import { folderWith, installInto } from "../support/folders.js";
import { actionsDocument, corpusDocuments, NO_DOCUMENTS } from "../support/openapi.js";
import { SLOW_TEST_MS } from "../support/repository.js";

interface Accepted {
  readonly status: number | null;
  readonly errors: readonly string[];
  /** Codes, each once. */
  readonly warnings: readonly string[];
  /** Actions that were performed, in the order of the connector. */
  readonly performed: readonly string[];
}

interface Tried {
  readonly scenario: string;
  readonly object: string;
  readonly action: string;
}

/** Imports a document, answers, generates, checks, and tries the connector. */
async function accepted(
  document: { readonly name: string; readonly text: string; readonly answers?: object },
  ...args: readonly string[]
): Promise<Accepted> {
  const folder = folderWith({ [document.name]: document.text });
  const project = path.join(folder, "connector");
  const succeed = async (cwd: string, ...command: readonly string[]) => {
    const { status, stderr } = await connectorcli(cwd, ...command);
    expect(status, `${command.join(" ")}: ${stderr}`).to.equal(0);
  };
  await succeed(folder, "import", "openapi", document.name, "--directory", "connector");
  installInto(project);
  if (document.answers !== undefined) {
    const options = JSON.stringify({ source: `../${document.name}`, answers: document.answers });
    const config = `import { defineOpenApiImport } from "connectorcli";\nexport default defineOpenApiImport(${options});\n`;
    writeFileSync(path.join(project, "openapi.config.ts"), config);
    await succeed(project, "import", "openapi", "--add");
  }
  await succeed(project, "gen");
  const checked = await connectorcli(project, "check", "--format", "json");
  const problems = codesOf(JSON.parse(checked.stdout).diagnostics, "error");
  expect(problems.join()).to.be.oneOf(["", "reader-undecided"]);
  const { status, stdout } = await connectorcli(project, "test", "acceptance", "--format", "json", ...args);
  const { diagnostics, tried } = JSON.parse(stdout) as {
    readonly diagnostics: readonly Diagnostic[];
    readonly tried: readonly Tried[];
  };
  return {
    status,
    errors: diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message),
    warnings: codesOf(diagnostics, "warning"),
    performed: tried
      .filter(({ scenario }) => scenario === "performed")
      .map(({ object, action }) => `${action} ${object}`),
  };
}

function codesOf(diagnostics: readonly Diagnostic[], wanted: Diagnostic["severity"]): readonly string[] {
  return [...new Set(diagnostics.filter(({ severity }) => severity === wanted).map(({ code }) => code))];
}

/** What the documents at hand do not decide, as a user may answer it. */
const ANSWERS: Readonly<Record<string, object>> = {
  "museum.yml": {
    "GET /museum-hours": { key: "date", values: { startDate: { value: "2020-01-01" } } },
    "GET /special-events": {
      values: { startDate: { value: "2020-01-01" }, endDate: { value: "2040-01-01" } },
    },
  },
  "xero-projects.yaml": { "GET /ProjectsUsers": { key: "userId" } },
  "chatwoot.json": {
    "GET /api/v1/accounts/{account_id}/conversations": { values: { status: { value: "open" } } },
    "GET /api/v1/accounts/{account_id}/custom_attribute_definitions": {
      values: { attribute_model: { value: "0" } },
    },
  },
};

describe("a connector that is made from a document", function () {
  this.timeout(SLOW_TEST_MS);

  it("passes the acceptance suite for what the document decides", async () => {
    const document = { name: "openapi.json", text: JSON.stringify(actionsDocument()) };
    const { status, errors, warnings, performed } = await accepted(document, "--scenario", "whole,performed");
    expect({ errors, warnings, status }).to.deep.equal({ errors: [], warnings: [], status: 0 });
    expect(performed).to.have.members([
      ...["Create Site", "Update Site", "Delete Site"],
      ...["Create Tool", "Update Tool", "Delete Tool"],
      ...["Create Note", "Update Note", "Delete Note"],
    ]);
  });

  if (process.env["SOAK"] === undefined) return;
  const documents = corpusDocuments();
  if (documents.length === 0) it.skip(NO_DOCUMENTS);
  for (const { name, text } of [
    ...documents,
    { name: "actions.json", text: JSON.stringify(actionsDocument()) },
  ])
    it(`passes all of it for ${name}`, async () => {
      const { [name]: answers } = ANSWERS;
      const { errors, warnings, status } = await accepted({ name, text, ...(answers && { answers }) });
      expect({ errors, status }).to.deep.equal({ errors: [], status: 0 });
      // Whether a second attempt makes a second record is up to the target system.
      expect(warnings.join()).to.be.oneOf(["", "acceptance-action-twice"]);
    });
});
