/** A new connector's project, in a folder that may have a README, a .gitignore and a package.json. */
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { GeneratedFile } from "../generated-file.js";
import { REGISTRATION_CONFIGURATION, ROOT_MODULE } from "../layout.js";
import { render } from "../render.js";
import type { SourceFiles } from "../source-edits/index.js";
import { stringLiteral } from "../typescript/literals.js";
import { displayNameProblems, keyProblems } from "./names.js";
import { authorProject, withMissingMembers } from "./project-files.js";
import { namesInCode, type Scaffold, scaffoldFile } from "./scaffold.js";

/** What a new connector is made from. */
export interface NewConnector {
  /** Display name. */
  readonly name: string;
  /** The key of the connector: the first part of every data path. */
  readonly key: string;
  /** The version of this package. */
  readonly version: string;
}

export function connectorScaffold({ name, key, version }: NewConnector, files: SourceFiles): Scaffold {
  const view = {
    ...namesInCode(name),
    key: stringLiteral(key),
    description: stringLiteral(`Data objects and actions of ${name}.`),
  };
  const made = [
    scaffoldFile(ROOT_MODULE, render("connector.ts", view)),
    scaffoldFile(REGISTRATION_CONFIGURATION.file, render("registration-configuration.ts", {})),
    ...authorProject({ title: name, key }, version).map((file) => withPresentText(file, files)),
  ];
  return {
    files: made,
    diagnostics: [
      ...displayNameProblems("name of a connector", name),
      ...keyProblems("key of a connector", key),
      ...conflicts(made, files),
    ],
  };
}

/** What exists and can be joined: a .gitignore, of which one line keeps secrets out of git, and a package.json. */
function withPresentText(file: GeneratedFile, files: SourceFiles): GeneratedFile {
  const present = files.text(file.path);
  const join = Object.hasOwn(JOINED, file.path) ? JOINED[file.path] : undefined;
  const content = present === undefined ? undefined : join?.(present, file.content);
  if (present === undefined || content === undefined) return file;
  return { path: file.path, content, ownership: "edited", read: present };
}

/** By path: the text that is there with what the project needs; undefined if it can't be joined. */
const JOINED: Readonly<Record<string, (present: string, wanted: string) => string | undefined>> = {
  ".gitignore": withMissingLines,
  "package.json": withMissingMembers,
};

function withMissingLines(present: string, wanted: string): string {
  const eol = present.includes("\r\n") ? "\r\n" : "\n";
  const lines = present.split(/\r?\n/);
  const missing = wanted.split("\n").filter((line) => line !== "" && !lines.includes(line));
  const gap = present === "" || present.endsWith("\n") ? "" : eol;
  return `${present}${missing.length === 0 ? "" : gap}${missing.map((line) => line + eol).join("")}`;
}

/** Every file but the README must be new: the project would not work with other contents. */
function conflicts(made: readonly GeneratedFile[], files: SourceFiles): readonly Diagnostic[] {
  return made
    .filter(({ path, ownership }) => ownership === "scaffold" && path !== "README.md")
    .filter(({ path, content }) => ![undefined, content].includes(files.text(path)))
    .map(({ path }) => diagnostic("file-exists", { file: path }, { path }));
}
