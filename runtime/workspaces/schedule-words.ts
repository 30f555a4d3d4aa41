/** Schedules in words. It stands apart from their rules, for the page of the console has it too. */
import type { Schedule } from "./schedule.js";

const UNITS: readonly (readonly [unit: string, seconds: number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

/** `every 15 minutes`, `0 2 * * 1-5 (Europe/Berlin)`. */
export function scheduleWords(schedule: Schedule): string {
  if ("cron" in schedule) return `${schedule.cron} (${schedule.timeZone ?? "UTC"})`;
  const { everySeconds } = schedule;
  const [unit, size] = UNITS.find(([, seconds]) => everySeconds % seconds === 0) ?? ["second", 1];
  const count = everySeconds / size;
  return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;
}
