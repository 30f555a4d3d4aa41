/** A new connector's project, in a folder that may hold a README and what git ignores. */
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { authorProject } from "../author-project.js";
import type { GeneratedFile } from "../generated-file.js";
import { render } from "../render.js";
import type { SourceFiles } from "../source-edits/index.js";
import { stringLiteral } from "../typescript/literals.js";
import { displayNameProblems, keyProblems } from "./name-checks.js";
import { type Scaffold, scaffoldFile } from "./scaffold.js";

export interface NewConnector {
  /** Display name. */
  readonly name: string;
  readonly key: string;
  /** The version of this package. */
  readonly version: string;
}

export function connectorScaffold({ name, key, version }: NewConnector, files: SourceFiles): Scaffold {
  const view = {
    name: stringLiteral(name),
    key: stringLiteral(key),
    description: stringLiteral(`Data objects and actions of ${name}.`),
  };
  const made = [
    scaffoldFile("connector.ts", render("connector.ts", view)),
    scaffoldFile("schemas/registration-configuration.ts", render("registration-configuration.ts", {})),
    ...authorProject({ name, key }, version).map((file) => withPresentLines(file, files)),
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

/** A .gitignore that is there gets the lines that it lacks: one of them keeps secrets out of git. */
function withPresentLines(file: GeneratedFile, files: SourceFiles): GeneratedFile {
  const present = files.text(file.path);
  if (file.path !== ".gitignore" || present === undefined) return file;
  const eol = present.includes("\r\n") ? "\r\n" : "\n";
  const lines = present.split(/\r?\n/);
  const missing = file.content.split("\n").filter((line) => line !== "" && !lines.includes(line));
  const gap = present === "" || present.endsWith("\n") ? "" : eol;
  const content = `${present}${missing.length === 0 ? "" : gap}${missing.map((line) => line + eol).join("")}`;
  return { path: file.path, content, ownership: "edited", read: present };
}

/** A README is anybody's; every other file must be new, for the project is made of what it says. */
function conflicts(made: readonly GeneratedFile[], files: SourceFiles): readonly Diagnostic[] {
  return made
    .filter(({ path, ownership }) => ownership === "scaffold" && path !== "README.md")
    .filter(({ path, content }) => ![undefined, content].includes(files.text(path)))
    .map(({ path }) => diagnostic("file-exists", { file: path }, { path }));
}
