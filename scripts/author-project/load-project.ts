/** Loading an author's project and building its model: one step that all commands share. */
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { readCached, writeCached } from "./cache.js";
import { hashesBefore } from "./cache-file.js";
import type { Evaluator, Located } from "./evaluator.js";
import { type LoadedProject, projectOfTexts } from "./loaded-project.js";
import { rootModule } from "./root-module.js";

export interface LoadOptions {
  /** Seconds that modules may take to load; 30 where it is not said. */
  readonly timeoutSeconds?: number | undefined;
  /** Which findings the caller shows, and wants the lines of: all where it is not said. */
  readonly located?: Located;
  /** Called with a model that could be built, while it is still being checked; not for one that was kept. */
  readonly onBuilt?: (model: ConnectorModel) => void;
}

/** Loads the project in `folder`; unchanged files are not loaded again. */
export async function loadProject(folder: string, options: LoadOptions = {}): Promise<LoadedProject> {
  const loader = new ProjectLoader(folder);
  try {
    return await loader.load(options);
  } finally {
    loader.close();
  }
}

/** Loads a project as often as it changes, for watching: bundler and thread are kept ready. */
export class ProjectLoader {
  readonly #folder: string;
  readonly #root: string;
  #keep = () => {};
  #evaluator: { readonly entry: string; readonly evaluator: Evaluator } | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.#root = path.resolve(folder);
  }

  async load({ timeoutSeconds = 30, located = "all", onBuilt }: LoadOptions): Promise<LoadedProject> {
    const entry = rootModule(this.#root);
    if (entry === undefined)
      return { diagnostics: [diagnostic("project-missing", { file: this.#root }, { folder: this.#folder })] };
    // Places of definitions are asked for rarely, and not kept.
    const cached = located === "definitions" ? undefined : readCached(this.#root, entry, located);
    if (cached !== undefined) return projectOfTexts(cached);
    const startedAt = Date.now();
    const evaluator = await this.#evaluatorOf(entry);
    const { inputs, project } = await evaluator.evaluate({
      timeLimitMs: timeoutSeconds * 1000,
      located,
      onBuilt: onBuilt && ((modelJson) => onBuilt(JSON.parse(modelJson))),
    });
    // Read while the thread works.
    const hashes = hashesBefore(startedAt, inputs);
    const texts = await project;
    if (texts.modelJson === undefined || hashes === undefined || located === "definitions")
      return projectOfTexts(texts);
    // Written when the command has done what it is for.
    this.#keep = () => writeCached(this.#root, { entry, located, inputs: hashes }, texts);
    return projectOfTexts({ ...texts, inputs: hashes });
  }

  /** Keeps what was loaded, and makes ready what the next load needs. */
  prepare(): void {
    this.#keep();
    this.#keep = () => {};
    this.#evaluator?.evaluator.prepare();
  }

  /** Keeps what was loaded, and ends. */
  close(): void {
    this.#keep();
    this.#keep = () => {};
    this.#evaluator?.evaluator.close();
    this.#evaluator = undefined;
  }

  async #evaluatorOf(entry: string): Promise<Evaluator> {
    if (this.#evaluator?.entry === entry) return this.#evaluator.evaluator;
    this.close();
    // A command is over before optimized code pays: compiling it earlier takes a third of the time of both threads.
    setFlagsFromString("--interrupt-budget=660000");
    // Bundler and thread are only loaded where they are needed.
    const { Evaluator } = await import("./evaluator.js");
    const evaluator = new Evaluator(this.#root, entry);
    this.#evaluator = { entry, evaluator };
    return evaluator;
  }
}
