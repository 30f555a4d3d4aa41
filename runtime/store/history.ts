/** The port of what is noted of runs and actions, for whoever looks back. Nothing rests on it. */

/** Of what something is noted: a run or an action, by its number. */
export type HistorySubject = `run/${number}` | `action/${number}`;

/** Keeps texts of the runs and actions of a tenant: the latest, and no more than its driver has room for. */
export interface HistoryStore {
  /** Keeps a text without line breaks, a moment later. What can't be kept is lost, and nobody is told. */
  note(subject: HistorySubject, text: string): void;
  /** The texts of a subject that are kept. */
  list(subject: HistorySubject): Promise<readonly string[]>;
}
