/** One TypeScript module that is being written. Its imports follow from the symbols in its statements. */
import { type GeneratedFile, withHeader } from "../generated-file.js";
import { relativeSpecifier } from "../layout.js";
import { type Code, type ImportSymbol, type LocalName, layOut } from "./code.js";
import { stringLiteral } from "./literals.js";

const WIDTH = 100;

export class ModulePrinter {
  /**
   * Identifiers that the module declares or may not declare. A symbol whose name is among them is imported under
   * another one.
   */
  readonly declared = new Set<string>();
  readonly #statements: Code[] = [];

  /**
   * @param path Relative to the project's folder, with `/` on every system.
   * @param comment A sentence on what the module is for.
   */
  constructor(
    readonly path: string,
    private readonly comment: string,
  ) {}

  /** Adds a statement. Statements are separated by an empty line. */
  print(statement: Code): void {
    this.#statements.push(statement);
  }

  /** The module as a generated file, with the header of such files. */
  generatedFile(): GeneratedFile {
    return { path: this.path, content: withHeader(this.#text()), ownership: "generated" };
  }

  /** The module as a file of the tool's that says what an OpenAPI document says. */
  importedFile(): GeneratedFile {
    return { path: this.path, content: withHeader(this.#text(), "openapi"), ownership: "generated" };
  }

  /** The module as a file that is the author's from then on. */
  scaffoldFile(): GeneratedFile {
    return { path: this.path, content: this.#text(), ownership: "scaffold" };
  }

  #text(): string {
    const imports = new Set<ImportSymbol>();
    const localName = (symbol: ImportSymbol) => {
      if (symbol.from !== this.path) imports.add(symbol);
      return this.#localName(symbol);
    };
    const statements = this.#statements.map((statement) => layOut(statement, "", 0, localName).trimEnd());
    const head = [`/** ${this.comment} */`, ...this.#importLines(imports)].join("\n");
    return `${[head, ...statements].join("\n\n")}\n`;
  }

  /** Another name for an imported symbol whose own is taken by a declaration. */
  #localName(symbol: ImportSymbol): string {
    const wanted = symbol.alias ?? symbol.name;
    // No identifier that is made from an author's text holds a `$`.
    return symbol.from !== this.path && this.declared.has(wanted) ? `${wanted}$1` : wanted;
  }

  /** Packages first, then the project's own modules, each sorted. */
  #importLines(imports: ReadonlySet<ImportSymbol>): readonly string[] {
    const bySpecifier = new Map<string, ImportSymbol[]>();
    for (const symbol of imports) {
      const specifier = this.#specifierOf(symbol);
      const known = bySpecifier.get(specifier);
      if (known === undefined) bySpecifier.set(specifier, [symbol]);
      else known.push(symbol);
    }
    return [...bySpecifier]
      .sort(([a], [b]) => Number(a.startsWith(".")) - Number(b.startsWith(".")) || (a < b ? -1 : 1))
      .map(([specifier, symbols]) => importLine(specifier, symbols, (symbol) => this.#localName(symbol)));
  }

  #specifierOf({ from }: ImportSymbol): string {
    return from.endsWith(".ts") ? relativeSpecifier(this.path, from) : from;
  }
}

function importLine(specifier: string, symbols: readonly ImportSymbol[], localName: LocalName): string {
  const values = new Set(symbols.filter(({ isType }) => !isType).map(({ name }) => name));
  const onlyTypes = values.size === 0;
  const byText = new Map(
    symbols.map((symbol) => {
      const { name } = symbol;
      const local = localName(symbol);
      const prefix = onlyTypes || values.has(name) ? "" : "type ";
      return [`${prefix}${name}${local === name ? "" : ` as ${local}`}`, name] as const;
    }),
  );
  const names = [...byText]
    .sort(([textA, a], [textB, b]) => byLetters(a, b) || byLetters(textA, textB))
    .map(([text]) => text);
  const head = onlyTypes ? "import type" : "import";
  const tail = `from ${stringLiteral(specifier)};`;
  const line = `${head} { ${names.join(", ")} } ${tail}`;
  if (line.length <= WIDTH) return line;
  return `${head} {\n${names.map((name) => `  ${name},\n`).join("")}} ${tail}`;
}

/** Letters before case, as people and formatters sort imports. */
function byLetters(a: string, b: string): number {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  if (left === right) return a < b ? -1 : a > b ? 1 : 0;
  return left < right ? -1 : 1;
}
