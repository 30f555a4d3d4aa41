/** Every `ts` block of README.md and docs/, and every `@example` of a doc comment, compiles in an author's project. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect } from "chai";
import type { Transport } from "../runtime/client/index.js";
import { loadModules, type SourceFile, withProjects } from "./support/author-project.js";
import {
  commentSnippets,
  entrySurroundings,
  exampleErrors,
  exportedNames,
  pageFiles,
  pageSnippets,
  type Surroundings,
  snippetModule,
} from "./support/documentation.js";
import { answerJson, clientAt, closeServers, serve } from "./support/loopback.js";
import { rejection } from "./support/promises.js";
import { inRepository, SLOW_TEST_MS } from "./support/repository.js";

/** `test/tutorial.test.ts` follows the tutorial: it writes its files, and compiles and runs them. */
const FOLLOWED = "docs/tutorial.md";

const PAGES = [
  "README.md",
  ...readdirSync(inRepository("docs"))
    .map((name) => `docs/${name}`)
    .filter((page) => page.endsWith(".md") && page !== FOLLOWED),
];

/** The entries of the package. What an example uses without importing it comes from the first one that has it. */
const ENTRIES: readonly Surroundings[] = Object.entries<{ readonly types?: string }>(
  JSON.parse(readFileSync(inRepository("package.json"), "utf8")).exports,
).flatMap(([entry, { types }]) => {
  const source = types?.replace("./dist/types/", "").replace(/\.d\.ts$/, ".ts");
  return source === undefined ? [] : [entrySurroundings(entry.replace(".", "connectorcli"), source)];
});

/** What examples take for granted: a project of the reader's. */
const AUTHOR = `
import type { ConnectorOptions, ModuleDefinition } from "connectorcli";
import type { HttpClient } from "connectorcli/client";
import type { StartedConnector } from "connectorcli/host";
import type { ConnectionContainer, ConnectorRegistration, DeclaredReader } from "connectorcli/runtime";
import type { ApiClient } from "./client/api-client.js";
import type { ProjectJson } from "./generated/app/project.js";

export interface OAuth2 {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
}
export { ApiClient } from "./client/api-client.js";
export { CustomAuth } from "./generated/connections/custom-auth.js";
export { CreateProject } from "./generated/app/project.js";
export { Project } from "./generated/app/project.js";
export { Timesheet } from "./generated/app/timesheet.js";
export type { ProjectJson } from "./generated/app/project.js";
export { customAuthHandler } from "./client/custom-auth-handler.js";
export declare const projectReader: DeclaredReader<ProjectJson>;
export declare const People: ModuleDefinition;
export declare const about: Omit<ConnectorOptions, "modules">;
export declare const http: HttpClient;
export declare const client: ApiClient;
export declare const connection: { readonly apiToken: string; readonly apiKey: string; readonly userName: string; readonly password: string };
export declare const container: ConnectionContainer;
export declare const registration: ConnectorRegistration<ApiClient>;
export declare const connector: StartedConnector<ApiClient>;
export declare const controller: AbortController;
export declare const signal: AbortSignal;
export declare const name: string;
export declare const token: string;
`;

