/** What can be read of values that are no plain JSON, and of those that do not want to be read. */

const NOT_READABLE = "[not readable]";

/** What `read` gives; a note where it throws. */
export function attempt<Value>(read: () => Value): Value | string {
  try {
    return read();
  } catch {
    return NOT_READABLE;
  }
}

/** A value that is shown as one text; undefined where its members say more. */
export function shortForm(value: unknown): string | undefined {
  if (typeof value === "bigint" || typeof value === "symbol") return String(value);
  if (typeof value === "function") return `[function ${value.name}]`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "[no date]" : value.toISOString();
  if (value instanceof URL) return value.href;
  if (value instanceof URLSearchParams || value instanceof RegExp) return String(value);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) return "[not shown]";
  return undefined;
}

/** Names and values, with a note in place of a value whose getter throws. */
export function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  if (value instanceof Map || value instanceof Headers) {
    return [...value].map(([name, member]) => [typeof name === "string" ? name : "[a key]", member]);
  }
  return Object.keys(value).map((name) => [name, attempt(() => Reflect.get(value, name))]);
}

const OF_ERRORS = ["name", "message", "code", "statusCode", "stack", "findings", "cause", "errors"];

/** What an error says, also where its class or its members are odd; its other members when they are short. */
export function errorMembers(error: Error): readonly (readonly [string, unknown])[] {
  const own = entriesOf(error).filter(
    ([name, member]) =>
      !OF_ERRORS.includes(name) && typeof member !== "object" && typeof member !== "function",
  );
  return [...OF_ERRORS.map((name) => [name, attempt(() => Reflect.get(error, name))] as const), ...own];
}
