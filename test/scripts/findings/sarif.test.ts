import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import { expect } from "chai";
import fc from "fast-check";
import { sarifLog } from "../../../scripts/findings/sarif.js";
import { folderWith } from "../../support/folders.js";
import { anyFindings, finding, reportOf } from "../../support/reports.js";
import { inRepository } from "../../support/repository.js";

const SCHEMA = "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json";

describe("the sarif format", () => {
  const isValid = officialSchema();

  it("is valid under the official schema of SARIF 2.1.0, whatever the texts hold", () => {
    fc.assert(
      fc.property(anyFindings, (findings) => {
        isValid(JSON.parse(sarifLog(reportOf(findings))));
        expect(isValid.errors).to.equal(null);
      }),
      { numRuns: 50 },
    );
    isValid(JSON.parse(sarifLog(reportOf([finding({ silenced: "Why." })]))));
    expect(isValid.errors).to.equal(null);
    expect(isValid({ version: "2.1.0", runs: [{ results: [] }] })).to.equal(false);
  });

  it("names the file from the repository's root, as a reference in which nothing is left unescaped", () => {
    const folder = folderWith({ ".git/HEAD": "" });
    const place = { file: `${folder}/my schemas/ä#1%.ts`, line: 2, column: 4, pointer: "/modules/0" };
    const log = JSON.parse(sarifLog(reportOf([finding(place)], folder)));
    const [location] = log.runs[0].results[0].locations;
    expect(location.physicalLocation).to.deep.equal({
      artifactLocation: { uri: "my%20schemas/%C3%A4%231%25.ts", uriBaseId: "%SRCROOT%" },
      region: { startLine: 2, startColumn: 4 },
    });
    expect(location.logicalLocations[0].fullyQualifiedName).to.equal("/modules/0");
  });

  it("has a rule for each code, which results refer to by name and number", () => {
    const findings = [finding({ code: "name-empty" }), finding(), finding({ code: "part-removed" })];
    const [run] = JSON.parse(sarifLog(reportOf(findings))).runs;
    for (const { ruleId, ruleIndex } of run.results)
      expect(run.tool.driver.rules[ruleIndex].id).to.equal(ruleId);
  });

  it("gives what an author silenced as suppressed, with the reason", () => {
    const [run] = JSON.parse(sarifLog(reportOf([finding({ silenced: "It is public." })]))).runs;
    expect(run.results[0].suppressions).to.deep.equal([{ kind: "inSource", justification: "It is public." }]);
  });

  it("knows a finding again when lines were added above it", () => {
    const [first, second] = [1, 9].map(
      (line) => JSON.parse(sarifLog(reportOf([finding({ file: "/a.ts", line })]))).runs[0].results[0],
    );
    expect(first.partialFingerprints).to.deep.equal(second.partialFingerprints);
  });
});

function officialSchema() {
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(inRepository(SCHEMA), "utf8"));
  const ajv = new Ajv({ strict: false, unicodeRegExp: false });
  formats.default(ajv);
  return ajv.compile(schema);
}
