/** What a command and the process that runs an author's connector say to each other. */

import type { ConnectionContainer, Finding } from "../../runtime/entries/runtime.js";
import type {
  AcceptanceFinding,
  AcceptanceOptions,
  AcceptanceResult,
  AcceptanceTried,
  AcceptanceTrying,
  FakeOptions,
  FakeTarget,
  LiveAcceptanceOptions,
} from "../../runtime/entries/testing.js";
import type { CommittedPage, MadeCall } from "../../runtime/history/history.js";
import type {
  AttemptReport,
  PreviewResult,
  ProcessorResult,
  ServiceConfigurations,
  SyncProgress,
  SyncResult,
  SyncSettings,
  TestConnectionResult,
  TriedAction,
} from "../../runtime/host/index.js";
import type { AuthorFrame, CodePlace } from "../author-project/loaded-project.js";
import type { RunOptions } from "../author-project/run-options.js";
import type { DeclaredService } from "./declared-services.js";

/** What every task says. */
interface Task {
  /** The bundled connector. */
  readonly bundleFile: string;
  readonly folder: string;
  /** The module that the bundle was made from. */
  readonly entry: string;
}

/** The connector is only loaded: what its readers and handlers declare is told. */
export interface DeclarationsTask extends Task {
  readonly kind: "readDeclarations";
}

/** A fake target system is made of the connector, until the task is stopped. */
export interface FakeTask extends Task {
  readonly kind: "startFake";
  /** What the command line says beside the project's own file. */
  readonly options: Pick<FakeOptions, "connection" | "faults" | "port" | "records" | "seed">;
  /** Whether every request is told. */
  readonly isTraced: boolean;
}

/** The connector is tried against a fake target system at which everything goes wrong. */
export interface AcceptanceTask extends Task {
  readonly kind: "testAcceptance";
  /** What the command line says. */
  readonly options: Pick<AcceptanceOptions, "isSampled" | "objects" | "records" | "scenarios" | "seed">;
}

/** A finding of the acceptance suite, and where the author's code is that it speaks of. */
export interface PlacedAcceptanceFinding extends Omit<AcceptanceFinding, "error"> {
  /** The declaration, or the function; absent if that is not known. */
  readonly place?: CodePlace;
  /** Where the author's code was when it threw, the innermost call first; empty if that is not known. */
  readonly frames: readonly AuthorFrame[];
}

/** What the acceptance suite tries now, and where the author's code is that it tries. */
export interface PlacedAcceptanceTrying extends AcceptanceTrying {
  /** The declaration, or the function; absent if that is not known. */
  readonly place?: CodePlace;
}

/** What the acceptance suite has found. */
export interface AcceptanceReport extends Omit<AcceptanceResult, "findings"> {
  /** What was found wrong. */
  readonly findings: readonly PlacedAcceptanceFinding[];
}

/** What every task says that calls the target system. */
interface ConnectedTask extends Task {
  /** The fake target system that is called in place of the real one. */
  readonly fake?: string | undefined;
  readonly container: ConnectionContainer;
  /** Whether calls of the target system are told. */
  readonly isTraced: boolean;
}

export interface ConnectionTestTask extends ConnectedTask {
  readonly kind: "testConnection";
  readonly registrationConfiguration: unknown;
  readonly timeoutMs: number;
}

/** What a service is started with. */
export interface ServiceTask extends ConnectedTask {
  readonly options: RunOptions;
  readonly registrationConfiguration: unknown;
  readonly services: Readonly<Record<string, ServiceConfigurations>>;
}

/** A service that works with a store. */
export interface StoreTask extends ServiceTask {
  readonly storeFile: string;
  /** Text of the key that seals the store; undefined if it is not sealed. */
  readonly storeKey?: string | undefined;
  /** Whether a store of another connection is taken over. */
  readonly adoptsStore: boolean;
}

export interface CacheWriterTask extends StoreTask {
  readonly kind: "runCacheWriter";
  /** Data paths of the objects that are read. */
  readonly objects: readonly string[];
  /** What the command line says, before the options of the project. */
  readonly settings: SyncSettings;
  /** Seconds from the end of a run to the next one; one run if it is left out. */
  readonly everySeconds?: number | undefined;
}

/** An action by the data path of its object and its part of the address. */
export interface ActionAddress {
  readonly object: string;
  readonly action: string;
}

export interface ActionProcessorTask extends StoreTask {
  readonly kind: "runActionProcessor";
  /** The actions that may be performed. */
  readonly actions: readonly ActionAddress[];
  /** Queues this one first, and performs no other. */
  readonly enqueue?: (ActionAddress & { readonly input: unknown }) | undefined;
  readonly isWatching: boolean;
  /** How many actions are performed at the same time, before the option of the project. */
  readonly concurrency?: number | undefined;
}

