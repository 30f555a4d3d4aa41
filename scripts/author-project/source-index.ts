/** Finds named things in the syntax of one TypeScript module, below a call of the vocabulary. */
import { createRequire } from "node:module";

// As the CommonJS that it is: Node need not look through it for its exports, which takes longer than to load it.
const { parse }: typeof import("@babel/parser") = createRequire(import.meta.url)("@babel/parser");

interface Position {
  readonly line: number;
  readonly column: number;
}

/** What is read of Babel's nodes; the rest of them is walked, not known. */
interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly loc: { readonly start: Position };
  readonly [member: string]: unknown;
}

export class SourceIndex {
  /** Calls by the line that they start in, and constants by name: one walk serves every finding of the file. */
  readonly #calls = new Map<number, SyntaxNode[]>();
  readonly #constants = new Map<string, SyntaxNode>();

  constructor(source: string) {
    for (const node of walk(syntaxOf(source))) {
      if (node.type === "CallExpression") {
        const { line } = node.loc.start;
        this.#calls.set(line, [...(this.#calls.get(line) ?? []), node]);
      }
      const name =
        node.type === "VariableDeclarator" && isNode(node["id"]) ? String(node["id"]["name"]) : undefined;
      if (name !== undefined && !this.#constants.has(name)) this.#constants.set(name, node);
    }
  }

  /** The place (from 1) of what `path` names below the call at `call`, or of the nearest thing around it. */
  find(call: Position, path: readonly (string | number)[]): Position | undefined {
    const node = this.#callAt(call);
    if (node === undefined) return undefined;
    let found: SyntaxNode = node;
    for (const step of path) {
      const next = this.#below(found, step);
      if (next === undefined) break;
      found = next;
    }
    return found === node ? undefined : { line: found.loc.start.line, column: found.loc.start.column + 1 };
  }

  #callAt({ line, column }: Position): SyntaxNode | undefined {
    const calls = this.#calls.get(line) ?? [];
    return calls.find((node) => node.loc.start.column + 1 === column) ?? calls[0];
  }

  /** The property called `step`, or the item at it, nearest to `node`; constants of the module are followed. */
  #below(
    node: SyntaxNode,
    step: string | number,
    followed: ReadonlySet<string> = new Set(),
  ): SyntaxNode | undefined {
    for (const child of walk(node)) {
      if (child === node) continue;
      if (isNamed(child, step)) return child;
      if (typeof step === "number" && child.type === "ArrayExpression") return itemAt(child, step);
    }
    for (const child of walk(node)) {
      const name = child.type === "Identifier" ? String(child["name"]) : "";
      const constant = followed.has(name) ? undefined : this.#constants.get(name);
      const found = constant && this.#below(constant, step, new Set([...followed, name]));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

function syntaxOf(source: string): SyntaxNode | undefined {
  try {
    const options = { sourceType: "module", plugins: ["typescript"], errorRecovery: true } as const;
    return parse(source, { ...options, plugins: [...options.plugins] }).program as unknown as SyntaxNode;
  } catch {
    return undefined;
  }
}

function isNamed(node: SyntaxNode, step: string | number): boolean {
  if (node.type !== "ObjectProperty" && node.type !== "ObjectMethod") return false;
  const key = node["key"];
  return isNode(key) && (key["name"] === step || key["value"] === step);
}

function itemAt(array: SyntaxNode, index: number): SyntaxNode | undefined {
  const elements = Array.isArray(array["elements"]) ? (array["elements"] as unknown[]) : [];
  const element = elements[index];
  return isNode(element) ? element : undefined;
}

/** The node and everything in it, nearest first. */
function* walk(root: SyntaxNode | undefined): Generator<SyntaxNode> {
  const queue: SyntaxNode[] = root === undefined ? [] : [root];
  for (let at = 0; at < queue.length; at++) {
    const next = queue[at] as SyntaxNode;
    yield next;
    for (const value of Object.values(next)) addNodes(value, queue);
  }
}

function addNodes(value: unknown, queue: SyntaxNode[]): void {
  if (isNode(value)) queue.push(value);
  else if (Array.isArray(value)) queue.push(...value.filter(isNode));
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "type") === "string";
}
