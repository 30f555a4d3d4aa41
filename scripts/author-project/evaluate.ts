/** Runs a bundled project in a thread of its own: what hangs, exits or fills the memory there ends there. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { type BundleResult, bundleProject } from "./bundle.js";
import type { CodePlace } from "./locate.js";

/** What a project is, once it is loaded. Without a model, an error among the diagnostics says why. */
export interface LoadedProject {
  readonly model?: ConnectorModel;
  /** The text of `connector.json`. */
  readonly connectorJson?: string;
  /** Sorted by place; files are absolute. */
  readonly diagnostics: readonly Diagnostic[];
  /** Findings that their author silenced, each with the reason. */
  readonly silenced?: readonly Diagnostic[];
  /** Where the author's code defines what stands at a pointer of `connector.json`; only where it was asked for. */
  readonly origins?: readonly (readonly [pointer: string, place: CodePlace])[];
}

export interface Evaluation {
  readonly project: LoadedProject;
  readonly inputs: readonly string[];
}

/** What the thread is given. */
export interface WorkerTask {
  readonly bundleFile: string;
  readonly folder: string;
  readonly entry: string;
  /** Whether the places of all definitions are wanted. */
  readonly withOrigins: boolean;
}

const MEMORY_LIMIT_MB = 2_048;

/** Loads `entry` of `folder` afresh; gives up after `timeLimitMs`. */
export async function evaluateProject(
  folder: string,
  entry: string,
  { timeLimitMs, withOrigins }: { readonly timeLimitMs: number; readonly withOrigins: boolean },
): Promise<Evaluation> {
  const temporary = await mkdtemp(path.join(tmpdir(), "connectorcli-"));
  try {
    const bundleFile = path.join(temporary, "connector.mjs");
    const bundled: BundleResult = await bundleProject(folder, entry, bundleFile);
    const { bundle, diagnostics } = bundled;
    if (bundle === undefined || diagnostics.length > 0) return { project: { diagnostics }, inputs: [] };
    await writeFile(bundleFile, bundle.code);
    const project = await runWorker({ bundleFile, folder, entry, withOrigins }, timeLimitMs);
    return { project, inputs: bundle.inputs };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function runWorker(task: WorkerTask, timeLimitMs: number): Promise<LoadedProject> {
  const worker = new Worker(new URL("../../bundled/evaluate-worker.js", import.meta.url), {
    workerData: task,
    stdin: true,
    stdout: true,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
  });
  // Standard output carries results only: what modules print while they load goes to standard error.
  worker.stdout.pipe(process.stderr, { end: false });
  const failed = (reason: string): LoadedProject => ({
    diagnostics: [diagnostic("project-throws", { file: task.entry }, { reason })],
  });
  const hangs = (limit: string): LoadedProject => ({
    diagnostics: [diagnostic("project-hangs", { file: task.entry }, { limit })],
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<LoadedProject>((resolve) => {
      timer = setTimeout(() => resolve(hangs(`within ${timeLimitMs / 1000} seconds`)), timeLimitMs);
      worker.once("message", (project: LoadedProject) => resolve(project));
      worker.once("error", (error) => resolve(failed(error.message)));
      worker.once("exit", (code) => {
        // Node ends a thread with 13 when a top-level await can never settle.
        resolve(
          code === 13
            ? hangs("(an await at the top level never ends)")
            : failed(`they ended the process with status ${code}`),
        );
      });
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
