/**
 * What goes before the document: what its author has answered, and what an earlier import decided on text that is still
 * there. Answers that nothing asked for are noted, because nobody else would notice them.
 */
import type {
  ListAnswer,
  OpenApiImportOptions,
  SkipAnswer,
} from "../../../schemas/authoring/openapi-import.js";
import { ownMember, sortedText } from "../../../schemas/json.js";
import { classIdentifier } from "../../../schemas/naming/identifiers.js";
import type { ApiOperation } from "../reading/api-description.js";
import type { AnswerNote, Decision, KeptDecision } from "./plan.js";

/** What was decided before a document is looked at. */
export interface DecidedBefore extends Pick<OpenApiImportOptions, "settings" | "answers"> {
  /** What an earlier import decided, by the operation of the list. */
  readonly known?: ReadonlyMap<string, KnownObject>;
}

/** A data object of an earlier import. */
export interface KnownObject {
  readonly name: string;
  /** Decisions whose text is still there, by what they decide. */
  readonly decisions: ReadonlyMap<string, Decision<unknown>>;
}

/** What is decided, and by what it is named. */
export interface Matter<Value> {
  readonly list: ApiOperation;
  /** As `DecisionView.about`. */
  readonly about: string;
  /** Where an answer to it alone stands below the operation: `["pages"]`; undefined if it is answered for many at once. */
  readonly steps: readonly string[] | undefined;
  /** The author's answer; undefined if there is none. */
  readonly answer: { readonly value: Value } | undefined;
}

const BY_AUTHOR = "openapi.config.ts says so";

export class Decided {
  readonly notes: AnswerNote[] = [];
  readonly kept: KeptDecision[] = [];
  readonly #before: DecidedBefore;
  readonly #usedSettings = new Set<string>();

  constructor(before: DecidedBefore) {
    this.#before = before;
  }

  /** Operations with an answer. */
  get answered(): readonly string[] {
    return Object.keys(this.#before.answers ?? {});
  }

  /** Why the author leaves the operation out; undefined if it is not left out. */
  skipOf({ id }: ApiOperation): string | undefined {
    return this.#answer(id)?.skip;
  }

  /** What the author says of a list. */
  answerTo({ id }: ApiOperation): ListAnswer {
    const answer = this.#answer(id);
    return answer === undefined || answer.skip !== undefined ? {} : answer;
  }

  /** Whether the list is a data object of its own, whatever other lists give the same records. */
  isOwnObject({ id }: ApiOperation): boolean {
    return this.#answer(id) !== undefined || this.#before.known?.has(id) === true;
  }

  /** The name of the list's data object: that of its modules if there are some, else the author's. */
  nameOf(list: ApiOperation): string | undefined {
    const { name } = this.answerTo(list);
    const before = this.#before.known?.get(list.id)?.name;
    const problem =
      name === undefined || name === before
        ? undefined
        : before !== undefined
          ? `its modules call it "${before}" already`
          : classIdentifier(name) === name
            ? undefined
            : `"${name}" is no name of a class, such as "${classIdentifier(name)}"`;
    if (problem === undefined) return before ?? name;
    this.refuse(["answers", list.id, "name"], problem);
    return before;
  }

  /** Whether the author says that a name is the same in every call. */
  isSetting(name: string): boolean {
    const isOne = this.#before.settings?.includes(name) === true;
    if (isOne) this.#usedSettings.add(name);
    return isOne;
  }

  /** The author's answer, else what was decided before, else what the document decides now. */
  take<Value>({ list, about, steps, answer }: Matter<Value>, inferred: Decision<Value>): Decision<Value> {
    if (answer !== undefined) {
      if (steps !== undefined && inferred.state === "sure" && isEqual(inferred.value, answer.value))
        this.notes.push({
          kind: "moot",
          steps: ["answers", list.id, ...steps],
          reason: inferred.evidence,
          hint: "",
        });
      return { state: "sure", value: answer.value, evidence: BY_AUTHOR, at: [] };
    }
    const before = this.#before.known?.get(list.id)?.decisions.get(about) as Decision<Value> | undefined;
    const isSame = before !== undefined && isEqual(before.value, inferred.value);
    if (before === undefined || (isSame && inferred.state !== "ask")) return inferred;
    this.kept.push({ list, about, now: inferred });
    return before;
  }

  /** Notes that an answer decides nothing. */
  refuse(steps: AnswerNote["steps"], reason: string, hint = ""): void {
    this.notes.push({ kind: "unused", steps, reason, hint });
  }

  /** Notes the settings that no call needs. */
  finish(): void {
    for (const [index, name] of (this.#before.settings ?? []).entries())
      if (!this.#usedSettings.has(name)) this.refuse(["settings", index], `no call needs "${name}"`);
  }

  #answer(id: string): ListAnswer | SkipAnswer | undefined {
    const { answers } = this.#before;
    return answers && ownMember(answers as Readonly<Record<string, ListAnswer | SkipAnswer>>, id);
  }
}

/** Whether two values of decisions are the same, in whatever order their members stand. */
export function isEqual(a: unknown, b: unknown): boolean {
  return sortedText(a) === sortedText(b);
}
