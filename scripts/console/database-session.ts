/** The database that a console shows: its workspaces, each with its store and what it is connected with. */
import type { PostgresStores } from "../../runtime/entries/postgres.js";
import type { WorkspaceSettings, WorkspaceSummary } from "../../runtime/workspaces/workspaces.js";
import { isJsonObject } from "../../schemas/json.js";
import { isOfProduction } from "../../schemas/model/connection-members.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { type DatabaseOptions, noWorkspaceWords, openToLook } from "../workbench/database.js";
import { openWorkspaceStore, type ProjectStore } from "../workbench/store.js";
import { workspaceConnection } from "../workbench/workspace-settings.js";
import { KeptStore } from "./kept-store.js";
import { ApiError } from "./server.js";
import { noConnection, type ShownConnection, shownConnection } from "./shown-connection.js";

/** What the page is told of a workspace, without any value of its settings. */
export interface ShownWorkspace extends WorkspaceSummary {
  /** What its configurations name, such as `app-1/cacheWriter/ProjectConfig`; absent if they can't be read. */
  readonly configured?: readonly string[];
}

/** A workspace, and what it is connected with. */
export interface LookedWorkspace {
  readonly workspace: ShownWorkspace;
  readonly connection: ShownConnection;
}

/** Stores of workspaces that are kept open. */
const MAX_KEPT = 20;
/** What is secret stands in the settings, which workers change too: a store is opened anew after so long. */
const KEPT_MS = 60_000;
interface Kept {
  readonly until: number;
  readonly opening: Promise<KeptStore>;
}

/** Whether the identity of its connection, which needs no key, names the production system. */
export function isKnownProduction({ environment }: WorkspaceSummary): boolean {
  return environment === "Production";
}

/** The workspaces of a database, which is opened once; whoever made this closes it. */
export class DatabaseSession {
  readonly #options: DatabaseOptions;
  readonly #kept = new Map<string, Kept>();
  #opening: Promise<PostgresStores> | undefined;

  constructor(options: DatabaseOptions) {
    this.#options = options;
  }

  /** The open database. @throws StoreError if it can't be used */
  async stores(): Promise<PostgresStores> {
    this.#opening ??= openToLook(this.#options);
    try {
      return await this.#opening;
    } catch (error) {
      // Whoever asks later tries again.
      this.#opening = undefined;
      throw error;
    }
  }

  /** Names of all workspaces, in their order. */
  async names(): Promise<readonly string[]> {
    return (await this.stores()).tenants();
  }

  /** @throws ApiError if there is no such workspace */
  async look(name: string, model: ConnectorModel): Promise<LookedWorkspace> {
    const stores = await this.stores();
    const [summary] = await stores.workspaces.list(name);
    if (summary === undefined) throw new ApiError(404, `${noWorkspaceWords(name, await this.names())}.`);
    const { settings, definition, problem } = await workspaceConnection(stores, name, model);
    // All workspaces of a connector have the same definitions: their names tell them apart.
    const target = (isProduction: boolean) => ({ isProduction, title: name });
    if (settings === undefined) {
      // The definition that its store was used with needs no key.
      const { key, title, authType } = model.connections.find(({ key }) => key === summary.connection) ?? {};
      const known = { key, title: title ?? "", authType, target: target(isKnownProduction(summary)) };
      return { workspace: summary, connection: noConnection({ ...known, problem: `${problem}.` }) };
    }
    const { properties } = settings.connection;
    return {
      workspace: { ...summary, configured: configuredIn(settings) },
      connection: shownConnection(definition, properties, target(isOfProduction(properties))),
    };
  }

  /** Uses the store of a workspace. @throws ApiError if there is no such workspace */
  async withStore<Result>(
    name: string,
    model: ConnectorModel,
    use: (store: ProjectStore) => Promise<Result>,
  ): Promise<Result> {
    const kept = this.#keep(name, model);
    let store: KeptStore;
    try {
      store = await kept.opening;
    } catch (error) {
      this.#forget(name);
      throw error;
    }
    return store.use(use);
  }

  /** Other definitions hide other values: stores are opened anew. */
  retire(): void {
    for (const name of [...this.#kept.keys()]) this.#forget(name);
  }

  async close(): Promise<void> {
    const kept = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(kept.map(retire));
    await (await this.#opening?.catch(() => undefined))?.close();
  }

  #keep(name: string, model: ConnectorModel): Kept {
    const known = this.#kept.get(name);
    if (known !== undefined && known.until > Date.now()) return known;
    this.#forget(name);
    const kept = { until: Date.now() + KEPT_MS, opening: this.#open(name, model) };
    this.#kept.set(name, kept);
    const [oldest = ""] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT) this.#forget(oldest);
    return kept;
  }

  async #open(name: string, model: ConnectorModel): Promise<KeptStore> {
    const stores = await this.stores();
    // Whoever opens the store of a workspace that is not there makes it.
    const names = await stores.tenants();
    if (!names.includes(name)) throw new ApiError(404, `${noWorkspaceWords(name, names)}.`);
    return new KeptStore(await openWorkspaceStore(stores, name, { model }));
  }

  #forget(name: string): void {
    const kept = this.#kept.get(name);
    this.#kept.delete(name);
    void retire(kept);
  }
}

async function retire(kept: Kept | undefined): Promise<void> {
  // One that could not be opened said so to whoever asked for it.
  await (await kept?.opening.catch(() => undefined))?.retire();
}

/** The names in the configurations, each with its place. */
function configuredIn({ registrationConfiguration, services = {} }: WorkspaceSettings): readonly string[] {
  const names = (place: string, value: unknown) =>
    isJsonObject(value) ? Object.keys(value).map((name) => `${place}/${name}`) : [];
  return [
    ...names("registrationConfiguration", registrationConfiguration),
    ...Object.entries(services).flatMap(([id, { cacheWriter, actionProcessor }]) => [
      ...names(`${id}/cacheWriter`, cacheWriter),
      ...names(`${id}/actionProcessor`, actionProcessor),
    ]),
  ];
}
