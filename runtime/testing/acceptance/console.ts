/** What a connector prints on the console. */

const METHODS = ["debug", "error", "info", "log", "trace", "warn"] as const;

/** Runs something, and keeps what it prints on the console for the caller. */
export async function printedBy(run: () => Promise<void>): Promise<readonly string[]> {
  const printed: string[] = [];
  const { console } = globalThis;
  const before = Object.fromEntries(METHODS.map((name) => [name, console[name]]));
  for (const name of METHODS)
    console[name] = (...values: unknown[]) => {
      printed.push(values.map(textOf).join(" "));
    };
  try {
    await run();
  } finally {
    Object.assign(console, before);
  }
  return printed;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) return String(value.stack);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
