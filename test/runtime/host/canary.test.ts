import { spawn } from "node:child_process";
import { expect } from "chai";
import { inRepository } from "../../support/repository.js";

const STEM = "c4n4ryNeverShown";
/** With what encodings change. */
const CANARY = `${STEM} +/"ü&=`;

/** The forms of the canary that stand in `text`. */
function leaksIn(text: string): readonly string[] {
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.from(`${" ".repeat(shift)}${STEM}`)
      .toString("base64url")
      .slice(4, -4),
  );
  return [STEM, ...base64].filter((form) => text.includes(form));
}

async function output(program: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [inRepository(program), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  }
  const status = await new Promise((resolve) => child.on("close", resolve));
  return { ...texts, status };
}

describe("a canary secret in every sensitive place", () => {
  it("would be found, as it is and in base64", () => {
    for (const before of ["", "a", "ab"]) {
      expect(leaksIn(Buffer.from(`${before}${CANARY}`).toString("base64"))).to.have.length(1);
    }
    expect(leaksIn(encodeURIComponent(CANARY))).to.have.length(1);
    expect(leaksIn("nothing")).to.deep.equal([]);
  });

  it("is never written by a real process that logs everything and ends with an error", async () => {
    const { stdout, stderr, status } = await output("dist/test/support/programs/say-secrets.js", CANARY);
    expect(leaksIn(stdout + stderr)).to.deep.equal([]);
    expect(stdout).to.equal("");
    expect(status).to.equal(1);
    expect(stderr.match(/^step .*/gm)).to.have.length(16);
    expect(stderr)
      .to.include("step the end")
      .and.to.include("ConnectionError: no client for --hidden value--");
    expect(stderr.split("--hidden value--").length).to.be.greaterThan(60);
    expect(
      stderr.match(/answered 500 Internal Server Error: refused --hidden value--, sent/g),
    ).to.have.length.above(3);
    expect(stderr).to.include("Invalid Credentials: Unauthorized").and.to.include("Unknown Issue.");
  });
});
