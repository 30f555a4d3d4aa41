import { expect } from "chai";
import { raiseSdk } from "../../generators/migration/sdk-version.js";
import { SourceFiles } from "../../generators/source-edits/index.js";

function raise(text: string | undefined) {
  const files = new SourceFiles((path) => (path === "package.json" ? text : undefined));
  const codes = raiseSdk(files, "1.4.0").map(({ code, line }) => `${code} ${line ?? ""}`.trim());
  return { codes, text: files.text("package.json") };
}

const manifest = (range: string, section = "dependencies") =>
  `{\r\n\t"${section}": { "a": "1",  "connectorcli" : "${range}" }\r\n}`;

describe("the version of the SDK that a project asks for", () => {
  for (const range of ["1.1.1", "^1.1.1", "~1.3.2", ">=1.0.0", "1.x", "*", "^1.3.3-beta.1"]) {
    it(`is raised where it is ${range}, and nothing else changes`, () => {
      const { codes, text } = raise(manifest(range, "devDependencies"));
      expect(codes).to.deep.equal(["migration-sdk-old 2"]);
      expect(text).to.equal(manifest("^1.4.0", "devDependencies"));
    });
  }

  for (const range of ["1.3.3", "^1.3.3", ">=1.3.3", "^2.0.0", "latest", "file:../sdk", "workspace:*"]) {
    it(`stays where it is ${range}`, () => {
      expect(raise(manifest(range))).to.deep.equal({ codes: [], text: manifest(range) });
    });
  }

  it("is missed where package.json does not name it, is no JSON, or is not there", () => {
    for (const text of ["{}", '{ "dependencies": [] }', "no", undefined])
      expect(raise(text).codes).to.deep.equal(["migration-sdk-unstated"]);
  });
});
