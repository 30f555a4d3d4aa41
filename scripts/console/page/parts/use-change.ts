/** What is changed at once, and why it was not. */
import { useState } from "preact/hooks";
import { CallError, tell } from "../client.js";

export interface Changing {
  readonly problem: string | undefined;
  readonly change: (name: string, body: object) => void;
}

/** @param onDone Called after every change. */
export function useChange(onDone: () => void): Changing {
  const [problem, setProblem] = useState<string>();
  const change = (name: string, body: object) =>
    void tell(name, body).then(
      () => {
        setProblem(undefined);
        onDone();
      },
      (error: unknown) => {
        if (!(error instanceof CallError)) throw error;
        setProblem(error.message);
      },
    );
  return { problem, change };
}
