/** The syntax of a module, as far as edits need it: Babel's nodes, with exact offsets, read by the names of their members. */
import { parse } from "@babel/parser";

/** What edits read of Babel's nodes; other members are read by name. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

export interface Syntax {
  readonly program: SyntaxNode;
  /** The top-level statements. */
  readonly body: readonly SyntaxNode[];
  /** In the order of the text. */
  readonly comments: readonly SyntaxNode[];
}

/** The syntax of `text`; undefined if it has a syntax error. */
export function syntaxOf(text: string): Syntax | undefined {
  try {
    const file = parse(text, {
      sourceType: "module",
      plugins: ["typescript", "decorators"],
      createParenthesizedExpressions: true,
      attachComment: false,
    }) as unknown as SyntaxNode;
    const program = nodeIn(file, "program");
    if (program === undefined) return undefined;
    return { program, body: nodesIn(program, "body"), comments: nodesIn(file, "comments") };
  } catch {
    return undefined;
  }
}

/** The node that `member` holds. */
export function nodeIn(node: SyntaxNode, member: string): SyntaxNode | undefined {
  const value = node[member];
  return isNode(value) ? value : undefined;
}

/** The nodes in the list `member`, without holes. */
export function nodesIn(node: SyntaxNode, member: string): readonly SyntaxNode[] {
  const value = node[member];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The text that `member` holds. */
export function textIn(node: SyntaxNode | undefined, member: string): string | undefined {
  const value = node?.[member];
  return typeof value === "string" ? value : undefined;
}

/** The name of an identifier, or the value of a string. */
export function nameOf(node: SyntaxNode | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (node.type === "Identifier") return textIn(node, "name");
  return node.type === "StringLiteral" ? textIn(node, "value") : undefined;
}

/** The node and everything in it. */
export function* walk(root: SyntaxNode): Generator<SyntaxNode> {
  yield root;
  for (const value of Object.values(root)) {
    if (isNode(value)) yield* walk(value);
    else if (Array.isArray(value)) for (const item of value) if (isNode(item)) yield* walk(item);
  }
}

const WRAPPERS = new Set([
  "ParenthesizedExpression",
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSTypeAssertion",
]);

/** The expression inside parentheses, `as`, `satisfies` and `!`. */
export function unwrap(node: SyntaxNode): SyntaxNode {
  const inner = WRAPPERS.has(node.type) ? nodeIn(node, "expression") : undefined;
  return inner === undefined ? node : unwrap(inner);
}

/** Whether a member of a node is a node. */
export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "type") === "string";
}
