/** The items of a list in a JSON text that is too long to be read as a whole: one after the other, in constant memory. */

/** Whatever begins or ends a value, or tells two of them apart. */
const MARKS = /["{}[\],:]/g;
const MARKS_IN_TEXT = /["\\]/g;

/** The longest item, in characters: a text without an end must not fill the memory. */
const MAX_ITEM_LENGTH = 16 * 1_024 * 1_024;

/**
 * The items of the list at `way`; `$` if the JSON is the list itself.
 * @throws SyntaxError if the text is no JSON, breaks off, or has no list there.
 */
export async function* jsonItems(texts: AsyncIterable<string>, way: string): AsyncGenerator<unknown> {
  const scanner = new Scanner(way);
  for await (const text of texts) yield* scanner.itemsWith(text);
  scanner.end();
}

/** `text` as JSON. @throws SyntaxError, which quotes nothing of it. */
export function parsedItem(text: string, count: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError(`record ${count} is no JSON`);
  }
}

class Scanner {
  readonly #way: string;
  /** What was read and is still needed: the item that is being read, or the name of a member. */
  #text = "";
  /** How far it was looked through. */
  #at = 0;
  /** Where the item, or the name, begins in it. */
  #start = 0;
  /** The containers that are open. */
  readonly #open: ("{" | "[")[] = [];
  /** The member that each of them has come to; empty in lists. */
  readonly #names: string[] = [];
  /** How many containers are open around each item of the list; 0 before the list, -1 behind it. */
  #depth = 0;
  #isInText = false;
  /** Whether the text that comes next, or that is being read, is the name of a member. */
  #isName = false;
  #count = 0;

  constructor(way: string) {
    this.#way = way;
  }

  /** The items that end in `more`, which is what comes next of the text. */
  *itemsWith(more: string): Generator<unknown> {
    this.#drop();
    this.#text += more;
    for (;;) {
      const end = this.#nextMark();
      const isEscape = this.#text[end] === "\\";
      // What is escaped may not be here yet.
      if (end + (isEscape ? 1 : 0) >= this.#text.length) return this.#lookedTo(end);
      this.#at = end + (isEscape ? 2 : 1);
      if (!isEscape) yield* this.#take(this.#text[end] ?? "", end);
    }
  }

  /** @throws SyntaxError if the text breaks off, or had no list. */
  end(): void {
    if (this.#open.length > 0 || this.#isInText) throw new SyntaxError("it breaks off");
    if (this.#depth === 0) throw new SyntaxError(`it has no list at "${this.#way}"`);
  }

  #drop(): void {
    const isKept = this.#depth > 0 || this.#isNameWanted();
    const kept = isKept ? this.#start : this.#at;
    this.#text = this.#text.slice(kept);
    this.#at -= kept;
    this.#start -= kept;
  }

  #lookedTo(end: number): void {
    this.#at = end;
    if (this.#depth > 0 && end - this.#start > MAX_ITEM_LENGTH)
      throw new SyntaxError(`record ${this.#count + 1} is longer than ${MAX_ITEM_LENGTH} characters`);
  }

  /** Where the next mark stands; the length of the text if there is none. */
  #nextMark(): number {
    const marks = this.#isInText ? MARKS_IN_TEXT : MARKS;
    marks.lastIndex = this.#at;
    return marks.exec(this.#text)?.index ?? this.#text.length;
  }

  *#itemBefore(end: number, goesOn: boolean): Generator<unknown> {
    const item = this.#text.slice(this.#start, end);
    this.#start = end + 1;
    if (!goesOn && this.#count === 0 && item.trim() === "") return;
    this.#count++;
    yield parsedItem(item, this.#count);
  }

  /** Whether a name is being read that may be a part of the way. */
  #isNameWanted(): boolean {
    return this.#isInText && this.#isName && this.#depth === 0;
  }

  #endText(): void {
    if (this.#isNameWanted())
      this.#names[this.#names.length - 1] = String(parsedItem(this.#text.slice(this.#start, this.#at), 1));
    this.#isInText = false;
  }

  /** Takes in the mark at `end`, and gives the item that ends there. */
  *#take(mark: string, end: number): Generator<unknown> {
    if (this.#isInText) return this.#endText();
    const isAtItem = this.#depth > 0 && this.#open.length === this.#depth;
    if (isAtItem && (mark === "," || mark === "]")) yield* this.#itemBefore(end, mark === ",");
    if (mark === '"') {
      this.#isInText = true;
      if (this.#depth === 0) this.#start = this.#at - 1;
    } else if (mark === "{" || mark === "[") this.#enter(mark);
    else if (mark === "}" || mark === "]") this.#leave(mark);
    else this.#isName = mark === "," && this.#open.at(-1) === "{";
  }

  #enter(mark: "{" | "["): void {
    const isList = mark === "[" && this.#depth === 0 && this.#wayHere() === this.#way;
    this.#open.push(mark);
    this.#names.push("");
    this.#isName = mark === "{";
    if (!isList) return;
    this.#depth = this.#open.length;
    this.#start = this.#at;
  }

  #leave(mark: "}" | "]"): void {
    if (this.#open.pop() !== (mark === "}" ? "{" : "[")) throw new SyntaxError("its brackets do not match");
    this.#names.pop();
    this.#isName = false;
    if (this.#depth > this.#open.length) this.#depth = -1;
  }

  /** The way to the value that begins here; undefined within lists, through which no way leads. */
  #wayHere(): string | undefined {
    if (this.#open.length === 0) return "$";
    return this.#open.includes("[") ? undefined : this.#names.join(".");
  }
}
