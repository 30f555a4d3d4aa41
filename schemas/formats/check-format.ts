/** Checks a value against the TypeBox schema of a file format, and says in words what does not fit. */

import type { TSchema } from "@sinclair/typebox";
import { Value, type ValueError, ValueErrorType } from "@sinclair/typebox/value";
import { pointerSteps } from "../json.js";

/** One mismatch: where, as pointer steps, and what was expected. */
export interface FormatProblem {
  readonly steps: readonly string[];
  readonly problem: string;
}

const MAX_PROBLEMS = 100;

/** Everything in `value` that does not fit `schema`, at most a hundred. */
export function formatProblems(schema: TSchema, value: unknown): readonly FormatProblem[] {
  if (Value.Check(schema, value)) return [];
  const problems = new Map<string, FormatProblem>();
  for (const error of Value.Errors(schema, value)) {
    const inner = innermost(error);
    if (!problems.has(inner.path))
      problems.set(inner.path, { steps: pointerSteps(inner.path), problem: problemText(inner) });
    if (problems.size === MAX_PROBLEMS) break;
  }
  return [...problems.values()];
}

/** If no variant of a union fits, each has its own errors: the deepest one is the most likely cause. */
function innermost(error: ValueError): ValueError {
  if (error.type !== ValueErrorType.Union) return error;
  const inner = error.errors.flatMap((variant) => [...variant].map(innermost));
  return inner.reduce((deepest, next) => (next.path.length > deepest.path.length ? next : deepest), error);
}

function problemText(error: ValueError): string {
  const name = pointerSteps(error.path).at(-1) ?? "the file";
  switch (error.type) {
    case ValueErrorType.ObjectRequiredProperty:
      return `"${name}" is missing`;
    case ValueErrorType.ObjectAdditionalProperties:
      return `"${name}" does not belong here`;
    case ValueErrorType.Union: {
      const union = error.schema["anyOf"] as readonly { const?: unknown; type?: unknown }[] | undefined;
      const choices = (union ?? []).map((variant) =>
        String(variant.const ?? variant.type ?? "another value"),
      );
      return `"${name}" must be one of ${choices.join(", ")}`;
    }
    default:
      return `"${name}": ${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`;
  }
}
