/** The log of a host: JSON lines without secrets, on standard error, never on standard output. */
import { pino } from "pino";
import type { RecordType } from "../../records/record-type.js";
import type { Log } from "../../registration/contracts.js";
import { createRedaction } from "./redaction.js";

/** From the most to the least that is written. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/** Where lines go: a stream, or anything that takes texts. */
export interface LogDestination {
  write(line: string): unknown;
}

export interface LogOptions {
  /** By default standard error. Standard output is refused: results are written there. */
  readonly destination?: LogDestination | undefined;
  /** The least level that is written; `info` by default. */
  readonly level?: LogLevel | undefined;
  /** Types whose write-only members are hidden by their names, also in values that are no instances. */
  readonly schemas?: readonly RecordType[] | undefined;
}

/** A log that hides what it is told to. */
export interface RedactingLog extends Log {
  /** Hides these texts from now on wherever they occur: in messages, addresses, errors, also when encoded. */
  hide(values: Iterable<unknown>): void;
}

const STANDARD_OUTPUT = 1;
const STANDARD_ERROR = 2;
const LEVELS: readonly string[] = ["debug", "info", "warn", "error", "silent"];

/**
 * A log whose methods never throw. A line is an object with `level`, `time`, `msg` and, where given, `fields`.
 * @throws RangeError where `level` is none, or `destination` is standard output.
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
  const lines = pino(options, guarded(destination ?? standardError()));
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
  };
}

function standardError(): LogDestination {
  const stream = pino.destination({ fd: STANDARD_ERROR, sync: true });
  // A reader that has gone must not end the connector.
  stream.on("error", () => undefined);
  return stream;
}

/** A destination that fails loses lines, and nothing else. */
function guarded(destination: LogDestination): LogDestination {
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
