/** What the server answers, as the page sees it. */

import type { HistoryOfAction, HistoryOfRun, MadeCall } from "../../../runtime/history/history.js";
import type { TestConnectionResult } from "../../../runtime/host/index.js";
import type {
  ScheduleEntry,
  WorkersSummary,
  WorkspaceSummary,
} from "../../../runtime/workspaces/workspaces.js";
import type { Diagnostic } from "../../../schemas/diagnostics/diagnostic.js";
import type { ActionTrial, PreviewedObject, SyncedObjectResult } from "../../connector-run/run-protocol.js";
import type { ServiceEvent } from "../../workbench/services.js";
import type {
  ActionView,
  ChangeDetails,
  ChangeView,
  ObjectSummary,
  RecordView,
  RejectedView,
  RunView,
} from "../../workbench/store.js";
import type { ShownPlace } from "../session.js";
import type { ShownConnection, Target } from "../shown-connection.js";

export type {
  ActionView,
  ChangeDetails,
  ChangeView,
  Diagnostic,
  MadeCall,
  ObjectSummary,
  RecordView,
  RejectedView,
  RunView,
  ScheduleEntry,
  ShownConnection,
  Target,
  WorkspaceSummary,
};

/** What workers do, and what whoever runs one would change. */
export type WorkersAnswer = WorkersSummary & { readonly target: Target };

export interface KeyShape {
  readonly name: string;
  readonly isPrimary: boolean;
  readonly propertyNames: readonly string[];
}

export interface ActionShape {
  readonly name: string;
  readonly title: string;
  readonly urlPart: string;
}

export interface ObjectShape {
  readonly name: string;
  readonly title: string;
  readonly dataPath: string;
  readonly readerType: "full" | "incremental";
  readonly keys: readonly KeyShape[];
  readonly actions: readonly ActionShape[];
}

export interface Overview {
  readonly title: string;
  readonly key: string;
  /** Counts saves of the project. */
  readonly version: number;
  readonly folder: string;
  readonly isWritable: boolean;
  /** What the target system is called with. */
  readonly connection: ShownConnection;
  readonly storeFile?: ShownPlace["storeFile"];
  readonly database?: ShownPlace["database"];
  readonly target: Target;
  /** Absent if there is no store yet. */
  readonly objects?: readonly ObjectSummary[];
  readonly modules: readonly {
    readonly id: string;
    readonly title: string;
    readonly objects: readonly ObjectShape[];
  }[];
}

export interface SchemaAnswer {
  readonly schema: JsonSchema;
  readonly actions: readonly {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly urlPart: string;
    readonly input: JsonSchema;
  }[];
}

/** A JSON Schema, read leniently. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A record in a list; a long one is cut there. */
export type ListedRecord = RecordView & { readonly isCut: boolean };

interface CallCount {
  /** How many requests there were, of which the last are in `calls`. */
  readonly callCount: number;
}

/** What a run has asked. */
export type RunAnswer = HistoryOfRun & CallCount;

/** What the attempts of an action have asked. */
export type ActionAnswer = HistoryOfAction & CallCount;

/** A change in a list, and whether its record is still in the cache. */
export type ListedChange = Omit<ChangeView, "record" | "before"> & { readonly isThere: boolean };

export interface RecordsAnswer {
  readonly total?: number;
  readonly searched?: number;
  readonly rows: readonly ListedRecord[];
  readonly isWhole: boolean;
}

export interface RejectedGroup {
  readonly object: string;
  readonly instancePath: string;
  readonly keyword: string;
  readonly expected: string;
  readonly count: number;
  readonly examples: readonly RejectedView[];
  readonly place?: { readonly file: string; readonly line: number };
}

export interface RejectedAnswer {
  readonly groups: readonly RejectedGroup[];
  readonly count: number;
  readonly isWhole: boolean;
}

type Shown<Ended> = Omit<Ended, "frames"> & { readonly frames: readonly string[] };

/** How long work ended: what its kind has. */
export interface Ended {
  readonly kind: "ended";
  readonly diagnostics: readonly Diagnostic[];
  readonly objects?: readonly Shown<PreviewedObject>[] | readonly Shown<SyncedObjectResult>[];
  readonly trial?: Shown<ActionTrial>;
  readonly result?: TestConnectionResult;
  readonly counts?: Readonly<Record<string, unknown>>;
}

export type RunEvent =
  | ServiceEvent
  | Ended
  | { readonly kind: "refused"; readonly message: string }
  /** A user opens `address`, which leads to the provider. */
  | {
      readonly kind: "sign-in";
      readonly address: string;
      readonly provider: string;
      readonly redirectUri: string;
    }
  | { readonly kind: "signed-in" };

export type PreviewedShape = Shown<PreviewedObject>;
export type SyncedShape = Shown<SyncedObjectResult>;
