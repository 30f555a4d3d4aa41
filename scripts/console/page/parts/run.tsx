/** Long work that the page has begun: what happens, how far it is, and the button that stops it. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { CallError, run } from "../client.js";
import type { Ended, RunEvent, Target } from "../shapes.js";
import { objects, overview, refresh } from "../state.js";
import { countWords } from "../words.js";
import { Button, Diagnostics, Problem, Scrolled } from "./basics.js";
import { InPlace } from "./in-place.js";

const MAX_LINES = 1_000;

interface Progress {
  readonly words: string;
  /** 0 to 1; undefined where nobody knows how much there is. */
  readonly share: number | undefined;
}

export interface Work {
  readonly isRunning: boolean;
  readonly lines: readonly string[];
  readonly progress: Progress | undefined;
  readonly ended: Ended | undefined;
  readonly problem: string | undefined;
  /** Where a user signs in, while that is waited for. */
  readonly signIn: Extract<RunEvent, { kind: "sign-in" }> | undefined;
  /** Begins; what ran before in this place is stopped. */
  readonly begin: (name: string, body: object) => void;
  readonly stop: () => void;
}

/** Work ends with the page that began it. */
export function useWork(): Work {
  const [isRunning, setRunning] = useState(false);
  const [lines, setLines] = useState<readonly string[]>([]);
  const [progress, setProgress] = useState<Progress>();
  const [ended, setEnded] = useState<Ended>();
  const [problem, setProblem] = useState<string>();
  const [signIn, setSignIn] = useState<Work["signIn"]>();
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
    setSignIn(undefined);
    const onEvent = (event: RunEvent) => {
      setSignIn((known) => signInAfter(event, known));
      if (event.kind === "ended") setEnded(event);
      else if (event.kind === "refused") setProblem(event.message);
      else if (event.kind === "progress") setProgress(progressOf(event));
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
        setSignIn(undefined);
        void refresh();
      });
  };
  return { isRunning, lines, progress, ended, problem, signIn, begin, stop };
}

function signInAfter(event: RunEvent, known: Work["signIn"]): Work["signIn"] {
  if (event.kind === "sign-in") return event;
  return event.kind === "signed-in" ? undefined : known;
}

function progressOf({ progress, before }: Extract<RunEvent, { kind: "progress" }>): Progress {
  const { object, read } = progress;
  const known = before > 0 ? ` (${countWords(before, "record")} before)` : "";
  // Of an incremental read nobody knows how much has changed.
  const isFull = objects.value.some(({ name, readerType }) => name === object && readerType === "full");
  return {
    words: `${object}: ${countWords(read, "record")} read${known}`,
    share: isFull && before > 0 ? Math.min(1, read / before) : undefined,
  };
}

function lineOf(event: RunEvent): string | undefined {
  switch (event.kind) {
    case "line":
      return event.text;
    case "generated-stale":
      return "generated/ is stale: run npx connectorcli gen before you trust the result.";
    case "sign-in":
      return `Sign in at ${event.provider}.`;
    case "signed-in":
      return "Signed in.";
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
  const { isRunning, lines, progress, ended, problem, signIn, stop } = work;
  if (!isRunning && lines.length === 0 && ended === undefined && problem === undefined) return null;
  return (
    <section class="work" aria-label="What happens" aria-busy={isRunning}>
      <div class="work-head" aria-live="polite">
        {isRunning ? (
          <>
            <progress
              aria-label="Under way"
              {...(progress?.share !== undefined && { value: progress.share })}
            />{" "}
            {progress?.words ?? "Under way…"}{" "}
            <button type="button" onClick={stop}>
              Stop
            </button>
          </>
        ) : (
          progress?.words
        )}
      </div>
      {signIn !== undefined && (
        <p class="notice warn" role="status">
          <a href={signIn.address} target="_blank" rel="noopener noreferrer">
            Sign in at {signIn.provider}
          </a>{" "}
          <span>
            in a new tab, and come back. The provider has to know the redirect address{" "}
            <code>{signIn.redirectUri}</code>.
          </span>
        </p>
      )}
      {problem !== undefined && <Problem>{problem}</Problem>}
      <Diagnostics list={ended?.diagnostics ?? []} />
      <div class={isBesideLog ? "sides" : undefined}>
        <div>{children}</div>
        {lines.length > 0 && (
          <details open={isRunning || isBesideLog}>
            <summary>Log and traffic: {countWords(lines.length, "entry", "entries")}</summary>
            <Traffic lines={lines} />
          </details>
        )}
      </div>
    </section>
  );
}

/** What was logged, and what was asked and answered, each with its parts. */
function Traffic({ lines }: { readonly lines: readonly string[] }) {
  return (
    <Scrolled label="Log and traffic" className="long">
      {lines.map((line, index) => {
        const [head = "", ...parts] = line.split(/\n {2}(?=(?:sent|received): )/);
        return (
          <div key={`${index} ${head}`} class="log" dir="ltr">
            <strong>{head}</strong>
            {parts.map((part) => (
              <div key={part.slice(0, 9)}>
                <span class="quiet">{part.startsWith("sent") ? "sent" : "received"}</span>{" "}
                {part.replace(/^\w+: /, "")}
              </div>
            ))}
          </div>
        );
      })}
    </Scrolled>
  );
}

/** In front of what changes something: a button; for production, a name that has to be typed as well. */
export function ChangeButton({
  label,
  what,
  of,
  isDisabled = false,
  onConfirm,
}: {
  readonly label: string;
  /** Tells the button from others with this label. */
  readonly what?: string;
  /** What would be changed. Default: what the page shows. */
  readonly of?: Target | undefined;
  readonly isDisabled?: boolean;
  readonly onConfirm: (confirmed: string | undefined) => void;
}) {
  const [isAsked, setAsked] = useState(false);
  const [typed, setTyped] = useState("");
  const { isWritable = false, target } = overview.value ?? {};
  const changed = of ?? target;
  const name = what === undefined ? undefined : `${label}: ${what}`;
  const submit = (event: Event) => {
    event.preventDefault();
    setAsked(false);
    onConfirm(typed);
  };
  return (
    <InPlace step={isAsked ? "asked" : "idle"} onLeave={isAsked ? () => setAsked(false) : undefined}>
      {isAsked ? (
        <form class="confirm" onSubmit={submit}>
          <label>
            This is production. Type <strong>{changed?.title}</strong> to go on:{" "}
            <input
              value={typed}
              autocomplete="off"
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </label>{" "}
          <button type="submit" class="danger" disabled={typed !== changed?.title}>
            {label}
          </button>{" "}
          <button type="button" onClick={() => setAsked(false)}>
            Cancel
          </button>
        </form>
      ) : !isWritable ? (
        <Button isDisabled aria-label={name} title="Start the console with --write to change something">
          {label}
        </Button>
      ) : changed?.isProduction === true ? (
        <Button
          class="danger"
          aria-label={name === undefined ? undefined : `${name}…`}
          isDisabled={isDisabled}
          onClick={() => setAsked(true)}
        >
          {label}…
        </Button>
      ) : (
        <Button aria-label={name} isDisabled={isDisabled} onClick={() => onConfirm(undefined)}>
          {label}
        </Button>
      )}
    </InPlace>
  );
}
