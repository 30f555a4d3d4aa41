/** The project and the store that a console shows: loaded once, and again after a save. */
import { statSync } from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { connectionProperties, ENVIRONMENT_PROPERTY } from "../../schemas/model/connection-members.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { loadProject } from "../author-project/load-project.js";
import { watchProject } from "../author-project/watch-project.js";
import { connectionSettings } from "../test-settings/read-settings.js";
import { settingsPath } from "../test-settings/settings-file.js";
import { fakeSettings } from "../workbench/fake-settings.js";
import { type OpenStoreResult, openProjectStore, type ProjectStore } from "../workbench/store.js";
import { storeFileOf } from "../workbench/store-file.js";
import type { ConsoleOptions } from "./console-options.js";
import { ApiError } from "./server.js";

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
  readonly properties: readonly {
    readonly name: string;
    readonly title: string;
    readonly isSensitive: boolean;
    readonly isSet: boolean;
  }[];
  /** Why nothing can be run with it. */
  readonly diagnostics: readonly Diagnostic[];
}

interface OpenedStore {
  readonly store: ProjectStore;
  users: number;
  isOld: boolean;
}

/** What a console shows; whoever made it closes it. */
export class ConsoleSession {
  readonly #options: ConsoleOptions;
  readonly #root: string;
  readonly #end = new AbortController();
  readonly #watch: Promise<void>;
  #loaded: ReturnType<typeof loadProject> | undefined;
  #located: ReturnType<typeof loadProject> | undefined;
  #opened: OpenedStore | undefined;
  #opening: Promise<OpenedStore | undefined> | undefined;
  #settingsChangedAt: number | undefined;
  /** Counts saves, so that the page knows that what it shows is old. */
  #version = 0;
  #prepared: Promise<unknown> | undefined;

  constructor(options: ConsoleOptions) {
    this.#options = options;
    this.#root = path.resolve(options.folder);
    this.#watch = watchProject(this.#root, {
      signal: this.#end.signal,
      run: async () => {
        this.#version++;
        this.#loaded = undefined;
        this.#located = undefined;
        this.#retire();
      },
    });
  }

  /** Loads what the first page shows while the browser still opens; what fails is said to whoever asks. */
  prepare(): void {
    this.#prepared = this.withStore(
      (store) => store.summaries(),
      () => undefined,
    ).catch(() => {});
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

  /** Uses the store; `none` is given while there is none. */
  async withStore<Result>(
    use: (store: ProjectStore) => Promise<Result>,
    none: () => Result,
  ): Promise<Result> {
    this.#noteSettings();
    const opened = this.#opened ?? (await this.#open());
    if (opened === undefined) return none();
    opened.users++;
    try {
      return await use(opened.store);
    } finally {
      opened.users--;
      await closeUnused(opened);
    }
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
    const isSet = (value: unknown) => value !== undefined && value !== null && value !== "";
    return {
      key: definition.key,
      title: definition.title,
      authType: definition.authType,
      isProduction: !isFake && properties[ENVIRONMENT_PROPERTY] === 1,
      isFake,
      properties: connectionProperties(definition).map(({ key, name, title, isSensitive }) => ({
        ...{ name, title, isSensitive },
        isSet: isSet(properties[key]),
      })),
      diagnostics,
    };
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#watch;
    await this.#prepared;
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.store.close();
  }

  #open(): Promise<OpenedStore | undefined> {
    // Whoever asks meanwhile gets the same one.
    this.#opening ??= this.#openNow().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #openNow(): Promise<OpenedStore | undefined> {
    const version = this.#version;
    const result = await openProjectStore(this.#options, this.project());
    const store = storeIn(result);
    if (store === undefined) return undefined;
    const opened = { store, users: 0, isOld: version !== this.#version || this.#opened !== undefined };
    if (!opened.isOld) this.#opened = opened;
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
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened === undefined) return;
    opened.isOld = true;
    void closeUnused(opened);
  }
}

async function closeUnused({ store, users, isOld }: OpenedStore): Promise<void> {
  if (isOld && users === 0) await store.close();
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
