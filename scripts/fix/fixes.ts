/** The fixes of `check --fix`: only those with one right answer, and only where the code is plainly written. */

import { appendItem } from "../../generators/source-edits/list-items.js";
import { insertion, type Splice } from "../../generators/source-edits/splices.js";
import {
  nameOf,
  nodeIn,
  nodesIn,
  type Syntax,
  type SyntaxNode,
  unwrap,
  walk,
} from "../../generators/source-edits/syntax.js";
import type { DiagnosticCode } from "../../schemas/diagnostics/codes.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { pointerSteps } from "../../schemas/json.js";
import type { ConnectorModel, DataObjectModel } from "../../schemas/model/connector-model.js";

export interface FixContext {
  readonly finding: Diagnostic;
  readonly model: ConnectorModel;
  readonly text: string;
  readonly syntax: Syntax;
  /** The property at the place of the finding. */
  readonly property: SyntaxNode;
}

export interface FixEdit {
  readonly splices: readonly Splice[];
  /** A name of the authoring vocabulary that the new text uses. */
  readonly imports?: "Nullable";
}

/** A fix carries its words. */
export interface Fix {
  /** What it does, as one sentence. */
  readonly does: string;
  /** The changes of the text; undefined if the place is not plainly written. */
  readonly edit: (context: FixContext) => FixEdit | undefined;
}

/** The fixes by the code of the finding. `docs/checks.md` lists them with these words. */
export const FIXES: { readonly [Code in DiagnosticCode]?: Fix } = {
  "connection-sensitivity-unstated": {
    does: "Writes `isSensitive: true`: the property is taken as a secret already.",
    edit: stateSensitivity,
  },
  "nullable-not-json-schema": {
    does: "Writes `Nullable(…)` in place of the option.",
    edit: wrapInNullable,
  },
  "enum-null-missing": {
    does: "Adds `null` to the members, if the type is written with `Type.Unsafe`.",
    edit: addNull,
  },
  "constraint-misplaced": {
    does: "Removes the option, which has no effect.",
    edit: removeOption,
  },
  "key-property-optional": {
    does: "Removes `Type.Optional`, if no other property is required and could be the key.",
    edit: requireKeyProperty,
  },
  "key-property-repeated": {
    does: "Lists each property once.",
    edit: removeRepeated,
  },
};

function stateSensitivity(context: FixContext) {
  const call = typeCallOf(context);
  if (call?.options !== undefined) {
    return { splices: addedItem(context, call.options, "isSensitive: true") };
  }
  if (call === undefined || !call.mayHaveOptions) return undefined;
  const last = nodesIn(call.node, "arguments").at(-1);
  const code = "{ isSensitive: true }";
  return last === undefined
    ? { splices: [insertion(call.node.end - 1, code)] }
    : { splices: [insertion(last.end, `, ${code}`)] };
}

/** `Type.String({ nullable: true })` as `Nullable(Type.String())`. */
function wrapInNullable(context: FixContext) {
  const call = typeCallOf(context);
  const options = call?.options;
  const member = options && memberOf(options, "nullable");
  const value = member && nodeIn(member, "value");
  if (call === undefined || options === undefined || member === undefined) return undefined;
  if (value?.type !== "BooleanLiteral") return undefined;
  const removed = removedItem(context, nodesIn(options, "properties"), member);
  if (removed === undefined) return undefined;
  const isNullable = [...walk(nodeIn(context.property, "value") ?? call.node)].some(
    (node) => node.type === "CallExpression" && calleeOf(node) === "Nullable",
  );
  if (value["value"] !== true || isNullable) return { splices: [removed] };
  const around = [insertion(call.node.start, "Nullable("), removed, insertion(call.node.end, ")")];
  return { splices: around, imports: "Nullable" as const };
}

function addNull(context: FixContext) {
  const { options } = typeCallOf(context) ?? {};
  const list = options && nodeIn(memberOf(options, "enum") ?? options, "value");
  if (list?.type !== "ArrayExpression") return undefined;
  const isPlain = nodesIn(list, "elements").every(({ type }) =>
    /^(?:String|Numeric|Boolean)Literal$/.test(type),
  );
  return isPlain ? { splices: addedItem(context, list, "null") } : undefined;
}

function removeOption(context: FixContext) {
  const { options } = typeCallOf(context) ?? {};
  const [, keyword = ""] = /option "(\w+)"/.exec(context.finding.message) ?? [];
  const member = options && memberOf(options, keyword);
  if (options === undefined || member === undefined) return undefined;
  const removed = removedItem(context, nodesIn(options, "properties"), member);
  return removed && { splices: [removed] };
}

