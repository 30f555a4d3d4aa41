/** Records what a target system answers, and replays it: the files of `recordings/` in a project. */
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findNodeAtLocation, getNodeValue, parseTree } from "jsonc-parser";
import { RECORDINGS_FOLDER } from "../../generators/layout.js";
import { writeFiles } from "../../generators/writer/transaction.js";
import { type Diagnostic, diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel, DataObjectModel } from "../../schemas/model/connector-model.js";
import { loadProject, type ProjectOptions } from "../author-project/load-project.js";
import { readRunOptions } from "../author-project/run-options.js";
import { prepareConnector } from "../connector-run/prepare-connector.js";
import { failureFinding, runConnector } from "../connector-run/run-connector.js";
import type { RecordedAnswers, RecordedPart, ReplayedRecording } from "../connector-run/run-protocol.js";
import { makeCacheFolder } from "../system/cache-folder.js";
import { readPackageText } from "../system/files.js";
import { WRITE_OPTIONS } from "../system/process-identity.js";
import { readText } from "../system/read-text.js";
import type { Environment } from "../test-settings/filled-values.js";
import { type Choice, chosenAction, chosenObjects, UnknownNameError } from "./choices.js";
import { runLoaded, type ServiceEvent, type ServiceOptions } from "./services.js";

/** What to record. */
export interface RecordAnswersOptions
  extends Omit<ServiceOptions, "storeFile" | "adoptStore">,
    Pick<Choice, "action"> {
  /** The input of the action, as JSON values. An action is performed once, in the target system that is called. */
  readonly input?: unknown;
  /** The most records of each data object; 0 for all. @default 100 */
  readonly limit?: number | undefined;
  /** Whether recordings that are there already are recorded again. @default false */
  readonly update?: boolean | undefined;
}

/** A part of a connector, and what became of its recording. */
export interface RecordedFile {
  /** Name of the recording. */
  readonly name: string;
  /** The file, absolute. */
  readonly file: string;
  /** `stopped`: nothing was written, and the diagnostics say why. */
  readonly state: "written" | "stopped";
  /** How many requests it has. */
  readonly requests: number;
  /** How many records the cache had at its end; null for an action. */
  readonly records: number | null;
  /** What has changed in the form of the answers since the recording before; absent if there was none. */
  readonly changes?: readonly string[];
}

/** What was recorded. */
export interface RecordAnswersResult {
  /** In the order in which they were recorded; absent if nothing was run, and the diagnostics say why. */
  readonly recordings?: readonly RecordedFile[];
  /** Why something was not recorded. */
  readonly diagnostics: readonly Diagnostic[];
}

const LIMIT = 100;

/**
 * Records what the target system answers to the readers of data objects, or to an action. Each recording is written when it
 * is whole, or not at all.
 * @throws UnknownNameError if the connector has no such name
 * @throws AmbiguousActionError if the names lead to several actions
 */
export async function recordAnswers(options: RecordAnswersOptions): Promise<RecordAnswersResult> {
  const { folder, limit = LIMIT, update = false, onEvent = () => {} } = options;
  const root = path.resolve(folder);
  const { model, diagnostics } = await loadProject(options);
  if (model === undefined) return { diagnostics: diagnostics.filter(({ severity }) => severity === "error") };
  const keep = keptNames(root);
  if ("code" in keep) return { diagnostics: [keep] };
  const parts = partsToRecord(model, options).map((part) => ({
    ...part,
    before: textOf(fileOf(root, part.name)),
  }));
  const existing = update ? [] : parts.filter(({ before }) => before !== undefined);
  const problems = existing.map(({ name }) =>
    diagnostic("recording-exists", { file: fileOf(root, name) }, { name }),
  );
  const wanted = parts.filter((part) => !existing.includes(part));
  if (wanted.length === 0) return { recordings: [], diagnostics: problems };
  const recordings: RecordedFile[] = [];
  const keepRecorded = (recorded: RecordedAnswers) => {
    const written = writeRecorded(root, recorded);
    recordings.push(written.recording);
    problems.push(...written.diagnostics);
  };
  const ended = await runLoaded(
    {
      ...options,
      onEvent: (event: ServiceEvent) => {
        if (event.kind === "recorded") keepRecorded(event.recorded);
        onEvent(event);
      },
    },
    {
      model,
      part: {
        kind: "recordAnswers",
        parts: wanted,
        key: keyOf(root),
        limit: limit === 0 ? null : limit,
        keep: keep.names,
      },
      prepare: () => prepareConnector(root, model),
    },
  );
  return {
    ...(ended.result === undefined ? {} : { recordings }),
    diagnostics: [...problems, ...ended.diagnostics],
  };
}

