/**
 * Recognizes parts of a document in a later one: what a decision cites is the same as long as its text is, with all that
 * its references lead to. Where it stands among others of a list does not count.
 */
import { createHash } from "node:crypto";
import {
  isJsonArray,
  isJsonObject,
  type JsonValue,
  jsonPointer,
  ownMember,
  pointerSteps,
  sortedText,
} from "../../../schemas/json.js";
import type { At } from "./api-description.js";

/** A part of a document, as it was. */
export interface Citation {
  /** Place of the part; the document itself has no name in it. */
  readonly at: At;
  /** Of its text, and of all that its references lead to. */
  readonly sha256: string;
}

/** A value of the document, and where it stands. */
interface Part {
  readonly value: JsonValue;
  readonly at: At;
}

/** The files of a document, as they were read. */
export interface CitedFiles {
  /** Name of the document itself. */
  readonly main: string;
  /** What a file holds; undefined if it was not read. */
  valueOf(file: string): JsonValue | undefined;
  /** What a reference at a place leads to. */
  target(reference: string, at: At): Part | undefined;
}

/** More parts say nothing new, and hold up those who wait. */
const MOST_PARTS = 5_000;

/** What is cited of one document. */
export class Citations {
  readonly #files: CitedFiles;
  readonly #own = new Map<At, OwnText>();

  constructor(files: CitedFiles) {
    this.#files = files;
  }

  /** The part at `at`; undefined if there is none. */
  cite(at: At): Citation | undefined {
    const { file, steps } = this.#split(at);
    const root = this.#files.valueOf(file);
    const value = root === undefined ? undefined : valueAt(root, steps);
    if (value === undefined) return undefined;
    const name = file === this.#files.main ? "" : file;
    return { at: `${name}#${at.slice(at.indexOf("#") + 1)}`, sha256: this.#hash({ value, at }) };
  }

  /** Where the part stands in this document; undefined if its text is not there any more. */
  find({ at, sha256 }: Citation): At | undefined {
    const { file, steps } = this.#split(at.startsWith("#") ? `${this.#files.main}${at}` : at);
    const value = this.#files.valueOf(file);
    if (value === undefined) return undefined;
    for (const part of partsAt({ value, at: `${file}#` }, steps))
      if (this.#hash(part) === sha256) return part.at;
    return undefined;
  }

  #split(at: At): { readonly file: string; readonly steps: readonly string[] } {
    const hash = at.indexOf("#");
    return { file: at.slice(0, hash), steps: pointerSteps(at.slice(hash + 1)) };
  }

  #hash(part: Part): string {
    const all = createHash("sha256").update(this.#ownText(part).hash);
    const known = new Set<At>();
    const waiting = [part];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      for (const target of this.#ownText(next).targets) {
        if (known.has(target.at) || known.size >= MOST_PARTS) continue;
        known.add(target.at);
        waiting.push(target);
      }
    for (const at of [...known].sort()) all.update(`${at} ${this.#own.get(at)?.hash ?? ""}`);
    return all.digest("base64url");
  }

  /** The text of a part without what its references lead to, and those. */
  #ownText({ value, at }: Part): OwnText {
    const known = this.#own.get(at);
    if (known !== undefined) return known;
    const targets = referencesIn(value).flatMap((reference) => this.#files.target(reference, at) ?? []);
    const own = { hash: createHash("sha256").update(sortedText(value)).digest("base64url"), targets };
    this.#own.set(at, own);
    return own;
  }
}

interface OwnText {
  readonly hash: string;
  readonly targets: readonly Part[];
}

function referencesIn(root: JsonValue): readonly string[] {
  const references: string[] = [];
  const waiting: JsonValue[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const reference = isJsonObject(value) ? ownMember(value, "$ref") : undefined;
    if (typeof reference === "string") references.push(reference);
    for (const member of Object.values(value)) waiting.push(member as JsonValue);
  }
  return references;
}

function valueAt(root: JsonValue, steps: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const step of steps) {
    if (isJsonArray(value)) value = value[Number(step)];
    else value = isJsonObject(value) ? ownMember(value, step) : undefined;
  }
  return value;
}

/** The parts that `steps` may lead to: any item of a list, the one that is named first. */
function* partsAt({ value, at }: Part, steps: readonly string[]): Generator<Part> {
  const [step, ...rest] = steps;
  if (step === undefined) {
    yield { value, at };
    return;
  }
  const names = isJsonArray(value) ? [step, ...Object.keys(value).filter((index) => index !== step)] : [step];
  for (const name of names) {
    const member = valueAt(value, [name]);
    if (member !== undefined) yield* partsAt({ value: member, at: `${at}${jsonPointer([name])}` }, rest);
  }
}
