/** What the acceptance suite is given, and what it finds. */
import type { FakeOptions } from "../fake-options.js";
import type { ScenarioName } from "./scenario-names.js";

/** What is tried, and with what. */
export interface AcceptanceOptions {
  /** What `fake.ts` of the project says: lists, routes and values. @default {} */
  readonly fake?: FakeOptions | undefined;
  /** The same seed tries the same. @default 1 */
  readonly seed?: number | undefined;
  /** The most records that the object has that is tried. @default 12 */
  readonly records?: number | undefined;
  /** Names of data objects, as their classes are called; their actions too. @default all */
  readonly objects?: readonly string[] | undefined;
  /**
   * Whether of a connector with more than 50 data objects only some of each form are tried with every scenario, and all
   * others with `whole` and `performed`. Those that are named in `objects` are tried with every scenario.
   * @default true
   */
  readonly isSampled?: boolean | undefined;
  /** Names of scenarios. @default all */
  readonly scenarios?: readonly string[] | undefined;
  /**
   * Seconds in which a run may make no call and give no record. After that it counts as one that never ends: nobody waits
   * for it any more.
   * @default 20
   */
  readonly stuckSeconds?: number | undefined;
  /**
   * The process that the suite runs in, as far as it may look at it: what is printed on the standard streams, promises
   * that are rejected and that nobody looks at, and other time zones.
   * @default none: only the console is looked at
   */
  readonly surroundings?: AcceptanceSurroundings | undefined;
  /** Called with each part before it is tried: with who does not give the process back, nothing is heard any more. */
  readonly onTrying?: ((trying: AcceptanceTrying) => void) | undefined;
  /** Called with each part that was tried. */
  readonly onTried?: ((tried: AcceptanceTried) => void) | undefined;
  /** Ends the suite; what was not tried yet is left out. */
  readonly signal?: AbortSignal | undefined;
}

/** The process that a connector runs in. */
export interface AcceptanceSurroundings {
  /** Runs something, and tells what it printed and which promises it left to themselves. */
  observe(run: () => Promise<void>): Promise<{
    /** What was written on the standard streams. */
    readonly printed: readonly string[];
    /** Why promises were rejected that nobody looked at. */
    readonly unhandled: readonly unknown[];
  }>;
  /** Runs something in another time zone, such as `Pacific/Kiritimati`. */
  inTimeZone(zone: string, run: () => Promise<void>): Promise<void>;
}

/** What a scenario was tried on. */
export interface AcceptanceSubject {
  /** Name of the class of the data object; undefined for the connector as a whole. */
  readonly object?: string | undefined;
  /** Name of the class of the action, if it is one. */
  readonly action?: string | undefined;
}

/** A scenario that is tried on a part of the connector. */
export interface AcceptanceTrying extends AcceptanceSubject {
  /** Name of the scenario. */
  readonly scenario: ScenarioName;
}

/** A scenario that was tried on a part of the connector. */
export interface AcceptanceTried extends AcceptanceTrying {
  /** Whether nothing was found. */
  readonly isPassed: boolean;
}

/** What was found wrong. */
export interface AcceptanceFinding extends AcceptanceSubject {
  /** Name of the kind, which `connectorcli explain` knows. */
  readonly code: FlawCode;
  /** The scenario that has found it. */
  readonly scenario: ScenarioName;
  /** What the connector has done: a sentence. */
  readonly message: string;
  /** How to see it again: the shortest way that was found. */
  readonly seen: string;
  /** What the connector threw; absent if it threw nothing. */
  readonly error?: unknown;
}

/** What the suite has found. */
export interface AcceptanceResult {
  /** The seed, which repeats the run. */
  readonly seed: number;
  /** What was found wrong; empty for a sound connector. */
  readonly findings: readonly AcceptanceFinding[];
  /** Everything that was tried. */
  readonly tried: readonly AcceptanceTried[];
  /** What could not be tried, and what to do about it, a sentence each. */
  readonly notes: readonly string[];
}

/** The kinds of what can be found; each has a page of `connectorcli explain`. */
export type FlawCode =
  | "acceptance-connection-refused"
  | "acceptance-connection-accepted"
  | "acceptance-read-fails"
  | "acceptance-records-missing"
  | "acceptance-records-altered"
  | "acceptance-records-foreign"
  | "acceptance-read-not-repeatable"
  | "acceptance-stop-loses"
  | "acceptance-fault-deletes"
  | "acceptance-fault-hidden"
  | "acceptance-not-recovered"
  | "acceptance-endless"
  | "acceptance-shift-loses"
  | "acceptance-rate-ignored"
  | "acceptance-change-missed"
  | "acceptance-since-ignored"
  | "acceptance-deletes-missed"
  | "acceptance-rejected-lost"
  | "acceptance-call-left"
  | "acceptance-reader-writes"
  | "acceptance-too-many-at-once"
  | "acceptance-state-shared"
  | "acceptance-setting-ignored"
  | "acceptance-switch-ignored"
  | "acceptance-action-given-up"
  | "acceptance-secret-shown"
  | "acceptance-credentials-elsewhere"
  | "acceptance-action-fails"
  | "acceptance-action-without-effect"
  | "acceptance-action-not-cached"
  | "acceptance-action-twice"
  | "acceptance-refusal-repeated"
  | "acceptance-failure-hidden";
