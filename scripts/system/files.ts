/** Reads files of a project that have a form, and says in findings what can't be read. */
import { statSync } from "node:fs";
import path from "node:path";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { readJson } from "../../schemas/formats/read-json.js";
import { BYTES_PER_MB, readText, textAt } from "./read-text.js";

const MAX_CONNECTOR_JSON_MB = 64;

/** The finding that a file can't be read. */
export function unreadableFinding(file: string, error: unknown): Diagnostic {
  const reason = error instanceof Error ? error.message : String(error);
  return diagnostic("file-missing", { file }, { path: path.basename(file), reason });
}

/** A project's package.json: its text, which is empty if there is none or none that can be read. */
export interface PackageText {
  readonly file: string;
  readonly text: string;
  /** Why it can't be read; none if there is no such file. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the package.json of the project in `root`. What is nested too deep is refused: parsers overflow there. */
export function readPackageText(root: string): PackageText {
  const file = path.join(root, "package.json");
  try {
    const text = textAt(file) ?? "";
    const { diagnostics } = readJson(text, file, { allowComments: true });
    const tooDeep = diagnostics.filter(({ code }) => code === "json-too-deep");
    return { file, text: tooDeep.length > 0 ? "" : text, diagnostics: tooDeep };
  } catch (error) {
    return { file, text: "", diagnostics: [unreadableFinding(file, error)] };
  }
}

/** The text of a file that should be a connector.json, or a finding that says why it can't be read. */
export function readConnectorJsonText(file: string): string | Diagnostic {
  try {
    const size = statSync(file).size / BYTES_PER_MB;
    if (size > MAX_CONNECTOR_JSON_MB)
      return diagnostic("file-too-large", { file }, { size: Math.ceil(size), limit: MAX_CONNECTOR_JSON_MB });
    return readText(file, MAX_CONNECTOR_JSON_MB);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return diagnostic("file-missing", { file }, { path: file, reason });
  }
}
