/** The files that are being edited: read once and changed in memory; what changed can be asked for. */
import { posix } from "node:path";
import { type Syntax, syntaxOf } from "./syntax.js";

/** Returns the text of a file by its path from the project's folder, with `/`; undefined if there is no such file. */
export type ReadSource = (path: string) => string | undefined;

/** A file that was changed. */
export interface SourceChange {
  readonly path: string;
  /** Undefined if the file is new. */
  readonly before: string | undefined;
  readonly after: string;
}

export class SourceFiles {
  readonly #read: ReadSource;
  readonly #before = new Map<string, string | undefined>();
  readonly #after = new Map<string, string>();
  readonly #syntax = new Map<string, Syntax | undefined>();

  constructor(read: ReadSource) {
    this.#read = read;
  }

  /** The text as it is now, with the edits made so far. */
  text(path: string): string | undefined {
    if (!this.#before.has(path)) this.#before.set(path, this.#read(path));
    return this.#after.get(path) ?? this.#before.get(path);
  }

  /** Replaces the whole text, or creates the file. */
  set(path: string, text: string): void {
    if (this.text(path) === text) return;
    this.#after.set(path, text);
    this.#syntax.delete(path);
  }

  /** The syntax of the file; undefined if it is absent or has a syntax error. */
  syntax(path: string): Syntax | undefined {
    if (!this.#syntax.has(path)) {
      const text = this.text(path);
      this.#syntax.set(path, text === undefined ? undefined : syntaxOf(text));
    }
    return this.#syntax.get(path);
  }

  /** What was changed, in the order of the first change. */
  changes(): readonly SourceChange[] {
    return [...this.#after]
      .map(([path, after]) => ({ path, before: this.#before.get(path), after }))
      .filter(({ before, after }) => before !== after);
  }

  /** The file of the project that `specifier` names in `from`: `./a.js` may be written in `a.ts`. */
  resolve(from: string, specifier: string): string | undefined {
    if (!/^\.{1,2}(?:\/|$)/.test(specifier)) return undefined;
    const base = posix.join(posix.dirname(from), specifier);
    const source = base.replace(/\.(m?)js$/, ".$1ts");
    return [base, source, `${base}.ts`, `${base}.js`, `${base}/index.ts`, `${base}/index.js`].find(
      (path) => this.text(path) !== undefined,
    );
  }
}
