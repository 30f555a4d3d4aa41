/** Everything that an author wants to know after a save: what is generated, what is wrong, and what the readers yield. */
import path from "node:path";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { ProjectLoader, type ProjectOptions } from "../author-project/load-project.js";
import { type LoadedProject, rootModule } from "../author-project/loaded-project.js";
import { watchProject } from "../author-project/watch-project.js";
import { prepareConnector, type ReadyConnector } from "../connector-run/prepare-connector.js";
import { readingHashes } from "../connector-run/reading-hashes.js";
import type { FakeFacts, FakeTask, PreviewedObject } from "../connector-run/run-protocol.js";
import { findingsOfProject } from "../project-checks/findings-of-project.js";
import type { Environment } from "../test-settings/filled-values.js";
import { type GenerateResult, generateOnce } from "./generate.js";
import { isFine, previewLoaded } from "./services.js";
import { runFake } from "./start-fake.js";

/** What is told after each save, in this order. What a save overtakes is not told to its end. */
export type DevelopEvent =
  /** A pass begins. */
  | {
      readonly kind: "saved";
      /** The files that were saved, by their path from the project's folder, with `/`; none for the first pass. */
      readonly files: readonly string[];
    }
  /** Files under `generated/` were written. */
  | {
      readonly kind: "generated";
      /** Which files, and what became of them; paths from the project's folder, with `/`. */
      readonly changes: GenerateResult["changes"];
    }
  /** The project was checked. Silenced findings are left out. */
  | {
      readonly kind: "checked";
      /** Every finding, sorted by place. */
      readonly findings: readonly Diagnostic[];
      /** Those of them that the pass before did not have. */
      readonly appeared: readonly Diagnostic[];
      /** Those that only the pass before had. */
      readonly gone: readonly Diagnostic[];
    }
  /** The fake target system answers, with the code as it is now; its records are new. */
  | {
      readonly kind: "faked";
      /** Where it is, whom it lets in, and what it answers. */
      readonly fake: FakeFacts;
    }
  /** The fake target system could not be started, or has ended; the next save starts it again. */
  | {
      readonly kind: "not-faked";
      /** Why. */
      readonly diagnostics: readonly Diagnostic[];
    }
  /** A reader was tried, because something that it depends on was saved. */
  | {
      readonly kind: "previewed";
      /** What it yielded; write-only values of its records are masked. */
      readonly previewed: PreviewedObject;
      /** How many readers are tried in this pass. */
      readonly count: number;
    }
  /** The readers could not be tried. */
  | {
      readonly kind: "not-read";
      /** Why. */
      readonly diagnostics: readonly Diagnostic[];
    }
  /** A line that the connector printed, or a request that came to the fake target system. */
  | {
      readonly kind: "line";
      /** The line, without its end. */
      readonly text: string;
    }
  /** The pass is over; the next save is waited for. */
  | { readonly kind: "waiting" };

/** Which project to work on. */
export interface DevelopOptions extends ProjectOptions {
  /** What the fake target system is made with, beside what `fake.ts` of the project says. */
  readonly fake?: FakeTask["options"] | undefined;
  /** The most records of each data object that is read. @default 5 */
  readonly limit?: number | undefined;
  /** Whether every request that comes to the fake target system is told as a line. @default false */
  readonly isTraced?: boolean | undefined;
  /** Variables for the processes that run the connector, such as `process.env`. */
  readonly environment: Environment;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called with every event, in order. */
  readonly onEvent: (event: DevelopEvent) => void;
}

/** How it ended. */
export interface DevelopResult {
  /** Why it did not begin; empty if it went on until it was told to end. */
  readonly diagnostics: readonly Diagnostic[];
}

const SHOWN_RECORDS = 5;

/** What is checked beside the modules. */
const WATCHED_BESIDES = ["package.json", "connector.json"];

/**
 * After every save, until `signal` is aborted: generates, checks, keeps a fake target system of the project running, and
 * tries the readers that may yield something else now. All of them are tried at first. Only `generated/` is written.
 */
export async function develop(options: DevelopOptions): Promise<DevelopResult> {
  const { folder, signal } = options;
  const root = path.resolve(folder);
  if (rootModule(root) === undefined)
    return { diagnostics: [diagnostic("project-missing", { file: root }, { folder })] };
  const loader = new ProjectLoader(options);
  const fake = new KeptFake(options);
  const passes = new Passes(options, { root, loader, fake });
  try {
    await watchProject(folder, {
      signal,
      besides: WATCHED_BESIDES,
      run: (current, saved) => passes.run(current, saved),
    });
    return { diagnostics: [] };
  } finally {
    loader.close();
    await fake.stop();
  }
}

interface Parts {
  readonly root: string;
  readonly loader: ProjectLoader;
  readonly fake: KeptFake;
}

/** One pass after the other; each knows what the one before found, so that only what is new is told. */
class Passes {
  readonly #options: DevelopOptions;
  readonly #parts: Parts;
  #known = new Map<string, Diagnostic>();
  /** What each data object depended on when it was last tried, and whether it did well. */
  #tried = new Map<string, { readonly hash: string; readonly isFine: boolean }>();

  constructor(options: DevelopOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
  }

