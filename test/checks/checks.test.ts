import { expect } from "chai";
import { MODEL_RULES } from "../../schemas/checks/engine.js";
import { DEFINITION_RULES } from "../../schemas/diagnostics/rules/definitions.js";
import { codesOf, connectorFindings } from "../support/checks.js";
import { CONNECTION_CASES } from "./cases/connections.js";
import { CONSTRAINT_CASES } from "./cases/constraints.js";
import { KEY_CASES } from "./cases/keys.js";
import { NAME_CASES } from "./cases/names.js";
import { SCHEMA_CASES } from "./cases/schemas.js";

const FAMILIES = [
  { name: "keys", cases: KEY_CASES },
  { name: "names", cases: NAME_CASES },
  { name: "values", cases: [...SCHEMA_CASES, ...CONSTRAINT_CASES] },
  { name: "connections and configurations", cases: CONNECTION_CASES },
];

/** Rules of the checks, and those rules of the builder that findings of checks stand beside. */
const CODES = [...Object.keys(MODEL_RULES), ...Object.keys(DEFINITION_RULES)].filter(
  (code) => !/^(?:definition|call)-/.test(code),
);

describe("checks", () => {
  it("find nothing in a clean connector", () => {
    expect(connectorFindings()).to.deep.equal([]);
  });

  for (const { name, cases } of FAMILIES) {
    describe(`of ${name}`, () => {
      for (const { reports, code, wrong, fine } of cases) {
        it(`reports ${reports} (${code})`, () => {
          expect(codesOf(wrong())).to.include(code);
          expect(codesOf(fine())).to.not.include(code);
        });
      }
    });
  }

  it("have a case for every rule", () => {
    const reported = new Set<string>(FAMILIES.flatMap(({ cases }) => cases.map(({ code }) => code)));
    expect(CODES.filter((code) => !reported.has(code))).to.deep.equal([]);
  });
});
