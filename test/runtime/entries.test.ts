import { expect } from "chai";
import { loadedModules, packagesOf } from "../support/loaded-modules.js";

describe("connectorcli/runtime", () => {
  it("loads the table of formats and no other package: no got, handlebars, yargs, TypeBox, pino", async () => {
    const modules = await loadedModules("connectorcli/runtime");
    expect(modules.some((module) => module.includes("dist/runtime/"))).to.equal(true);
    expect(packagesOf(modules)).to.deep.equal(["ajv-formats"]);
    expect(
      modules.filter((module) => /runtime\/(?:host|client|store|cache-writer)\//.test(module)),
    ).to.deep.equal([]);
  });
});

describe("connectorcli/host", () => {
  it("loads the logger, and neither got, SQLite nor what makes code", async () => {
    const packages = packagesOf(await loadedModules("connectorcli/host"));
    expect(packages).to.include("pino");
    for (const name of ["got", "handlebars", "yargs", "@sinclair/typebox", "ajv", "esbuild", "libsql"]) {
      expect(packages).to.not.include(name);
    }
  });
});
