/**
 * What a document does not decide, as questions with their evidence: where records stand, what identifies them, how they
 * come in pages, where a value comes from. What other lists do is a proposal here, and evidence nowhere.
 */
import type { ListPages, ListValue } from "../../../schemas/authoring/openapi-import.js";
import { sortedText } from "../../../schemas/json.js";
import { sentByPages } from "../inference/pages.js";
import {
  type Decision,
  type ImportPlan,
  isDecided,
  type PlannedObject,
  type PlannedValue,
  valueName,
} from "../inference/plan.js";
import { placesText } from "../inference/plan-table.js";
import { type PlaceOf, pagesWords } from "../inference/plan-view.js";
import { isSameNoun, nounOf } from "../inference/words.js";
import type { ApiDescription, ApiOperation } from "../reading/api-description.js";
import { isJsonMediaType } from "../reading/read-description.js";
import { isArray, isTextOrNumber, Shapes } from "../reading/shapes.js";

/** A value for a place in the options of an import. */
export interface ConfigChange {
  /** From the options: `["answers", "GET /notes", "pages"]`; with `["settings"]` the value is one more of them. */
  readonly steps: readonly [string, ...string[]];
  /** As JSON. */
  readonly value: unknown;
}

/** What may be answered. */
export interface AnswerChoice {
  /** What it means, in a few words. */
  readonly words: string;
  /** What it writes into `openapi.config.ts`; empty if the question stays open. */
  readonly changes: readonly ConfigChange[];
}

/** What a document does not decide. */
export interface ImportQuestion {
  /** Stays the same while answers change what else is asked. */
  readonly id: string;
  /** Operation, what is asked, and the evidence with its lines. */
  readonly message: string;
  /** The likeliest first; the last ones leave the list out, or the question open. */
  readonly choices: readonly AnswerChoice[];
}

/** What questions are made from. */
export interface QuestionSource {
  readonly description: ApiDescription;
  readonly plan: ImportPlan;
  readonly placeOf: PlaceOf;
}

/** The first question that is none of `left`; undefined if there is none. Answers may open others. */
export function nextQuestion(
  source: QuestionSource,
  left: ReadonlySet<string>,
  isAsked: (object: PlannedObject) => boolean,
): ImportQuestion | undefined {
  const asker = new Asker(source);
  for (const object of source.plan.objects.filter(isAsked))
    for (const question of asker.questionsOf(object)) if (!left.has(question.id)) return question;
  return undefined;
}

/** More choices are no help. */
const MOST_CHOICES = 12;

class Asker {
  readonly #source: QuestionSource;
  readonly #shapes: Shapes;

  constructor(source: QuestionSource) {
    this.#source = source;
    this.#shapes = new Shapes(source.description);
  }

  *questionsOf(object: PlannedObject): Generator<ImportQuestion> {
    const { list, items, key, pages, values } = object;
    // The key and the pages depend on which list it is.
    if (items.state === "ask") {
      yield this.#ask(list, "items", items, this.#waysOf(list));
      return;
    }
    if (key.state === "ask") yield this.#ask(list, "key", key, this.#keysOf(object));
    for (const value of values) if (value.state === "ask") yield this.#askValue(object, value);
    if (pages.state === "ask") yield this.#ask(list, "pages", pages, this.#pagesOf(object));
  }

