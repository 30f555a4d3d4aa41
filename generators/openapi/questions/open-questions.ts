/**
 * What a document does not decide, as questions with their evidence: where records stand, what identifies them, how they
 * come in pages, where a value comes from. What other lists do is a proposal here, and evidence nowhere.
 */
import type { ListPages, ListValue, SentJson } from "../../../schemas/authoring/openapi-import.js";
import { isJsonObject, sortedText } from "../../../schemas/json.js";
import { askingParameters, listParameters, sentByPages } from "../inference/list-parameters.js";
import { pagesForm } from "../inference/pages.js";
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
import { Survey } from "../inference/survey.js";
import { isSameNoun, nounOf } from "../inference/words.js";
import type { ApiDescription, ApiOperation } from "../reading/api-description.js";
import { isJsonMediaType } from "../reading/read-description.js";
import { isArray, isTextOrNumber, type Shapes } from "../reading/shapes.js";

/** A value for a place in the options of an import. */
export interface ConfigChange {
  /**
   * From the options: `["answers", "GET /notes", "pages"]`; with `["settings"]` and `["sharedAnswers"]` the value is one
   * more of them.
   */
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
  /** Whether it asks for each list of the question by itself. */
  readonly asksApart?: true;
}

/** What a document does not decide of a list, or of several that leave the same open with the same evidence. */
export interface ImportQuestion {
  /** What it asks for, each of one list: `GET /notes pages`. They stay the same while answers change what else is asked. */
  readonly asks: readonly string[];
  /** Operations, what is asked, and the evidence with its lines. */
  readonly message: string;
  /** The likeliest first; the last ones ask for each list, leave the lists out, or leave the question open. */
  readonly choices: readonly AnswerChoice[];
}

/** What questions are made from. */
export interface QuestionSource {
  readonly description: ApiDescription;
  readonly plan: ImportPlan;
  readonly placeOf: PlaceOf;
}

/** What was asked so far. */
export interface AskedBefore {
  /** What is not asked again, as `ImportQuestion.asks`. */
  readonly left: ReadonlySet<string>;
  /** What is asked for each list by itself. */
  readonly apart: ReadonlySet<string>;
}

/** The first question that was not asked; undefined if there is none. Answers may open others. */
export function nextQuestion(
  source: QuestionSource,
  before: AskedBefore,
  isAsked: (object: PlannedObject) => boolean,
): ImportQuestion | undefined {
  return new Asker(source, before).next(isAsked);
}

/** What one list leaves open. */
interface OpenMatter {
  readonly object: PlannedObject;
  /** `items`, `key`, `pages`, or as a value is called. */
  readonly about: string;
  readonly decision: Decision<unknown>;
}

/** More choices are no help. */
const MOST_CHOICES = 12;

class Asker {
  readonly #source: QuestionSource;
  readonly #before: AskedBefore;
  readonly #survey: Survey;

  constructor(source: QuestionSource, before: AskedBefore) {
    this.#source = source;
    this.#before = before;
    this.#survey = new Survey(source.description);
  }

