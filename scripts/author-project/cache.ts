/** What is kept between commands below `node_modules/.cache`: what loading gave, and which generated files are up to date. */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type { PlannedFile } from "../../generators/writer/plan.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { packageBuild } from "../system/package-files.js";
import { type FileHashes, type LoadedProject, type Located, rootModule } from "./loaded-project.js";

const MODEL_FILE = "model.json";

/** What was loaded, and how. */
export interface CacheKey {
  readonly entry: string;
  readonly located: Located;
  readonly inputs: FileHashes;
}

/** The first line of the file. Behind it are the model and `connector.json` as they are. */
interface Head extends CacheKey {
  readonly tool: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly silenced: readonly Diagnostic[];
  readonly modelLength: number;
  /** Of everything behind the head. */
  readonly hash: string;
}

/** What loading `entry` gave when its files were what they are now; undefined if that is not kept. */
export function readCached(folder: string, entry: string, located: Located): LoadedProject | undefined {
  try {
    const text = readCacheFile(folder, MODEL_FILE);
    const end = text.indexOf("\n");
    const head = JSON.parse(text.slice(0, end)) as Head;
    const { tool, inputs, modelLength, diagnostics, silenced } = head;
    if (tool !== packageBuild() || head.entry !== entry || !areUnchanged(inputs)) return undefined;
    if (located === "all" && head.located !== "all") return undefined;
    const texts = text.slice(end + 1);
    if (hashOf(texts) !== head.hash) return undefined;
    const modelJson = texts.slice(0, modelLength);
    let model: ConnectorModel | undefined;
    return {
      // Parsed when it is first asked for: not every command reads it.
      get model() {
        model ??= JSON.parse(modelJson) as ConnectorModel;
        return model;
      },
      ...{ connectorJson: texts.slice(modelLength), diagnostics, silenced, inputs },
    };
  } catch {
    return undefined;
  }
}

/** Notes what `key` gave. */
export function writeCached(folder: string, key: CacheKey, project: LoadedProject): void {
  const { model, connectorJson = "", diagnostics, silenced = [] } = project;
  const modelJson = JSON.stringify(model);
  const texts = modelJson + connectorJson;
  const hash = hashOf(texts);
  const modelLength = modelJson.length;
  const head: Head = { tool: packageBuild(), ...key, diagnostics, silenced, modelLength, hash };
  writeCacheFile(folder, MODEL_FILE, `${JSON.stringify(head)}\n${texts}`);
}

/** The text of the cache file `name`. @throws Error if there is none. */
export function readCacheFile(folder: string, name: string): string {
  return readFileSync(cacheFile(folder, name), "utf8");
}

/** Writes the cache file `name`, whole or not at all. If it can't be written, nothing is kept. */
export function writeCacheFile(folder: string, name: string, content: string): void {
  if (!existsSync(path.join(folder, "node_modules"))) return;
  const file = cacheFile(folder, name);
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, content, { mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    // The next command does the work again.
  }
}

/** Whether every file is what it was. @throws Error if one has gone. */
export function areUnchanged(files: FileHashes): boolean {
  return files.every(([file, hash]) => hashOf(readFileSync(file)) === hash);
}

/** The hashes of `files`; undefined if one of them may have been saved since `time`. */
export function hashesBefore(time: number, files: readonly string[]): FileHashes | undefined {
  try {
    const hashes = files.map((file) => [file, hashOf(readFileSync(file))] as const);
    return files.some((file) => statSync(file).mtimeMs >= time) ? undefined : hashes;
  } catch {
    return undefined;
  }
}

export function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("base64");
}

function cacheFile(folder: string, name: string): string {
  return path.join(folder, "node_modules", ".cache", "connectorcli", name);
}

const GENERATED_FILE = "generated.json";

interface GeneratedNotes {
  readonly tool: string;
  readonly entry: string | undefined;
  readonly inputs: FileHashes;
  /** What is generated, and all else that stood beside it, relative to the project. */
  readonly files: FileHashes;
  /** How many of them are generated. */
  readonly count: number;
}

/** How many generated files there are, if all of them are known to be up to date; undefined otherwise. */
export function countUpToDate(root: string, folder: string): number | undefined {
  try {
    const noted = JSON.parse(readCacheFile(root, GENERATED_FILE)) as GeneratedNotes;
    const { tool, entry, inputs, files, count } = noted;
    if (tool !== packageBuild() || entry !== rootModule(root) || !areUnchanged(inputs)) return undefined;
    const names = new Set(files.map(([file]) => file));
    const isKnown = filesBelow(root, folder).every((file) => names.has(file));
    return isKnown && files.every(([file, hash]) => textHash(root, file) === hash) ? count : undefined;
  } catch {
    return undefined;
  }
}

/** Notes that what `inputs` give has been generated: `planned`, all below `folder`. */
export function noteGenerated(
  root: string,
  { folder, inputs, planned }: { folder: string; inputs: FileHashes; planned: readonly PlannedFile[] },
): void {
  const wanted = planned.filter(({ step }) => step !== "remove").map(({ file }) => file);
  const known = new Set(wanted.map((file) => file.path));
  const others = filesBelow(root, folder).filter((file) => !known.has(file));
  const noted: GeneratedNotes = {
    tool: packageBuild(),
    entry: rootModule(root),
    inputs,
    files: [
      ...wanted.map((file) => [file.path, hashOf(file.content)] as const),
      ...others.map((file) => [file, textHash(root, file)] as const),
    ],
    count: planned.length,
  };
  writeCacheFile(root, GENERATED_FILE, JSON.stringify(noted));
}

function filesBelow(root: string, folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"));
}

/** Line endings do not count: git may have changed them. */
function textHash(root: string, file: string): string {
  return hashOf(readFileSync(path.join(root, file), "utf8").replaceAll("\r\n", "\n"));
}
