import { expect } from "chai";
import { loadedModules, packagesOf } from "../support/installed-package.js";

describe("connectorcli/runtime", () => {
  it("loads no package: no got, handlebars, yargs, TypeBox, pino", async () => {
    const modules = await loadedModules("connectorcli/runtime");
    expect(modules.some((module) => module.endsWith("dist/bundled/runtime.js"))).to.equal(true);
    expect(packagesOf(modules)).to.deep.equal([]);
    expect(
      modules.filter((module) => /\/dist\/.*(?:host|client|sqlite|open-store)\b/.test(module)),
    ).to.deep.equal([]);
  });
});

describe("connectorcli/codegen", () => {
  it("loads no package, and nothing of hosts, clients and stores", async () => {
    const modules = await loadedModules("connectorcli/codegen");
    expect(modules.some((module) => module.endsWith("dist/bundled/codegen.js"))).to.equal(true);
    expect(packagesOf(modules)).to.deep.equal([]);
    expect(
      modules.filter((module) => /\/dist\/.*(?:host|client|sqlite|open-store)\b/.test(module)),
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

describe("connectorcli/client", () => {
  it("loads what OAuth needs, got with the first call, and nothing of the host or of what makes code", async () => {
    const packages = packagesOf(await loadedModules("connectorcli/client"));
    expect(packages).to.include("oauth4webapi");
    for (const name of ["got", "pino", "handlebars", "yargs", "@sinclair/typebox", "ajv", "esbuild"]) {
      expect(packages).to.not.include(name);
    }
  });
});

describe("connectorcli/testing", () => {
  it("loads the logger, as it runs connectors, and what makes records when records are made", async () => {
    const packages = packagesOf(await loadedModules("connectorcli/testing"));
    for (const name of ["json-schema-faker", "oidc-provider", "handlebars", "yargs", "ajv", "esbuild"]) {
      expect(packages).to.not.include(name);
    }
  });
});
