import { readFileSync } from "node:fs";
import { expect } from "chai";
import { reasonOf, sectionLink } from "../../schemas/diagnostics/sections.js";
import { CATALOGUE } from "../../scripts/project-checks/catalogue.js";
import { connectorcli } from "../support/command-line.js";
import { folderWith } from "../support/folders.js";
import { inRepository } from "../support/repository.js";

describe("connectorcli explain", () => {
  it("tells what a finding says, what to do, why, and shows it wrong and right", async () => {
    const { status, stdout } = await connectorcli(inRepository(""), "explain", "key-property-optional");
    expect(status).to.equal(0);
    const { wrong, right } = CATALOGUE["key-property-optional"].example ?? { wrong: "", right: "" };
    for (const text of [
      "error  §2.6",
      'uses "<property>"',
      "Why: Data objects",
      "Read: docs/interface.md#s2-6",
      "Wrong (object):",
      "Right:",
    ]) {
      expect(stdout).to.include(text);
    }
    for (const line of [...wrong.split("\n"), ...right.split("\n")]) expect(stdout).to.include(line);
  });

  it("names the nearest code for one that does not exist, with status 2", async () => {
    const { status, stdout, stderr } = await connectorcli(inRepository(""), "explain", "key-mising");
    expect({ status, stdout }).to.deep.equal({ status: 2, stdout: "" });
    expect(stderr).to.include('Did you mean "key-missing"?');
  });

  it("explains every code, and every section has a reason", async () => {
    for (const [code, { section, message }] of Object.entries(CATALOGUE)) {
      expect(reasonOf(section), section).to.not.equal(undefined);
      const text = await explain(code);
      expect(text).to.include(message.split("{")[0] ?? "");
      expect(text).to.not.match(/\{\w+\}(?![;,\s])/);
    }
  });

  it("advises a comment where code is looked at, and an option where a definition is", async () => {
    for (const [code, { example, severity, isSilenceable = severity !== "error" }] of Object.entries(
      CATALOGUE,
    )) {
      if (example === undefined || !isSilenceable || example.part === "package.json") continue;
      const advice = example.part.endsWith(".ts")
        ? `"connectorcli-silence ${code}: reason"`
        : `silence: { "${code}"`;
      expect(await explain(code)).to.include(advice);
    }
  });

  it("leads to a section of docs/interface.md", () => {
    const page = readFileSync(inRepository("docs/interface.md"), "utf8");
    for (const { section } of Object.values(CATALOGUE)) {
      const [file, anchor] = sectionLink(section).split("#");
      expect(file).to.equal("interface.md");
      expect(page, section).to.include(`id="${anchor}"`);
    }
  });

  it("explains what a comparison finds as well", async () => {
    expect(await explain("record-key-removed")).to.include("always needs a major version");
  });

  it("says of a warning whether --strict makes an error of it", async () => {
    const folder = folderWith({});
    for (const [code, { severity, isErrorIfStrict }] of Object.entries(CATALOGUE).slice(0, 40)) {
      const { stdout } = await connectorcli(folder, "explain", code, "--json");
      expect(JSON.parse(stdout).isErrorIfStrict, code).to.equal(isErrorIfStrict === true ? true : undefined);
      const { stdout: shown } = await connectorcli(folder, "explain", code);
      expect(shown, code).to.include(
        isErrorIfStrict === true ? `${severity} (error with --strict)` : severity,
      );
      expect(shown.includes("error with --strict"), code).to.equal(isErrorIfStrict === true);
    }
  });
});

async function explain(code: string): Promise<string> {
  const { status, stdout } = await connectorcli(inRepository(""), "explain", code);
  expect(status).to.equal(0);
  return stdout;
}
