/** Modules for tests of the checks of code. */

import type { ConnectorModel, Diagnostic } from "../../schemas/model/index.js";
import { checkProject } from "../../scripts/project-checks/check-project.js";

/** What is found in one module of a project; `line:column code` with the author's reason where it is silenced. */
export function foundIn(path: string, text: string, model?: ConnectorModel): readonly string[] {
  return checkProject({ files: [{ path, file: `/${path}`, text }], model }).map(shown);
}

function shown({ line, column, code, silenced }: Diagnostic): string {
  return `${line}:${column} ${code}${silenced === undefined ? "" : ` (${silenced})`}`;
}

export const READER = "modules/app/site/site-reader.ts";
export const CLIENT = "client/api-client.ts";
