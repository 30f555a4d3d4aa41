/** What a fix is: from a finding and the syntax around it to changes of the text, or nothing where it is not plain. */
import { appendedItem } from "../../generators/source-edits/append-item.js";
import type { Splice } from "../../generators/source-edits/splices.js";
import {
  nameOf,
  nodeIn,
  nodesIn,
  type Syntax,
  type SyntaxNode,
  unwrapped,
} from "../../generators/source-edits/syntax.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";

export interface FixContext {
  readonly found: Diagnostic;
  readonly model: ConnectorModel;
  readonly text: string;
  readonly syntax: Syntax;
  /** The property at the place of the finding. */
  readonly property: SyntaxNode;
}

export interface FixEdit {
  readonly splices: readonly Splice[];
  /** A name of the vocabulary that the new text uses. */
  readonly imports?: "Nullable";
}

export type Fix = (context: FixContext) => FixEdit | undefined;

/** Types that wrap another one, and say nothing of its options. */
const WRAPPERS: readonly string[] = ["Type.Optional", "Type.Readonly", "Nullable"];

/** Which argument holds the options of a type. */
const OPTIONS_AT: Readonly<Record<string, number>> = {
  "Type.String": 0,
  "Type.Integer": 0,
  "Type.Number": 0,
  "Type.Boolean": 0,
  "Type.Unsafe": 0,
  "Type.Array": 1,
  "Type.Object": 1,
  "Type.Record": 2,
  StringEnum: 1,
  OptionSet: 1,
};

/** A call that makes a type, and where its options are. */
export interface TypeCall {
  readonly node: SyntaxNode;
  readonly name: string;
  /** The object literal of its options; undefined where it has none, or they are not written here. */
  readonly options: SyntaxNode | undefined;
  /** Whether options could be written behind the last argument. */
  readonly mayHaveOptions: boolean;
}

/** The type that the property's value makes, inside of what makes it optional or nullable. */
export function typeCallOf({ property }: Pick<FixContext, "property">): TypeCall | undefined {
  return innermost(nodeIn(property, "value"));
}

function innermost(value: SyntaxNode | undefined): TypeCall | undefined {
  const node = value && unwrapped(value);
  if (node?.type !== "CallExpression") return undefined;
  const name = calleeOf(node);
  const given = nodesIn(node, "arguments");
  if (WRAPPERS.includes(name)) return given.length === 1 ? innermost(given[0]) : undefined;
  const at = OPTIONS_AT[name];
  if (at === undefined) return undefined;
  const options = given[at] && unwrapped(given[at]);
  const isPlain = options?.type === "ObjectExpression" && isPlainObject(options);
  return { node, name, options: isPlain ? options : undefined, mayHaveOptions: given.length === at };
}

/** `Type.String` of `Type.String(…)`. */
export function calleeOf(call: SyntaxNode): string {
  const callee = nodeIn(call, "callee");
  if (callee?.type !== "MemberExpression") return nameOf(callee) ?? "";
  const [object, member] = [nameOf(nodeIn(callee, "object")), nameOf(nodeIn(callee, "property"))];
  return callee["computed"] === true ? "" : `${object}.${member}`;
}

/** The member of an object literal. */
export function memberOf(object: SyntaxNode, name: string): SyntaxNode | undefined {
  return nodesIn(object, "properties").find((one) => nameOf(nodeIn(one, "key")) === name);
}

/** Takes an item out of a list in brackets, with its comma; undefined where a comment stands beside it. */
export function removedItem(
  { text, syntax }: Pick<FixContext, "text" | "syntax">,
  items: readonly SyntaxNode[],
  item: SyntaxNode,
): Splice | undefined {
  const index = items.indexOf(item);
  const next = items[index + 1];
  const previous = items[index - 1];
  const [start, end] =
    next !== undefined
      ? [item.start, next.start]
      : previous !== undefined
        ? [previous.end, item.end]
        : [item.start, item.end + (/^\s*,/.exec(text.slice(item.end))?.[0].length ?? 0)];
  const isCommented = syntax.comments.some((comment) => comment.end > start && comment.start < end);
  return isCommented ? undefined : { start, end, text: "" };
}

/** Writes an item behind the last one of an object or list. */
export function addedItem(
  { text, syntax }: Pick<FixContext, "text" | "syntax">,
  list: SyntaxNode,
  item: string,
): readonly Splice[] {
  const isObject = list.type === "ObjectExpression";
  const items = nodesIn(list, isObject ? "properties" : "elements");
  const brackets = {
    open: list.start + 1,
    close: list.end - 1,
    items,
    comments: syntax.comments,
    spaced: isObject,
  };
  return appendedItem(text, brackets, item);
}

/** What is spread into it may say the same again. */
function isPlainObject(object: SyntaxNode): boolean {
  return nodesIn(object, "properties").every(
    (one) => one.type === "ObjectProperty" && one["computed"] !== true,
  );
}
