/** What the bundler says of an author's modules, as findings. */
import path from "node:path";
import type { Message } from "esbuild";
import { type Diagnostic, diagnostic, type Place } from "../../schemas/diagnostics/diagnostic.js";

/** The findings of an error that bundling `folder` ended with. */
export function bundleFindings(error: unknown, folder: string): readonly Diagnostic[] {
  return messagesOf(error).map((message) => diagnosticOf(message, folder));
}

function messagesOf(error: unknown): readonly Partial<Message>[] {
  const errors: unknown =
    typeof error === "object" && error !== null ? Reflect.get(error, "errors") : undefined;
  if (Array.isArray(errors) && errors.length > 0) return errors as readonly Partial<Message>[];
  return [{ text: error instanceof Error ? error.message : String(error) }];
}

function diagnosticOf({ text = "", location }: Partial<Message>, folder: string): Diagnostic {
  const place: Place = location
    ? { file: path.resolve(folder, location.file), line: location.line, column: location.column + 1 }
    : {};
  const reason = text.replace(/\.$/, "");
  const code = /^(?:Could not resolve|No matching export)/.test(text)
    ? "project-import-missing"
    : "project-syntax";
  return diagnostic(code, place, { reason });
}
