/** A file-system error as a finding: which file, and why, in words; the system's own text holds machine paths. */
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EISDIR: "a folder has this name",
  ENOTDIR: "what should be its folder is a file",
  ENOENT: "it, or its folder, is gone",
  EEXIST: "something has this name already",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "the name is too long",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EBUSY: "another program uses it",
  EIO: "the disk reports an error",
};

/** The finding that `file`, called `name` in the project, can't be written. */
export function notWritable(file: string, name: string, reason: unknown): Diagnostic {
  return diagnostic("file-not-writable", { file }, { path: name, reason: wordsFor(reason) });
}

/** The finding that `file`, called `name` in the project, is no longer what it was. */
export function changedMeanwhile(file: string, name: string): Diagnostic {
  return diagnostic("file-changed", { file }, { path: name });
}

export function wordsFor(reason: unknown): string {
  const code = codeOf(reason);
  if (code !== undefined) return `${REASONS[code] ?? "the system refuses"} (${code})`;
  return reason instanceof Error ? reason.message : String(reason);
}

/** The system's code of an error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** Does `work`, where errors with one of `codes` are none. */
export function ignoring(codes: readonly string[], work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!codes.includes(codeOf(error) ?? "")) throw error;
  }
}
