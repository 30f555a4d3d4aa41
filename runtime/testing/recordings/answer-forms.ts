/** The form of answers: which members they have and of which types, so that two recordings can be compared. */
import { isJsonObject } from "../../../schemas/json.js";
import { jsonIn } from "../../untrusted.js";
import { hasFormat } from "../../validation/formats.js";
import { pathForm } from "./exchanges.js";
import type { RecordedExchange, Recording } from "./recording.js";

/** What is known of the values at one place of the answers to one call. */
export interface Form {
  /** Types of the values, with the format of texts. */
  readonly types: Set<string>;
  /** How often the place was met. */
  count: number;
}

/** Forms by call, then by place, with a star for the items of lists. */
type Forms = ReadonlyMap<string, ReadonlyMap<string, Form>>;

/**
 * What has changed in the form of answers from one recording to another, a sentence each: members that came or went, types,
 * and what is not there any more in every object. Values do not count.
 */
export function answerChanges(before: Recording, after: Recording): readonly string[] {
  const [old, now] = [formsOf(before.exchanges), formsOf(after.exchanges)];
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((call) => {
    const [was, is] = [old.get(call), now.get(call)];
    if (was === undefined) return [`${call}: this call is new`];
    if (is === undefined) return [`${call}: this call is not made any more`];
    return [...changesOf(was, is)].map((words) => `${call}: ${words}`);
  });
}

function* changesOf(was: ReadonlyMap<string, Form>, is: ReadonlyMap<string, Form>): Generator<string> {
  for (const place of [...new Set([...was.keys(), ...is.keys()])].sort()) {
    const owner = place.slice(0, place.lastIndexOf("/"));
    // What came or went with its owner needs no word of its own.
    if (!was.has(owner) || !is.has(owner)) continue;
    const words = changeWords(
      { form: was.get(place), owner: was.get(owner) },
      { form: is.get(place), owner: is.get(owner) },
    );
    // A list without items says nothing of them.
    if (words !== undefined && !(place.endsWith("/*") && !(was.has(place) && is.has(place))))
      yield `${place === "" ? "the answer" : place} ${words}`;
  }
}

/** A place, and the object or list that it is in. */
interface PlacedForm {
  readonly form: Form | undefined;
  readonly owner: Form | undefined;
}

function changeWords(before: PlacedForm, after: PlacedForm): string | undefined {
  if (before.form === undefined) return `is new: ${typeWords(after.form)}`;
  if (after.form === undefined) return `is gone: it was ${typeWords(before.form)}`;
  const [was, is] = [before, after].map(({ form }) => typeWords(form));
  if (was !== is) return `was ${was}, and is ${is}`;
  if (isOptional(before) === isOptional(after)) return undefined;
  return isOptional(after) ? "is not in every object any more" : "is in every object now";
}

function typeWords(form: Form | undefined): string {
  return [...(form?.types ?? [])].sort().join(" or ");
}

function isOptional({ form, owner }: PlacedForm): boolean {
  return form !== undefined && owner !== undefined && form.count < owner.count;
}

function formsOf(exchanges: readonly RecordedExchange[]): Forms {
  const forms = new Map<string, Map<string, Form>>();
  for (const { request, response } of exchanges) {
    if (request.purpose === "token" || response.error !== undefined) continue;
    const call = `${request.method} ${pathForm(request.url)} ${response.status}`;
    const places = forms.get(call) ?? new Map<string, Form>();
    forms.set(call, places);
    noteAnswer(response.text, places);
  }
  return forms;
}

/** Notes the form of an answer, if it is JSON. */
export function noteAnswer(text: string, forms: Map<string, Form>): void {
  const json = jsonIn(text);
  if (json !== undefined) noteForm(json.value, "", forms);
}

function noteForm(value: unknown, place: string, forms: Map<string, Form>): void {
  const form = forms.get(place) ?? { types: new Set(), count: 0 };
  forms.set(place, form);
  form.types.add(typeOf(value));
  form.count++;
  if (Array.isArray(value)) for (const item of value) noteForm(item, `${place}/*`, forms);
  else if (isJsonObject(value))
    for (const [name, member] of Object.entries(value)) noteForm(member, `${place}/${name}`, forms);
}

const FORMATS = ["date-time", "date", "uuid", "email", "uri"];

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "number") return Number.isInteger(value) ? "a whole number" : "a number";
  if (typeof value !== "string") return "true or false";
  const format = FORMATS.find((name) => hasFormat(value, name));
  return format === undefined ? "a text" : `a text (${format})`;
}
