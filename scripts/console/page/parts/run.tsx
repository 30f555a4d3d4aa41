/** Long work that the page has begun: what happens, how far it is, and the button that stops it. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { CallError, run } from "../client.js";
import type { Ended, RunEvent } from "../shapes.js";
import { overview, refresh } from "../state.js";
import { countWords } from "../words.js";
import { Diagnostics, LongText, Problem } from "./basics.js";

const MAX_LINES = 1_000;

export interface Work {
  readonly isRunning: boolean;
  readonly lines: readonly string[];
  readonly progress: string | undefined;
  readonly ended: Ended | undefined;
  readonly problem: string | undefined;
  /** Begins; what ran before in this place is stopped. */
  readonly begin: (name: string, body: object) => void;
  readonly stop: () => void;
}

/** Work ends with the page that began it. */
export function useWork(): Work {
  const [isRunning, setRunning] = useState(false);
  const [lines, setLines] = useState<readonly string[]>([]);
  const [progress, setProgress] = useState<string>();
  const [ended, setEnded] = useState<Ended>();
  const [problem, setProblem] = useState<string>();
  const current = useRef<AbortController | undefined>(undefined);
  const stop = () => current.current?.abort();
  useEffect(() => stop, []);
  const begin = (name: string, body: object) => {
    stop();
    const abort = new AbortController();
    current.current = abort;
    setRunning(true);
    setLines([]);
    setProgress(undefined);
    setEnded(undefined);
    setProblem(undefined);
    const onEvent = (event: RunEvent) => {
      if (event.kind === "ended") setEnded(event);
      else if (event.kind === "refused") setProblem(event.message);
      else if (event.kind === "progress") setProgress(progressWords(event));
      const line = lineOf(event);
      if (line !== undefined) setLines((known) => [...known, line].slice(-MAX_LINES));
    };
    run(name, body, { signal: abort.signal, onEvent })
      .catch((error: unknown) => {
        if (abort.signal.aborted) setProblem("Stopped.");
        else if (error instanceof CallError) setProblem(error.message);
        else throw error;
      })
      .finally(() => {
        if (current.current !== abort) return;
        setRunning(false);
        void refresh();
      });
  };
  return { isRunning, lines, progress, ended, problem, begin, stop };
}

function progressWords({ progress, before }: Extract<RunEvent, { kind: "progress" }>): string {
  const { object, read } = progress;
  const known = before > 0 ? ` (${countWords(before, "record")} before)` : "";
  return `${object}: ${countWords(read, "record")} read${known}`;
}

function lineOf(event: RunEvent): string | undefined {
  switch (event.kind) {
    case "line":
      return event.text;
    case "generated-stale":
      return "generated/ is stale: run npx connectorcli gen before you trust the result.";
    case "sign-in":
      return `Sign in: ${event.address}`;
    case "synced":
      return `${event.synced.object}: ${event.synced.outcome}`;
    default:
      return undefined;
  }
}

/** What happens, and how it ended. */
export function WorkPanel({
  work,
  isBesideLog = false,
  children,
}: {
  readonly work: Work;
  /** Whether the log stands beside what came of it, for comparing. */
  readonly isBesideLog?: boolean;
  readonly children?: ComponentChildren;
}) {
  const { isRunning, lines, progress, ended, problem, stop } = work;
  if (!isRunning && lines.length === 0 && ended === undefined && problem === undefined) return null;
  return (
    <section class="work" aria-label="What happens" aria-busy={isRunning}>
      <div class="work-head" aria-live="polite">
        {isRunning ? (
          <>
            <progress aria-label="Under way" /> {progress ?? "Under way…"}{" "}
            <button type="button" onClick={stop}>
              Stop
            </button>
          </>
        ) : (
          (progress ?? "")
        )}
      </div>
      {problem !== undefined && <Problem>{problem}</Problem>}
      <Diagnostics list={ended?.diagnostics ?? []} />
      <div class={isBesideLog ? "sides" : undefined}>
        <div>{children}</div>
        {lines.length > 0 && (
          <details open={isRunning || isBesideLog}>
            <summary>Log and traffic: {countWords(lines.length, "entry", "entries")}</summary>
            <LongText label="Log and traffic" isLog>
              {lines.join("\n")}
            </LongText>
          </details>
        )}
      </div>
    </section>
  );
}

/** In front of what changes something: a button; for a production system, the name of the connection as well. */
export function ChangeButton({
  label,
  isDisabled = false,
  onConfirm,
}: {
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly onConfirm: (confirmed: string | undefined) => void;
}) {
  const [isAsked, setAsked] = useState(false);
  const [typed, setTyped] = useState("");
  const { isWritable = false, connection } = overview.value ?? {};
  if (!isWritable)
    return (
      <button type="button" disabled title="Start the console with --write to change something">
        {label}
      </button>
    );
  if (connection?.isProduction !== true)
    return (
      <button type="button" disabled={isDisabled} onClick={() => onConfirm(undefined)}>
        {label}
      </button>
    );
  if (!isAsked)
    return (
      <button type="button" class="danger" disabled={isDisabled} onClick={() => setAsked(true)}>
        {label}…
      </button>
    );
  const submit = (event: Event) => {
    event.preventDefault();
    setAsked(false);
    onConfirm(typed);
  };
  return (
    <form class="confirm" onSubmit={submit}>
      <label>
        This is production. Type <strong>{connection.title}</strong> to go on:{" "}
        <input value={typed} autocomplete="off" onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>{" "}
      <button type="submit" class="danger" disabled={typed !== connection.title}>
        {label}
      </button>{" "}
      <button type="button" onClick={() => setAsked(false)}>
        Cancel
      </button>
    </form>
  );
}
