import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { inRepository } from "./support/repository.js";

const MOST_BYTES = 4_300_000;

describe("the published package", () => {
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--dry-run", "--ignore-scripts", "--json"], {
      cwd: inRepository("."),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      shell: process.platform === "win32",
    }),
  );
  const paths: readonly string[] = packed.files.map((file: { path: string }) => file.path);

  it(`takes at most ${MOST_BYTES / 1e6} MB`, () => {
    expect(packed.unpackedSize).to.be.at.most(MOST_BYTES);
  });

  it("has a page of the console of at most 150 kB, compressed", () => {
    const files = paths.filter((path) => path.startsWith("dist/bundled/console/"));
    const sizes = files.map((path) => gzipSync(readFileSync(inRepository(path)), { level: 9 }).length);
    expect(files.some((path) => path.includes("schema-form"))).to.equal(true);
    expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.at.most(150_000);
  });

  it("holds code in bundles only, and declarations under types/ only", () => {
    const built = paths.filter((path) => path.startsWith("dist/"));
    expect(built.filter((path) => !/^dist\/(?:bundled|types)\//.test(path))).to.deep.equal([]);
    expect(paths.filter((path) => path.endsWith(".map") || path.startsWith("dist/test/"))).to.deep.equal([]);
  });

  it("holds every module of the sources once", () => {
    const bundles: Readonly<Record<string, readonly string[]>> = JSON.parse(
      readFileSync(inRepository("dist/bundled-modules.json"), "utf8"),
    );
    const modules = Object.values(bundles)
      .flat()
      .filter((module) => /^(?:schemas|generators|runtime|scripts)\//.test(module));
    expect(modules).to.include("scripts/connectorcli.js");
    expect(modules.filter((module, index) => modules.indexOf(module) !== index)).to.deep.equal([]);
  });

  it("has what its entries name, code and types", () => {
    const { exports } = JSON.parse(readFileSync(inRepository("package.json"), "utf8"));
    const named = Object.values<string | Record<string, string>>(exports)
      .flatMap((entry) => (typeof entry === "string" ? [entry] : Object.values(entry)))
      .map((file) => file.replace("./", ""));
    expect(paths).to.include.members(named);
    const types = named.filter((file) => file.endsWith(".d.ts"));
    // Every declaration that these lead to is published too, and no other.
    for (const file of types) {
      const declarations = readFileSync(inRepository(file), "utf8");
      for (const [, specifier = ""] of declarations.matchAll(/(?:from|import\()\s*["'](\.[^"']+)\.js["']/g)) {
        const found = posix.join(posix.dirname(file), `${specifier}.d.ts`);
        if (!types.includes(found)) types.push(found);
      }
    }
    expect(paths.filter((path) => path.endsWith(".d.ts"))).to.have.members(types);
    expect(types.length).to.be.above(100);
  });

  it("has the programs that commands start in threads and processes", () => {
    expect(paths).to.include.members(["dist/bundled/evaluate-worker.js", "dist/bundled/run-child.js"]);
  });
});
