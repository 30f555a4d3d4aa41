/** The connector that another one is compared with: a file, or what git has of it. */
import { existsSync } from "node:fs";
import path from "node:path";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { JsonDocument } from "../../schemas/formats/read-json.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { readConnectorJson } from "../../schemas/model/from-connector-json/read-connector.js";
import { readText } from "../read-text.js";
import { showAt } from "./git.js";

export interface OldSide {
  readonly model: ConnectorModel;
  readonly document: JsonDocument;
  /** What findings call the file: its path, or `origin/main:connector.json`. */
  readonly file: string;
}

/** The old side, or the findings that say why there is none. */
export type OldSideResult =
  | { readonly side: OldSide; readonly diagnostics: readonly [] }
  | { readonly side?: undefined; readonly diagnostics: readonly Diagnostic[] };

const FILE = "connector.json";

/** `reference` is a file where there is one of that name, else a git reference, whose connector.json is read. */
export function readOldSide(reference: string, folder: string): OldSideResult {
  const file = path.resolve(reference);
  if (existsSync(file) || looksLikeFile(reference)) return read(readText(file), file);
  const text = showAt(reference, folder, FILE);
  if (text !== null) return read(text, `${reference}:${FILE}`);
  return { diagnostics: [diagnostic("against-absent", { file: folder }, { path: FILE, reference })] };
}

/** A name that git would not take either is meant as a file. */
function looksLikeFile(reference: string): boolean {
  return /\.json$/i.test(reference) || reference.startsWith(".") || path.isAbsolute(reference);
}

function read(text: string | Diagnostic, file: string): OldSideResult {
  if (typeof text !== "string") return { diagnostics: [text] };
  const { diagnostics, ...found } = readConnectorJson(text, file);
  return found.model === undefined ? { diagnostics } : { side: { ...found, file }, diagnostics: [] };
}
