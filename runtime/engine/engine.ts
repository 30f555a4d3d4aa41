/** The port of an engine: what wakes a worker when there may be something to do in a workspace. */
import type { Log } from "../registration/contracts.js";

/** What a worker is woken for: `act` for actions that wait, `sync` for data objects that are to be read. */
export type WakeKind = "act" | "sync";

/** All kinds of wake-ups. */
export const WAKE_KINDS: readonly WakeKind[] = ["act", "sync"];

/** It says that there may be something to do, and not what: whoever is woken looks into the store. */
export interface WakeUp {
  /** What there may be to do. */
  readonly kind: WakeKind;
  /** Name of the workspace. */
  readonly workspace: string;
}

/**
 * Wakes workers. No result rests on it: what was done, by whom and how often is kept by the store, so that a wake-up that
 * is served twice, late or by a worker that was thought dead harms nothing. A driver passes the contract suite
 * (`test/runtime/engine/contract.ts`).
 */
export interface Engine {
  /**
   * Wakes a worker, now or after a while. Wake-ups of one kind and workspace that wait together may be served as one.
   * @param delayMs Milliseconds. A later call with a delay takes the place of the one before. Default: 0
   */
  wake(wakeUp: WakeUp, delayMs?: number): Promise<void>;
  /** Begins to serve wake-ups in this process. */
  work(options: WorkOptions): Promise<EngineWorker>;
}

/** How wake-ups are served. */
export interface WorkOptions {
  /** How many are served at the same time, by kind. */
  readonly slots: Readonly<Record<WakeKind, number>>;
  /**
   * Called for one wake-up at a time of a kind and workspace, on all machines together, and again if that was woken
   * meanwhile. If it rejects, the wake-up is served again a little later.
   * @param signal Aborted when another worker has taken the workspace over.
   */
  readonly serve: (wakeUp: WakeUp, signal: AbortSignal) => Promise<void>;
  /** Told what goes wrong beside `serve`. */
  readonly log: Log;
}

/** Serves wake-ups until it is stopped. */
export interface EngineWorker {
  /** Whether others see that this worker lives. */
  isAlive(): boolean;
  /** Takes no more wake-ups, and waits for those that are being served. */
  stop(): Promise<void>;
}

/** How long a wake-up waits before it is served again after an error, in milliseconds. */
export const RETRY_MS = 5_000;
