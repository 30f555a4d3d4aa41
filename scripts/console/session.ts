/** The project and the store that a console shows: loaded once, and again after a save. */
import { statSync } from "node:fs";
import path from "node:path";
import { StoreError } from "../../runtime/store/store.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { isOfProduction } from "../../schemas/model/connection-members.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { loadProject } from "../author-project/load-project.js";
import { watchProject } from "../author-project/watch-project.js";
import { connectionSettings } from "../test-settings/read-settings.js";
import { settingsPath } from "../test-settings/settings-file.js";
import { fakeSettings } from "../workbench/fake-settings.js";
import {
  noWorkspaceWords,
  type OpenStoreResult,
  openProjectStore,
  type ProjectStore,
} from "../workbench/store.js";
import { storeFileOf } from "../workbench/store-file.js";
import type { ConsoleOptions } from "./console-options.js";
import { DatabaseSession, type ShownWorkspace } from "./database-session.js";
import { KeptStore } from "./kept-store.js";
import { ApiError } from "./server.js";
import { type ShownProperty, shownProperties } from "./shown-connection.js";

/** The connection that runs use, without any of its values. */
export interface ShownConnection {
  /** The definition key; undefined if the settings name none. */
  readonly key: string | undefined;
  readonly title: string;
  readonly authType: string | undefined;
  /** The target system is the real one, on which people work. */
  readonly isProduction: boolean;
  readonly isFake: boolean;
  /** Whether each property has a value, and never which. */
  readonly properties: readonly ShownProperty[];
  /** Why nothing can be run with it. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What would be changed, by the name that whoever changes it types if it is production. */
export interface Target {
  readonly isProduction: boolean;
  readonly title: string;
}

/** Where the page looks. */
export interface ShownPlace {
  /** The file of the embedded store, absolute; absent for a database. */
  readonly storeFile?: string;
  readonly database?: {
    /** What it is called; no password is in it. */
    readonly name: string;
    /** The first names of its workspaces. */
    readonly workspaces: readonly string[];
    /** How many there are. */
    readonly count: number;
    /** The one that is shown; undefined if there is none. */
    readonly workspace: ShownWorkspace | undefined;
  };
  readonly target: Target;
}

/** What a call is about: the project with its embedded store, or with the store of a workspace. */
export interface ConsoleView
  extends Pick<ConsoleSession, "version" | "project" | "locatedProject" | "model" | "connection"> {
  /** The database of the workspace; undefined for an embedded store. */
  readonly database: DatabaseSession | undefined;
  /** Name of the workspace; undefined for an embedded store, and if the database has none. */
  workspace(): Promise<string | undefined>;
  /** Uses the store; `none` is given while there is none. */
  withStore<Result>(use: (store: ProjectStore) => Promise<Result>, none: () => Result): Promise<Result>;
  place(): Promise<ShownPlace>;
  /** What a change of the store or of the workspace would change. */
  target(): Promise<Target>;
}

/** Names of workspaces that the page is told to choose from. */
const MAX_NAMES = 200;

/** What a console shows; whoever made it closes it. */
export class ConsoleSession {
  readonly #options: ConsoleOptions;
  readonly #root: string;
  readonly #end = new AbortController();
  readonly #watch: Promise<void>;
  #loaded: ReturnType<typeof loadProject> | undefined;
  #located: ReturnType<typeof loadProject> | undefined;
  readonly #database: DatabaseSession | undefined;
  #opened: KeptStore | undefined;
  #opening: Promise<KeptStore | undefined> | undefined;
  #settingsChangedAt: number | undefined;
  /** Counts saves, so that the page knows that what it shows is old. */
  #version = 0;
  #prepared: Promise<unknown> | undefined;

