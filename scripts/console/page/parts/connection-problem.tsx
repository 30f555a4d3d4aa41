import { overview } from "../state.js";

/** Why nothing can be called; undefined where the connection can be used. */
export function connectionProblem(): string | undefined {
  return overview.value?.connection.problem;
}

/** The same on a page that would call something. */
export function ConnectionProblem() {
  const problem = connectionProblem();
  return problem === undefined ? null : <p class="notice warn">{problem}</p>;
}
