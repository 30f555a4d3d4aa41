/** The fixes, by the code of the finding: only those with one right answer. */
import { inserted } from "../../generators/source-edits/splices.js";
import {
  nameOf,
  nodeIn,
  nodesIn,
  type SyntaxNode,
  unwrapped,
  walk,
} from "../../generators/source-edits/syntax.js";
import type { DiagnosticCode } from "../../schemas/diagnostics/catalogue.js";
import type { DataObjectModel } from "../../schemas/model/connector-model.js";
import { pointerSteps } from "../../schemas/naming/json-pointer.js";
import { addedItem, calleeOf, type Fix, type FixContext, memberOf, removedItem, typeCallOf } from "./fix.js";

export const FIXES: Readonly<Partial<Record<DiagnosticCode, Fix>>> = {
  "connection-sensitivity-unstated": stateSensitivity,
  "nullable-not-json-schema": wrapInNullable,
  "enum-null-missing": addNull,
  "constraint-misplaced": removeOption,
  "key-property-optional": requireKeyProperty,
  "key-property-repeated": removeRepeated,
};

/** It is taken as a secret already. */
function stateSensitivity(context: FixContext) {
  const call = typeCallOf(context);
  if (call?.options !== undefined) {
    return { splices: addedItem(context, call.options, "isSensitive: true") };
  }
  if (call === undefined || !call.mayHaveOptions) return undefined;
  const last = nodesIn(call.node, "arguments").at(-1);
  const code = "{ isSensitive: true }";
  return last === undefined
    ? { splices: [inserted(call.node.end - 1, code)] }
    : { splices: [inserted(last.end, `, ${code}`)] };
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
  const around = [inserted(call.node.start, "Nullable("), removed, inserted(call.node.end, ")")];
  return { splices: around, imports: "Nullable" as const };
}

/** The type lets null through, and the list of members is to say so too. */
function addNull(context: FixContext) {
  const { options } = typeCallOf(context) ?? {};
  const list = options && nodeIn(memberOf(options, "enum") ?? options, "value");
  if (list?.type !== "ArrayExpression") return undefined;
  const isPlain = nodesIn(list, "elements").every(({ type }) =>
    /^(?:String|Numeric|Boolean)Literal$/.test(type),
  );
  return isPlain ? { splices: addedItem(context, list, "null") } : undefined;
}

/** An option without an effect: values are what they were. */
function removeOption(context: FixContext) {
  const { options } = typeCallOf(context) ?? {};
  const [, keyword = ""] = /option "(\w+)"/.exec(context.found.message) ?? [];
  const member = options && memberOf(options, keyword);
  if (options === undefined || member === undefined) return undefined;
  const removed = removedItem(context, nodesIn(options, "properties"), member);
  return removed && { splices: [removed] };
}

/** Where no other property could identify a record, the key's own must be there. */
function requireKeyProperty({ found, model, syntax, property }: FixContext) {
  const object = objectAt(model, found.pointer ?? "");
  const [, name = ""] = /uses "([^"]*)"/.exec(found.message) ?? [];
  if (object === undefined || hasOtherChoice(object, name)) return undefined;
  const call = [...walk(syntax.program)].findLast(
    (node) =>
      node.type === "CallExpression" &&
      calleeOf(node) === "defineDataObject" &&
      node.start <= property.start &&
      node.end >= property.end,
  );
  const shape = call && nodesIn(call, "arguments")[1];
  const member = shape?.type === "ObjectExpression" ? memberOf(shape, name) : undefined;
  const value = member && unwrapped(nodeIn(member, "value") ?? member);
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

/** Each property once, where it stood first. */
function removeRepeated(context: FixContext) {
  const key = nodeIn(context.property, "value");
  const lists =
    key === undefined ? [] : [...walk(key)].filter(isPropertiesList).map((one) => nodeIn(one, "value"));
  const list = lists.length === 1 ? lists[0] : undefined;
  const items = list?.type === "ArrayExpression" ? nodesIn(list, "elements") : [];
  const [, name = ""] = /lists "([^"]*)"/.exec(context.found.message) ?? [];
  const again = items.filter((item) => item.type === "StringLiteral" && nameOf(item) === name)[1];
  const removed = again && removedItem(context, items, again);
  return removed && { splices: [removed] };
}

function isPropertiesList(node: SyntaxNode): boolean {
  return node.type === "ObjectProperty" && nameOf(nodeIn(node, "key")) === "properties";
}
