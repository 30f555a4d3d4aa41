/** Keeps what loading a project gave, for as long as none of its files changes. */
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { packageBuild } from "../package-files.js";
import { areUnchanged, type FileHashes, hashOf, readCacheFile, writeCacheFile } from "./cache-file.js";
import type { Located } from "./evaluator.js";
import type { ProjectTexts } from "./loaded-project.js";

const FILE = "model.json";

/** What was loaded, and how. */
export interface CacheKey {
  readonly entry: string;
  readonly located: Located;
  readonly inputs: FileHashes;
}

/** The first line of the file. Behind it stand the model and `connector.json` as they are. */
interface Head extends CacheKey {
  readonly tool: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly modelLength: number;
  /** Of everything behind the head. */
  readonly hash: string;
}

/** What `entry` gave when its files were what they are now; undefined where that is not known. */
export function readCached(folder: string, entry: string, located: Located): ProjectTexts | undefined {
  try {
    const text = readCacheFile(folder, FILE);
    const end = text.indexOf("\n");
    const head = JSON.parse(text.slice(0, end)) as Head;
    const { tool, inputs, modelLength, diagnostics } = head;
    if (tool !== packageBuild() || head.entry !== entry || !areUnchanged(inputs)) return undefined;
    if (located === "all" && head.located !== "all") return undefined;
    const texts = text.slice(end + 1);
    if (hashOf(texts) !== head.hash) return undefined;
    const modelJson = texts.slice(0, modelLength);
    return { modelJson, connectorJson: texts.slice(modelLength), diagnostics, inputs };
  } catch {
    return undefined;
  }
}

/** Notes what `key` gave. */
export function writeCached(folder: string, key: CacheKey, project: ProjectTexts): void {
  const { modelJson = "", connectorJson = "", diagnostics } = project;
  const texts = modelJson + connectorJson;
  const hash = hashOf(texts);
  const head: Head = { tool: packageBuild(), ...key, diagnostics, modelLength: modelJson.length, hash };
  writeCacheFile(folder, FILE, `${JSON.stringify(head)}\n${texts}`);
}
