import { expect } from "chai";
import { DESCRIPTION_RULES } from "../../../schemas/checks/rules/descriptions.js";
import { diagnosticsOf } from "../../../schemas/diagnostics/diagnostic.js";
import { COMMITTED_RULES } from "../../../scripts/project-checks/rules/committed.js";
import { readSeverities, withSeverities } from "../../../scripts/project-checks/severities.js";

function read(severities: unknown) {
  const text = `{\n  "name": "a",\n  "connectorcli": { "severities": ${JSON.stringify(severities)} }\n}`;
  return readSeverities(text, "/package.json");
}

describe("severities of a project", () => {
  const missing = diagnosticsOf(DESCRIPTION_RULES)("description-missing", {}, { what: "It" });
  const stale = diagnosticsOf(COMMITTED_RULES)("extract-stale", {}, {});

  it("raise a warning, or turn it off, and leave the others", () => {
    const { severities, diagnostics } = read({ "description-missing": "error", "extract-stale": "off" });
    expect(diagnostics).to.deep.equal([]);
    const found = withSeverities([missing, stale], severities);
    expect(found).to.deep.equal([{ ...missing, severity: "error" }]);
    expect(withSeverities([missing, stale], read({}).severities)).to.deep.equal([missing, stale]);
  });

  for (const [code, severities, says] of [
    ["severity-code-unknown", { "description-mising": "off" }, 'Did you mean "description-missing"?'],
    ["severity-invalid", { "description-missing": "info" }, '"info"'],
    ["severity-invalid", { "description-missing": true }, "a boolean"],
    ["severity-invalid", ["off"], "a array"],
    ["severity-fixed", { "key-missing": "off" }, "key-missing"],
    ["severity-fixed", { "key-missing": "warning" }, "key-missing"],
  ] as const) {
    it(`are ${code} at their line for ${JSON.stringify(severities)}, and count for nothing`, () => {
      const result = read(severities);
      expect(result.diagnostics.map((found) => found.code)).to.deep.equal([code]);
      expect(result.diagnostics[0]).to.include({ file: "/package.json", line: 3 });
      expect(result.diagnostics[0]?.message).to.include(says);
      expect(result.severities.size).to.equal(0);
    });
  }

  it("are none where the file is none, or says nothing", () => {
    for (const text of ["", "{", "[]", '{ "connectorcli": 1 }']) {
      expect(readSeverities(text, "/package.json")).to.deep.equal({ severities: new Map(), diagnostics: [] });
    }
  });
});
