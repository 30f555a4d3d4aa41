import { createRequire } from "node:module";
import { expect } from "chai";
import fc from "fast-check";
import { junitReport } from "../../../scripts/findings/junit.js";
import { anyFindings, finding, reportOf } from "../../support/reports.js";

/** As much of saxes as is used here: its own declarations do not compile under this house's flags. */
interface StrictParser {
  on(event: "error", handle: (error: Error) => void): void;
  on(event: "opentag", handle: (element: Element) => void): void;
  write(text: string): { close(): void };
}
const { SaxesParser } = createRequire(import.meta.url)("saxes") as { SaxesParser: new () => StrictParser };

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

describe("the junit format", () => {
  it("is a suite a file and a case a finding, of which errors fail", () => {
    const elements = elementsOf(
      junitReport(
        reportOf([
          finding({ file: "/elsewhere/a.ts", line: 3, column: 5 }),
          finding({ file: "/elsewhere/a.ts", severity: "warning" }),
          finding({ file: "/elsewhere/b.ts", silenced: "It is public." }),
        ]),
      ),
    );
    const counts = elements
      .filter(({ name }) => name.startsWith("testsuite"))
      .map(({ attributes: { tests, failures, skipped } }) => ({ tests, failures, skipped }));
    expect(counts).to.deep.equal([
      { tests: "3", failures: "1", skipped: "1" },
      { tests: "2", failures: "1", skipped: "0" },
      { tests: "1", failures: "0", skipped: "1" },
    ]);
    expect(elements.find(({ name }) => name === "testcase")?.attributes).to.deep.equal({
      classname: "/elsewhere/a.ts",
      name: "key-missing 3:5",
      file: "/elsewhere/a.ts",
      line: "3",
    });
    expect(elements.find(({ name }) => name === "skipped")?.attributes["message"]).to.include(
      "It is public.",
    );
  });

  it("has a passing case where nothing was found, so that servers see a run", () => {
    const [whole, ...others] = elementsOf(junitReport(reportOf([])));
    expect(whole?.attributes).to.include({ tests: "1", failures: "0" });
    expect(others.map(({ name }) => name)).to.deep.equal(["testsuite", "testcase"]);
  });

  it("is XML that a strict parser takes, whatever the texts hold", () => {
    fc.assert(
      fc.property(anyFindings, (findings) => {
        const cases = elementsOf(junitReport(reportOf(findings))).filter(({ name }) => name === "testcase");
        expect(cases).to.have.length(Math.max(1, findings.length));
      }),
    );
  });
});

/** Throws where the text is not well-formed. */
function elementsOf(text: string): readonly Element[] {
  const elements: Element[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => elements.push({ name, attributes }));
  parser.write(text).close();
  return elements;
}
