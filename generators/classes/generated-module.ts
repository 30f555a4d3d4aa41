/** One generated TypeScript module: what it imports from the runtime and from its siblings, what it states. */
import type { GeneratedFile } from "../generated-file.js";
import { render } from "../render.js";
import { stringLiteral } from "../typescript/literals.js";
import { withHeader } from "../writer/header.js";

export class GeneratedModule {
  /** Names of the runtime that it uses; types start with `type `. */
  readonly uses = new Set<string>();
  /** Identifiers that it declares or may not declare. */
  readonly taken = new Set<string>();
  readonly #imports = new Map<string, Set<string>>();
  readonly #statements: string[] = [];

  /** @param path Relative to the project's folder. */
  constructor(
    readonly path: string,
    private readonly comment: string,
  ) {}

  /** Imports `name` from the module at `specifier`. */
  import(name: string, specifier: string): void {
    this.#imports.set(specifier, (this.#imports.get(specifier) ?? new Set()).add(name));
  }

  state(statement: string): void {
    this.#statements.push(statement);
  }

  file(): GeneratedFile {
    const own: [string, Set<string>][] = this.uses.size > 0 ? [["connectorcli/runtime", this.uses]] : [];
    const view = {
      comment: this.comment,
      imports: [...own, ...this.#imports].map(([from, names]) => ({
        names: `{ ${[...names].sort().join(", ")} }`,
        from: stringLiteral(from),
      })),
      statements: this.#statements,
    };
    const content = withHeader(render("typescript-module.ts", view));
    return { path: this.path, content, ownership: "generated" };
  }
}
