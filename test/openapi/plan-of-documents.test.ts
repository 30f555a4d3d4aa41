import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { makePlan } from "../../generators/openapi/inference/make-plan.js";
import { planLines } from "../../generators/openapi/inference/plan-table.js";
import { planView } from "../../generators/openapi/inference/plan-view.js";
import { readDescription } from "../../generators/openapi/reading/read-description.js";
import { corpusDocuments, NO_DOCUMENTS } from "../support/openapi.js";
import { inRepository } from "../support/repository.js";

/** `UPDATE_GOLDEN=1` writes the tables anew: read each line that has changed against the document. */
describe("plans of real OpenAPI documents", () => {
  const documents = corpusDocuments();
  if (documents.length === 0) it.skip(NO_DOCUMENTS);

  for (const { name, text } of documents)
    it(`are what was read line by line for ${name}`, () => {
      const { description, diagnostics, placeOf } = readDescription({
        main: name,
        text: (path) => (path === name ? text : undefined),
      });
      if (description === undefined) throw new Error("not read");
      const findings = diagnostics.map(({ message, line }) => `${line}: ${message}`);
      const table = `${[...findings, ...planLines(planView(makePlan(description), placeOf))].join("\n")}\n`;
      const file = inRepository(`test/openapi/plans/${name}.txt`);
      if (process.env["UPDATE_GOLDEN"] !== undefined || !existsSync(file)) writeFileSync(file, table);
      expect(table).to.equal(readFileSync(file, "utf8"));
    });
});
