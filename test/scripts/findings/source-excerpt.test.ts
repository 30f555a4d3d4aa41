import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import stringWidth from "string-width";
import { excerpt, SourceLines, sourceExcerpts } from "../../../scripts/findings/source-excerpt.js";
import { connectorcli } from "../../support/command-line.js";
import { folderWith } from "../../support/folders.js";
import { finding } from "../../support/reports.js";

function shown(text: string, line: number, column: number, code = "key-missing"): readonly string[] {
  return excerpt(new SourceLines(text).for(code), line, column).split("\n");
}

/** The column (from 0, as a terminal counts) that the caret points at, and what stands above it. */
function pointed([line = "", caret = ""]: readonly string[]): string {
  const column = caret.indexOf("^");
  let [at, offset] = [0, 0];
  for (const character of line) {
    if (at === column) return line.slice(offset);
    at += stringWidth(character);
    offset += character.length;
  }
  return "";
}

describe("the excerpt of a finding", () => {
  it("is the line before, the line, and a caret below the column", () => {
    expect(shown("one\nconst a = b;\n", 2, 7)).to.deep.equal([
      "    1 | one",
      "    2 | const a = b;",
      "      |       ^",
      "",
    ]);
  });

  it("points at the same thing behind tabs and wide characters", () => {
    expect(pointed(shown("\t\tconst x = 1;", 1, 3))).to.match(/^const x/);
    expect(pointed(shown('"漢字漢字", "👍", x', 1, '"漢字漢字", "👍", x'.indexOf("x") + 1))).to.equal("x");
  });

  it("takes every line ending", () => {
    for (const ending of ["\n", "\r\n", "\r", "\u2028"]) {
      expect(shown(["one", "two", "three"].join(ending), 3, 1).slice(0, 2)).to.deep.equal([
        "    2 | two",
        "    3 | three",
      ]);
    }
  });

  it("cuts a very long line around the column", () => {
    const lines = shown(`${"a".repeat(50_000)}HERE${"b".repeat(50_000)}`, 1, 50_001);
    expect(pointed(lines)).to.match(/^HEREb+…$/);
    for (const line of lines) expect(stringWidth(line)).to.be.lessThan(130);
  });

  it("shows nothing of a line that is not there", () => {
    expect(shown("one", 2, 1)).to.deep.equal([""]);
    expect(sourceExcerpts()(finding({ file: "/nowhere.ts", line: 1 }))).to.equal("");
    expect(sourceExcerpts()(finding())).to.equal("");
  });

  it("never moves a cursor or turns text around, and always has one caret, for any text and place", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.nat(5),
        fc.integer({ min: 1, max: 40 }),
        (text, line, column) => {
          const lines = shown(text, line + 1, column);
          expect(lines.join("")).to.not.match(/[\p{Cc}\p{Cf}\p{Cs}]/u);
          if (lines.length > 1) expect(lines.at(-2)).to.match(/^ +\| +\^$/);
        },
      ),
    );
  });

  it("hides credentials, over several lines too", () => {
    const key = `-----BEGIN ${"PRIVATE"} KEY-----\nMIIEsecret\nMIIEsecond\n-----END PRIVATE KEY-----`;
    const text = `const a = \`${key}\`;\nconst b = "Bearer abc123def456ghi789";`;
    for (const line of [1, 2, 3, 4, 5]) {
      expect(shown(text, line, 8).join("\n")).to.not.match(/MIIE|abc123/);
    }
  });

  it("shows no literal and no comment beside a finding of a secret in the code", () => {
    const text = `const a = \`https://user:pa\nss2\${b}word3\`; // pass4\nconst c = 'pass5', d = 1;`;
    for (const line of [1, 2, 3]) {
      const lines = shown(text, line, 11, "connection-address-credentials").join("\n");
      expect(lines).to.not.match(/user|pa$|ss\d|word|pass/);
    }
    expect(shown(text, 3, 7, "connection-address-credentials").join("\n")).to.include(
      "const c = •••, d = 1;",
    );
    expect(shown("const a = 'pass1", 1, 1, "connection-address-credentials").join("")).to.equal("");
  });

  it("points at the place of a syntax error behind characters of several bytes", async () => {
    const folder = folderWith({ "connector.ts": 'const a = "äöü漢"; const = 1;' });
    const { status, stdout } = await connectorcli(folder, "check");
    expect(status).to.equal(1);
    expect(pointed(stdout.split("\n").slice(1))).to.match(/^= 1;/);
  });

  it("reads a file that begins with a byte order mark", () => {
    const folder = folderWith({});
    const file = path.join(folder, "a.ts");
    writeFileSync(file, "\ufeffconst a = 1;");
    expect(sourceExcerpts()(finding({ file, line: 1, column: 7 })).split("\n")[1]).to.equal(
      "      |       ^",
    );
  });
});
