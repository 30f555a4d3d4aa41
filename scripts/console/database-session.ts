/** The database that a console shows: its workspaces, each with its store and what it is connected with. */
import type { PostgresStores } from "../../runtime/entries/postgres.js";
import type { WorkspaceSettings, WorkspaceSummary } from "../../runtime/workspaces/workspaces.js";
import { isJsonObject } from "../../schemas/json.js";
import { isOfProduction } from "../../schemas/model/connection-members.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { type DatabaseOptions, openToLook } from "../workbench/database.js";
import { noWorkspaceWords, openWorkspaceStore, type ProjectStore } from "../workbench/store.js";
import { lookIntoSettings } from "../workbench/workspace-settings.js";
import { KeptStore } from "./kept-store.js";
import { ApiError } from "./server.js";
import { type ShownProperty, shownProperties } from "./shown-connection.js";

/** A workspace and what it is connected with, without any value of its settings. */
export interface ShownWorkspace extends WorkspaceSummary {
  /** Title of its connection definition; null if the connector has no such definition, or none is known. */
  readonly title: string | null;
  /** Its target system is the real one, on which people work. */
  readonly isProduction: boolean;
  /** What its settings say, for whoever has given their key; undefined for others, and if there are none. */
  readonly settings?:
    | {
        /** Whether each property of the connection has a value, and never which. */
        readonly properties: readonly ShownProperty[];
        /** What the configurations name, such as `app-1/cacheWriter/ProjectConfig`. */
        readonly configured: readonly string[];
      }
    | undefined;
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
  async workspace(name: string, model: ConnectorModel): Promise<ShownWorkspace> {
    const stores = await this.stores();
    const [summary] = await stores.workspaces.list(name);
    if (summary === undefined) throw new ApiError(404, `${noWorkspaceWords(name, await this.names())}.`);
    const settings = await lookIntoSettings(stores, name);
    const isOpen = typeof settings === "object";
    const connection = isOpen ? settings.connection.definitionKey : summary.connection;
    return {
      ...summary,
      connection,
      title: model.connections.find(({ key }) => key === connection)?.title ?? null,
      isProduction: isOpen ? isOfProduction(settings.connection.properties) : isKnownProduction(summary),
      settings: isOpen ? shownSettings(settings, model) : undefined,
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

function shownSettings(
  { connection, registrationConfiguration, services = {} }: WorkspaceSettings,
  model: ConnectorModel,
): ShownWorkspace["settings"] {
  const definition = model.connections.find(({ key }) => key === connection.definitionKey);
  const names = (place: string, value: unknown) =>
    isJsonObject(value) ? Object.keys(value).map((name) => `${place}/${name}`) : [];
  return {
    properties: definition === undefined ? [] : shownProperties(definition, connection.properties),
    configured: [
      ...names("registrationConfiguration", registrationConfiguration),
      ...Object.entries(services).flatMap(([id, { cacheWriter, actionProcessor }]) => [
        ...names(`${id}/cacheWriter`, cacheWriter),
        ...names(`${id}/actionProcessor`, actionProcessor),
      ]),
    ],
  };
}
