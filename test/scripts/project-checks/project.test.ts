import { expect } from "chai";
import { connectorcli } from "../../support/command-line.js";
import { smallConnector } from "../../support/connector-sources.js";
import { folderWith } from "../../support/folders.js";

const EMAIL = 'officeEmail: Type.String({ description: "Address of the office."';
const ID = 'id: Type.String({ description: "Identifier." }),';

async function check(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const { status, stdout, stderr } = await connectorcli(
    folderWith(files),
    "check",
    "--format",
    "json",
    ...args,
  );
  const report = stdout === "" ? undefined : JSON.parse(stdout);
  const codes = (name: string) => report[name].map((found: { code: string }) => found.code);
  return { status, stderr, report, found: codes("diagnostics"), silenced: codes("silenced") };
}

describe("check of a whole project", () => {
  it("finds what is wrong in code, and leaves generated files, tests, packages and hidden folders alone", async () => {
    const wrong = "console.log(1);";
    const { found, report } = await check({
      "connector.ts": smallConnector(),
      "client/client.ts": `\n  ${wrong}`,
      "client/client.test.ts": wrong,
      "generated/app/site.ts": wrong,
      "node_modules/modules/x.ts": wrong,
      ".cache/client.ts": `f("AKIA${"ABCD1234".repeat(2)}");`,
    });
    expect(found).to.deep.equal(["code-standard-output"]);
    expect(report.diagnostics[0]).to.include({ file: "client/client.ts", line: 2, column: 3 });
  });

  it("tells a stale connector.json, and the objects that vanished from it", async () => {
    const folder = folderWith({ "connector.ts": smallConnector() });
    await connectorcli(folder, "extract");
    const { stdout } = await connectorcli(folder, "extract", "--output", "-");
    const fresh = await check({
      "connector.ts": smallConnector(),
      "connector.json": stdout.replaceAll("\n", "\r\n"),
    });
    expect(fresh.found).to.deep.equal([]);
    const renamed = smallConnector().replace('defineDataObject("Site"', 'defineDataObject("Building"');
    const { status, found, report } = await check({ "connector.ts": renamed, "connector.json": stdout });
    expect({ status, found }).to.deep.equal({ status: 0, found: ["extract-stale", "object-vanished"] });
    expect(report.diagnostics[1]).to.include({ pointer: "/modules/0/dataObjects/0", file: "connector.json" });
    expect(report.diagnostics[1].message).to.include('Data object "Site"');
  });

  it("finds a definition that is listed nowhere, at its line, also when nothing changed since", async () => {
    const folder = folderWith({
      "connector.ts": smallConnector({ before: 'import "./schemas/draft.js";' }),
      "schemas/draft.ts": `import { defineDataObject, Type } from "connectorcli";

export const Draft = defineDataObject("Draft", {
  description: "What is not sent yet.",
  primaryKey: "id",
  properties: { id: Type.String({ description: "Identifier." }) },
});
`,
    });
    for (const time of ["first", "second"]) {
      const { stdout } = await connectorcli(folder, "check", "--format", "json");
      const { diagnostics } = JSON.parse(stdout);
      expect(diagnostics, time).to.have.length(1);
      expect(diagnostics[0]).to.include({ code: "definition-unlisted", file: "schemas/draft.ts", line: 3 });
    }
  });

  it("takes the severities of package.json, and fails for a warning that was raised", async () => {
    const off = { "extract-stale": "off", "registration-incomplete": "off" };
    const severities = { "sensitive-not-write-only": "error", ...off };
    const { status, report } = await check({
      "connector.ts": smallConnector({ properties: `${ID} ${EMAIL} }),` }),
      "connector.json": "{}",
      "package.json": JSON.stringify({ connectorcli: { severities } }),
    });
    expect(status).to.equal(1);
    expect(report.diagnostics).to.have.length(1);
    expect(report.diagnostics[0]).to.include({ code: "sensitive-not-write-only", severity: "error" });
  });

  it("counts what is silenced beside a property, and extracts nothing of it", async () => {
    const silence = 'silence: { "sensitive-not-write-only": "It is public." }';
    const files = { "connector.ts": smallConnector({ properties: `${ID} ${EMAIL}, ${silence} }),` }) };
    const { status, found, silenced, report } = await check(files);
    expect({ status, found, silenced }).to.deep.equal({
      status: 0,
      found: [],
      silenced: ["sensitive-not-write-only"],
    });
    expect(report.silenced[0]).to.include({ silenced: "It is public.", file: "connector.ts", line: 7 });
    expect(report.summary).to.deep.equal({ errors: 0, warnings: 0, infos: 0, silenced: 1 });
    const folder = folderWith(files);
    expect((await connectorcli(folder, "check")).stderr).to.equal("0 errors, 0 warnings, 1 silenced\n");
    expect((await connectorcli(folder, "extract", "--output", "-")).stdout).to.not.include("public");
  });

  it("says a credential in an address once, and shows it in no format", async () => {
    const text = smallConnector().replace("https://api.", "https://reader:hunter2@api.");
    const folder = folderWith({ "connector.ts": text });
    for (const format of ["text", "json", "sarif", "github", "junit"]) {
      const { status, stdout, stderr } = await connectorcli(folder, "check", "--format", format);
      expect(status).to.equal(1);
      expect(stdout).to.include("connection-address-credentials").and.not.include("code-credential");
      expect(stdout + stderr).to.not.match(/hunter2|reader:/);
    }
  });
});
