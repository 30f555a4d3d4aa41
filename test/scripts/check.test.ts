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
});
