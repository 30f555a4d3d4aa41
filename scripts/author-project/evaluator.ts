/** Loads an author's project in a thread of its own: if it hangs, exits or fills the memory, only the thread ends. */
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { packageFile } from "../system/package-files.js";
import { makeTemporaryFolder } from "../system/temporary-folder.js";
import { Bundler } from "./bundler.js";
import type { LoadedProject, Located } from "./loaded-project.js";

export interface EvaluationOptions {
  readonly timeLimitMs: number;
  readonly located: Located;
  /** Called with what the modules print. */
  readonly onOutput?: ((text: string) => void) | undefined;
  /** Called with the model while it is still being checked, if it could be built without an error. */
  readonly onBuilt?: ((model: ConnectorModel) => void) | undefined;
}

/** What the thread finds beside the model. */
export type EvaluatedProject = Omit<LoadedProject, "model" | "inputs">;

/** What the thread says: the model as soon as it is built, then everything else. */
export type ThreadMessage =
  | { readonly kind: "model"; readonly model: ConnectorModel; readonly isSound: boolean }
  | { readonly kind: "project"; readonly project: EvaluatedProject };

export interface Evaluation {
  /** Absolute paths of the files that are being loaded; empty if they can't be. */
  readonly inputs: readonly string[];
  readonly project: Promise<LoadedProject>;
}

/** What the thread is given. */
export interface WorkerTask {
  readonly bundleFile: string;
  /** From the bundle to the author's files, as JSON. */
  readonly sourceMap: string;
  readonly entry: string;
  readonly located: Located;
}

const MEMORY_LIMIT_MB = 2_048;

/** Loads one project, as often as it is asked to. */
export class Evaluator {
  readonly #entry: string;
  readonly #bundler: Bundler;
  readonly #folder: string;
  #thread: Worker | undefined;

  constructor(folder: string, entry: string) {
    this.#entry = entry;
    this.#folder = makeTemporaryFolder();
    this.#bundler = new Bundler(folder, entry, path.join(this.#folder, "connector.mjs"));
  }

  /** Starts the thread of the next load, which takes a while to be ready. */
  prepare(): void {
    this.#thread ??= startThread();
  }

  /** Loads the project afresh. */
  async evaluate(options: EvaluationOptions): Promise<Evaluation> {
    // The thread loads its own code while the bundler works.
    this.prepare();
    const { bundle, diagnostics } = await this.#bundler.bundle();
    if (bundle === undefined || diagnostics.length > 0)
      return { inputs: [], project: Promise.resolve({ diagnostics }) };
    const bundleFile = path.join(this.#folder, "connector.mjs");
    writeFileSync(bundleFile, bundle.code);
    const thread = this.#thread ?? startThread();
    this.#thread = undefined;
    const task = { bundleFile, sourceMap: bundle.sourceMap, entry: this.#entry, located: options.located };
    return { inputs: bundle.inputs, project: runThread(thread, task, options) };
  }

  close(): void {
    void this.#thread?.terminate();
    this.#bundler.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function startThread(): Worker {
  const thread = new Worker(packageFile("dist/bundled/evaluate-worker.js"), {
    stdin: true,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
  });
  return thread;
}

async function runThread(
  thread: Worker,
  task: WorkerTask,
  { timeLimitMs, onBuilt, onOutput = () => {} }: EvaluationOptions,
): Promise<LoadedProject> {
  for (const stream of [thread.stdout, thread.stderr]) stream.setEncoding("utf8").on("data", onOutput);
  const failure = (reason: string): LoadedProject => ({
    diagnostics: [diagnostic("project-throws", { file: task.entry }, { reason })],
  });
  const timeout = (limit: string): LoadedProject => ({
    diagnostics: [diagnostic("project-hangs", { file: task.entry }, { limit })],
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<LoadedProject>((resolve) => {
      timer = setTimeout(() => resolve(timeout(`within ${timeLimitMs / 1000} seconds`)), timeLimitMs);
      let model: ConnectorModel | undefined;
      thread.on("message", (message: ThreadMessage) => {
        if (message.kind === "project") return resolve({ ...(model && { model }), ...message.project });
        model = message.model;
        if (message.isSound) onBuilt?.(model);
      });
      thread.once("error", (error) => resolve(failure(error.message)));
      thread.once("exit", (code) => {
        // Node ends a thread with 13 when a top-level await can never settle.
        resolve(
          code === 13
            ? timeout("(an await at the top level never ends)")
            : failure(`they ended the process with status ${code}`),
        );
      });
      thread.postMessage(task);
    });
  } finally {
    clearTimeout(timer);
    void thread.terminate();
  }
}
