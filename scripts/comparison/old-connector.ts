/** The connector that another one is compared with: a file, or what git has of it. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { CONNECTOR_JSON } from "../../generators/layout.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { JsonDocument } from "../../schemas/formats/read-json.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { readConnectorJson } from "../../schemas/model/from-connector-json/read-connector.js";
import { readConnectorJsonText } from "../system/files.js";

export interface OldConnector {
  readonly model: ConnectorModel;
  readonly document: JsonDocument;
  /** What findings call the file: its path, or `origin/main:connector.json`. */
  readonly file: string;
}

/** The old connector, or the findings that say why there is none. */
export type OldConnectorResult =
  | { readonly connector: OldConnector; readonly diagnostics: readonly [] }
  | { readonly connector?: undefined; readonly diagnostics: readonly Diagnostic[] };

/** `reference` is a file if there is one of that name below `cwd`, else a git reference of the project in `folder`. */
export function readOldConnector(
  reference: string,
  { folder, cwd }: { readonly folder: string; readonly cwd: string },
): OldConnectorResult {
  const file = path.resolve(cwd, reference);
  if (existsSync(file) || looksLikeFile(reference)) return readConnector(readConnectorJsonText(file), file);
  const text = readAtRevision(reference, folder, CONNECTOR_JSON);
  if (text !== null) return readConnector(text, `${reference}:${CONNECTOR_JSON}`);
  return {
    diagnostics: [diagnostic("against-absent", { file: folder }, { path: CONNECTOR_JSON, reference })],
  };
}

/** A name that git would not take either is meant as a file. */
function looksLikeFile(reference: string): boolean {
  return /\.json$/i.test(reference) || reference.startsWith(".") || path.isAbsolute(reference);
}

function readConnector(text: string | Diagnostic, file: string): OldConnectorResult {
  if (typeof text !== "string") return { diagnostics: [text] };
  const { diagnostics, ...found } = readConnectorJson(text, file);
  return found.model === undefined ? { diagnostics } : { connector: { ...found, file }, diagnostics: [] };
}

const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Reads `file` (relative to `folder`) at a git revision. Null if the revision does not have it; a finding if git fails. */
export function readAtRevision(reference: string, folder: string, file: string): string | null | Diagnostic {
  const place = { file: folder };
  const insideCheck = runGit(folder, ["rev-parse", "--is-inside-work-tree"]);
  if (insideCheck.error !== undefined) {
    return diagnostic("against-no-git", place, { reference, reason: insideCheck.error.message });
  }
  if (insideCheck.status !== 0) return diagnostic("against-no-repository", place, { reference });
  const known = runGit(folder, [
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${reference}^{commit}`,
  ]);
  if (known.status !== 0) return diagnostic("against-unknown", place, { reference });
  const commit = known.stdout.trim();
  const object = `${commit}:./${file}`;
  if (runGit(folder, ["cat-file", "-e", object]).status !== 0) return null;
  const shown = runGit(folder, ["show", object]);
  if (shown.status === 0) return shown.stdout;
  const reason = shown.error?.message ?? shown.stderr.trim();
  return diagnostic("file-missing", place, { path: `${reference}:${file}`, reason });
}

function runGit(folder: string, args: readonly string[]) {
  return spawnSync("git", args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: MAX_FILE_BYTES,
    windowsHide: true,
  });
}