/** Readers that are tried: there is no store. */
export interface PreviewTask extends ServiceTask {
  readonly kind: "previewRecords";
  /** Data paths of the objects that are read, in this order. */
  readonly objects: readonly string[];
  /** The most records of each object. */
  readonly limit?: number | undefined;
  /** The page of each list that is begun with, from 1. */
  readonly page?: number | undefined;
}

/** An action that is tried: there is no store. */
export interface TryActionTask extends ServiceTask {
  readonly kind: "tryAction";
  readonly action: ActionAddress & { readonly input: unknown };
  /** Whether every call that is not a mere read is refused, and told. */
  readonly isDry: boolean;
}

/** Readers and the connection test are tried at a real target system, where nothing is changed. */
export interface LiveAcceptanceTask extends ServiceTask {
  readonly kind: "testLive";
  /** What the command line says. */
  readonly tried: Pick<LiveAcceptanceOptions, "objects" | "records" | "scenarios" | "seed">;
}

/** What is recorded under a name: the reader of a data object, or one of its actions. */
export interface RecordedPart {
  /** Name of the recording. */
  readonly name: string;
  /** Data path of the object. */
  readonly object: string;
  readonly action?: { readonly urlPart: string; readonly input: unknown } | undefined;
  /** The text of the recording that is there already. */
  readonly before?: string | undefined;
}

/** Answers are recorded: each part has a store of its own, which is not kept. */
export interface RecordTask extends ServiceTask {
  readonly kind: "recordAnswers";
  readonly parts: readonly RecordedPart[];
  /** From what stand-ins are made. */
  readonly key: string;
  /** The most records of each object; null for all. */
  readonly limit: number | null;
  /** Names of members that stay as they are although no schema has them. */
  readonly keep: readonly string[];
  /** Secrets that must not stand in a recording. */
  readonly secrets: readonly string[];
}

/** Recordings are replayed: nothing is called. */
export interface ReplayTask extends Task {
  readonly kind: "replayRecordings";
  readonly options: RunOptions;
  readonly recordings: readonly { readonly name: string; readonly text: string }[];
  /** Whether the recordings are held against the fake target system too. */
  readonly isFakeCompared: boolean;
}

/** What the process is to do; it does one task and ends. */
export type RunTask = DeclarationsTask | FakeTask | AcceptanceTask | ReplayTask | CallingTask;

/** A task that calls the target system. */
export type CallingTask =
  | ConnectionTestTask
  | CacheWriterTask
  | ActionProcessorTask
  | LiveAcceptanceTask
  | PreviewTask
  | RecordTask
  | TryActionTask;

/** An object as its last run left it. */
export interface SyncedObjectResult extends Omit<SyncResult, "error"> {
  /** Where the author's code was when it failed, the innermost call first; empty if that is not known. */
  readonly frames: readonly AuthorFrame[];
}

/** What the reader of an object yielded. */
export interface PreviewedObject extends Omit<PreviewResult, "error"> {
  /** Where the author's code was when it failed, the innermost call first; empty if that is not known. */
  readonly frames: readonly AuthorFrame[];
}

/** A request that was not sent. */
export interface PlannedRequest {
  /** HTTP method. */
  readonly method: string;
  /** Absolute; values of secret parameters are hidden. */
  readonly address: string;
  /** By lower-case name; only values of harmless ones are shown. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sensitive values are hidden: a JSON value, or a text; null if there is none. */
  readonly body: unknown;
}

/** An action that was tried. */
export interface ActionTrial extends Omit<TriedAction, "error"> {
  /** The requests that would have been sent; empty unless they were refused. */
  readonly requests: readonly PlannedRequest[];
  /** Where the author's code was when it failed, the innermost call first; empty if that is not known. */
  readonly frames: readonly AuthorFrame[];
}

/** An attempt, and where the author's code was if it threw. */
export interface ReportedAttempt extends Omit<AttemptReport, "error"> {
  /** When it began: ISO 8601, UTC. */
  readonly at: string;
  /** Milliseconds. */
  readonly ms: number;
  /** The innermost call first; empty if the handler did not throw, or if that is not known. */
  readonly frames: readonly AuthorFrame[];
}

/** What became of an input: it was queued as an action, or it does not fit. */
export type QueuedInput =
  | {
      readonly outcome: "queued";
      /** Number of the action in the queue. */
      readonly id: number;
      /** Whether queued actions of this kind are processed (§2.8); otherwise the action stays queued. */
      readonly isEnabled: boolean;
    }
  | {
      readonly outcome: "refused";
      /** Why the input does not fit its schema; write-only values are masked. */
      readonly findings: readonly Finding[];
    };

/** A fake target system that runs. */
export interface FakeFacts extends Pick<FakeTarget, "origin" | "connection" | "settings" | "calls"> {
  /** What can't be made or found out from the connector, a sentence each. */
  readonly notes: readonly string[];
}

