import { readFileSync } from "node:fs";
import { expect } from "chai";
import { loadModules, withProjects } from "../support/author-project.js";
import { pageFiles } from "../support/documentation.js";
import { filesIn } from "../support/folders.js";
import { inRepository, SLOW_TEST_MS } from "../support/repository.js";

const EXAMPLE = inRepository("examples/projects-api");

/** The files of both pages, in the project of the example. */
function project() {
  const example = filesIn(EXAMPLE)
    .filter((path) => /^(?:generated|client|connections)\/.*\.ts$/.test(path))
    .map((path) => ({ path, content: readFileSync(`${EXAMPLE}/${path}`, "utf8") }));
  return [...example, ...pageFiles("docs/generated-code.md"), ...pageFiles("docs/validation.md")];
}

describe("the examples of docs/generated-code.md and docs/validation.md", () => {
  it("do what their comments say", async () => {
    const names = ["use-project", "draft-project", "read-any-case", "validate-order", "object-list"];
    await withProjects([project()], async (_, [folder = ""]) => {
      const [used, draft, read, validated, emitted] = await loadModules(
        names.map((name) => `${folder}/${name}.ts`),
      );
      expect(used).to.include({
        created: "2026-02-03T04:05:06Z",
        key: "id/7b3f8f0e-6f3a-4c58-9d2e-0b8a4f6f2c11",
        json: JSON.stringify(used?.["sent"]),
      });
      expect(used?.["text"]).to.include('"managerEmail":"--hidden value--"');
      const findingsOf = used?.["findingsOf"] as (input: unknown) => readonly string[];
      expect(findingsOf(used?.["sent"])).to.deep.equal([]);
      expect(findingsOf({})).to.have.lengthOf(6);
      expect(draft?.["missing"]).to.deep.equal([
        'the member "id"',
        'the member "budget"',
        'the member "created_on"',
      ]);
      expect(read?.["project"])
        .to.include({ status: "Planned", number: "P-3" })
        .and.not.have.property("links");
      expect(validated?.["messages"]).to.have.members([
        "/lines/0/price: expected at least 0, found -1",
        "/iban: expected at least 15 characters, found --hidden value--",
      ]);
      expect(validated?.["found"]).to.deep.equal([]);
      const objectPages = emitted?.["objectPages"] as (text: string) => readonly { content: string }[];
      const [page] = objectPages(readFileSync(`${EXAMPLE}/connector.json`, "utf8"));
      expect(page?.content).to.equal("- Project of Projects\n- Timesheet of Projects\n");
    });
  }).timeout(SLOW_TEST_MS);
});
