/** One TypeScript module that is being written: what it imports, what it states. */
import type { GeneratedFile } from "../generated-file.js";
import { render } from "../render.js";
import { stringLiteral } from "../typescript/literals.js";

const WIDTH = 100;

export class SourceModule {
  /** Names of the vocabulary that its expressions use. */
  readonly uses = new Set<string>();
  readonly #imports = new Map<string, Set<string>>();
  readonly #statements: string[] = [];

  /** @param path Relative to the project's folder. @param comment What the module is for, in a sentence. */
  constructor(
    readonly path: string,
    private readonly comment: string,
  ) {}

  /** Imports `name` from another module of the project. */
  import(name: string, path: string): void {
    if (path === this.path) return;
    const specifier = relativeSpecifier(this.path, path);
    this.#imports.set(specifier, (this.#imports.get(specifier) ?? new Set()).add(name));
  }

  state(statement: string): void {
    this.#statements.push(statement);
  }

  /** The file, once everything is stated. */
  file(): GeneratedFile {
    const vocabulary: [string, Set<string>][] = this.uses.size > 0 ? [["connectorcli", this.uses]] : [];
    const imports = [...vocabulary, ...[...this.#imports].sort(([a], [b]) => (a < b ? -1 : 1))];
    const view = {
      comment: this.comment,
      imports: imports.map(([from, names]) => ({
        names: nameList([...names].sort(byLetters), from),
        from: stringLiteral(from),
      })),
      statements: this.#statements,
    };
    return { path: this.path, content: render("typescript-module.ts", view), ownership: "scaffold" };
  }
}

function nameList(names: readonly string[], from: string): string {
  const line = `{ ${names.join(", ")} }`;
  return `import ${line} from "${from}";`.length <= WIDTH
    ? line
    : `{\n${names.map((name) => `  ${name},\n`).join("")}}`;
}

/** Letters before case, as people and formatters sort imports. */
function byLetters(a: string, b: string): number {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  return left < right ? -1 : left > right ? 1 : a < b ? -1 : 1;
}

/** `./employee.js`, `../shared.js`: how a module of the project names another. */
function relativeSpecifier(from: string, to: string): string {
  const source = from.split("/").slice(0, -1);
  const target = to.replace(/\.ts$/, ".js").split("/");
  let common = 0;
  while (common < source.length && source[common] === target[common]) common++;
  const up = "../".repeat(source.length - common);
  return `${up === "" ? "./" : up}${target.slice(common).join("/")}`;
}
