import { expect } from "chai";
import fc from "fast-check";
import { planLines } from "../../generators/openapi/inference/plan-table.js";
import { planView } from "../../generators/openapi/inference/plan-view.js";
import { readDocumentText } from "../../generators/openapi/reading/document-text.js";
import type { JsonObject } from "../../schemas/json.js";
import { corpusDocuments, described, NO_DOCUMENTS, newProject } from "../support/openapi.js";
import { apiDocument } from "../support/openapi-arbitraries.js";
import { type DocumentPair, pairOf } from "../support/openapi-pairs.js";
import { runs } from "../support/repository.js";

/** The plan and the files of a document, without the lines that they cite. */
function madeOf(document: JsonObject): Readonly<Record<string, string>> {
  const read = described(document);
  const { plan, files } = newProject(read, "api.json");
  const table = planLines(planView(plan, read.placeOf)).join("\n");
  // The lock has hashes of what the document says, in its own words.
  const made = files.filter(({ path }) => path !== "imported/lock.json");
  const texts = [["plan", table], ...made.map(({ path, content }) => [path, content])];
  return Object.fromEntries(texts.map(([path = "", content = ""]) => [path, withoutLines(content)]));
}

/** The plans first, because they tell the most where they differ. */
function expectSame({ old, now }: DocumentPair): string {
  const [before, after] = [madeOf(old), madeOf(now)];
  expect(before["plan"]).to.equal(after["plan"]);
  expect(before).to.deep.equal(after);
  return after["plan"] ?? "";
}

function withoutLines(text: string): string {
  return text.replace(/ ?\(api\.json:\d+(?:, :\d+)*\)|sha256-\S+/g, "");
}

describe("a connector of one API in 2.0 and in 3.0", () => {
  it("is the same but for the lines that it cites", () => {
    let lists = 0;
    fc.assert(
      fc.property(apiDocument(), (document) => {
        lists += (expectSame(pairOf(document)).match(/ items: /g) ?? []).length;
      }),
      { numRuns: runs(25) },
    );
    expect(lists).to.be.greaterThan(20);
  });

  const documents = corpusDocuments().filter(({ text }) => !/^swagger:/m.test(text));
  if (documents.length === 0) it.skip(NO_DOCUMENTS);
  for (const { name, text } of documents)
    it(`is the same for ${name}`, () => {
      const read = readDocumentText(text, name);
      if ("code" in read) throw new Error(read.message);
      expect(expectSame(pairOf(read.value as JsonObject))).to.include(" items: ");
    });
});