/** @throws UnknownNameError or AmbiguousActionError */
function partsToRecord(model: ConnectorModel, options: RecordAnswersOptions): readonly RecordedPart[] {
  if (options.action === undefined)
    return chosenObjects(model, options).map((object) => ({
      name: nameOf(model, object),
      object: object.dataPath,
    }));
  const { object, action } = chosenAction(model, options);
  return [
    {
      name: `${nameOf(model, object)}.${action.urlPart}`,
      object: object.dataPath,
      action: { urlPart: action.urlPart, input: options.input },
    },
  ];
}

/** Its part of the address, with that of its module if another one has the same. */
function nameOf({ modules }: ConnectorModel, object: DataObjectModel): string {
  const isShared = modules
    .flatMap(({ dataObjects }) => dataObjects)
    .some((other) => other !== object && other.urlPart === object.urlPart);
  const module = modules.find(({ dataObjects }) => dataObjects.includes(object));
  return isShared ? `${module?.id}.${object.urlPart}` : object.urlPart;
}

function fileOf(root: string, name: string): string {
  return path.join(root, RECORDINGS_FOLDER, `${name}.json`);
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readText(file, MAX_FILE_MB) : undefined;
}

const MAX_FILE_MB = 100;

/** What only this machine knows: a recording that is made again has the same stand-ins. */
function keyOf(root: string): string {
  const file = path.join(makeCacheFolder(root), "recordings.key");
  if (!existsSync(file)) {
    const draft = `${file}.${randomBytes(4).toString("hex")}`;
    writeFileSync(draft, randomBytes(32).toString("base64"), { mode: 0o600 });
    renameSync(draft, file);
  }
  return readFileSync(file, "utf8");
}

/** The names that package.json lists to be kept, or what is wrong with them. */
function keptNames(root: string): { readonly names: readonly string[] } | Diagnostic {
  const { file, text } = readPackageText(root);
  const tree = parseTree(text);
  const node = tree && findNodeAtLocation(tree, ["connectorcli", "recordings"]);
  if (node === undefined) return { names: [] };
  const given: unknown = getNodeValue(node);
  const { keep = [], ...others } = Object(given) as { readonly keep?: unknown };
  const wrong = (reason: string) => diagnostic("recording-options-invalid", { file }, { reason });
  const [other] = Object.keys(others);
  if (other !== undefined) return wrong(`there is no option "${other}"; there is keep`);
  const isList = Array.isArray(keep) && keep.every((name) => typeof name === "string");
  return isList ? { names: keep } : wrong("keep should be a list of names of members and headers");
}

function writeRecorded(
  root: string,
  recorded: RecordedAnswers,
): { readonly recording: RecordedFile; readonly diagnostics: readonly Diagnostic[] } {
  const { name } = recorded;
  const file = fileOf(root, name);
  if (recorded.text === undefined) {
    const { reason, advice } = recorded;
    const recording = { name, file, state: "stopped", requests: 0, records: null } as const;
    return { recording, diagnostics: [diagnostic("recording-refused", { file }, { name, reason, advice })] };
  }
  const { text, ...facts } = recorded;
  const diagnostics = writeText(root, name, text);
  return {
    recording: { ...facts, file, state: hasErrors(diagnostics) ? "stopped" : "written" },
    diagnostics,
  };
}

/** The whole file or nothing: what was there stays until the new one is whole. */
function writeText(root: string, name: string, content: string): readonly Diagnostic[] {
  const file = { path: `${RECORDINGS_FOLDER}/${name}.json`, content, ownership: "generated" } as const;
  return writeFiles(root, [file], WRITE_OPTIONS).diagnostics;
}

/** What happens while recordings are replayed. */
export type ReplayEvent =
  /** `generated/` is not what the schema modules give: what is replayed may not be what they say. */
  | { readonly kind: "generated-stale" }
  /** A recording was replayed. */
  | {
      readonly kind: "replayed";
      /** What came of it. */
      readonly replayed: ReplayedRecording;
    }
  /** A line that the connector printed. */
  | {
      readonly kind: "line";
      /** The line, without its end. */
      readonly text: string;
    };

