/** Asks what a document does not decide, one question after the other: an answer may decide what else is asked. */
import type { ImportPlan, PlannedObject } from "../../generators/openapi/inference/plan.js";
import { withAnswers, withChanges } from "../../generators/openapi/questions/config-edits.js";
import {
  type AnswerChoice,
  type ConfigChange,
  type ImportQuestion,
  nextQuestion,
  type QuestionSource,
} from "../../generators/openapi/questions/open-questions.js";
import type { OpenApiImportOptions } from "../../schemas/authoring/openapi-import.js";

/** Gives the choice that somebody made; undefined to ask nothing more. */
export type Ask = (question: ImportQuestion) => Promise<AnswerChoice | undefined>;

/** What was answered. */
export interface Answered {
  readonly plan: ImportPlan;
  readonly changes: readonly ConfigChange[];
}

/**
 * Asks for what is open in `plan`.
 *
 * @param options What is answered already.
 * @param planWith Plans with more answers.
 */
export async function askQuestions(
  source: Omit<QuestionSource, "plan"> & { readonly isAsked: (object: PlannedObject) => boolean },
  {
    options,
    plan: first,
    planWith,
    ask,
  }: {
    readonly options: OpenApiImportOptions;
    readonly plan: ImportPlan;
    readonly planWith: (options: OpenApiImportOptions) => ImportPlan;
    readonly ask: Ask;
  },
): Promise<Answered> {
  const left = new Set<string>();
  const apart = new Set<string>();
  let changes: readonly ConfigChange[] = [];
  let plan = first;
  for (;;) {
    const question = nextQuestion({ ...source, plan }, { left, apart }, source.isAsked);
    const choice = question && (await ask(question));
    if (question === undefined || choice === undefined) return { plan, changes };
    for (const asked of question.asks) (choice.asksApart ? apart : left).add(asked);
    if (choice.changes.length === 0) continue;
    changes = withChanges(changes, choice.changes);
    plan = planWith(withAnswers(options, changes));
  }
}
