/** From a finding in the model to a line of the author's code: by the call that defined it, then by names in its syntax. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { WorkerTask } from "./evaluate.js";
import type { SourceIndex } from "./source-index.js";

export interface CodePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The findings with file, line and column where they are known. Files of the project are read at most once. */
export async function locate(
  findings: readonly Diagnostic[],
  origins: ReadonlyMap<string, Error>,
  task: WorkerTask,
): Promise<readonly Diagnostic[]> {
  if (findings.length === 0) return findings;
  // The parser is only loaded where there is something to look for.
  const { SourceIndex } = await import("./source-index.js");
  const calls = new Map<string, CodePlace | undefined>();
  const indexes = new Map<string, SourceIndex>();
  return findings.map(({ path = [], ...finding }) => {
    const pointer = nearestOrigin(finding.pointer ?? "", origins);
    const error = pointer === undefined ? undefined : origins.get(pointer);
    if (pointer === undefined || error === undefined) return { ...finding, file: task.entry };
    if (!calls.has(pointer)) calls.set(pointer, placeOfError(error, task));
    const call = calls.get(pointer);
    if (call === undefined) return { ...finding, file: task.entry };
    const index = indexes.get(call.file) ?? new SourceIndex(textOf(call.file));
    indexes.set(call.file, index);
    return { ...finding, ...call, ...index.find(call, path) };
  });
}

/** The first frame of the error's stack that lies in a file of the project. */
export function placeOfError(error: Error, task: WorkerTask): CodePlace | undefined {
  for (const line of (error.stack ?? "").split("\n").slice(1)) {
    const [, location, row, column] =
      /\(?((?:file:\/\/|[A-Za-z]:[\\/]|\/)[^()]*?):(\d+):(\d+)\)?$/.exec(line) ?? [];
    if (location === undefined) continue;
    const file = location.startsWith("file://") ? fileURLToPath(location) : location;
    if (isOwn(file) || file === task.bundleFile) continue;
    return { file, line: Number(row), column: Number(column) };
  }
  return undefined;
}

/** Where each of `origins` stands in the author's code, as far as that is known. */
export function placesOf(
  origins: ReadonlyMap<string, Error>,
  task: WorkerTask,
): readonly (readonly [pointer: string, place: CodePlace])[] {
  return [...origins].flatMap(([pointer, error]) => {
    const place = placeOfError(error, task);
    return place === undefined ? [] : [[pointer, place] as const];
  });
}

/** The folder of the running code, whether it is bundled or not. */
const OWN_FOLDER = fileURLToPath(
  new URL(/\/bundled\//.test(import.meta.url) ? "../" : "../../", import.meta.url),
);

function isOwn(file: string): boolean {
  return ["bundled", "schemas", "scripts", "generators"].some((folder) =>
    file.startsWith(`${OWN_FOLDER}${folder}`),
  );
}

/** The pointer of the innermost definition that holds `pointer`. */
export function nearestOrigin(pointer: string, origins: ReadonlyMap<string, unknown>): string | undefined {
  for (
    let end = pointer.length;
    end >= 0;
    end = end === 0 ? -1 : Math.max(0, pointer.lastIndexOf("/", end - 1))
  ) {
    const candidate = pointer.slice(0, end);
    if (origins.has(candidate)) return candidate;
  }
  return undefined;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
