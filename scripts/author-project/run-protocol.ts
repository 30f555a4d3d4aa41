/** What a command and the process that runs an author's connector say to each other. */
import type {
  ActionAttempt,
  ProcessorResult,
  ServiceConfigurations,
  SyncProgress,
  SyncResult,
  SyncSettings,
  TestConnectionResult,
} from "../../runtime/host/index.js";
import type { ConnectionContainer, Finding } from "../../runtime/index.js";
import type { RunOptions } from "../running/run-options.js";

/** What every task says. */
interface Task {
  /** The bundled connector. */
  readonly bundleFile: string;
  readonly folder: string;
  /** The module that the bundle was made from. */
  readonly entry: string;
  readonly container: ConnectionContainer;
}

export interface ConnectionTestTask extends Task {
  readonly kind: "testConnection";
  readonly timeoutMs: number;
}

/** What a service is started with. */
export interface ServiceTask extends Task {
  readonly storeFile: string;
  readonly options: RunOptions;
  readonly registrationConfiguration: unknown;
  readonly services: Readonly<Record<string, ServiceConfigurations>>;
}

export interface CacheWriterTask extends ServiceTask {
  readonly kind: "runCacheWriter";
  /** Data paths of the objects that are read. */
  readonly objects: readonly string[];
  /** What the command line says, before the options of the project. */
  readonly settings: SyncSettings;
  /** Seconds from the end of a run to the next one; one run where it is left out. */
  readonly watchSeconds?: number | undefined;
}

/** An action by the data path of its object and its part of the address. */
export interface ActionAddress {
  readonly object: string;
  readonly action: string;
}

export interface ActionProcessorTask extends ServiceTask {
  readonly kind: "runActionProcessor";
  /** The actions that may be performed. */
  readonly actions: readonly ActionAddress[];
  /** Queues this one first, and performs no other. */
  readonly enqueue?: (ActionAddress & { readonly input: unknown }) | undefined;
  readonly isWatching: boolean;
}

/** What the process is to do: once. */
export type RunTask = ConnectionTestTask | CacheWriterTask | ActionProcessorTask;

/** An object as its last run left it. */
export type SyncedObjectResult = Omit<SyncResult, "error">;

export type QueuedInput =
  | { readonly outcome: "queued"; readonly id: number; readonly isProcessed: boolean }
  | { readonly outcome: "refused"; readonly findings: readonly Finding[] };

/** How a task ended. */
export type RunResult =
  | { readonly kind: "result"; readonly task: "testConnection"; readonly result: TestConnectionResult }
  | {
      readonly kind: "result";
      readonly task: "runCacheWriter";
      readonly result: readonly SyncedObjectResult[];
    }
  | { readonly kind: "result"; readonly task: "runActionProcessor"; readonly result: ProcessorResult };

/** What the process says before its last word. */
export type RunNews =
  | { readonly kind: "started" }
  | { readonly kind: "save"; readonly properties: Readonly<Record<string, string>> }
  | { readonly kind: "log"; readonly level: string; readonly message: string; readonly fields?: string }
  | { readonly kind: "progress"; readonly progress: SyncProgress; readonly before: number }
  | { readonly kind: "synced"; readonly synced: SyncedObjectResult }
  | { readonly kind: "queued"; readonly queued: QueuedInput }
  | { readonly kind: "attempt"; readonly attempt: ActionAttempt };

export type RunMessage = RunResult | RunNews | { readonly kind: "failed"; readonly failure: RunFailure };

/** Why a connector could not be run. */
export interface RunFailure {
  readonly code:
    | "run-throws"
    | "run-exports-nothing"
    | "run-connection-unusable"
    | "run-start-refused"
    | "store-unusable";
  readonly reason: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}
