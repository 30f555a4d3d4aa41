/** The project files of an author beside the schema modules: what makes a project install, type-check and run. */
import { applyEdits, type JSONPath, modify } from "jsonc-parser";
import { isJsonObject } from "../../schemas/json.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { fileName } from "../../schemas/naming/identifiers.js";
import type { GeneratedFile } from "../generated-file.js";
import { render } from "../render.js";

/** `package.json`, `tsconfig.json`, `.gitignore` and a README; `version` is that of this package. */
export function authorProject(
  model: Pick<ConnectorModel, "title" | "key">,
  version: string,
): readonly GeneratedFile[] {
  const name = fileName(model.key || model.title);
  const manifest = {
    name: `${name}-connector`,
    version: "1.0.0",
    private: true,
    type: "module",
    scripts: {
      gen: "connectorcli gen",
      extract: "connectorcli extract",
      check: "connectorcli check",
      // yarn 1 has a command of its own called check, which never looks here; this name is free everywhere.
      verify: "connectorcli gen --check && connectorcli extract --check && connectorcli check --strict",
      test: "connectorcli test replay && connectorcli test acceptance",
      "test:connection": "connectorcli test connection",
      typecheck: "tsc",
    },
    // What is deployed is built: nothing of it is installed there.
    devDependencies: {
      "@sinclair/typebox": "^0.34.0",
      connectorcli: `^${version}`,
      typescript: "^5.9.0",
    },
  };
  return [
    scaffold("package.json", `${JSON.stringify(manifest, undefined, 2)}\n`),
    scaffold("tsconfig.json", render("author-tsconfig.json", {})),
    scaffold(".gitignore", "node_modules/\ndist/\ntest-settings.json\n.connectorcli/\n"),
    scaffold(".github/workflows/connector.yml", render("author-workflow.yml", {})),
    scaffold("README.md", render("author-readme.md", { name: manifest.name })),
  ];
}

/** The script that authors have of their own; it stays. */
const OWN_SCRIPT = "test";

/** What `npm init` writes for that script, which tests nothing. */
const NO_TESTS = /no test specified/;

/**
 * The package.json `present` with the scripts, dependencies and the type of `wanted` that it lacks. Returns undefined if
 * it is no object, or has a script of such a name that does something else. Tests of the author's own stay.
 */
export function withMissingMembers(present: string, wanted: string): string | undefined {
  const own = readManifest(present);
  const { type, scripts, devDependencies } = JSON.parse(wanted) as Manifest;
  if (own === undefined) return undefined;
  const isOther = ([name, command]: readonly [string, string]) =>
    name !== OWN_SCRIPT && ![undefined, command].includes(own.scripts?.[name]);
  if (Object.entries(scripts).some(isOther)) return undefined;
  const isInstalled = (name: string) =>
    [own.dependencies, own.devDependencies].some((list) => list !== undefined && Object.hasOwn(list, name));
  const isScript = (name: string) => {
    const script = own.scripts?.[name];
    return script !== undefined && !(name === OWN_SCRIPT && NO_TESTS.test(script));
  };
  const members: readonly (readonly [place: JSONPath, value: string])[] = [
    // What npm writes by itself is "commonjs"; the modules of a connector are not.
    ...(own.type === type ? [] : [[["type"], type] satisfies readonly [JSONPath, string]]),
    ...missingIn("scripts", scripts, isScript),
    ...missingIn("devDependencies", devDependencies, isInstalled),
  ];
  const formattingOptions = { ...indentOf(present), eol: present.includes("\r\n") ? "\r\n" : "\n" };
  return members.reduce(
    (text, [place, value]) => applyEdits(text, modify(text, [...place], value, { formattingOptions })),
    present,
  );
}

interface Manifest {
  readonly type: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** An author may have everything among the dependencies. */
interface PresentManifest extends Partial<Manifest> {
  readonly dependencies?: Readonly<Record<string, string>>;
}

function missingIn(
  section: string,
  wanted: Readonly<Record<string, string>>,
  isThere: (name: string) => boolean,
): readonly (readonly [JSONPath, string])[] {
  return Object.entries(wanted).flatMap(([name, value]) => (isThere(name) ? [] : [[[section, name], value]]));
}

/** The members of a package.json; undefined if it can't be read, or a section that is needed is no object. */
function readManifest(text: string): PresentManifest | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value)) return undefined;
  const sections = [value["scripts"], value["dependencies"], value["devDependencies"]];
  return sections.every((section) => section === undefined || isJsonObject(section)) ? value : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function indentOf(text: string): { readonly insertSpaces: boolean; readonly tabSize: number } {
  const [, indent = "  "] = /^([ \t]+)"/m.exec(text) ?? [];
  return indent.startsWith("\t")
    ? { insertSpaces: false, tabSize: 4 }
    : { insertSpaces: true, tabSize: indent.length };
}

function scaffold(path: string, content: string): GeneratedFile {
  return { path, content, ownership: "scaffold" };
}