  #ask(
    { id }: ApiOperation,
    about: "items" | "key" | "pages",
    decision: Decision<unknown>,
    answers: readonly { readonly words: string; readonly value: unknown }[],
  ): ImportQuestion {
    return {
      id: `${id} ${about}`,
      message: this.#message(id, about, decision),
      choices: [
        ...answers.map(({ words, value }) => ({
          words,
          changes: [{ steps: ["answers", id, about] as const, value }],
        })),
        skipChoice([id]),
        UNDECIDED,
      ],
    };
  }

  #message(id: string, about: string, { evidence, at }: Decision<unknown>): string {
    const places = at.filter((place) => place !== "").map(this.#source.placeOf);
    const shown = placesText([...new Set(places.map(({ file, line }) => `${file}:${line}`))]);
    return `${id}: ${QUESTIONS[about] ?? `where does ${about} come from?`} ${evidence}${shown}`;
  }

  /** Ways to lists of objects. */
  #waysOf({ answer }: ApiOperation) {
    const found: { readonly words: string; readonly value: string }[] = [];
    const visit = (schema: Parameters<Shapes["of"]>[0], way: readonly string[]): void => {
      for (const { name, schema: inner } of this.#shapes.of(schema).properties.values()) {
        const steps = [...way, name];
        if (isArray(this.#shapes.of(inner))) found.push({ words: steps.join("."), value: steps.join(".") });
        else if (steps.length < 3) visit(inner, steps);
      }
    };
    if (answer?.schema !== undefined && isJsonMediaType(answer.mediaType)) visit(answer.schema, []);
    return found.slice(0, MOST_CHOICES);
  }

  /** What is proposed, then the other properties that may identify a record. */
  #keysOf({ record, key }: PlannedObject) {
    const scalars = [...this.#shapes.of(record).properties.values()]
      .filter(({ schema }) => isTextOrNumber(this.#shapes.of(schema)))
      .map(({ name }) => [name]);
    const proposed = key.value.length === 0 ? [] : [[...key.value]];
    const all = [...proposed, ...scalars].map((names) => ({ words: names.join(", "), value: names }));
    return withoutRepeats(all).slice(0, MOST_CHOICES);
  }

  /** What is proposed, what lists with the same parameters do, and what needs no parameter. */
  #pagesOf(object: PlannedObject) {
    const { list, pages } = object;
    const names = new Set(list.parameters.map(({ name }) => name));
    const others = this.#source.plan.objects
      .filter((other) => other !== object && isDecided(other) && other.pages.value.kind !== "one")
      .map((other) => other.pages.value)
      .filter((value) => sentByPages(value).every((name) => names.has(name)));
    const counts = new Map<string, number>();
    for (const value of others) counts.set(sortedText(value), (counts.get(sortedText(value)) ?? 0) + 1);
    const usual = [...counts].sort(([, a], [, b]) => b - a).map(([text]) => JSON.parse(text) as ListPages);
    const all: readonly ListPages[] = [
      ...usual,
      ...proposalsOf(pages.value),
      { kind: "linkHeader" },
      { kind: "one" },
    ];
    const choices = all.map((value) => {
      const count = counts.get(sortedText(value)) ?? 0;
      const as = count === 0 ? "" : `, as ${count} other${count === 1 ? " list" : " lists"}`;
      return { words: `${pagesWords(value)}${PAGES_WORDS[value.kind] ?? ""}${as}`, value };
    });
    return withoutRepeats(choices).slice(0, MOST_CHOICES);
  }

  /** One question for all lists that need the name. */
  #askValue(object: PlannedObject, decision: Decision<PlannedValue>): ImportQuestion {
    const { objects } = this.#source.plan;
    const { name } = decision.value;
    const about = valueName(decision.value);
    const open = objects.filter(({ values }) =>
      values.some(({ state, value }) => state === "ask" && valueName(value) === about),
    );
    const lists = open.map(({ list }) => list.id);
    const answer = (words: string, value: ListValue): AnswerChoice => ({
      words,
      changes: lists.map((id) => ({ steps: ["answers", id, "values", name], value })),
    });
    const parents = decision.value.in === "path" ? this.#parentsOf(name, open) : [];
    return {
      id: about,
      message: this.#message(lists.join(", "), about, decision),
      choices: [
        ...parents.map(({ list, property }) =>
          answer(`"${property}" of each record of ${list}`, { from: list, property }),
        ),
        {
          words: "a property of the connection, in all calls",
          changes: [{ steps: ["settings"], value: name }],
        },
        ...this.#valuesOf(object, name).map((value) => answer(`always ${JSON.stringify(value)}`, { value })),
        skipChoice(lists),
        UNDECIDED,
      ],
    };
  }

  /** Decided lists whose records may be the parents, those first that are called as the variable is. */
  #parentsOf(variable: string, children: readonly PlannedObject[]) {
    const depth = Math.min(...children.map(({ values }) => values.length));
    const candidates = this.#source.plan.objects
      .filter((object) => isDecided(object) && object.values.length < depth)
      .flatMap(({ list, key, name }) => {
        const property = key.value.at(-1);
        const thing = variable.replace(/[_-]?(?:id|key|uuid|slug|name)$/i, "");
        const isNamed = [name, nounOf(list.path)].some((noun) =>
          isSameNoun(noun, thing === "" ? variable : thing),
        );
        return property === undefined ? [] : [{ list: list.id, property, isNamed }];
      });
    return [...candidates].sort((a, b) => Number(b.isNamed) - Number(a.isNamed)).slice(0, 5);
  }

  #valuesOf({ list }: PlannedObject, name: string): readonly (string | number | boolean)[] {
    const parameter = list.parameters.find((one) => one.name === name);
    return parameter === undefined ? [] : this.#shapes.of(parameter.schema).values.slice(0, MOST_CHOICES);
  }
}

const QUESTIONS: Readonly<Record<string, string>> = {
  items: "which list holds the records?",
  key: "what identifies a record?",
  pages: "how does the list come in pages?",
};

const PAGES_WORDS: Readonly<Partial<Record<ListPages["kind"], string>>> = {
  one: ": all records come at once; a run that sees signs of more stops before it deletes anything",
  linkHeader: " (Link, with rel=next)",
};

/** What may be meant, where a part of the paging is missing. */
function proposalsOf(pages: ListPages): readonly ListPages[] {
  switch (pages.kind) {
    case "page":
      return [
        { ...pages, first: 0 },
        { ...pages, first: 1 },
      ];
    case "cursor":
      return pages.next === "" ? [] : [pages];
    default:
      return [pages];
  }
}

const UNDECIDED: AnswerChoice = { words: "leave it undecided", changes: [] };

function skipChoice(lists: readonly string[]): AnswerChoice {
  return {
    words: lists.length === 1 ? "leave the list out" : `leave these ${lists.length} lists out`,
    changes: lists.map((id) => ({ steps: ["answers", id, "skip"], value: "left out when it was asked for" })),
  };
}

function withoutRepeats<Choice extends { readonly value: unknown }>(
  choices: readonly Choice[],
): readonly Choice[] {
  return [...new Map(choices.map((choice) => [sortedText(choice.value), choice] as const)).values()];
}
