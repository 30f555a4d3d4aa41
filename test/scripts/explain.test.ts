import { expect } from "chai";
import { CATALOGUE, type CatalogueEntry } from "../../schemas/diagnostics/catalogue.js";
import { exampleOf } from "../../schemas/diagnostics/examples.js";
import { reasonOf } from "../../schemas/diagnostics/sections.js";
import { explain } from "../../scripts/commands/explain.js";
import { connectorcli } from "../support/command-line.js";
import { inRepository } from "../support/repository.js";

describe("connectorcli explain", () => {
  it("tells what a finding says, what to do, why, and shows it wrong and right", async () => {
    const { status, stdout } = await connectorcli(inRepository(""), "explain", "key-property-optional");
    expect(status).to.equal(0);
    const { bad, good } = exampleOf("key-property-optional") ?? { bad: "", good: "" };
    for (const text of [
      "error  §2.6",
      'uses "<property>"',
      "Why: Data objects",
      "Wrong (object):",
      "Right:",
    ]) {
      expect(stdout).to.include(text);
    }
    for (const line of [...bad.split("\n"), ...good.split("\n")]) expect(stdout).to.include(line);
  });

  it("names the nearest code for one that does not exist, with status 2", async () => {
    const { status, stdout, stderr } = await connectorcli(inRepository(""), "explain", "key-mising");
    expect({ status, stdout }).to.deep.equal({ status: 2, stdout: "" });
    expect(stderr).to.include('Did you mean "key-missing"?');
  });

  it("explains every code, and every section has a reason", async () => {
    for (const [code, { section, message }] of Object.entries<CatalogueEntry>(CATALOGUE)) {
      expect(reasonOf(section), section).to.not.equal(undefined);
      const text = await explained(code);
      expect(text).to.include(message.split("{")[0] ?? "");
      expect(text).to.not.match(/\{\w+\}(?![;,\s])/);
    }
  });

  it("explains what a comparison finds as well", async () => {
    expect(await explained("record-key-removed")).to.include("always needs a major version");
  });
});

async function explained(code: string): Promise<string> {
  const texts: string[] = [];
  const output = { result: (text: string) => void texts.push(text), say: () => {}, isTerminal: false };
  expect(await explain({ code }, output)).to.equal(0);
  return texts.join("");
}
