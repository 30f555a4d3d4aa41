/** When data objects are read: intervals and cron expressions, spread so that not all workspaces begin at the same moment. */
import { createHash } from "node:crypto";
import { Cron } from "croner";
import { isJsonObject } from "../../schemas/json.js";

/** What is done when the time passed while no worker was there. */
export type MissedRule = "once" | "skip";

/** When a data object is read. */
export type Schedule = IntervalSchedule | CronSchedule;

interface AnySchedule {
  /**
   * What is done when the time passed by more than a minute while no worker was there: `once` reads as soon as there is
   * one, however many times have passed; `skip` waits for the next time.
   * @default "once"
   */
  readonly missed?: MissedRule | undefined;
}

/** Again and again, so many seconds apart. */
export interface IntervalSchedule extends AnySchedule {
  /** Seconds, 10 or more. Where in the interval a workspace begins follows from its name and that of the object. */
  readonly everySeconds: number;
}

/** At times of the calendar. */
export interface CronSchedule extends AnySchedule {
  /** Such as `0 2 * * 1-5`: minute, hour, day, month, day of the week; with six fields the first is the second. */
  readonly cron: string;
  /**
   * The time zone of the expression, such as `Europe/Berlin`.
   * @default "UTC"
   */
  readonly timeZone?: string | undefined;
  /**
   * At most so many seconds later, by workspace and object.
   * @default a tenth of the time until the next one, at most 300
   */
  readonly jitterSeconds?: number | undefined;
}

/** A schedule that can't be followed. */
export class ScheduleError extends Error {
  override readonly name = "ScheduleError";
  /** The same schedule can't be followed the next time either. */
  readonly retry = "never";
}

const MIN_SECONDS = 10;
const MAX_SECONDS = 366 * 86_400;
const MAX_JITTER_SECONDS = 300;
const MISSED_MS = 60_000;
const MEMBERS = ["everySeconds", "cron", "timeZone", "jitterSeconds", "missed"];

/** @throws ScheduleError if `value` is none. */
export function parseSchedule(value: unknown): Schedule {
  if (!isJsonObject(value)) throw new ScheduleError("A schedule is an object with everySeconds or cron.");
  const unknown = Object.keys(value).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined)
    throw new ScheduleError(`A schedule has no ${JSON.stringify(unknown)}. It has ${MEMBERS.join(", ")}.`);
  const { everySeconds, cron, timeZone, jitterSeconds, missed } = value;
  if ((everySeconds === undefined) === (cron === undefined))
    throw new ScheduleError("A schedule has either everySeconds or cron.");
  if (missed !== undefined && missed !== "once" && missed !== "skip")
    throw new ScheduleError('missed: expected "once" or "skip".');
  const rule = missed === undefined ? {} : ({ missed } as const);
  if (everySeconds !== undefined) {
    if (timeZone !== undefined || jitterSeconds !== undefined)
      throw new ScheduleError("timeZone and jitterSeconds go with cron.");
    return { everySeconds: secondsOf("everySeconds", everySeconds, MIN_SECONDS), ...rule };
  }
  if (typeof cron !== "string") throw new ScheduleError('cron: expected a text such as "0 2 * * *".');
  if (timeZone !== undefined && typeof timeZone !== "string")
    throw new ScheduleError('timeZone: expected a text such as "Europe/Berlin".');
  const schedule = {
    cron,
    ...(timeZone !== undefined && { timeZone }),
    ...(jitterSeconds !== undefined && { jitterSeconds: secondsOf("jitterSeconds", jitterSeconds, 0) }),
    ...rule,
  };
  if (cronOf(schedule).nextRun() === null) throw new ScheduleError(`cron: "${cron}" never comes again.`);
  return schedule;
}

function secondsOf(name: string, value: unknown, least: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= MAX_SECONDS)
    return value;
  throw new ScheduleError(`${name}: expected a whole number of seconds from ${least} to ${MAX_SECONDS}.`);
}

/**
 * The next time after `after`; undefined if there is none any more.
 * @param seed Tells workspace and object from others: what has the same one has the same times.
 */
export function nextDue(schedule: Schedule, after: Date, seed: string): Date | undefined {
  if ("everySeconds" in schedule) {
    const interval = schedule.everySeconds * 1_000;
    const phase = hash(seed) % interval;
    return new Date(Math.floor((after.getTime() - phase) / interval + 1) * interval + phase);
  }
  // The time before may still wait for its jitter, which is shorter than the way to the next one.
  const cron = cronOf(schedule);
  const [before] = cron.previousRuns(1, after);
  const times = [...(before === undefined ? [] : [before]), ...cron.nextRuns(2, before ?? after)];
  const dues = times.map((time, index) => time.getTime() + jitterMs(schedule, times.slice(index), seed));
  const due = dues.find((ms) => ms > after.getTime());
  return due === undefined ? undefined : new Date(due);
}

/** @param times A time, and the one after it if there is one. */
function jitterMs({ jitterSeconds }: CronSchedule, [time, next]: readonly Date[], seed: string): number {
  const gap = time === undefined || next === undefined ? Infinity : (next.getTime() - time.getTime()) / 1_000;
  const seconds = Math.floor(Math.min(jitterSeconds ?? Math.min(gap / 10, MAX_JITTER_SECONDS), gap - 1));
  return seconds < 1 ? 0 : hash(seed) % (seconds * 1_000);
}

/** Whether something that is due is done, now that somebody looks. */
export function isStillDue({ missed = "once" }: Schedule, due: Date, now: Date): boolean {
  return missed === "once" || now.getTime() - due.getTime() <= MISSED_MS;
}

/** @throws ScheduleError if the expression or the time zone is none. */
function cronOf({ cron, timeZone = "UTC" }: CronSchedule): Cron {
  try {
    const parsed = new Cron(cron, { timezone: timeZone, paused: true });
    // The time zone is looked at with the first time.
    parsed.nextRun();
    return parsed;
  } catch (error) {
    const reason = (error as Error).message.replace(/^CronPattern: |\.$/g, "");
    throw new ScheduleError(`cron: "${cron}" in the time zone ${timeZone}: ${reason}.`);
  }
}

/** A number of 32 bits. */
function hash(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0);
}