  async run(signal: AbortSignal, files: readonly string[]): Promise<void> {
    const { onEvent } = this.#options;
    const { root, loader } = this.#parts;
    onEvent({ kind: "saved", files });
    const { result, project = await loader.load() } = await generateOnce(
      { ...this.#options, located: "all" },
      loader,
    );
    if (result.isWritten && result.changes.length > 0)
      onEvent({ kind: "generated", changes: result.changes });
    const { model } = project;
    const prepared =
      model === undefined || !result.isWritten
        ? { diagnostics: [] }
        : await prepareConnector(root, model, { withFake: true });
    const unprepared = prepared.code === undefined ? prepared.diagnostics.map(asNote) : [];
    await this.#check(project, [...result.diagnostics, ...unprepared]);
    loader.prepare();
    if (signal.aborted) return;
    if (model !== undefined && prepared.code !== undefined) await this.#tryReaders(model, prepared, signal);
    if (!signal.aborted) onEvent({ kind: "waiting" });
  }

  /** @param others What was found on the way; the check may find it, too. */
  async #check(project: LoadedProject, others: readonly Diagnostic[]): Promise<void> {
    const { folder, timeoutSeconds, onEvent } = this.#options;
    const checked = await findingsOfProject(folder, project, { timeoutSeconds });
    const findings = new Map(
      [...checked, ...others.filter((found) => !project.diagnostics.includes(found))]
        .filter(({ silenced }) => silenced === undefined)
        .map((found) => [identityOf(found), found]),
    );
    const known = this.#known;
    this.#known = findings;
    const missingIn = (other: ReadonlyMap<string, Diagnostic>) => (all: ReadonlyMap<string, Diagnostic>) =>
      [...all].filter(([identity]) => !other.has(identity)).map(([, found]) => found);
    onEvent({
      kind: "checked",
      findings: [...findings.values()],
      appeared: missingIn(known)(findings),
      gone: missingIn(findings)(known),
    });
  }

  async #tryReaders(model: ConnectorModel, connector: ReadyConnector, signal: AbortSignal): Promise<void> {
    const { limit = SHOWN_RECORDS, onEvent } = this.#options;
    const { root, fake } = this.#parts;
    const facts = await fake.start(connector);
    if (facts === undefined || signal.aborted) return;
    const hashes = readingHashes(root, model, connector.imports);
    const due = [...hashes].filter(([dataPath, hash]) => this.#tried.get(dataPath)?.hash !== hash);
    const objects = due.map(([dataPath]) => dataPath).sort((a, b) => this.#rank(a) - this.#rank(b));
    if (objects.length === 0) return;
    const { diagnostics } = await previewLoaded({ model, connector }, objects, {
      ...this.#options,
      fake: facts.origin,
      isTraced: false,
      ...{ limit, signal },
      onEvent: (event) => {
        if (event.kind === "line") onEvent(event);
        if (event.kind !== "previewed" || signal.aborted) return;
        const { previewed } = event;
        const hash = hashes.get(previewed.dataPath) ?? "";
        this.#tried.set(previewed.dataPath, { hash, isFine: isFine(previewed) });
        onEvent({ kind: "previewed", previewed, count: objects.length });
      },
    });
    if (diagnostics.length > 0 && !signal.aborted) onEvent({ kind: "not-read", diagnostics });
  }

  /** What did not do well is tried first. */
  #rank(dataPath: string): number {
    return this.#tried.get(dataPath)?.isFine === false ? 0 : 1;
  }
}

/** A connector that has no client yet is no mistake: it can't be run, and that is all. */
function asNote(found: Diagnostic): Diagnostic {
  return found.code === "run-registration-missing" ? { ...found, severity: "info" } : found;
}

/** The same finding after its lines have moved. */
function identityOf({ code, file, pointer, message }: Diagnostic): string {
  return JSON.stringify([code, file, pointer, message]);
}

/** The fake target system of the project: always of the newest code, and always at the same address. */
class KeptFake {
  readonly #options: DevelopOptions;
  #port: number | undefined;
  #running: RunningFake | undefined;

  constructor(options: DevelopOptions) {
    this.#options = options;
    this.#port = options.fake?.port;
  }

  /** What it is, once it runs with the code of `connector`; undefined if it does not, which is told. */
  async start(connector: ReadyConnector): Promise<FakeFacts | undefined> {
    if (this.#running?.code === connector.code) return this.#running.facts;
    await this.stop();
    const { fake, isTraced, signal, onEvent } = this.#options;
    const stopping = new AbortController();
    const stop = () => stopping.abort();
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    const running = await new Promise<RunningFake | undefined>((resolve) => {
      const ended = runFake(connector, {
        ...this.#options,
        fake: { ...fake, port: this.#port },
        ...{ isTraced, signal: stopping.signal },
        onEvent: (event) => {
          if (event.kind === "line") onEvent(event);
          if (event.kind === "faked") resolve({ code: connector.code, facts: event.fake, stop, ended });
        },
      }).then(({ diagnostics }) => {
        signal.removeEventListener("abort", stop);
        this.#running = undefined;
        if (diagnostics.length > 0) onEvent({ kind: "not-faked", diagnostics });
        resolve(undefined);
      });
    });
    this.#running = running;
    if (running === undefined) return undefined;
    this.#port = Number(new URL(running.facts.origin).port);
    onEvent({ kind: "faked", fake: running.facts });
    return running.facts;
  }

  /** Ends it, if it runs; its port is free then. */
  async stop(): Promise<void> {
    this.#running?.stop();
    await this.#running?.ended;
  }
}

interface RunningFake {
  readonly code: string;
  readonly facts: FakeFacts;
  readonly stop: () => void;
  readonly ended: Promise<void>;
}
