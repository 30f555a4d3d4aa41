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
    ? { file: path.resolve(folder, location.file), line: location.line, column: columnOf(location) }
    : {};
  const reason = text.replace(/\.$/, "");
  const code = /^(?:Could not resolve|No matching export)/.test(text)
    ? "project-import-missing"
    : "project-syntax";
  return diagnostic(code, place, { reason });
}

/** The bundler counts bytes from 0; places count characters from 1. */
function columnOf({ lineText, column }: NonNullable<Message["location"]>): number {
  return Buffer.from(lineText).subarray(0, column).toString().length + 1;
}
