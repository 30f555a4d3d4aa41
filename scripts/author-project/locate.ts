/** Finds the line of the author's code for a finding in the model: the call that defined it, then names in its syntax. */
import { SourceMap } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { packageFile } from "../system/package-files.js";
import { readTextIfExists } from "../system/read-text.js";
import type { WorkerTask } from "./evaluator.js";
import type { AuthorFrame, CodePlace } from "./loaded-project.js";
import type { SourceIndex } from "./source-index.js";

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
    const index = indexes.get(call.file) ?? new SourceIndex(readTextIfExists(call.file) ?? "");
    indexes.set(call.file, index);
    return { ...finding, ...call, ...index.find(call, steps) };
  });
}

/** A bundle; without a map if the process reads maps itself. */
type BundlePlaces = Pick<WorkerTask, "bundleFile"> & Partial<Pick<WorkerTask, "sourceMap">>;

/** The first frame of the error's stack that lies in a file of the project. */
export function placeOfError(error: Error, task: BundlePlaces): CodePlace | undefined {
  for (const { name: _, ...place } of framesOf(error.stack ?? "", task)) return place;
  return undefined;
}

/** The author's frame nearest to what threw; in a package of others only if there is none. */
export function placeOfThrow(error: Error, task: BundlePlaces): CodePlace | undefined {
  const [own] = authorFrames(error.stack ?? "", task);
  if (own === undefined) return placeOfError(error, task);
  const { name: _, ...place } = own;
  return place;
}

/** More of them say nothing new. */
const MAX_FRAMES = 5;

/** The author's frames of a stack, the innermost first; none of packages. */
export function authorFrames(stack: string, task: BundlePlaces): readonly AuthorFrame[] {
  const frames = [...framesOf(stack, task)];
  return frames.filter(({ file }) => !/[\\/]node_modules[\\/]/.test(file)).slice(0, MAX_FRAMES);
}

const FRAME =
  /^\s*at (?:(?:async )?(?:new )?([^(]*?) \()?(?:async )?((?:file:\/\/|[A-Za-z]:[\\/]|\/)[^()]*?):(\d+):(\d+)\)?$/;

function* framesOf(stack: string, task: BundlePlaces): Generator<AuthorFrame> {
  for (const text of stack.split("\n").slice(1)) {
    const [, name = "", location, row, column] = FRAME.exec(text) ?? [];
    if (location === undefined) continue;
    const file = location.startsWith("file://") ? fileURLToPath(location) : location;
    const inFile = { file, line: Number(row), column: Number(column) };
    const place = file === task.bundleFile ? placeInSource(inFile, task) : inFile;
    if (place === undefined || isOwn(place.file)) continue;
    yield { ...place, ...(/^[\w$.]+$/.test(name) && { name }) };
  }
}

/** Where each of `origins` stands in the author's code, as far as it is known. */
export function placesOf(
  origins: ReadonlyMap<string, Error>,
  task: WorkerTask,
): readonly (readonly [pointer: string, place: CodePlace])[] {
  return [...origins].flatMap(([pointer, error]) => {
    const place = placeOfError(error, task);
    return place === undefined ? [] : [[pointer, place] as const];
  });
}

let known: { readonly text: string; readonly map: SourceMap } | undefined;

/** Where a place of the bundle was written; undefined if the bundler put it there. */
function placeInSource({ line, column }: CodePlace, task: BundlePlaces): CodePlace | undefined {
  if (task.sourceMap === undefined) return undefined;
  // Node could do this for every stack, but would read the map of every project for it.
  if (known?.text !== task.sourceMap)
    known = { text: task.sourceMap, map: new SourceMap(JSON.parse(task.sourceMap)) };
  const entry = known.map.findEntry(line - 1, column - 1);
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
