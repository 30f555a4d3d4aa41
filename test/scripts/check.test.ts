import { expect } from "chai";
import { connectorcli } from "../support/command-line.js";
import { smallConnector } from "../support/connector-sources.js";
import { folderWith } from "../support/folders.js";

const WRONG = {
  "connector.ts": smallConnector({
    properties: `id: Type.Optional(Type.String({ description: "Identifier.", minLength: 9, maxLength: 3 })),
  contact: Type.Optional(Type.Object({
    phone: Type.String({ description: "Number." }),
  }, { description: "Whom to ask." })),`,
  }),
};

describe("connectorcli check", () => {
  it("exits with 0 and prints no finding for a sound connector", async () => {
    const { status, stdout, stderr } = await connectorcli(
      folderWith({ "connector.ts": smallConnector() }),
      "check",
    );
    expect({ status, stdout, stderr }).to.deep.equal({
      status: 0,
      stdout: "",
      stderr: "0 errors, 0 warnings\n",
    });
  });

  it("prints every finding at once, sorted by place, each with a sentence, a section and a fix", async () => {
    const { status, stdout, stderr } = await connectorcli(folderWith(WRONG), "check");
    expect(status).to.equal(1);
    const heads = stdout.split("\n").filter((line) => /^\S/.test(line));
    expect(heads).to.deep.equal([
      "connector.ts:5:3  error  key-property-optional",
      "connector.ts:7:3  error  constraint-impossible",
      "connector.ts:9:5  warning  sensitive-not-write-only",
    ]);
    expect(stdout).to.include('"id" of data object "Site"').and.to.include("(§2.6)");
    expect(stderr).to.equal("2 errors, 1 warning\n");
  });

  it("--format json gives the same to programs: code, severity, section, pointer, file, line and column", async () => {
    const { status, stdout } = await connectorcli(folderWith(WRONG), "check", "--format", "json");
    expect(status).to.equal(1);
    const { diagnostics, summary } = JSON.parse(stdout);
    expect(summary).to.deep.equal({ errors: 2, warnings: 1, infos: 0, silenced: 0 });
    expect(diagnostics[2]).to.deep.include({
      code: "sensitive-not-write-only",
      severity: "warning",
      section: "§2.9",
      pointer: "/modules/0/dataObjects/0/schema/properties/contact/properties/phone",
      file: "connector.ts",
      line: 9,
      column: 5,
    });
    expect(diagnostics[2]).to.include.keys("message", "fix").and.not.to.include.keys("path");
  });

  it("exits with 0 when there are only warnings", async () => {
    const folder = folderWith({ "connector.ts": smallConnector({ properties: "id: Type.String()," }) });
    const { status, stdout } = await connectorcli(folder, "check");
    expect(stdout).to.include("warning  description-missing");
    expect(status).to.equal(0);
  });

  describe("--strict", () => {
    const EXTRA = 'extra: Type.Unknown({ description: "Whatever it has." }),';
    const files = (id: string) => ({
      "connector.ts": smallConnector({ properties: `id: Type.String(${id}),\n  ${EXTRA}` }),
    });

    it("makes errors of what submissions are commonly rejected for, and of nothing else", async () => {
      const { status, stdout } = await connectorcli(folderWith(files("")), "check", "--strict");
      expect(stdout.match(/(?:error|warning) {2}[\w-]+/g)).to.deep.equal([
        "error  description-missing",
        "warning  schema-untyped",
      ]);
      expect(status).to.equal(1);
    });

    it("counts beside --against, too", async () => {
      const folder = folderWith(files(""));
      await connectorcli(folder, "extract");
      const against = ["check", "--against", "connector.json"];
      expect((await connectorcli(folder, ...against)).status).to.equal(0);
      expect((await connectorcli(folder, ...against, "--strict")).status).to.equal(1);
    });

    it("leaves what is silenced with a reason, and what the project has a severity for", async () => {
      const silenced = folderWith(files('{ silence: { "description-missing": "Its name says it." } }'));
      expect((await connectorcli(silenced, "check", "--strict")).status).to.equal(0);
      const severities = { "description-missing": "warning" };
      const folder = folderWith({
        ...files(""),
        "package.json": JSON.stringify({ connectorcli: { severities } }),
      });
      const { status, stdout } = await connectorcli(folder, "check", "--strict");
      expect(stdout).to.include("warning  description-missing");
      expect(status).to.equal(0);
    });

    it("is said where a code is explained", async () => {
      const { stdout } = await connectorcli(folderWith({}), "explain", "description-missing");
      expect(stdout.split("\n")[0]).to.equal("description-missing  warning (error with --strict)  §2.9");
    });
  });
});
