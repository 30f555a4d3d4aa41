/** The workspaces that workers serve: what each is connected with, and when its data objects are read. */
import type { ServiceConfigurations } from "../host/start.js";
import type { SharedTurns } from "../registration/connection-contracts.js";
import type { HistoryStore } from "../store/history.js";
import type { Store } from "../store/store.js";
import type { Schedule } from "./schedule.js";

/** What a connector is started with for one workspace. */
export interface WorkspaceSettings {
  /** The connection of the workspace. */
  readonly connection: {
    /** The definition key: which connection definition it belongs to. */
    readonly definitionKey: string;
    /** The connection properties, with camelCase names. */
    readonly properties: Readonly<Record<string, unknown>>;
  };
  /**
   * The registration configuration, with serialized names.
   * @default {}
   */
  readonly registrationConfiguration?: unknown;
  /**
   * The service configurations by module id, such as `app-1`.
   * @default {}
   */
  readonly services?: Readonly<Record<string, ServiceConfigurations>> | undefined;
  /**
   * What the target system counts requests by, such as an account. Workspaces with the same one keep to one rate budget, and
   * to a pause that one of them was told of, on all machines together.
   * @default the workspace alone
   */
  readonly target?: string | undefined;
}

/** What is known of a workspace without its secrets. */
export interface WorkspaceSummary {
  /** Its name, which is that of the tenant of its store. */
  readonly name: string;
  /** The definition of its connection as its store was used with it; null before the first use. */
  readonly connection: string | null;
  /** The environment of that, such as `Test`; null before the first use, and if there is no choice. */
  readonly environment: string | null;
  /** Whether it has settings. Without them its store is there, and no worker serves it. */
  readonly isServed: boolean;
  /** Whether workers leave it alone for now. */
  readonly isPaused: boolean;
  /** How many data objects have a schedule. */
  readonly schedules: number;
  /** How many actions wait or are under way. */
  readonly openActions: number;
}

/** The schedule of a data object, and how its last read ended. */
export interface ScheduleEntry {
  /** Data path of the object. */
  readonly object: string;
  /** When it is read. */
  readonly schedule: Schedule;
  /** Whether it is left alone for now. */
  readonly isPaused: boolean;
  /** When it is read next: ISO 8601, UTC; null if never. */
  readonly nextDue: string | null;
  /** Since when it waits to be read: ISO 8601, UTC; null if it does not. */
  readonly waitingSince: string | null;
  /** When the last read ended: ISO 8601, UTC; null before the first. */
  readonly endedAt: string | null;
  /** How the last read ended; null before the first. */
  readonly outcome: string | null;
}

/** Adds, changes and removes workspaces. Workers on all machines go by it from their next wake-up on. */
export interface Workspaces {
  /**
   * Adds a workspace, or gives it other settings. They are sealed.
   * @throws StoreError `sealed` if the database was opened without a key.
   */
  set(name: string, settings: WorkspaceSettings): Promise<void>;
  /**
   * The settings of a workspace, its secrets as they are; undefined if it has none.
   * @throws StoreError `sealed` if the database was opened without the key.
   */
  get(name: string): Promise<WorkspaceSettings | undefined>;
  /** All workspaces in the order of their names, or the one that is called `name`. */
  list(name?: string): Promise<readonly WorkspaceSummary[]>;
  /** Lets workers leave a workspace alone, or serve it again; false if there is no such workspace. */
  pause(name: string, isPaused: boolean): Promise<boolean>;
  /** Removes a workspace with its records, feed, runs and actions; false if there is no such workspace. */
  remove(name: string): Promise<boolean>;
  /** Schedules of a workspace, in the order of their objects. */
  schedules(name: string): Promise<readonly ScheduleEntry[]>;
  /**
   * Gives a data object a schedule and reads it soon, or takes its schedule away if it is null.
   * @returns false if there is no such workspace.
   */
  schedule(name: string, object: string, schedule: Schedule | null): Promise<boolean>;
  /** Leaves a data object alone, or reads it by its schedule again; false if it has none. */
  pauseSchedule(name: string, object: string, isPaused: boolean): Promise<boolean>;
  /**
   * Lets a data object be read as soon as a worker is free, also if its schedule is paused; when it is due next stays as it
   * is. False if it has no schedule.
   */
  readSoon(name: string, object: string, options?: ReadSoonOptions): Promise<boolean>;
  /** The workers of all workspaces, what they do, and what waits for them. */
  workers(): Promise<WorkersSummary>;
}

/** How a data object is read that is asked for. */
export interface ReadSoonOptions {
  /**
   * Whether all records that are not read again are deleted, however many they are: by this read, and by no other one.
   * @default false
   */
  readonly approveDeletes?: boolean | undefined;
}