function requireKeyProperty({ finding, model, syntax, property }: FixContext) {
  const object = objectAt(model, finding.pointer ?? "");
  const [, name = ""] = /uses "([^"]*)"/.exec(finding.message) ?? [];
  if (object === undefined || hasOtherChoice(object, name)) return undefined;
  const call = [...walk(syntax.program)].findLast(
    (node) =>
      node.type === "CallExpression" &&
      calleeOf(node) === "defineDataObject" &&
      node.start <= property.start &&
      node.end >= property.end,
  );
  const options = call && nodesIn(call, "arguments")[1];
  const properties = options?.type === "ObjectExpression" ? memberOf(options, "properties") : undefined;
  const shape = properties && nodeIn(properties, "value");
  const member = shape?.type === "ObjectExpression" ? memberOf(shape, name) : undefined;
  const value = member && unwrap(nodeIn(member, "value") ?? member);
  const [inner, ...others] = value === undefined ? [] : nodesIn(value, "arguments");
  if (value?.type !== "CallExpression" || calleeOf(value) !== "Type.Optional") return undefined;
  if (inner === undefined || others.length > 0) return undefined;
  return {
    splices: [
      { start: value.start, end: inner.start, text: "" },
      { start: inner.end, end: value.end, text: "" },
    ],
  };
}

function objectAt(model: FixContext["model"], pointer: string): DataObjectModel | undefined {
  const [, module, , object] = pointerSteps(pointer);
  return model.modules[Number(module)]?.dataObjects[Number(object)];
}

function hasOtherChoice({ schema: { root } }: DataObjectModel, name: string): boolean {
  if (root.kind !== "object") return true;
  return root.properties.some((property) => property.name !== name && property.required);
}

function removeRepeated(context: FixContext) {
  const key = nodeIn(context.property, "value");
  const lists =
    key?.type === "ObjectExpression"
      ? [...walk(key)].filter(isPropertiesList).map((member) => nodeIn(member, "value"))
      : [key];
  const list = lists.length === 1 ? lists[0] : undefined;
  const items = list?.type === "ArrayExpression" ? nodesIn(list, "elements") : [];
  const [, name = ""] = /lists "([^"]*)"/.exec(context.finding.message) ?? [];
  const again = items.filter((item) => item.type === "StringLiteral" && nameOf(item) === name)[1];
  const removed = again && removedItem(context, items, again);
  return removed && { splices: [removed] };
}

function isPropertiesList(node: SyntaxNode): boolean {
  return node.type === "ObjectProperty" && nameOf(nodeIn(node, "key")) === "properties";
}

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

/** A call that makes a type. */
interface TypeCall {
  readonly node: SyntaxNode;
  readonly name: string;
  /** The object literal of its options; undefined if it has none, or if they are not written here. */
  readonly options: SyntaxNode | undefined;
  /** Whether options can be added after the last argument. */
  readonly mayHaveOptions: boolean;
}

/** The type of the property, inside of what makes it optional or nullable. */
function typeCallOf({ property }: Pick<FixContext, "property">): TypeCall | undefined {
  return innermost(nodeIn(property, "value"));
}

function innermost(value: SyntaxNode | undefined): TypeCall | undefined {
  const node = value && unwrap(value);
  if (node?.type !== "CallExpression") return undefined;
  const name = calleeOf(node);
  const values = nodesIn(node, "arguments");
  if (WRAPPERS.includes(name)) return values.length === 1 ? innermost(values[0]) : undefined;
  const at = OPTIONS_AT[name];
  if (at === undefined) return undefined;
  const options = values[at] && unwrap(values[at]);
  const isPlain = options?.type === "ObjectExpression" && isPlainObject(options);
  return { node, name, options: isPlain ? options : undefined, mayHaveOptions: values.length === at };
}

/** `Type.String` of `Type.String(…)`. */
function calleeOf(call: SyntaxNode): string {
  const callee = nodeIn(call, "callee");
  if (callee?.type !== "MemberExpression") return nameOf(callee) ?? "";
  const [object, member] = [nameOf(nodeIn(callee, "object")), nameOf(nodeIn(callee, "property"))];
  return callee["computed"] === true ? "" : `${object}.${member}`;
}

/** The member of an object literal. */
function memberOf(object: SyntaxNode, name: string): SyntaxNode | undefined {
  return nodesIn(object, "properties").find((member) => nameOf(nodeIn(member, "key")) === name);
}

/** Removes an item of an object or array literal with its comma; undefined if a comment stands beside it. */
function removedItem(
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

/** Adds an item after the last one of an object or array literal. */
function addedItem(
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
  return appendItem(text, brackets, item);
}

/** An object that is spread into it could set the same option again. */
function isPlainObject(object: SyntaxNode): boolean {
  return nodesIn(object, "properties").every(
    ({ type, computed }) => type === "ObjectProperty" && computed !== true,
  );
}
