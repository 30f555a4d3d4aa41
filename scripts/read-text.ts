/** Reads a file that should be a connector.json, or says why it can't be. */
import { readFileSync, statSync } from "node:fs";
import { type Diagnostic, diagnostic } from "../schemas/diagnostics/diagnostic.js";

const LARGEST_MB = 64;

export function readText(file: string): string | Diagnostic {
  try {
    const size = statSync(file).size / 1024 / 1024;
    if (size > LARGEST_MB)
      return diagnostic("file-too-large", { file }, { size: Math.ceil(size), limit: LARGEST_MB });
    return readFileSync(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return diagnostic("file-missing", { file }, { path: file, reason });
  }
}