/** What workers do right now, as the tables have it. */
export interface WorkersSummary {
  /** The one that was heard of last comes first. */
  readonly workers: readonly WorkerEntry[];
  /** At most 500, the one that ends first before the others. */
  readonly leases: readonly Lease[];
  /** What waits, in all workspaces. */
  readonly waiting: WaitingCounts;
}

/** A worker as the others see it. */
export interface WorkerEntry {
  /** Made anew with every start. */
  readonly id: string;
  /** Whether it was heard of within 20 seconds, over a connection that is still there. */
  readonly isAlive: boolean;
  /** When it was heard of last: ISO 8601, UTC. */
  readonly beatAt: string;
  /** The workspaces that it serves right now, at most 500. */
  readonly turns: readonly WorkerTurn[];
}

/** A workspace that is served. */
export interface WorkerTurn {
  /** Its name. */
  readonly workspace: string;
  /** `act` for its actions, `sync` for its data objects. */
  readonly kind: string;
}

/** What nobody else may begin until its time is over: an action that is performed, or a data object that is read. */
export interface Lease {
  /** Name of the workspace. */
  readonly workspace: string;
  /** Data path of the object. */
  readonly object: string;
  /** The action; null for a read. */
  readonly action: {
    /** Its part of the address. */
    readonly name: string;
    /** Its number in the queue. */
    readonly id: number;
    /** How often it was begun. */
    readonly attempts: number;
  } | null;
  /** The worker whose turn it is; null if it is none, such as a host without workers. */
  readonly worker: string | null;
  /** When it ends unless it is renewed: ISO 8601, UTC. */
  readonly until: string;
}

/** A data object that is to be read. */
export interface AskedRead {
  /** Data path of the object. */
  readonly object: string;
  /** Tells this asking from one that comes while the object is read. */
  readonly askedAt: string;
  /** Whether records that are not read again are deleted, however many they are. */
  readonly approveDeletes: boolean;
}

/** What a worker works with while it serves a workspace. */
export interface OpenWorkspace {
  readonly store: Store;
  readonly history: HistoryStore;
}

/** What was read of a workspace. */
export interface LoadedWorkspace {
  /** Its settings, open. */
  readonly settings: WorkspaceSettings;
  /** Opens it by what was read, without asking the database. The caller closes the store. */
  open(): OpenWorkspace;
}

/** What a worker asks and tells the tables of workspaces. */
export interface WorkTables {
  /**
   * Another one with every change of the settings by somebody else than the connector, and with every key and connection
   * that its store is given; undefined if the workspace is paused, unless `ifPaused` is true, and if it is not served.
   */
  version(name: string, options?: { readonly ifPaused?: boolean }): Promise<string | undefined>;
  /**
   * What may be kept as long as the version is the same.
   * @throws StoreError `sealed` if the database was opened without the key.
   */
  load(name: string): Promise<LoadedWorkspace>;
  /** The turns at the target system of the workspace, which all workers take together. */
  turns(name: string, settings: WorkspaceSettings): SharedTurns;
  /** The read that waits longest; undefined if none waits. */
  nextRead(name: string): Promise<AskedRead | undefined>;
  /** Says that the object was read as it was asked for. */
  endRead(name: string, read: AskedRead, outcome: string): Promise<void>;
  /** Milliseconds until the next action of the workspace is due or free; undefined if none will be. */
  nextActionMs(name: string): Promise<number | undefined>;
  /** Asks for what has become due by its schedule, and wakes for it. */
  askDue(): Promise<number>;
  /** Wakes for everything that waits, also if its wake-up was lost. */
  wakeWaiting(): Promise<void>;
  /** Calls `task` with the connection properties as they are kept, while nobody else on any machine does. */
  lockProperties<Result>(
    name: string,
    task: (properties: Readonly<Record<string, unknown>>) => Promise<Result>,
  ): Promise<Result>;
  /** Keeps properties that the connector has changed. */
  saveProperties(name: string, properties: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Keeps properties that somebody else has changed, such as what a sign-in gave, and lets workers start anew with them. It
   * waits for whoever has them locked: a token that is refreshed meanwhile does not take their place.
   * @param version False, and nothing is changed, if the settings have another one by now.
   */
  changeProperties(
    name: string,
    properties: Readonly<Record<string, string>>,
    version: string,
  ): Promise<boolean>;
  /** What waits, for metrics. */
  counts(): Promise<WaitingCounts>;
}

/** What waits in all workspaces. */
export interface WaitingCounts {
  /** Actions that are due. */
  readonly dueActions: number;
  /** Seconds that the action that is due longest has waited. */
  readonly oldestDueSeconds: number;
  /** Data objects that wait to be read. */
  readonly waitingReads: number;
  /** Workers that live. */
  readonly workers: number;
  /** Workspaces that are served right now. */
  readonly turns: number;
}
