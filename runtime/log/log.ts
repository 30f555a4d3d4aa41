/** The log of a host: JSON lines without secrets, on standard error, never on standard output. */
import { pino } from "pino";
import type { RecordType } from "../records/record-type.js";
import type { Log } from "../registration/contracts.js";
import { createRedaction } from "./redaction.js";

/** From the level that writes most to the one that writes nothing. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/** Where lines go: a stream, or anything that takes texts. */
export interface LogDestination {
  /** Takes a line with its line break. An error that it throws loses the line, and nothing else. */
  write(line: string): unknown;
}

/** Options of {@link createLog}. */
export interface LogOptions {
  /**
   * Where lines go. Standard output is refused: results are written there.
   * @default standard error
   */
  readonly destination?: LogDestination | undefined;
  /**
   * The least important level that is written.
   * @default "info"
   */
  readonly level?: LogLevel | undefined;
  /**
   * Types whose write-only members are hidden by their names, in any value: `sensitiveTypes(registration)`.
   * @default none
   */
  readonly schemas?: readonly RecordType[] | undefined;
}

/** A log that also hides the values that it is given with `hide`. */
export interface RedactingLog extends Log {
  /**
   * Hides these texts and numbers from now on wherever they occur: in messages, addresses and errors, also if they are
   * quoted, percent-encoded or in base64. Fewer than four characters are hidden only if they are a whole value.
   * @returns A function that ends it, for what is secret for a while only; what others hide too stays hidden.
   */
  hide(values: Iterable<unknown>): () => void;
  /** The text as a message of this log, however long it is: without all that the log hides. */
  redacted(text: string): string;
}

const STANDARD_OUTPUT = 1;
const STANDARD_ERROR = 2;
const LEVELS: readonly string[] = ["debug", "info", "warn", "error", "silent"];

/**
 * A log of JSON lines without secrets. Its methods never throw. A line is an object with `level`, `time` (ISO 8601, UTC),
 * `msg` and, if they were given, `fields`; long texts and deep or wide values are cut.
 * @throws RangeError if there is no such `level`, or if `destination` is standard output.
 * @example
 * const log = createLog({ level: "debug", schemas: sensitiveTypes(registration) });
 * log.hide([token]);
 * log.info("read a page", { page: 3 });
 */
export function createLog({ destination, level = "info", schemas = [] }: LogOptions = {}): RedactingLog {
  if (!LEVELS.includes(level)) throw new RangeError(`level: expected one of ${LEVELS.join(", ")}`);
  if (destination !== undefined && Reflect.get(destination, "fd") === STANDARD_OUTPUT) {
    throw new RangeError("destination: expected another one than standard output, which is for results");
  }
  const redaction = createRedaction(schemas);
  const options = {
    base: null,
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const lines = pino(options, ignoringErrors(destination ?? standardError()));
  const write = (at: "debug" | "info" | "warn" | "error") => (message: string, fields?: object) => {
    if (!lines.isLevelEnabled(at)) return;
    const text = redaction.text(typeof message === "string" ? message : "[no message]");
    if (fields === undefined) lines[at](text);
    else lines[at]({ fields: redaction.value(fields) }, text);
  };
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    hide: (values) => redaction.hide(values),
    redacted: (text) => redaction.wholeText(text),
  };
}

function standardError(): LogDestination {
  const stream = pino.destination({ fd: STANDARD_ERROR, sync: true });
  // A reader that has gone must not end the connector.
  stream.on("error", () => undefined);
  return stream;
}

/** `destination` without the errors that it throws. */
function ignoringErrors(destination: LogDestination): LogDestination {
  return {
    write(line) {
      try {
        destination.write(line);
      } catch {
        return;
      }
    },
  };
}
