/** The run of a service: from the project's folder to the last word of the process that runs it. */
import path from "node:path";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { loadProject } from "../author-project/load-project.js";
import { runConnector } from "../author-project/run-connector.js";
import { failureFinding } from "../author-project/run-findings.js";
import type {
  ActionProcessorTask,
  CacheWriterTask,
  RunNews,
  RunResult,
  ServiceTask,
} from "../author-project/run-protocol.js";
import type { Arguments } from "../command-spec.js";
import type { Output } from "../output.js";
import { projectOf } from "../project-arguments.js";
import { readIfThere } from "../read-if-there.js";
import { readyToRun } from "../test-connection/ready-to-run.js";
import { hiding } from "../test-settings/hiding.js";
import { type RunSettings, runSettings } from "../test-settings/run-settings.js";
import { saveProperties } from "../test-settings/save-properties.js";
import { type ReadRunOptions, type RunOptions, readRunOptions } from "./run-options.js";
import { prepareStoreFolder, storeFileOf } from "./store-file.js";

/** What a service's own task says beside what all say. */
export type ServicePart =
  | Omit<CacheWriterTask, keyof ServiceTask>
  | Omit<ActionProcessorTask, keyof ServiceTask>;

export interface ServiceRun {
  readonly args: Arguments;
  readonly output: Output;
  /** What is to be done. @throws UnknownName for wrong usage. */
  readonly partOf: (model: ConnectorModel) => ServicePart;
  readonly onNews: (news: RunNews, hide: (text: string) => string) => void;
}

export interface ServiceRan {
  readonly result?: RunResult;
  /** Takes secrets out of a text; absent where none were read. */
  readonly hide?: (text: string) => string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Seconds that loading the connector and starting it may take. */
const LOAD_SECONDS = 30;

/** Runs a service of the project that `args` name. An interruption stops it and is no failure by itself. */
export async function runProject({ args, output, partOf, onNews }: ServiceRun): Promise<ServiceRan> {
  const { folder, timeoutSeconds } = projectOf(args);
  const root = path.resolve(folder);
  const { model, diagnostics } = await loadProject(folder, { timeoutSeconds });
  if (model === undefined) return { diagnostics: diagnostics.filter(({ severity }) => severity === "error") };
  const part = partOf(model);
  const key = typeof args["connection"] === "string" ? args["connection"] : undefined;
  const { settings, ...wrong } = runSettings({ model, root, key, environment: process.env });
  if (settings === undefined) return wrong;
  const { options, ...wrongOptions } = projectOptions(root, model);
  if (wrongOptions.diagnostics.length > 0) return wrongOptions;
  const ready = await readyToRun(root, model);
  if (ready.code === undefined) return { diagnostics: ready.diagnostics };
  for (const word of ready.words) output.say(word);
  const storeFile = storeFileOf(root, args);
  try {
    prepareStoreFolder(root, args);
  } catch (error) {
    return { diagnostics: [storeFinding(storeFile, error)] };
  }
  const run = { root, settings, options, part, storeFile, args, output, onNews };
  return interruptibly((signal) => started({ ...run, ...ready, signal }));
}

function projectOptions(root: string, model: ConnectorModel): ReadRunOptions {
  const file = path.join(root, "package.json");
  return readRunOptions(readIfThere(file) ?? "", file, model);
}

/** The finding that a store can't be used. */
export function storeFinding(file: string, error: unknown): Diagnostic {
  const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
  return diagnostic("store-unusable", { file }, { reason });
}

interface Starting extends Pick<ServiceRun, "args" | "output" | "onNews"> {
  readonly root: string;
  readonly settings: RunSettings;
  readonly options: RunOptions;
  readonly part: ServicePart;
  readonly storeFile: string;
  readonly code: string;
  readonly entry: string;
  readonly signal: AbortSignal;
}

async function started(run: Starting): Promise<ServiceRan> {
  const { root, entry, code, settings, options, part, storeFile, args, output, onNews, signal } = run;
  const { connection, registrationConfiguration, services } = settings;
  const { definition, properties } = connection;
  const secrets = new Set(settings.secrets);
  const users = Object.values(properties).filter((value) => typeof value === "string");
  const hide = (text: string) => hiding(secrets, users)(text);
  const diagnostics: Diagnostic[] = [];
  const { timeoutSeconds = LOAD_SECONDS } = projectOf(args);
  const outcome = await runConnector({
    code,
    task: {
      ...{ folder: root, entry, storeFile, options, registrationConfiguration, services, ...part },
      container: { DefinitionKey: definition.key, Configuration: JSON.stringify(properties) },
    },
    timeLimitMs: timeoutSeconds * 1_000,
    signal,
    onLine: (line) => output.say(hide(line)),
    onMessage: (news) => {
      if (news.kind !== "save") return onNews(news, hide);
      for (const value of Object.values(news.properties)) secrets.add(value);
      diagnostics.push(...saveProperties({ root, definition, properties: news.properties }));
    },
  });
  if (outcome.kind === "result") return { result: outcome, hide, diagnostics };
  return { hide, diagnostics: [...diagnostics, failureFinding(outcome, { root, entry, hide })] };
}

async function interruptibly<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  try {
    return await run(controller.signal);
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
}
