/** Finds what is to be edited: from a call or a constant, down through arguments and properties. */
import { calleeName, exported, exportedNames, resolved, type Spot } from "./bindings.js";
import type { SourceFiles } from "./source-files.js";
import { nameOf, nodeIn, nodesIn, type SyntaxNode, walk } from "./syntax.js";

/** Where a search begins: the one call of a function, a constant, or what was found before. */
export type Start =
  | { readonly file: string; readonly call: string }
  | { readonly file: string; readonly constant: string }
  | Spot;

/** Steps from there: arguments of a call and items of a list by number, properties by name. */
export type Steps = readonly (string | number)[];

export interface Found {
  readonly spot: Spot;
}

export interface Lost {
  readonly spot?: undefined;
  /** Why nothing was found, as the end of a sentence. */
  readonly reason: string;
  /** The file in which the search ended. */
  readonly file: string;
  /** The object that has no such property, where only the last step is missing. */
  readonly holder?: Spot;
}

/** Looks for the expression at `steps` below `start`; constants, imports and wrappers are followed. */
export function locate(files: SourceFiles, start: Start, steps: Steps = []): Found | Lost {
  const begin = startOf(files, start);
  if (begin.spot === undefined) return begin;
  let spot = resolved(files, begin.spot);
  for (const [index, step] of steps.entries()) {
    const next = stepFrom(files, spot, step);
    if (next === undefined) {
      const isObject = spot.node.type === "ObjectExpression";
      const reason = isObject
        ? `there is no "${step}"`
        : `what holds "${step}" is not written as a plain ${typeof step === "number" ? "list" : "object"}`;
      const isLast = isObject && index === steps.length - 1;
      return { reason, file: spot.file, ...(isLast && { holder: spot }) };
    }
    spot = resolved(files, next);
  }
  return { spot };
}

/** The items of the list at `spot`, each resolved; lists that are spread into it count as its items. */
export function itemsOf(files: SourceFiles, { file, node }: Spot): readonly Spot[] {
  if (node.type !== "ArrayExpression") return [];
  return nodesIn(node, "elements").flatMap((element): readonly Spot[] => {
    const argument = element.type === "SpreadElement" ? nodeIn(element, "argument") : undefined;
    if (argument !== undefined) return itemsOf(files, resolved(files, { file, node: argument }));
    return [resolved(files, { file, node: element })];
  });
}

/** The string or number at `steps` below `start`, where it is written as a literal. */
export function literalAt(files: SourceFiles, start: Start, steps: Steps): string | number | undefined {
  const { spot } = locate(files, start, steps);
  if (spot === undefined) return undefined;
  if (spot.node.type === "TemplateLiteral") {
    const [only, ...others] = nodesIn(spot.node, "quasis");
    const cooked = (only?.["value"] as { cooked?: unknown } | undefined)?.cooked;
    return others.length === 0 && typeof cooked === "string" ? cooked : undefined;
  }
  const value = /^(?:String|Numeric)Literal$/.test(spot.node.type) ? spot.node["value"] : undefined;
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

function startOf(files: SourceFiles, start: Start): Found | Lost {
  if ("node" in start) return { spot: start };
  const { file } = start;
  const syntax = files.syntax(file);
  if (syntax === undefined) {
    const state = files.text(file) === undefined ? "there is no such file" : "it has a syntax error";
    return { reason: state, file };
  }
  if ("constant" in start) {
    const node = { type: "Identifier", start: -1, end: -1, name: start.constant };
    const spot = resolved(files, { file, node });
    return spot.node === node ? { reason: `there is no constant "${start.constant}"`, file } : { spot };
  }
  return callIn(files, file, syntax.program, start.call);
}

/** The call in the file itself, else the one that it exports from elsewhere. */
function callIn(files: SourceFiles, file: string, program: SyntaxNode, callee: string): Found | Lost {
  const isCall = (spot: Spot) => calleeName(files, spot) === callee;
  const own = [...walk(program)].map((node) => ({ file, node })).filter(isCall);
  const exports = exportedNames(files, file)
    .flatMap((name) => exported(files, file, name) ?? [])
    .map((spot) => resolved(files, spot))
    .filter(isCall);
  const calls = own.length > 0 ? own : exports;
  const [first] = calls;
  if (first === undefined) return { reason: `there is no call of ${callee}`, file };
  if (new Set(calls.map(({ node }) => node)).size > 1) {
    return { reason: `there are several calls of ${callee}`, file };
  }
  return { spot: first };
}

function stepFrom(files: SourceFiles, { file, node }: Spot, step: string | number): Spot | undefined {
  if (typeof step === "number") {
    const list = node.type === "CallExpression" ? "arguments" : "elements";
    const found = nodesIn(node, list)[step];
    return found && { file, node: found };
  }
  return node.type === "ObjectExpression" ? propertyOf(files, { file, node }, step) : undefined;
}

/** The value of a property; the last one counts, and objects that are spread lend theirs. */
function propertyOf(files: SourceFiles, { file, node }: Spot, name: string): Spot | undefined {
  for (const property of [...nodesIn(node, "properties")].reverse()) {
    if (property.type === "SpreadElement") {
      const argument = nodeIn(property, "argument");
      const spread = argument && resolved(files, { file, node: argument });
      const found = spread?.node.type === "ObjectExpression" && propertyOf(files, spread, name);
      if (found) return found;
    } else if (property["computed"] !== true && nameOf(nodeIn(property, "key")) === name) {
      const value = nodeIn(property, "value");
      return value && { file, node: value };
    }
  }
  return undefined;
}