const OWN = {
  from: "./author.js",
  values: [...AUTHOR.matchAll(/export (?:declare const (\w+)|\{ (\w+) \})/g)].map(
    ([, made, imported = ""]) => made ?? imported,
  ),
  types: [...AUTHOR.matchAll(/export (?:interface |type \{ )(\w+)/g)].map(([, name = ""]) => name),
};

/** Sources with doc comments; no entry of the package has the edits of sources. */
const SOURCES = ["schemas", "generators", "runtime", "scripts"].flatMap((folder) =>
  readdirSync(inRepository(folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.startsWith("source-edits"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`),
);

/** The page that defines what examples of the vocabulary speak of. */
const VOCABULARY_PAGE = "docs/authoring.md";

/** A project for the files of each page that has some; what they import and the page does not show is of the example. */
function projectsOfPages(): readonly (readonly SourceFile[])[] {
  return PAGES.map(pageFiles)
    .filter((files) => files.length > 0)
    .map(withImports);
}

/** One project with every example that is no file of its own, and what examples take for granted. */
function projectOfSnippets(): readonly SourceFile[] {
  const snippets = [
    ...PAGES.flatMap((page) => modulesOf(page, pageSnippets(page), page)),
    ...SOURCES.flatMap((source) =>
      modulesOf(source, commentSnippets(source), source.startsWith("schemas/") ? VOCABULARY_PAGE : undefined),
    ),
  ];
  return [
    ...withImports([{ path: "author.ts", content: AUTHOR }, ...pageFiles("docs/client.md")]),
    ...snippets,
  ];
}

/** The examples of `source` as modules, which see what the examples of `page` export, if there is one. */
function modulesOf(source: string, examples: readonly string[], page?: string): readonly SourceFile[] {
  const others = (page === undefined ? [] : pageSnippets(page)).map((code, index) => ({
    ...exportedNames(code),
    from: `./${moduleName(page ?? "", index)}.js`,
  }));
  return examples.map((code, index) => {
    const path = moduleName(source, index);
    const surroundings = [...others.filter(({ from }) => from !== `./${path}.js`), OWN, ...ENTRIES];
    return { path: `${path}.ts`, content: snippetModule(code, surroundings) };
  });
}

function moduleName(source: string, index: number): string {
  return `${source.replace(/\W/g, "-")}-${index}`;
}

/** `files`, and those of the example project that they import, and those that these import. */
function withImports(files: readonly SourceFile[]): readonly SourceFile[] {
  const all = new Map(files.map((file) => [file.path, file]));
  for (const { path, content } of all.values()) {
    for (const [, specifier = ""] of content.matchAll(/ from "(\.[^"]+)\.js"/g)) {
      const imported = `${posix.join(posix.dirname(path), specifier)}.ts`;
      const example = inRepository(`examples/projects-api/${imported}`);
      if (all.has(imported) || !existsSync(example)) continue;
      all.set(imported, { path: imported, content: readFileSync(example, "utf8") });
    }
  }
  return [...all.values()];
}

describe("the examples of README.md, docs/ and doc comments", () => {
  it("compile in an author's project", async () => {
    const projects = [...projectsOfPages(), projectOfSnippets()];
    expect(projects.flat().length).to.be.greaterThan(80);
    expect(await exampleErrors(projects)).to.deep.equal([]);
  }).timeout(SLOW_TEST_MS);

  it("show every entry of the package", () => {
    const examples = PAGES.flatMap((page) => [
      ...pageFiles(page).map(({ content }) => content),
      ...pageSnippets(page),
    ]);
    const shown = ENTRIES.filter(({ from }) => examples.some((code) => code.includes(`from "${from}"`)));
    const names = ENTRIES.map(({ from }) => from).filter((name) => name !== "connectorcli/codegen");
    expect(shown.map(({ from }) => from)).to.deep.equal(names);
  });
});

describe("the table of entries in README.md", () => {
  it("lists all of them", () => {
    const rows = [
      ...readFileSync(inRepository("README.md"), "utf8").matchAll(/^\| `(connectorcli[\w/]*)` +\|/gm),
    ];
    expect(rows.map(([, name]) => name)).to.have.members(ENTRIES.map(({ from }) => from));
  });
});

describe("the transports of docs/client.md", () => {
  afterEach(closeServers);

  it("record calls and answer them later without a network", async () => {
    const file = pageFiles("docs/client.md").find(({ path }) => path === "host/recording.ts");
    if (file === undefined) throw new Error("the page has no such file");
    const { recorder, replayer } = await withProjects([[file]], async (_, [folder]) => {
      const [functions] = await loadModules([`${folder}/host/recording.ts`]);
      return functions as {
        recorder(recording: object[]): Transport;
        replayer(recording: readonly object[]): Transport;
      };
    });
    const server = await serve(({ path }, response) =>
      answerJson(response, { path }, path === "/gone" ? 404 : 200),
    );
    const calls = async (transport: Transport) => {
      const http = clientAt(server.origin, { host: { transport } });
      const answers = [await http.get("a"), await http.get("b"), await http.get("gone")];
      return answers.map(({ statusCode, result }) => ({ statusCode, result }));
    };
    const recording: object[] = [];
    const recorded = await calls(recorder(recording));
    await server.close();
    const restored = JSON.parse(JSON.stringify(recording)) as object[];
    expect(await calls(replayer(restored))).to.deep.equal(recorded);
    expect(recorded).to.deep.equal([
      { statusCode: 200, result: { path: "/a" } },
      { statusCode: 200, result: { path: "/b" } },
      { statusCode: 404, result: null },
    ]);
    const http = clientAt(server.origin, { host: { transport: replayer([]) } });
    expect(await rejection(http.get("a"))).to.have.property(
      "message",
      `Nothing is recorded for GET ${server.origin}/a`,
    );
  });
});
