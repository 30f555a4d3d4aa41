/** What is asked for anew whenever something ran. */
import { useEffect, useState } from "preact/hooks";
import { ask, CallError } from "../client.js";
import { overview } from "../state.js";

export interface Answered<Answer> {
  readonly answer: Answer | undefined;
  readonly problem: string | undefined;
  readonly again: () => void;
}

export function useAnswer<Answer>(
  name: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
  isWanted = true,
): Answered<Answer> {
  const [answer, setAnswer] = useState<Answer>();
  const [problem, setProblem] = useState<string>();
  const [asked, setAsked] = useState(0);
  const stamp = JSON.stringify([name, query, asked, overview.value?.version, lastRuns()]);
  useEffect(() => {
    if (!isWanted) return undefined;
    const abort = new AbortController();
    ask<Answer>(name, query, abort.signal).then(
      (value) => {
        setAnswer(value);
        setProblem(undefined);
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        if (!(error instanceof CallError)) throw error;
        setProblem(error.message);
      },
    );
    return () => abort.abort();
  }, [stamp]);
  return { answer, problem, again: () => setAsked((count) => count + 1) };
}

function lastRuns(): readonly unknown[] {
  return overview.value?.objects?.map(({ lastRun }) => [lastRun?.id, lastRun?.endedAt]) ?? [];
}