/** What came of recording a part. */
export type RecordedAnswers = {
  /** Name of the recording. */
  readonly name: string;
} & (
  | {
      /** The recording, as a file. */
      readonly text: string;
      /** How many requests it has. */
      readonly requests: number;
      /** How many records the cache had at its end; null for an action. */
      readonly records: number | null;
      /** What has changed in the form of the answers; absent if there was no recording that could be read. */
      readonly changes?: readonly string[];
    }
  | {
      readonly text?: undefined;
      /** Why nothing was recorded. */
      readonly reason: string;
      /** What to do about it. */
      readonly advice: string;
    }
);

/** What came of replaying a recording. */
export interface ReplayedRecording {
  /** Name of the recording. */
  readonly name: string;
  /** What is not as it was recorded, a sentence each. */
  readonly differences: readonly string[];
  /** Those of them that no update can keep. */
  readonly problems: readonly string[];
  /** Why it could not be replayed; absent if it was. */
  readonly problem?: string;
  /** How many requests it has. */
  readonly requests: number;
  /** How many records the cache had at its end; null for an action. */
  readonly records: number | null;
  /** The recording with what the connector makes of it now; absent if it could not be replayed. */
  readonly text?: string;
  /** What the target system has answered and the fake would not, a sentence each; absent if nobody asked for it. */
  readonly fakeDifferences?: readonly string[];
}

/** How a task ended. */
export type RunResult =
  | { readonly kind: "result"; readonly task: "startFake" }
  | {
      readonly kind: "result";
      readonly task: "testAcceptance" | "testLive";
      readonly result: AcceptanceReport;
    }
  | {
      readonly kind: "result";
      readonly task: "recordAnswers";
      readonly result: readonly RecordedAnswers[];
    }
  | {
      readonly kind: "result";
      readonly task: "replayRecordings";
      readonly result: readonly ReplayedRecording[];
    }
  | {
      readonly kind: "result";
      readonly task: "readDeclarations";
      readonly result: readonly DeclaredService[];
    }
  | { readonly kind: "result"; readonly task: "testConnection"; readonly result: TestConnectionResult }
  | {
      readonly kind: "result";
      readonly task: "runCacheWriter";
      readonly result: readonly SyncedObjectResult[];
    }
  | { readonly kind: "result"; readonly task: "runActionProcessor"; readonly result: ProcessorResult }
  | { readonly kind: "result"; readonly task: "tryAction"; readonly result: ActionTrial }
  | { readonly kind: "result"; readonly task: "previewRecords"; readonly result: readonly PreviewedObject[] };

/** What the process says before the result. */
export type RunEvent =
  | { readonly kind: "started" }
  | { readonly kind: "trace"; readonly text: string }
  | { readonly kind: "called"; readonly call: MadeCall }
  | { readonly kind: "committed"; readonly page: CommittedPage }
  | { readonly kind: "faked"; readonly fake: FakeFacts }
  | { readonly kind: "alive" }
  | { readonly kind: "trying"; readonly trying: PlacedAcceptanceTrying }
  | { readonly kind: "tried"; readonly tried: AcceptanceTried }
  | { readonly kind: "save"; readonly properties: Readonly<Record<string, string>> }
  | {
      readonly kind: "log";
      readonly level: string;
      readonly message: string;
      readonly fields?: string;
      readonly frames?: readonly AuthorFrame[];
    }
  | { readonly kind: "progress"; readonly progress: SyncProgress; readonly before: number }
  | { readonly kind: "synced"; readonly synced: SyncedObjectResult }
  | { readonly kind: "previewed"; readonly previewed: PreviewedObject }
  | { readonly kind: "recorded"; readonly recorded: RecordedAnswers }
  | { readonly kind: "replayed"; readonly replayed: ReplayedRecording }
  | { readonly kind: "queued"; readonly queued: QueuedInput }
  | { readonly kind: "attempt"; readonly attempt: ReportedAttempt };

/** The process wants the connection properties for itself, or does not any more; by a number of its own. */
type LockMessage =
  | { readonly kind: "lock"; readonly id: number }
  | { readonly kind: "unlock"; readonly id: number };

/** What the command says to the process after its task. */
export type RunCommand =
  | { readonly kind: "stop" }
  /** The properties as they are kept now, by name in code; undefined if they can't be locked. */
  | {
      readonly kind: "locked";
      readonly id: number;
      readonly properties: Readonly<Record<string, unknown>> | undefined;
    };

export type RunMessage =
  | RunResult
  | RunEvent
  | LockMessage
  | { readonly kind: "failed"; readonly failure: RunFailure };

/** Why a connector could not be run. */
export type RunFailure = OtherConnectionFailure | OtherFailure;

interface OtherConnectionFailure {
  readonly code: "store-of-another-connection";
  /** The store's file. */
  readonly file: string;
  /** The connection to which the store belongs, in words. */
  readonly owner: string;
  /** The connection of the run, in words. */
  readonly connection: string;
}

/** What most failures say. */
export interface OtherFailure {
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
