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
function textAtCaret([line = "", caret = ""]: readonly string[]): string {
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

  it("never shows half a character, wherever the column is and the line is cut", () => {
    // Both halves of a character are columns of a compiler.
    expect(textAtCaret(shown('x = "👍y";', 1, 7))).to.equal('👍y";');
    for (const before of [99, 100, 101, 158, 159, 160, 161, 200]) {
      for (const behind of [98, 99, 100, 101]) {
        const text = `${"a".repeat(before - 60)}👍${"b".repeat(58)}c${"d".repeat(behind - 1)}👍${"e".repeat(9)}`;
        const column = text.indexOf("c") + 1;
        const lines = shown(text, 1, column);
        expect(lines.join("\n"), `${before} ${behind}`).to.not.include("\ufffd");
        expect(textAtCaret(lines)).to.match(/^cd/);
      }
    }
  });

  it("points at the same thing behind tabs and wide characters", () => {
    expect(textAtCaret(shown("\t\tconst x = 1;", 1, 3))).to.match(/^const x/);
    expect(textAtCaret(shown('"漢字漢字", "👍", x', 1, '"漢字漢字", "👍", x'.indexOf("x") + 1))).to.equal(
      "x",
    );
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
    expect(textAtCaret(lines)).to.match(/^HEREb+…$/);
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

  it("never cuts through a character, wherever the column is", () => {
    // Odd and even places, in and between characters.
    const text = `${"👍".repeat(150)}x${"👍".repeat(150)}`;
    for (let column = 1; column <= text.length; column += 7) {
      const lines = shown(text, 1, column);
      expect(lines.join(""), `column ${column}`).to.not.include("\ufffd");
      expect(textAtCaret(lines), `column ${column}`).to.match(/^(?:👍|x)/u);
    }
  });

  it("hides every kind of credential beside any finding, and nothing else of its line", () => {
    const a = (count: number) => "a1B2c3D4e5".repeat(count);
    const credentials = [
      ...[`Bearer ${a(2)}`, `Basic ${a(2)}`, `AKIA${"ABCD1234".repeat(2)}`, `ASIA${"ABCD1234".repeat(2)}`],
      ...["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"].map((start) => start + a(3)),
      ...[`glpat-${a(2)}`, `xoxb-${a(1)}`, `xoxs-${a(1)}`, `npm_${a(3)}zzzzzz`, `sk_live_${a(2)}`],
      ...[
        `rk_test_${a(2)}`,
        `sk-${a(2)}`,
        `AIza${a(3)}zzzzz`,
        `SG.${a(2)}.${a(2)}`,
        `eyJ${a(1)}.eyJ${a(1)}.${a(1)}`,
      ],
    ];
    for (const credential of credentials) {
      const [line = ""] = shown(`const before = f("${credential}", after);`, 1, 7);
      expect(line, credential).to.match(/const before = f\("\S*•••", after\);$/);
      expect(line).to.not.include(credential.slice(-8));
    }
    const addresses = ["https://guest:pa55@h.example/v1", "https://h.example/v1?api_key=s3cr3t&page=2"];
    expect(addresses.map((address) => shown(`f("${address}")`, 1, 1)[0]?.slice(8))).to.deep.equal([
      'f("https://•••@h.example/v1")',
      'f("https://h.example/v1?api_key=•••&page=2")',
    ]);
  });

  it("shows no text beside any finding that speaks of a secret", () => {
    const codes = [
      "connection-address-credentials",
      "connection-address-placeholder",
      "connection-address-invalid",
    ];
    for (const code of [...codes, "code-credential"]) {
      expect(shown('f("any text", 1); // why', 1, 1, code)[0]).to.equal("    1 | f(•••, 1); •••");
    }
    expect(shown('f("any text"); // why', 1, 1, "key-missing")[0]).to.equal('    1 | f("any text"); // why');
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
    expect(textAtCaret(stdout.split("\n").slice(1))).to.match(/^= 1;/);
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
