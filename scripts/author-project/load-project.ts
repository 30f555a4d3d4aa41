/** Loads an author's project and builds its model. */
import path from "node:path";
import { diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { readPackageText } from "../system/files.js";
import { hashesBefore, readCached, writeCached } from "./cache.js";
import type { Evaluator } from "./evaluator.js";
import { type LoadedProject, type Located, rootModule } from "./loaded-project.js";

const DEFAULT_LOAD_SECONDS = 30;

/** Names a project. */
export interface ProjectOptions {
  /** The project's folder; a relative one starts from the folder of the process. */
  readonly folder: string;
  /** Seconds that the project's modules may take to load. @default 30 */
  readonly timeoutSeconds?: number | undefined;
  /** Called before the project's modules are loaded; not if what an earlier load gave still holds. */
  readonly onLoad?: (() => void) | undefined;
  /** Called with what the project's modules print while they load. @default it is dropped */
  readonly onOutput?: ((text: string) => void) | undefined;
}

/** Which project to load, and how. */
export interface LoadOptions extends ProjectOptions {
  /** Which findings the caller shows, and wants the lines of. @default "all" */
  readonly located?: Located;
  /** Called with a model that could be built, while it is still being checked; not for one from the cache. */
  readonly onBuilt?: (model: ConnectorModel) => void;
}

/** Loads a project; unchanged files are not loaded again. What is wrong with it is among the diagnostics. */
export async function loadProject(options: LoadOptions): Promise<LoadedProject> {
  const loader = new ProjectLoader(options);
  try {
    return await loader.load(options);
  } finally {
    loader.close();
  }
}

/** Loads a project as often as it changes, for watching: bundler and thread are kept ready. */
export class ProjectLoader {
  readonly #options: ProjectOptions;
  readonly #root: string;
  #keep = () => {};
  #evaluator: { readonly entry: string; readonly evaluator: Evaluator } | undefined;

  /** @param options The project; it is loaded by `load`. */
  constructor(options: ProjectOptions) {
    this.#options = options;
    this.#root = path.resolve(options.folder);
  }

  /** Loads the project as it is now. */
  async load({
    located = "all",
    onBuilt,
  }: Pick<LoadOptions, "located" | "onBuilt"> = {}): Promise<LoadedProject> {
    const { folder, timeoutSeconds = DEFAULT_LOAD_SECONDS, onOutput } = this.#options;
    const entry = rootModule(this.#root);
    if (entry === undefined)
      return { diagnostics: [diagnostic("project-missing", { file: this.#root }, { folder })] };
    // The bundler reads it too, and would wait for a pipe.
    const { diagnostics: unreadable } = readPackageText(this.#root);
    if (unreadable.length > 0) return { diagnostics: unreadable };
    // Places of definitions are asked for rarely, and not kept.
    const cached = located === "definitions" ? undefined : readCached(this.#root, entry, located);
    if (cached !== undefined) return cached;
    const startedAt = Date.now();
    const evaluator = await this.#evaluatorOf(entry);
    const { inputs, project: evaluated } = await evaluator.evaluate({
      timeLimitMs: timeoutSeconds * 1_000,
      located,
      onOutput,
      onBuilt,
    });
    // Read while the thread works.
    const hashes = hashesBefore(startedAt, inputs);
    const project = await evaluated;
    if (project.model === undefined || hashes === undefined || located === "definitions") return project;
    // Written when the command has done what it is for.
    this.#keep = () => writeCached(this.#root, { entry, located, inputs: hashes }, project);
    return { ...project, inputs: hashes };
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
    this.#options.onLoad?.();
    // Bundler and thread are only loaded where they are needed.
    const { Evaluator } = await import("./evaluator.js");
    const evaluator = new Evaluator(this.#root, entry);
    this.#evaluator = { entry, evaluator };
    return evaluator;
  }
}
