/** What runs and actions have asked the target system, for whoever looks back. No entry has a secret. */
import type { AttemptReport } from "../action-processor/processor-options.js";
import type { SyncProgress } from "../cache-writer/sync-options.js";
import type { ActionEntry, RunSummary } from "../store/store.js";

/** An attempt of a request. */
export interface MadeCall {
  /** Of the run of a data object, by its data path, or of the attempt of an action, by its number; null for what is shared. */
  readonly of: { readonly object: string } | { readonly action: number } | null;
  /** When it began: ISO 8601, UTC. */
  readonly at: string;
  /** Whether it was a call of the API client or a token request. */
  readonly purpose: "call" | "token";
  /** HTTP method. */
  readonly method: string;
  /** Absolute; values of secret parameters are hidden. */
  readonly address: string;
  /** HTTP status; null if there was no answer. */
  readonly status: number | null;
  /** Milliseconds. */
  readonly ms: number;
  /** Which attempt of the same request it was, counted from 1. */
  readonly attempt: number;
  /** Why there was no answer; null if there was one. */
  readonly problem: string | null;
}

/** A page that was committed. */
export interface CommittedPage extends Pick<SyncProgress, "read" | "pages"> {
  /** Data path of the object. */
  readonly of: { readonly object: string };
  /** When it was committed: ISO 8601, UTC. */
  readonly at: string;
}

/** An attempt of an action that has ended. */
export interface AttemptEntry extends Pick<AttemptReport, "attempts" | "outcome" | "dueAt" | "message"> {
  /** The action, by its number. */
  readonly of: { readonly action: number };
  /** When it began: ISO 8601, UTC. */
  readonly at: string;
  /** Milliseconds. */
  readonly ms: number;
}

/** Something that is noted. */
export type HistoryEntry =
  | ({ readonly kind: "call" } & MadeCall)
  | ({ readonly kind: "page" } & CommittedPage)
  | ({ readonly kind: "attempt" } & AttemptEntry);

/** What is known of a run, each in the order in which it began. */
export interface HistoryOfRun {
  /** Its requests, those for tokens included. */
  readonly calls: readonly MadeCall[];
  /** The pages that were committed. */
  readonly pages: readonly CommittedPage[];
}

/** What is known of an action, each in the order in which it began. */
export interface HistoryOfAction {
  /** Its requests. */
  readonly calls: readonly MadeCall[];
  /** Its attempts that have ended. */
  readonly attempts: readonly AttemptEntry[];
}

/** Looks back, as far as entries are kept. */
export interface RunHistory {
  /** What a run has asked, and the pages that came of it. */
  ofRun(run: Pick<RunSummary, "id" | "object" | "startedAt" | "endedAt">): Promise<HistoryOfRun>;
  /** The attempts of an action, and what they have asked. */
  ofAction(action: Pick<ActionEntry, "id" | "queuedAt">): Promise<HistoryOfAction>;
}

/** The entries of lines of JSON, in the order in which they began; a line that was torn has none. */
export function entriesOf(lines: readonly string[]): readonly HistoryEntry[] {
  return lines.flatMap(entryOf).sort((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0));
}

function entryOf(line: string): readonly HistoryEntry[] {
  try {
    return line === "" ? [] : [JSON.parse(line) as HistoryEntry];
  } catch {
    return [];
  }
}

/** The entries of a run by what they are. */
export function historyOfRun(entries: readonly HistoryEntry[]): HistoryOfRun {
  return {
    calls: entries.filter((entry) => entry.kind === "call"),
    pages: entries.filter((entry) => entry.kind === "page"),
  };
}

/** The entries of an action by what they are. */
export function historyOfAction(entries: readonly HistoryEntry[]): HistoryOfAction {
  return {
    calls: entries.filter((entry) => entry.kind === "call"),
    attempts: entries.filter((entry) => entry.kind === "attempt"),
  };
}
