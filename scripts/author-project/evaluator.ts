/** Runs an author's project in a thread of its own: what hangs, exits or fills the memory there ends there. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { packageFile } from "../package-files.js";
import { Bundler } from "./bundler.js";
import type { ProjectTexts } from "./loaded-project.js";

/**
 * Which findings are told with their line: to find it the project's files are parsed. `definitions`: all of them, and
 * where every definition stands.
 */
export type Located = "errors" | "all" | "definitions";

export interface EvaluationOptions {
  readonly timeLimitMs: number;
  readonly located: Located;
  /** Called with the model while it is still being checked, where it could be built without an error. */
  readonly onBuilt?: ((modelJson: string) => void) | undefined;
}

/** What the thread tells: a model without errors of its own as soon as it is built, then everything. */
export interface ThreadMessage {
  readonly modelJson?: string;
  readonly project?: ProjectTexts;
}

export interface Evaluation {
  /** Absolute paths of the files that are being loaded; none where they can't be. */
  readonly inputs: readonly string[];
  readonly project: Promise<ProjectTexts>;
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
    this.#folder = mkdtempSync(path.join(tmpdir(), "connectorcli-"));
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
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
  });
  // Standard output carries results only: what modules print while they load goes to standard error.
  thread.stdout.pipe(process.stderr, { end: false });
  return thread;
}

async function runThread(
  thread: Worker,
  task: WorkerTask,
  { timeLimitMs, onBuilt }: EvaluationOptions,
): Promise<ProjectTexts> {
  const failed = (reason: string): ProjectTexts => ({
    diagnostics: [diagnostic("project-throws", { file: task.entry }, { reason })],
  });
  const hangs = (limit: string): ProjectTexts => ({
    diagnostics: [diagnostic("project-hangs", { file: task.entry }, { limit })],
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<ProjectTexts>((resolve) => {
      timer = setTimeout(() => resolve(hangs(`within ${timeLimitMs / 1000} seconds`)), timeLimitMs);
      thread.on("message", ({ modelJson, project }: ThreadMessage) => {
        if (modelJson !== undefined) onBuilt?.(modelJson);
        if (project !== undefined) resolve(project);
      });
      thread.once("error", (error) => resolve(failed(error.message)));
      thread.once("exit", (code) => {
        // Node ends a thread with 13 when a top-level await can never settle.
        resolve(
          code === 13
            ? hangs("(an await at the top level never ends)")
            : failed(`they ended the process with status ${code}`),
        );
      });
      thread.postMessage(task);
    });
  } finally {
    clearTimeout(timer);
    void thread.terminate();
  }
}