  /** The key and the pages depend on which list it is; whose values others need, on whether its list can be read. */
  next(isAsked: (object: PlannedObject) => boolean): ImportQuestion | undefined {
    const open = this.#source.plan.objects
      .filter(isAsked)
      .flatMap(openMatters)
      .filter((matter) => !this.#before.left.has(askName(matter)));
    const kinds = ["items", "key", "pages"];
    const first =
      kinds.map((kind) => open.find(({ about }) => about === kind)).find((matter) => matter !== undefined) ??
      open[0];
    if (first === undefined) return undefined;
    const form = this.#formOf(first);
    const together = open.filter((matter) => matter.about === first.about && this.#formOf(matter) === form);
    const answers = this.#answersTo(first, together);
    return this.#ask(together, answers);
  }

  /** What is the same of matters that are asked together: the evidence, and what may be answered. */
  #formOf(matter: OpenMatter): string {
    const { object, about, decision } = matter;
    const { list, items } = object;
    if (this.#before.apart.has(askName(matter))) return list.id;
    switch (about) {
      case "items":
        return sortedText([decision.evidence, this.#waysOf(list).map(({ value }) => value)]);
      case "key":
        return sortedText([decision.evidence, this.#keysOf(object).map(({ value }) => value)]);
      case "pages":
        return sortedText([
          decision.evidence,
          decision.value,
          pagesForm(list, { items: items.value, key: object.key.value }, this.#survey),
        ]);
      default:
        // Why a variable of a path has no value is another reason for each path.
        return about.startsWith("{") ? about : sortedText([about, decision.evidence]);
    }
  }

  #answersTo(
    { object, about, decision }: OpenMatter,
    together: readonly OpenMatter[],
  ): readonly ProposedAnswer[] {
    switch (about) {
      case "items":
        return this.#waysOf(object.list).map(({ words, value }) => ({ words, part: { items: value } }));
      case "key":
        return this.#keysOf(object).map(({ words, value }) => ({ words, part: { key: value } }));
      case "pages":
        return this.#pagesOf(together.map((matter) => matter.object)).map(({ words, value }) => ({
          words,
          part: { pages: value },
        }));
      default:
        return this.#valuesFor(
          decision.value as PlannedValue,
          together.map((matter) => matter.object),
        );
    }
  }

  #ask(together: readonly OpenMatter[], answers: readonly ProposedAnswer[]): ImportQuestion {
    const lists = together.map(({ object }) => object.list.id);
    const choices = answers.map(
      ({ words, part, setting }): AnswerChoice => ({
        words,
        changes:
          setting === undefined ? answerTo(lists, part ?? {}) : [{ steps: ["settings"], value: setting }],
      }),
    );
    const out = lists.length === 1 ? "leave the list out" : `leave these ${lists.length} lists out`;
    return {
      asks: together.map(askName),
      message: this.#message(together),
      choices: [
        ...choices,
        ...(lists.length === 1
          ? []
          : [
              { words: `ask for each of these ${lists.length} lists`, changes: [], asksApart: true as const },
            ]),
        { words: out, changes: answerTo(lists, { skip: "left out when it was asked for" }) },
        UNDECIDED,
      ],
    };
  }

  #message(together: readonly OpenMatter[]): string {
    const [first] = together;
    if (first === undefined) return "";
    const ids = together.map(({ object }) => object.list.id);
    const named = ids.length <= MOST_NAMED ? ids : ids.slice(0, MOST_NAMED - 1);
    const rest = ids.length - named.length;
    const lists = `${named.join(", ")}${rest === 0 ? "" : ` and ${rest} more lists`}`;
    const at = together.slice(0, MOST_NAMED).flatMap(({ decision }) => decision.at);
    const places = at.filter((place) => place !== "").map(this.#source.placeOf);
    const shown = placesText([...new Set(places.map(({ file, line }) => `${file}:${line}`))]);
    const asked = QUESTIONS[first.about] ?? `where does ${first.about} come from?`;
    return `${lists}: ${asked} ${first.decision.evidence}${shown}`;
  }

  /** Ways to lists of objects. */
  #waysOf({ answer }: ApiOperation) {
    const found: { readonly words: string; readonly value: string }[] = [];
    const visit = (schema: Parameters<Shapes["of"]>[0], way: readonly string[]): void => {
      for (const { name, schema: inner } of this.#survey.shapes.of(schema).properties.values()) {
        const steps = [...way, name];
        if (isArray(this.#survey.shapes.of(inner)))
          found.push({ words: steps.join("."), value: steps.join(".") });
        else if (steps.length < 3) visit(inner, steps);
      }
    };
    if (answer?.schema !== undefined && isJsonMediaType(answer.mediaType)) visit(answer.schema, []);
    return found.slice(0, MOST_CHOICES);
  }

  /** What is proposed, then the other properties that may identify a record. */
  #keysOf({ record, key }: PlannedObject) {
    const scalars = [...this.#survey.shapes.of(record).properties.values()]
      .filter(({ schema }) => isTextOrNumber(this.#survey.shapes.of(schema)))
      .map(({ name }) => [name]);
    const proposed = key.value.length === 0 ? [] : [[...key.value]];
    const all = [...proposed, ...scalars].map((names) => ({ words: names.join(", "), value: names }));
    return withoutRepeats(all).slice(0, MOST_CHOICES);
  }

  /** What is proposed, what lists with the same parameters do, and what needs no parameter. */
  #pagesOf(objects: readonly PlannedObject[]) {
    const names = objects.map(
      ({ list }) =>
        new Set([...list.parameters, ...askingParameters(list, this.#survey.shapes)].map(({ name }) => name)),
    );
    const others = this.#source.plan.objects
      .filter((other) => !objects.includes(other) && isDecided(other) && other.pages.value.kind !== "one")
      .map((other) => other.pages.value)
      .filter((value) => sentByPages(value).every((name) => names.every((own) => own.has(name))));
    const counts = new Map<string, number>();
    for (const value of others) counts.set(sortedText(value), (counts.get(sortedText(value)) ?? 0) + 1);
    const usual = [...counts].sort(([, a], [, b]) => b - a).map(([text]) => JSON.parse(text) as ListPages);
    const all: readonly ListPages[] = [
      ...usual,
      ...objects.slice(0, 1).flatMap(({ pages }) => proposalsOf(pages.value)),
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

  /** What a name may be, that all lists of a question need. */
  #valuesFor(
    { name, in: where, source }: PlannedValue,
    open: readonly PlannedObject[],
  ): readonly ProposedAnswer[] {
    const answer = (words: string, value: ListValue): ProposedAnswer => ({
      words,
      part: { values: { [name]: value } },
    });
    const parents = where === "path" ? this.#parentsOf(name, open) : [];
    const [first] = open;
    const always = (value: SentJson) => answer(`always ${JSON.stringify(value)}`, { value });
    // What holds if nothing is sent.
    const usual = source.kind === "value" ? [source.value] : [];
    const values = first === undefined ? [] : this.#valuesOf(first, name);
    return [
      ...usual.map(always),
      ...parents.map(({ list, property }) =>
        answer(`"${property}" of each record of ${list}`, { from: list, property }),
      ),
      { words: "a property of the connection, in all calls", setting: name },
      ...values.filter((value) => !usual.includes(value)).map(always),
    ];
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
    const parameter = listParameters(list, this.#survey.shapes).find((one) => one.name === name);
    return parameter === undefined
      ? []
      : this.#survey.shapes.of(parameter.schema).values.slice(0, MOST_CHOICES);
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

/** More operations are counted. */
const MOST_NAMED = 5;

/** A part of an answer, or a name that is one of the settings. */
interface ProposedAnswer {
  readonly words: string;
  readonly part?: Readonly<Record<string, unknown>>;
  readonly setting?: string;
}

/** One list has an answer of its own; several share one. */
function answerTo(
  lists: readonly string[],
  part: Readonly<Record<string, unknown>>,
): readonly ConfigChange[] {
  const [only, another] = lists;
  if (only === undefined || another !== undefined)
    return [{ steps: ["sharedAnswers"], value: { operations: lists, ...part } }];
  const { values, ...others } = part;
  const named = isJsonObject(values) ? Object.entries(values) : [];
  return [
    ...Object.entries(others).map(([name, value]) => ({ steps: ["answers", only, name] as const, value })),
    ...named.map(([name, value]) => ({ steps: ["answers", only, "values", name] as const, value })),
  ];
}

function openMatters(object: PlannedObject): readonly OpenMatter[] {
  const { items, key, pages, values } = object;
  const open = (about: string, decision: Decision<unknown>): readonly OpenMatter[] =>
    decision.state === "ask" ? [{ object, about, decision }] : [];
  if (items.state === "ask") return open("items", items);
  return [
    ...open("key", key),
    ...values.flatMap((value) => open(valueName(value.value), value)),
    ...open("pages", pages),
  ];
}

function askName({ object, about }: OpenMatter): string {
  return `${object.list.id} ${about}`;
}

function withoutRepeats<Choice extends { readonly value: unknown }>(
  choices: readonly Choice[],
): readonly Choice[] {
  return [...new Map(choices.map((choice) => [sortedText(choice.value), choice] as const)).values()];
}
