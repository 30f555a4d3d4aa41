import { expect } from "chai";
import { connectionMessages } from "../../schemas/diagnostics/catalogue/connections.js";
import { keyMessages } from "../../schemas/diagnostics/catalogue/keys.js";
import { nameMessages } from "../../schemas/diagnostics/catalogue/names.js";
import { schemaMessages } from "../../schemas/diagnostics/catalogue/schemas.js";
import { codesOf, connectorFindings } from "../support/checked.js";
import { CONNECTION_CASES } from "./cases/connections.js";
import { CONSTRAINT_CASES } from "./cases/constraints.js";
import { KEY_CASES } from "./cases/keys.js";
import { NAME_CASES } from "./cases/names.js";
import { SCHEMA_CASES } from "./cases/schemas.js";

const FAMILIES = [
  { name: "keys", codes: Object.keys(keyMessages), cases: KEY_CASES },
  { name: "names", codes: Object.keys(nameMessages), cases: NAME_CASES },
  { name: "schemas", codes: Object.keys(schemaMessages), cases: [...SCHEMA_CASES, ...CONSTRAINT_CASES] },
  { name: "connections", codes: Object.keys(connectionMessages), cases: CONNECTION_CASES },
];

describe("checks", () => {
  it("find nothing in a clean connector", () => {
    expect(connectorFindings()).to.deep.equal([]);
  });

  for (const { name, codes, cases } of FAMILIES) {
    describe(`of ${name}`, () => {
      for (const { reports, code, wrong, fine } of cases) {
        it(`reports ${reports} (${code})`, () => {
          expect(codesOf(wrong())).to.include(code);
          expect(codesOf(fine())).to.not.include(code);
        });
      }

      it("has a case for every code of the family", () => {
        const reported = new Set<string>(cases.map(({ code }) => code));
        expect(codes.filter((code) => !reported.has(code))).to.deep.equal([]);
      });
    });
  }
});
