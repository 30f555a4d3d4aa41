/** Durations as authors write them. */

const DURATION = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const UNITS_MS = [7 * 86_400_000, 86_400_000, 3_600_000, 60_000, 1_000] as const;

/** An ISO 8601 duration of weeks, days, hours, minutes and seconds (`PT1M`, `P7D`) in milliseconds; else undefined. */
export function durationMs(text: string): number | undefined {
  const [, ...counts] = text === "P" ? [] : (DURATION.exec(text) ?? []);
  if (counts.every((count) => count === undefined)) return undefined;
  return UNITS_MS.reduce((total, unit, index) => total + unit * Number(counts[index] ?? 0), 0);
}
