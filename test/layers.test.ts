import { readdirSync, readFileSync } from "node:fs";
import { posix, relative, sep } from "node:path";
import { parse } from "@babel/parser";
import { expect } from "chai";
import { inRepository } from "./support/repository.js";

const FLOORS = ["schemas", "generators", "runtime", "scripts"];

interface Source {
  /** From the repository's root, with `/`. */
  readonly path: string;
  /** Packages by name, files of the repository by path. */
  readonly imports: readonly string[];
  readonly exportsAll: boolean;
  readonly exportsDefault: boolean;
  readonly namesProcess: boolean;
}

interface Rule {
  readonly title: string;
  readonly under: string;
  readonly never: RegExp;
  readonly but?: RegExp;
}

const ABOVE_THE_VOCABULARY = /^schemas\/(?:model|checks)\//;

/** Who may not import whom: files under a path, and what they must not import. */
const RULES: readonly Rule[] = [
  ...["authoring/", "naming/", "diagnostics/", "formats/", "keywords.ts"].map((name) => ({
    title: `schemas/${name} imports neither the model nor the checks`,
    under: `schemas/${name}`,
    never: ABOVE_THE_VOCABULARY,
  })),
  {
    title: "schemas/ imports no other floor",
    under: "schemas/",
    never: /^(?:generators|runtime|scripts)\//,
  },
  {
    title: "generators/ imports neither the runtime nor the command line",
    under: "generators/",
    never: /^(?:runtime|scripts)\//,
  },
  {
    title: "runtime/ imports neither generators nor the command line",
    under: "runtime/",
    never: /^(?:generators|scripts)\//,
  },
  {
    title: "runtime/ imports names and keywords only of schemas/",
    under: "runtime/",
    never: /^schemas\//,
    but: /^schemas\/(?:naming\/|keywords\.ts$)/,
  },
  {
    title: "schemas/model/ leaves authors' values to from-author/",
    under: "schemas/model/",
    never: /^@sinclair\/typebox|^schemas\/authoring\//,
  },
  {
    title: "runtime/ beside the client does without it: validating a record loads no HTTP",
    under: "runtime/",
    never: /^runtime\/client\//,
  },
  {
    title: "HTTP is known to runtime/client/, and to signing in",
    under: "",
    never: /^(?:got|oauth4webapi|node:https?|undici)$/,
  },
  { title: "handlebars is known to one file", under: "", never: /^handlebars/ },
  { title: "SQLite is known to the driver of the embedded store", under: "", never: /^libsql/ },
  {
    title: "the cache writer knows the ports of a store, and no driver",
    under: "runtime/cache-writer/",
    never: /^(?:libsql|runtime\/store\/sqlite)/,
  },
  {
    title: "the action processor knows the ports of a store, and no driver",
    under: "runtime/action-processor/",
    never: /^(?:libsql|runtime\/store\/sqlite)/,
  },
  {
    title: "what compares connectors, and loads ajv, is known to its own folders",
    under: "",
    never: /^(?:ajv$|schemas\/compatibility\/compare-)/,
  },
  {
    title: "the process, the command line's parser and the bundler are known to scripts/",
    under: "",
    never: /^(?:esbuild|yargs|node:process|process|node:child_process)$/,
  },
];

const EXCEPTIONS: readonly { readonly path: RegExp; readonly imports: RegExp }[] = [
  { path: /^schemas\/model\/from-author\//, imports: /^@sinclair\/typebox|^schemas\/authoring\// },
  { path: /^runtime\/client\//, imports: /^runtime\/client\/|^(?:got|oauth4webapi|node:https?)$/ },
  { path: /^scripts\/sign-in\//, imports: /^(?:oauth4webapi|node:http)$/ },
  { path: /^generators\/render\.ts$/, imports: /^handlebars/ },
  { path: /^runtime\/store\/sqlite\//, imports: /^libsql/ },
  { path: /^(?:schemas\/compatibility|scripts\/against)\//, imports: /^(?:ajv$|schemas\/compatibility\/)/ },
  { path: /^scripts\//, imports: /^(?:esbuild|yargs|node:process|process|node:child_process)$/ },
];

describe("the floors of the house", () => {
  const sources = FLOORS.flatMap(sourcesIn);

  it("are seen by this test", () => {
    expect(sources.map(({ path }) => path)).to.include.members([
      "schemas/index.ts",
      "generators/render.ts",
      "runtime/index.ts",
    ]);
    const builder = sources.find(({ path }) => path === "schemas/model/from-author/build-connector.ts");
    expect(builder?.imports).to.include("schemas/authoring/definition.ts");
    const bad = read("schemas/bad.ts", 'export * from "x"; export default process.argv; import("esbuild");');
    expect(bad).to.include({ exportsAll: true, exportsDefault: true, namesProcess: true });
    expect(bad.imports).to.include("esbuild");
  });

  for (const rule of RULES) {
    it(rule.title, () => {
      const wrong = sources
        .filter(({ path }) => path.startsWith(rule.under))
        .flatMap(({ path, imports }) =>
          imports
            .filter((name) => rule.never.test(name) && rule.but?.test(name) !== true)
            .filter((name) => !EXCEPTIONS.some((one) => one.path.test(path) && one.imports.test(name)))
            .map((name) => `${path} imports ${name}`),
        );
      expect(wrong).to.deep.equal([]);
    });
  }

  it("names process in scripts/ only", () => {
    const named = sources.filter(({ path, namesProcess }) => namesProcess && !path.startsWith("scripts/"));
    expect(named.map(({ path }) => path)).to.deep.equal([]);
  });

  it("has named exports only", () => {
    const wrong = sources.filter(({ exportsAll, exportsDefault }) => exportsAll || exportsDefault);
    expect(wrong.map(({ path }) => path)).to.deep.equal([]);
  });
});

function sourcesIn(floor: string): readonly Source[] {
  const root = inRepository("");
  return readdirSync(inRepository(floor), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, `${entry.parentPath}/${entry.name}`).split(sep).join("/"))
    .map((path) => read(path, readFileSync(inRepository(path), "utf8")));
}

function read(path: string, text: string): Source {
  const { program, tokens } = parse(text, { sourceType: "module", plugins: ["typescript"], tokens: true });
  const specifiers = program.body.flatMap((statement) => {
    const declares = statement.type === "ImportDeclaration" || statement.type.startsWith("Export");
    const source = declares && "source" in statement ? statement.source : undefined;
    return source?.type === "StringLiteral" ? [source.value] : [];
  });
  const dynamic = [...text.matchAll(/\bimport\(\s*["']([^"']+)["']/g)].map(([, name]) => name ?? "");
  return {
    path,
    imports: [...specifiers, ...dynamic].map((specifier) => resolve(path, specifier)),
    exportsAll: program.body.some(({ type }) => type === "ExportAllDeclaration"),
    exportsDefault: program.body.some(({ type }) => type === "ExportDefaultDeclaration"),
    namesProcess: (tokens ?? []).some((token) => token.value === "process" && token.type?.label === "name"),
  };
}

function resolve(path: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  return posix.join(posix.dirname(path), specifier).replace(/\.js$/, ".ts");
}
