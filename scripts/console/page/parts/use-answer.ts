/** What is asked for anew whenever something ran. */
import { useEffect, useState } from "preact/hooks";
import { ask, CallError } from "../client.js";
import { beat, chosenWorkspace, overview } from "../state.js";

export interface Answered<Answer> {
  readonly answer: Answer | undefined;
  readonly problem: string | undefined;
  readonly again: () => void;
}

/**
 * @param isWanted Whether it is asked for. Default: true
 * @param isLive Whether it is asked for every few seconds. Default: false
 */
export function useAnswer<Answer>(
  name: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
  { isWanted = true, isLive = false }: { readonly isWanted?: boolean; readonly isLive?: boolean } = {},
): Answered<Answer> {
  const [answer, setAnswer] = useState<Answer>();
  const [problem, setProblem] = useState<string>();
  const [asked, setAsked] = useState(0);
  const age = [overview.value?.version, lastRuns(), isLive ? beat.value : 0];
  const stamp = JSON.stringify([name, query, chosenWorkspace.value, asked, age]);
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
