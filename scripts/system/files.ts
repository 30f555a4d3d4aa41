/** Reads files of a project. */
import { readFileSync, statSync } from "node:fs";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";

const MAX_CONNECTOR_JSON_MB = 64;

/** The text of the file, or undefined if there is none that can be read. */
export function readTextIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** The text of a file that should be a connector.json, or a finding that says why it can't be read. */
export function readConnectorJsonText(file: string): string | Diagnostic {
  try {
    const size = statSync(file).size / 1024 / 1024;
    if (size > MAX_CONNECTOR_JSON_MB)
      return diagnostic("file-too-large", { file }, { size: Math.ceil(size), limit: MAX_CONNECTOR_JSON_MB });
    return readFileSync(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return diagnostic("file-missing", { file }, { path: file, reason });
  }
}
