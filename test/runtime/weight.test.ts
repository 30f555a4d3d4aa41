import { spawnSync } from "node:child_process";
import { expect } from "chai";
import { inRepository } from "../support/repository.js";

/** Writes the address of every module that Node loads to standard error. */
const HOOKS = `
import { writeSync } from "node:fs";
export async function load(url, context, next) {
  writeSync(2, url + "\\n");
  return next(url, context);
}`;

const OF_THE_GENERATOR = [
  "@babel/parser",
  "@sinclair/typebox",
  "ajv",
  "esbuild",
  "handlebars",
  "typescript",
  "yargs",
];

/** The packages that a process loads with an entry of this one, by name. */
function packagesOf(entry: string): readonly string[] {
  const script = `
    import { createRequire, register } from "node:module";
    register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(HOOKS)}`)});
    await import(${JSON.stringify(entry)});
    console.error(Object.keys(createRequire(process.cwd() + "/x").cache).join("\\n"));`;
  const { stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: inRepository("."),
    encoding: "utf8",
  });
  expect(status, stderr).to.equal(0);
  expect(stderr).to.match(/[/\\]dist[/\\]/);
  const paths = stderr.replaceAll("\\", "/").split("\n");
  const names = paths.flatMap((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return [...new Set(names)];
}

describe("what a connector loads", () => {
  it("with connectorcli/runtime has neither HTTP nor anything of the generator", () => {
    const names = packagesOf("connectorcli/runtime");
    for (const name of ["got", "oauth4webapi", ...OF_THE_GENERATOR]) expect(names).to.not.include(name);
  });

  it("with connectorcli/client is what HTTP and OAuth need, and nothing of the generator", () => {
    const names = packagesOf("connectorcli/client");
    expect(names).to.include.members(["got", "oauth4webapi"]);
    for (const name of OF_THE_GENERATOR) expect(names).to.not.include(name);
  });

  it("would be seen here, did it load handlebars or TypeBox", () => {
    expect(packagesOf("connectorcli/generators")).to.include("handlebars");
    expect(packagesOf("connectorcli")).to.include("@sinclair/typebox");
  });
});
