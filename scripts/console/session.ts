/** The project and the store that a console shows: loaded once, and again after a save. */
import { statSync } from "node:fs";
import path from "node:path";
import { isOfProduction } from "../../schemas/model/connection-members.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { loadProject } from "../author-project/load-project.js";
import { watchProject } from "../author-project/watch-project.js";
import { connectionSettings } from "../test-settings/read-settings.js";
import { settingsPath } from "../test-settings/settings-file.js";
import { chosenWorkspace } from "../workbench/database.js";
import { fakeSettings } from "../workbench/fake-settings.js";
import { type OpenStoreResult, openProjectStore, type ProjectStore } from "../workbench/store.js";
import { storeFileOf } from "../workbench/store-file.js";
import type { ConsoleOptions } from "./console-options.js";
import { DatabaseSession, type LookedWorkspace, type ShownWorkspace } from "./database-session.js";
import { KeptStore } from "./kept-store.js";
import { ApiError } from "./server.js";
import { noConnection, type ShownConnection, shownConnection, type Target } from "./shown-connection.js";

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
  extends Pick<ConsoleSession, "version" | "project" | "locatedProject" | "model"> {
  /** The database of the workspace; undefined for an embedded store. */
  readonly database: DatabaseSession | undefined;
  /** Name of the workspace; undefined for an embedded store, and if the database has none. */
  workspace(): Promise<string | undefined>;
  /** Uses the store; `none` is given while there is none. */
  withStore<Result>(use: (store: ProjectStore) => Promise<Result>, none: () => Result): Promise<Result>;
  place(): Promise<ShownPlace>;
  /** What readers, actions and the connection test call the target system with. */
  connection(): Promise<ShownConnection>;
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
    const stores = await this.#database?.stores();
    const { workspace } = this.#options;
    if (stores !== undefined && workspace !== undefined) await chosenWorkspace(stores, workspace);
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

  /** Whether a fake target system is called in place of any other. */
  get isFake(): boolean {
    return this.#options.fake !== undefined;
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

  /** The connection of this machine's settings, or of the fake target system. */
  async connection(): Promise<ShownConnection> {
    const model = await this.model();
    const { fake, connection: key, environment } = this.#options;
    const { settings, diagnostics } =
      fake === undefined
        ? connectionSettings({ model, root: this.#root, key, environment })
        : ofFake(await fakeSettings(fake, model));
    const { isFake } = this;
    if (settings === undefined) return noConnection({ key, isFake, diagnostics });
    const { definition, properties } = settings;
    const target = { isProduction: !isFake && isOfProduction(properties), title: definition.title };
    return { ...shownConnection(definition, properties, target), isFake, diagnostics };
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

  readonly connection = () => this.session.connection();

  async target(): Promise<Target> {
    return (await this.connection()).target;
  }

  async place(): Promise<ShownPlace> {
    return { storeFile: this.session.storeFile, target: await this.target() };
  }
}

/** The project with the store of a workspace. */
class WorkspaceView extends ProjectView implements ConsoleView {
  readonly database: DatabaseSession;
  #name: Promise<string | undefined> | undefined;
  #looking: Promise<LookedWorkspace | undefined> | undefined;

  constructor(session: ConsoleSession, database: DatabaseSession, wanted: string | undefined) {
    super(session);
    this.database = database;
    this.#name = wanted === undefined ? undefined : Promise.resolve(wanted);
  }

  /** The same one for the whole call, also if another one becomes the first meanwhile. */
  workspace(): Promise<string | undefined> {
    this.#name ??= this.database.names().then(([first]) => first);
    return this.#name;
  }

  async withStore<Result>(
    use: (store: ProjectStore) => Promise<Result>,
    none: () => Result,
  ): Promise<Result> {
    const name = await this.workspace();
    return name === undefined ? none() : this.database.withStore(name, await this.model(), use);
  }

  async connection(): Promise<ShownConnection> {
    return this.session.isFake ? this.session.connection() : this.#connection();
  }

  async place(): Promise<ShownPlace> {
    const [{ name }, names] = await Promise.all([this.database.stores(), this.database.names()]);
    const workspace = (await this.#looked())?.workspace;
    return {
      database: { name, workspaces: names.slice(0, MAX_NAMES), count: names.length, workspace },
      target: await this.target(),
    };
  }

  async target(): Promise<Target> {
    return (await this.#connection()).target;
  }

  async #connection(): Promise<ShownConnection> {
    const problem = "The database has no workspaces: npx connectorcli workspace add adds one.";
    return (await this.#looked())?.connection ?? noConnection({ problem });
  }

  /** One look for a call. */
  #looked(): Promise<LookedWorkspace | undefined> {
    this.#looking ??= this.#look();
    return this.#looking;
  }

  async #look(): Promise<LookedWorkspace | undefined> {
    const name = await this.workspace();
    return name === undefined ? undefined : this.database.look(name, await this.model());
  }
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
