import { expect } from "chai";
import fc from "fast-check";
import { githubAnnotations } from "../../../scripts/findings/github.js";
import { folderWith } from "../../support/folders.js";
import { anyFindings, finding, reportOf } from "../../support/reports.js";

describe("the github format", () => {
  it("names file, line, column and code as properties, and says sentence, section and fix", () => {
    const folder = folderWith({ ".git/HEAD": "", "apps/one/connector.ts": "" });
    const found = finding({ file: `${folder}/apps/one/connector.ts`, line: 4, column: 3 });
    expect(githubAnnotations(reportOf([found], `${folder}/apps/one`))).to.equal(
      "::error file=apps/one/connector.ts,line=4,col=3,title=key-missing::" +
        "There is no key. (§2.6) Declare one.\n",
    );
  });

  it("calls warnings warnings and notes notices, and leaves silenced ones out", () => {
    const text = githubAnnotations(
      reportOf([
        finding({ severity: "warning" }),
        finding({ severity: "info" }),
        finding({ silenced: "Why." }),
      ]),
    );
    expect(text.match(/^::\w+/gm)).to.deep.equal(["::warning", "::notice"]);
  });

  it("escapes percent signs and line ends, and colons and commas of properties", () => {
    const folder = folderWith({ ".git/HEAD": "" });
    const found = finding({ file: `${folder}/a:b,c%.ts`, message: "50%\r\nof: it, all" });
    expect(githubAnnotations(reportOf([found], folder))).to.include(
      "file=a%3Ab%2Cc%25.ts,title=key-missing::50%25%0D%0Aof: it, all",
    );
  });

  it("writes one line a finding, whatever the texts hold, and loses none of them", () => {
    fc.assert(
      fc.property(anyFindings, (findings) => {
        const lines = githubAnnotations(reportOf(findings)).split(/\r\n|\r|\n/);
        expect(lines.pop()).to.equal("");
        expect(lines.length).to.equal(findings.length);
        for (const [index, line] of lines.entries()) {
          const [, message = ""] = /^::(?:error|warning|notice) [^:]*::(.*)$/su.exec(line) ?? [];
          const { message: said, fix } = findings[index] ?? finding();
          expect(unescapeLine(message)).to.equal(fix === "" ? said : `${said} ${fix}`);
        }
      }),
    );
  });
});

function unescapeLine(text: string): string {
  return text.replaceAll("%0A", "\n").replaceAll("%0D", "\r").replaceAll("%25", "%");
}
