/** From a finding in the model to a line of the author's code: by the call that defined it, then by names in its syntax. */
import { SourceMap } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { packageFile } from "../package-files.js";
import { readIfThere } from "../read-if-there.js";
import type { WorkerTask } from "./evaluator.js";
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
  const isWanted = ({ severity }: Diagnostic) => task.located !== "errors" || severity === "error";
  if (!findings.some(isWanted)) return findings;
  // The parser is only loaded where there is something to look for.
  const { SourceIndex } = await import("./source-index.js");
  const calls = new Map<string, CodePlace | undefined>();
  const indexes = new Map<string, SourceIndex>();
  return findings.map((found) => {
    if (!isWanted(found)) return found;
    const { path: steps = [], ...finding } = found;
    const pointer = nearestOrigin(finding.pointer ?? "", origins);
    const error = pointer === undefined ? undefined : origins.get(pointer);
    if (pointer === undefined || error === undefined) return { ...finding, file: task.entry };
    if (!calls.has(pointer)) calls.set(pointer, placeOfError(error, task));
    const call = calls.get(pointer);
    if (call === undefined) return { ...finding, file: task.entry };
    const index = indexes.get(call.file) ?? new SourceIndex(readIfThere(call.file) ?? "");
    indexes.set(call.file, index);
    return { ...finding, ...call, ...index.find(call, steps) };
  });
}

/** A bundle; without a map where the process reads maps itself. */
type BundlePlaces = Pick<WorkerTask, "bundleFile"> & Partial<Pick<WorkerTask, "sourceMap">>;

/** The first frame of the error's stack that lies in a file of the project. */
export function placeOfError(error: Error, task: BundlePlaces): CodePlace | undefined {
  for (const line of (error.stack ?? "").split("\n").slice(1)) {
    const [, location, row, column] =
      /\(?((?:file:\/\/|[A-Za-z]:[\\/]|\/)[^()]*?):(\d+):(\d+)\)?$/.exec(line) ?? [];
    if (location === undefined) continue;
    const file = location.startsWith("file://") ? fileURLToPath(location) : location;
    const inFile = { file, line: Number(row), column: Number(column) };
    const place = file === task.bundleFile ? placeInSource(inFile, task) : inFile;
    if (place === undefined || isOwn(place.file)) continue;
    return place;
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

let sourceMap: SourceMap | undefined;

/** Where a place of the bundle was written; undefined for what the bundler put there. */
function placeInSource({ line, column }: CodePlace, task: BundlePlaces): CodePlace | undefined {
  if (task.sourceMap === undefined) return undefined;
  // Node could do this for every stack, but would read the map of every project for it.
  sourceMap ??= new SourceMap(JSON.parse(task.sourceMap));
  const entry = sourceMap.findEntry(line - 1, column - 1);
  if (!("originalSource" in entry)) return undefined;
  const file = path.resolve(path.dirname(task.bundleFile), entry.originalSource);
  return { file, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
}

/** The folder of the running code, whether it is bundled or not. */
const OWN_FOLDER = fileURLToPath(packageFile("dist/"));

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