  constructor(options: ConsoleOptions) {
    this.#options = options;
    this.#root = path.resolve(options.folder);
    const { database, storeKey } = options;
    this.#database = database === undefined ? undefined : new DatabaseSession({ database, storeKey });
    this.#watch = watchProject(this.#root, {
      signal: this.#end.signal,
      run: async () => {
        this.#version++;
        this.#loaded = undefined;
        this.#located = undefined;
        this.#retire();
        this.#database?.retire();
      },
    });
  }

  /** @throws StoreError if there is a database that can't be used, or that lacks the workspace that was asked for */
  async open(): Promise<void> {
    const names = await this.#database?.names();
    const { workspace } = this.#options;
    if (names !== undefined && workspace !== undefined && !names.includes(workspace))
      throw new StoreError("unavailable", `${noWorkspaceWords(workspace, names)}.`);
  }

  /** Loads what the first page shows while the browser still opens; what fails is said to whoever asks. */
  prepare(): void {
    this.#prepared = this.in(undefined)
      .withStore(
        (store) => store.summaries(),
        () => undefined,
      )
      .catch(() => {});
  }

  /**
   * What a call is about.
   * @param workspace The workspace of the database. Default: the one of the options, or the first one
   */
  in(workspace: string | undefined): ConsoleView {
    const database = this.#database;
    return database === undefined
      ? new EmbeddedView(this)
      : new WorkspaceView(this, database, workspace ?? this.#options.workspace);
  }

  get version(): number {
    return this.#version;
  }

  /** The project as it was last saved. */
  project(): ReturnType<typeof loadProject> {
    this.#loaded ??= loadProject(this.#options);
    return this.#loaded;
  }

  /** The same with the places of its definitions, which takes a load of its own. */
  locatedProject(): ReturnType<typeof loadProject> {
    this.#located ??= loadProject({ ...this.#options, located: "definitions" });
    return this.#located;
  }

  /** @throws ApiError if the project can't be loaded. */
  async model(): Promise<ConnectorModel> {
    const { model, diagnostics } = await this.project();
    if (model !== undefined) return model;
    const [first] = diagnostics.filter(({ severity }) => severity === "error");
    throw new ApiError(
      422,
      `The project can't be loaded: ${first?.message ?? "npx connectorcli check says why."}`,
    );
  }

  /** The embedded store; undefined while there is none. */
  async store(): Promise<KeptStore | undefined> {
    this.#noteSettings();
    return this.#opened ?? this.#open();
  }

  /** The store's file, absolute. */
  get storeFile(): string {
    return storeFileOf(this.#options);
  }

  /** The connection of the settings, or of the fake target system. */
  async connection(): Promise<ShownConnection> {
    const model = await this.model();
    const { fake, connection: key, environment } = this.#options;
    const { settings, diagnostics } =
      fake === undefined
        ? connectionSettings({ model, root: this.#root, key, environment })
        : ofFake(await fakeSettings(fake, model));
    const isFake = fake !== undefined;
    if (settings === undefined)
      return {
        key,
        title: "",
        authType: undefined,
        isProduction: false,
        isFake,
        properties: [],
        diagnostics,
      };
    const { definition, properties } = settings;
    return {
      key: definition.key,
      title: definition.title,
      authType: definition.authType,
      isProduction: !isFake && isOfProduction(properties),
      isFake,
      properties: shownProperties(definition, properties),
      diagnostics,
    };
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#watch;
    await this.#prepared;
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.retire();
    await this.#database?.close();
  }

  #open(): Promise<KeptStore | undefined> {
    // Whoever asks meanwhile gets the same one.
    this.#opening ??= this.#openNow().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #openNow(): Promise<KeptStore | undefined> {
    const version = this.#version;
    const store = storeIn(await openProjectStore(this.#options, this.project()));
    if (store === undefined) return undefined;
    const opened = new KeptStore(store);
    if (version === this.#version && this.#opened === undefined) this.#opened = opened;
    // Whoever waits for it uses it first.
    else setImmediate(() => void opened.retire());
    return opened;
  }

  /** What is secret stands in the settings: other ones hide other values. */
  #noteSettings(): void {
    const changedAt = statSync(settingsPath(this.#root), { throwIfNoEntry: false })?.mtimeMs;
    if (changedAt === this.#settingsChangedAt) return;
    this.#settingsChangedAt = changedAt;
    this.#retire();
  }

  #retire(): void {
    void this.#opened?.retire();
    this.#opened = undefined;
  }
}

/** What all views have of the project. */
abstract class ProjectView {
  protected readonly session: ConsoleSession;

  constructor(session: ConsoleSession) {
    this.session = session;
  }

  get version(): number {
    return this.session.version;
  }

  readonly project = () => this.session.project();
  readonly locatedProject = () => this.session.locatedProject();
  readonly model = () => this.session.model();
  readonly connection = () => this.session.connection();
}

/** The project with its embedded store. */
class EmbeddedView extends ProjectView implements ConsoleView {
  readonly database = undefined;

  async workspace(): Promise<undefined> {}

  async withStore<Result>(
    use: (store: ProjectStore) => Promise<Result>,
    none: () => Result,
  ): Promise<Result> {
    const kept = await this.session.store();
    return kept === undefined ? none() : kept.use(use);
  }

  readonly target = () => this.session.connection();

  async place(): Promise<ShownPlace> {
    const { isProduction, title } = await this.target();
    return { storeFile: this.session.storeFile, target: { isProduction, title } };
  }
}

/** The project with the store of a workspace. */
class WorkspaceView extends ProjectView implements ConsoleView {
  readonly database: DatabaseSession;
  readonly #wanted: string | undefined;

  constructor(session: ConsoleSession, database: DatabaseSession, wanted: string | undefined) {
    super(session);
    this.database = database;
    this.#wanted = wanted;
  }

  async workspace(): Promise<string | undefined> {
    return this.#wanted ?? (await this.database.names())[0];
  }

  async withStore<Result>(
    use: (store: ProjectStore) => Promise<Result>,
    none: () => Result,
  ): Promise<Result> {
    const name = await this.workspace();
    return name === undefined ? none() : this.database.withStore(name, await this.model(), use);
  }

  async place(): Promise<ShownPlace> {
    const [{ name }, names] = await Promise.all([this.database.stores(), this.database.names()]);
    const workspace = await this.#shown();
    return {
      database: { name, workspaces: names.slice(0, MAX_NAMES), count: names.length, workspace },
      target: targetOf(workspace),
    };
  }

  async target(): Promise<Target> {
    return targetOf(await this.#shown());
  }

  async #shown(): Promise<ShownWorkspace | undefined> {
    const name = await this.workspace();
    return name === undefined ? undefined : this.database.workspace(name, await this.model());
  }
}

/** All workspaces of a connector have the same connections: the name of the workspace tells them apart. */
function targetOf(workspace: ShownWorkspace | undefined): Target {
  return { isProduction: workspace?.isProduction === true, title: workspace?.name ?? "" };
}

function ofFake({ settings, diagnostics }: Awaited<ReturnType<typeof fakeSettings>>) {
  return { settings: settings?.connection, diagnostics };
}

/** @throws ApiError if the store can't be used. */
function storeIn(result: OpenStoreResult): ProjectStore | undefined {
  switch (result.kind) {
    case "opened":
      return result.store;
    case "missing":
      return undefined;
    case "unusable":
      throw new ApiError(422, result.diagnostics[0]?.message ?? "The store can't be opened.");
    default:
      return result satisfies never;
  }
}
