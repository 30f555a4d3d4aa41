/**
 * What goes before the document: what its author has answered, and what an earlier import decided on text that is still
 * there. Answers that nothing asked for are noted, because nobody else would notice them.
 */
import type { ListAnswer, OpenApiImportOptions } from "../../../schemas/authoring/openapi-import.js";
import { isJsonObject, sortedText } from "../../../schemas/json.js";
import { classIdentifier } from "../../../schemas/naming/identifiers.js";
import type { ApiOperation } from "../reading/api-description.js";
import type { AnswerNote, Decision, KeptDecision } from "./plan.js";

/** What was decided before a document is looked at. */
export interface DecidedBefore extends Pick<OpenApiImportOptions, "settings" | "answers" | "sharedAnswers"> {
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

/** What an author says of one operation. */
interface Said {
  /** With the parts of all answers that name the operation. */
  readonly answer: Readonly<Record<string, unknown>>;
  /** Where each part stands in the options, by its steps below an answer. */
  readonly places: Map<string, AnswerNote["steps"]>;
}

/** Where an answer names an operation. */
export interface AnsweredOperation {
  readonly id: string;
  /** In the options. */
  readonly steps: AnswerNote["steps"];
}

export class Decided {
  readonly notes: AnswerNote[] = [];
  readonly kept: KeptDecision[] = [];
  /** Operations with an answer; one that two answers name stands there twice. */
  readonly answered: readonly AnsweredOperation[];
  readonly #before: DecidedBefore;
  readonly #said: ReadonlyMap<string, Said>;
  readonly #usedSettings = new Set<string>();

  constructor(before: DecidedBefore) {
    this.#before = before;
    const { answers = {}, sharedAnswers = [] } = before;
    const own = Object.entries(answers).map(([id, answer = {}]) => ({ id, answer, steps: ["answers", id] }));
    const shared = sharedAnswers.flatMap(({ operations, ...answer }, index) =>
      operations.map((id, place) => ({ id, answer, steps: ["sharedAnswers", index, "operations", place] })),
    );
    this.answered = [...own, ...shared];
    this.#said = this.#gathered([...own, ...shared]);
  }

  /** What all answers say of each operation. Of two that say something of the same, the second is refused. */
  #gathered(
    answers: readonly (AnsweredOperation & { readonly answer: object })[],
  ): ReadonlyMap<string, Said> {
    const said = new Map<string, Said>();
    for (const { id, answer, steps } of answers) {
      const { answer: known, places } = said.get(id) ?? { answer: {}, places: new Map() };
      const taken: Part[] = [];
      for (const [part, value] of partsOf(answer)) {
        const at = placeOfPart(steps, part);
        const isDouble = places.has(partName(part));
        const isSkipped = places.size > 0 && (places.has("skip") || part[0] === "skip");
        if (isDouble) this.refuse(at, `another answer says it of "${id}" already`);
        else if (isSkipped) this.refuse(at, `another answer leaves "${id}" out, or says more of it`);
        else taken.push([part, value]);
      }
      for (const [part] of taken) places.set(partName(part), placeOfPart(steps, part));
      said.set(id, { answer: withParts(known, taken), places });
    }
    return said;
  }

  /** Why the author leaves the operation out; undefined if it is not left out. */
  skipOf({ id }: ApiOperation): string | undefined {
    const skip = this.#said.get(id)?.answer["skip"];
    return typeof skip === "string" ? skip : undefined;
  }

  /** What the author says of a list. */
  answerTo(operation: ApiOperation): ListAnswer {
    const said = this.#said.get(operation.id);
    return said === undefined || this.skipOf(operation) !== undefined ? {} : (said.answer as ListAnswer);
  }

  /** Whether the list is a data object of its own, whatever other lists give the same records. */
  isOwnObject({ id }: ApiOperation): boolean {
    return this.#said.has(id) || this.#before.known?.has(id) === true;
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
    this.refuseAnswer(list, ["name"], problem);
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
          steps: this.#placeOf(list, steps),
          reason: inferred.evidence,
          hint: "",
        });
      return { state: "sure", value: answer.value, evidence: BY_AUTHOR, at: [], answered: inferred };
    }
    const before = this.#before.known?.get(list.id)?.decisions.get(about) as Decision<Value> | undefined;
    const isSame = before !== undefined && isEqual(before.value, inferred.value);
    if (before === undefined || (isSame && inferred.state !== "ask")) return inferred;
    this.kept.push({ list, about, now: inferred });
    return before;
  }

  /** Notes that a part of the answer to a list decides nothing. */
  refuseAnswer(list: ApiOperation, part: readonly string[], reason: string, hint = ""): void {
    this.refuse(this.#placeOf(list, part), reason, hint);
  }

  /** Notes that what stands there in the options decides nothing. */
  refuse(steps: AnswerNote["steps"], reason: string, hint = ""): void {
    this.notes.push({ kind: "unused", steps, reason, hint });
  }

  /** Notes the settings that no call needs. */
  finish(): void {
    for (const [index, name] of (this.#before.settings ?? []).entries())
      if (!this.#usedSettings.has(name)) this.refuse(["settings", index], `no call needs "${name}"`);
  }

  #placeOf({ id }: ApiOperation, part: readonly string[]): AnswerNote["steps"] {
    return this.#said.get(id)?.places.get(partName(part)) ?? ["answers", id, ...part];
  }
}

type Part = readonly [steps: readonly string[], value: unknown];

/** What an answer says, part by part: each value is one of its own. */
function partsOf(answer: object): readonly Part[] {
  return Object.entries(answer).flatMap(([name, value]): readonly Part[] => {
    if (name === "values" && isJsonObject(value))
      return Object.entries(value).map(([inner, said]) => [[name, inner], said]);
    return value === undefined ? [] : [[[name], value]];
  });
}

function withParts(answer: Said["answer"], parts: readonly Part[]): Said["answer"] {
  const values = parts.filter(([[name]]) => name === "values").map(([[, inner = ""], said]) => [inner, said]);
  const others = parts.filter(([[name]]) => name !== "values").map(([[name = ""], value]) => [name, value]);
  const known = isJsonObject(answer["values"]) ? answer["values"] : {};
  return {
    ...answer,
    ...Object.fromEntries(others),
    ...(values.length > 0 && { values: Object.fromEntries([...Object.entries(known), ...values]) }),
  };
}

/** What is wrong of one operation in an answer for many is found where it is named. */
function placeOfPart(steps: AnswerNote["steps"], part: readonly string[]): AnswerNote["steps"] {
  return steps[0] === "answers" ? [...steps, ...part] : steps;
}

function partName(part: readonly string[]): string {
  return part.join(" ");
}

/** Whether two values of decisions are the same, in whatever order their members stand. */
export function isEqual(a: unknown, b: unknown): boolean {
  return sortedText(a) === sortedText(b);
}