/** Which recordings to replay. */
export interface ReplayRecordingsOptions extends ProjectOptions {
  /** Their names. @default all of the project */
  readonly names?: readonly string[] | undefined;
  /** Whether what the connector makes of the answers now is kept as what is expected. @default false */
  readonly update?: boolean | undefined;
  /** Whether the recordings are held against the fake target system of the project too. @default false */
  readonly compareFake?: boolean | undefined;
  /** Variables for the process that runs the connector, such as `process.env`. */
  readonly environment: Environment;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
  /** Called with every event, in order. */
  readonly onEvent?: ((event: ReplayEvent) => void) | undefined;
}

/** What came of replaying recordings. */
export interface ReplayRecordingsResult {
  /** In the order of their names; absent if nothing was run, and the diagnostics say why. */
  readonly recordings?: readonly ReplayedRecording[];
  /** What is not as it was recorded, and why something could not be replayed. */
  readonly diagnostics: readonly Diagnostic[];
}

const LOAD_SECONDS = 30;

/**
 * Runs the connector on what was recorded: nothing is called, and no settings are needed.
 * @throws UnknownNameError if there is no recording of this name
 */
export async function replayRecordings(options: ReplayRecordingsOptions): Promise<ReplayRecordingsResult> {
  const { environment, signal, update = false, compareFake = false, onEvent = () => {} } = options;
  const root = path.resolve(options.folder);
  const names = chosenRecordings(root, options.names ?? []);
  if (names.length === 0) return { recordings: [], diagnostics: [] };
  const { model, diagnostics } = await loadProject(options);
  if (model === undefined) return { diagnostics: diagnostics.filter(({ severity }) => severity === "error") };
  const { file, text } = readPackageText(root);
  const read = readRunOptions(text, file, model);
  if (read.diagnostics.length > 0) return { diagnostics: read.diagnostics };
  const prepared = await prepareConnector(root, model, { withFake: compareFake });
  if (prepared.code === undefined) return { diagnostics: prepared.diagnostics };
  if (prepared.isStale) onEvent({ kind: "generated-stale" });
  const { code, entry } = prepared;
  const found: Diagnostic[] = [];
  const outcome = await runConnector({
    code,
    task: {
      ...{ kind: "replayRecordings", folder: root, entry, options: read.options },
      isFakeCompared: compareFake,
      recordings: names.map((name) => ({ name, text: readText(fileOf(root, name), MAX_FILE_MB) })),
    },
    environment,
    timeLimitMs: (options.timeoutSeconds ?? LOAD_SECONDS) * 1_000,
    signal,
    onLine: (line) => onEvent({ kind: "line", text: line }),
    onMessage: (news) => {
      if (news.kind !== "replayed") return;
      const { replayed } = news;
      found.push(...(update ? updateFile(root, replayed) : findingsOf(root, replayed, replayed.differences)));
      onEvent(news);
    },
  });
  if (outcome.kind === "result")
    return { recordings: outcome.task === "replayRecordings" ? outcome.result : [], diagnostics: found };
  return { diagnostics: [...found, failureFinding(outcome, { root, entry, redact: (words) => words })] };
}

/** @throws UnknownNameError */
function chosenRecordings(root: string, names: readonly string[]): readonly string[] {
  const folder = path.join(root, RECORDINGS_FOLDER);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const known = files.filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -".json".length));
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UnknownNameError("recording", unknown, known);
  return (names.length === 0 ? known : [...new Set(names)]).sort();
}

function findingsOf(
  root: string,
  { name, problem }: ReplayedRecording,
  differences: readonly string[],
): readonly Diagnostic[] {
  const file = fileOf(root, name);
  if (problem !== undefined)
    return [diagnostic("recording-unusable", { file }, { path: path.basename(file), reason: problem })];
  const [first] = differences;
  if (first === undefined) return [];
  const count = differences.length === 1 ? "1 difference" : `${differences.length} differences`;
  return [diagnostic("replay-differs", { file }, { name, count, first: first.replace(/\.$/, "") })];
}

/** Keeps what the connector makes of the answers now. What it asks for beside them can't be kept: nobody knows the answer. */
function updateFile(root: string, replayed: ReplayedRecording): readonly Diagnostic[] {
  const { name, text, problems } = replayed;
  if (text === undefined || problems.length > 0) return findingsOf(root, replayed, problems);
  return writeText(root, name, text);
}
