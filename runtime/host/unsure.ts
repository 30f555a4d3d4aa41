/** Looks at values that nobody answers for: reading them never throws. */

/** A member of anything; undefined where there is none, or where it does not let itself be read. */
export function memberOf(value: unknown, name: string): unknown {
  if ((typeof value !== "object" || value === null) && typeof value !== "function") return undefined;
  try {
    return Reflect.get(value, name);
  } catch {
    return undefined;
  }
}

/** What an error says in one text. */
export function messageOf(error: unknown): string {
  const message = typeof error === "string" ? error : memberOf(error, "message");
  return typeof message === "string" && message !== "" ? message : "it threw something that is no error";
}

/** Hides `secrets` in a log that can hide. */
export function hideIn(log: unknown, secrets: readonly string[]): void {
  const hide = memberOf(log, "hide");
  if (typeof hide === "function") hide.call(log, secrets);
}
