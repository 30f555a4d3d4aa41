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

/** Three properties of one shape, whose line has two findings in each. */
const SHARED = {
  "connector.ts": smallConnector({
    before: `const Contact = Type.Object({
  phone: Type.String({ minLength: 9, maxLength: 3, description: "Number." }),
});`,
    properties: `id: Type.String({ description: "Identifier." }),
  first: Type.Object(Contact.properties, { description: "Whom to ask." }),
  second: Type.Object(Contact.properties, { description: "Whom to ask then." }),
  third: Type.Array(Contact, { description: "All others." }),`,
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

  it("prints every finding at once, errors last and sorted by place, each with a sentence, a section and a fix", async () => {
    const { status, stdout, stderr } = await connectorcli(folderWith(WRONG), "check");
    expect(status).to.equal(1);
    const heads = stdout.split("\n").filter((line) => /^\S/.test(line));
    expect(heads).to.deep.equal([
      "connector.ts:9:5  warning  sensitive-not-write-only",
      "connector.ts:5:3  error  key-property-optional",
      "connector.ts:7:3  error  constraint-impossible",
    ]);
    expect(stdout).to.include('"id" of data object "Site"').and.to.include("(§2.6)");
    expect(stderr).to.equal("2 errors, 1 warning\n");
  });

  it("tells what one line makes in many places once, and how many they are", async () => {
    const { stdout, stderr } = await connectorcli(folderWith(SHARED), "check");
    const heads = stdout.split("\n").filter((line) => /^\S/.test(line));
    expect(heads).to.deep.equal([
      "connector.ts:3:3  warning  sensitive-not-write-only",
      "connector.ts:3:3  error  constraint-impossible",
    ]);
    expect(stdout.match(/And 2 more places that this line makes\./g)).to.have.length(2);
    expect(stderr).to.equal("3 errors, 3 warnings\n");
  });

  it("--format json has each of them, the others one for each place with all pointers", async () => {
    const folder = folderWith(SHARED);
    const json = await connectorcli(folder, "check", "--format", "json");
    expect(JSON.parse(json.stdout).diagnostics).to.have.length(6);
    const sarif = await connectorcli(folder, "check", "--format", "sarif");
    const { results } = JSON.parse(sarif.stdout).runs[0];
    expect(results).to.have.length(2);
    expect(results[0].occurrenceCount).to.equal(3);
    const pointers = results[0].locations[0].logicalLocations.map(
      ({ fullyQualifiedName }: { readonly fullyQualifiedName: string }) => fullyQualifiedName,
    );
    const schema = "/modules/0/dataObjects/0/schema/properties";
    expect(pointers).to.deep.equal([
      `${schema}/first/properties/phone`,
      `${schema}/second/properties/phone`,
      `${schema}/third/items/properties/phone`,
    ]);
    const github = await connectorcli(folder, "check", "--format", "github");
    expect(github.stdout.match(/^::.*And 2 more places/gm)).to.have.length(2);
  });

  it("keeps findings apart that are about two things at one place", async () => {
    const options = 'description: "A place.",\n  primaryKey: ["a", "b"] as never,';
    const { stdout } = await connectorcli(
      folderWith({ "connector.ts": smallConnector({ options }) }),
      "check",
    );
    expect(stdout.match(/key-property-unknown/g)).to.have.length(2);
    expect(stdout).to.not.include("more place");
  });

  it("--max shows the errors before all else; many findings are counted by code", async () => {
    const names = Array.from({ length: 25 }, (_, index) => `p${index}: Type.String(),`);
    const folder = folderWith({
      "connector.ts": smallConnector({
        properties: `id: Type.Optional(Type.String()),\n${names.join("\n")}`,
      }),
    });
    const { stdout, stderr } = await connectorcli(folder, "check", "--max", "2");
    expect(stdout.split("\n")[0]).to.equal("25 places before these are not shown.");
    expect(stdout.split("\n").filter((line) => /^connector/.test(line))).to.deep.equal([
      "connector.ts:32:1  warning  description-missing",
      "connector.ts:5:3  error  key-property-optional",
    ]);
    expect(stderr).to.equal(
      "warnings: 26 description-missing\nerrors: 1 key-property-optional\n1 error, 26 warnings\n",
    );
    const refused = await connectorcli(folder, "check", "--max", "2", "--format", "json");
    expect(refused.status).to.equal(2);
    expect(refused.stderr).to.include("--max is for the text format");
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
        "warning  schema-untyped",
        "error  description-missing",
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
