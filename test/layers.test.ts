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
  ...["authoring/", "naming/", "diagnostics/", "formats/", "keywords.ts", "json.ts"].map((name) => ({
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
    title: "runtime/ imports names, keywords and JSON only of schemas/",
    under: "runtime/",
    never: /^schemas\//,
    but: /^schemas\/(?:naming\/|(?:keywords|json)\.ts$)/,
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
    title: "HTTP is known to runtime/client/, to signing in, to the console and to the fake target system",
    under: "",
    never: /^(?:got|oauth4webapi|node:https?|undici)$/,
  },
  {
    title: "what is for tests only is known to its own folder",
    under: "",
    never: /^(?:json-schema-faker|oidc-provider)$|^runtime\/testing\//,
  },
  { title: "handlebars is known to one file", under: "", never: /^handlebars/ },
  { title: "YAML is known to one file", under: "", never: /^yaml$/ },
  { title: "JSONPath is known to one file", under: "", never: /^json-p3$/ },
  { title: "SQLite is known to the driver of the embedded store", under: "", never: /^libsql/ },
  { title: "graphile-worker is known to the driver of its engine", under: "", never: /^graphile-worker$/ },
  { title: "PostgreSQL is known to the driver of its store", under: "", never: /^pg(?:-copy-streams)?$/ },
  {
    title: "the cache writer knows the ports of a store, and no driver",
    under: "runtime/cache-writer/",
    never: /^(?:libsql|pg|runtime\/store\/(?:sqlite|postgres)\/)/,
  },
  ...["cache-writer/", "action-processor/", "store/", "registration/", "records/", "log/"].map((name) => ({
    title: `runtime/${name} does without the host, which starts it`,
    under: `runtime/${name}`,
    never: /^runtime\/host\//,
  })),
  {
    title: "the ports of a store and what drivers share know no driver",
    under: "runtime/store/",
    never: /^runtime\/store\/(?:sqlite|postgres)\//,
  },
  {
    title: "the action processor knows the ports of a store, and no driver",
    under: "runtime/action-processor/",
    never: /^(?:libsql|pg|runtime\/store\/(?:sqlite|postgres)\/)/,
  },
  {
    title: "what compares connectors, and loads ajv, is known to its own folders",
    under: "",
    never: /^(?:ajv$|schemas\/compatibility\/compare-)/,
  },
  {
    title: "what generated code imports is there for generated code only",
    under: "",
    never: /^runtime\/codegen\/index\.ts$/,
  },
  {
    title: "the process, the command line's parser and the bundler are known to scripts/",
    under: "",
    never: /^(?:esbuild|yargs|node:process|process|node:child_process)$/,
  },
  {
    title: "scripts/ below the commands knows no arguments, prints nothing and knows no command",
    under: "scripts/",
    never: /^scripts\/(?:commands|command-line|findings)\//,
  },
  {
    title: "the workbench does not know where commands print",
    under: "scripts/workbench/",
    never: /^scripts\/(?:commands|command-line|findings)\/|^(?:yargs|@inquirer\/|cli-progress$)/,
  },
];

const EXCEPTIONS: readonly { readonly path: RegExp; readonly imports: RegExp }[] = [
  { path: /^schemas\/model\/from-author\//, imports: /^@sinclair\/typebox|^schemas\/authoring\// },
  { path: /^runtime\/client\//, imports: /^runtime\/client\/|^(?:got|oauth4webapi|node:https?)$/ },
  // A declaration is read over HTTP; who imports `connectorcli/runtime` for it has the client anyway.
  { path: /^runtime\/declared\//, imports: /^runtime\/client\// },
  { path: /^scripts\/sign-in\//, imports: /^(?:oauth4webapi|node:http)$/ },
  { path: /^scripts\/console\/(?:server|request-guard)\.ts$/, imports: /^node:http$/ },
  { path: /^scripts\/worker\//, imports: /^node:http$/ },
  {
    path: /^runtime\/(?:testing|entries)\//,
    imports: /^(?:node:http|json-schema-faker|oidc-provider)$|^runtime\/testing\//,
  },
  // What is replayed ends as it did: also in an error of the network.
  { path: /^runtime\/testing\//, imports: /^runtime\/client\/errors\.ts$/ },
  // Leaves: where a fake is, and the names of faults and scenarios.
  {
    path: /^scripts\//,
    imports: /^runtime\/testing\/(?:fake-transport|fault-names|acceptance\/scenario-names)\.ts$/,
  },
  {
    path: /^scripts\/(?:commands|command-line|findings)\/|^scripts\/connectorcli\.ts$/,
    imports: /^scripts\/(?:commands|command-line|findings)\//,
  },
  { path: /^generators\/render\.ts$/, imports: /^handlebars/ },
  { path: /^generators\/openapi\/reading\/document-text\.ts$/, imports: /^yaml$/ },
  { path: /^generators\/openapi\/reading\/overlays\.ts$/, imports: /^json-p3$/ },
  { path: /^runtime\/store\/sqlite\//, imports: /^libsql|^runtime\/store\/sqlite\// },
  { path: /^runtime\/store\/postgres\//, imports: /^pg|^runtime\/store\/postgres\// },
  { path: /^runtime\/engine\/postgres-engine\.ts$/, imports: /^graphile-worker$/ },
  {
    path: /^(?:schemas\/compatibility|scripts\/(?:comparison|workbench))\//,
    imports: /^(?:ajv$|schemas\/compatibility\/)/,
  },
  { path: /^scripts\//, imports: /^(?:esbuild|yargs|node:process|process|node:child_process)$/ },
];

describe("the floors of the house", () => {
  const sources = FLOORS.flatMap(sourcesIn);

  it("are seen by this test", () => {
    expect(sources.map(({ path }) => path)).to.include.members([
      "schemas/entries/vocabulary.ts",
      "generators/render.ts",
      "runtime/entries/runtime.ts",
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
            .filter(
              (name) =>
                !EXCEPTIONS.some((exception) => exception.path.test(path) && exception.imports.test(name)),
            )
            .map((name) => `${path} imports ${name}`),
        );
      expect(wrong).to.deep.equal([]);
    });
  }

  it("has no circle of imports between files, types included", () => {
    expect(circlesIn(importsByFile(sources))).to.deep.equal([]);
  });

  it("has no circle of imports between folders", () => {
    expect(circlesIn(importsByFolder(sources))).to.deep.equal([]);
  });

  it("names process in scripts/ only", () => {
    const named = sources.filter(({ path, namesProcess }) => namesProcess && !path.startsWith("scripts/"));
    expect(named.map(({ path }) => path)).to.deep.equal([]);
  });

  it("has named exports only", () => {
    const wrong = sources.filter(({ exportsAll, exportsDefault }) => exportsAll || exportsDefault);
    expect(wrong.map(({ path }) => path)).to.deep.equal([]);
  });
});

describe("circles of imports", () => {
  it("are found between files", () => {
    const sources = [
      read("a/one.ts", 'import type { Two } from "./two.js";'),
      read("a/two.ts", 'import { three } from "../b/three.js";'),
      read("b/three.ts", 'export { one } from "../a/one.js";'),
      read("b/four.ts", 'import { one } from "../a/one.js"; import "chai";'),
    ];
    expect(circlesIn(importsByFile(sources))).to.deep.equal([["a/one.ts", "a/two.ts", "b/three.ts"]]);
  });

  it("are found between folders whose files import in no circle", () => {
    const sources = [
      read("a/one.ts", 'import { two } from "../b/two.js";'),
      read("b/two.ts", 'import { three } from "./three.js";'),
      read("b/three.ts", 'type Four = import("../a/four.js").Four;'),
      read("a/four.ts", ""),
    ];
    expect(circlesIn(importsByFile(sources))).to.deep.equal([]);
    expect(circlesIn(importsByFolder(sources))).to.deep.equal([["a", "b"]]);
  });
});

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function importsByFile(sources: readonly Source[]): Graph {
  return new Map(sources.map(({ path, imports }) => [path, new Set(imports)]));
}

/** A file that stands beside folders counts as a file of the folder that they are in. */
function importsByFolder(sources: readonly Source[]): Graph {
  const paths = new Set(sources.map(({ path }) => path));
  const folders = new Map<string, Set<string>>();
  for (const { path, imports } of sources) {
    const folder = posix.dirname(path);
    const imported = folders.get(folder) ?? new Set();
    folders.set(folder, imported);
    for (const other of imports) {
      if (paths.has(other) && posix.dirname(other) !== folder) imported.add(posix.dirname(other));
    }
  }
  return folders;
}

/** Groups of nodes that reach each other, each group sorted. */
function circlesIn(graph: Graph): readonly (readonly string[])[] {
  const reachable = new Map([...graph.keys()].map((node) => [node, nodesReachedFrom(node, graph)]));
  const circles = [...graph.keys()]
    .map((node) => [...(reachable.get(node) ?? [])].filter((other) => reachable.get(other)?.has(node)))
    .filter((circle) => circle.length > 0)
    .map((circle) => circle.sort());
  return [...new Map(circles.map((circle) => [circle.join(" "), circle])).values()];
}

/** `start` is among them if a way leads back to it. */
function nodesReachedFrom(start: string, graph: Graph): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...(graph.get(start) ?? [])];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (reached.has(node)) continue;
    reached.add(node);
    waiting.push(...(graph.get(node) ?? []));
  }
  return reached;
}

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
