/** A member of the registration configuration as the property of a connection: its type and words kept, made sensitive. */
import { displayName, upperFirst } from "../../schemas/naming/words.js";
import { calleeName, type NewCode, propertyComments, type SourceFiles } from "../source-edits/index.js";
import { nameOf, nodeIn, nodesIn, type SyntaxNode, textIn, unwrapped, walk } from "../source-edits/syntax.js";
import { call, type Entry, layOut, object } from "../typescript/code.js";
import { propertyKey, stringLiteral } from "../typescript/literals.js";
import type { FoundStep, NotFound } from "./find-member.js";
import type { Member } from "./registration-members.js";

/** What stands in the place of the property. */
export interface MemberCode {
  readonly reason?: undefined;
  readonly code: NewCode;
}

interface Leaf {
  readonly node: SyntaxNode;
  /** `String`, `Integer` or `Number`. */
  readonly type: string;
  readonly isOptional: boolean;
}

/** The code of the property, or why its type can't be moved. */
export function memberCode(files: SourceFiles, step: FoundStep, member: Member): MemberCode | NotFound {
  const { file } = step.holder;
  const value = nodeIn(step.property, "value");
  const leaf = value && leafOf(files, file, value);
  const entries = leaf && entriesOf(files, file, leaf.node);
  if (leaf === undefined || entries === undefined) {
    const reason = "its type is not written as a plain Type.String, Type.Integer or Type.Number";
    return { reason, file, offset: step.property.start };
  }
  // What a connection says with isSensitive.
  const kept = entries.filter(({ key }) => key !== "writeOnly");
  const own = [...kept, ...missing(entries, member)];
  const comments = propertyComments(files, step.holder, step.property).map((one) =>
    commentText(files, file, one),
  );
  const code = (type = "Type") => {
    const typed = call(`${type}.${leaf.type}`, object(own));
    return layOut(leaf.isOptional ? call(`${type}.Optional`, typed) : typed, "", INDENT + member.name.length);
  };
  const imports = [{ name: "Type", from: { package: "connectorcli" } }];
  return { code: { imports, code, above: comments } };
}

/** Where a property of a definition usually starts, with the colon behind its name. */
const INDENT = 6;

/** The type inside Type.Optional and Nullable: a connection has no null, what is null is left out of it. */
function leafOf(files: SourceFiles, file: string, value: SyntaxNode): Leaf | undefined {
  const node = unwrapped(value);
  const callee = nodeIn(node, "callee");
  const type = calleeName(files, { file, node });
  const args = nodesIn(node, "arguments");
  const [argument] = args;
  if ((type === "Optional" || type === "Nullable") && argument !== undefined && args.length === 1) {
    const inner = leafOf(files, file, argument);
    return inner && { ...inner, isOptional: true };
  }
  const isType = callee?.type === "MemberExpression" && nameOf(nodeIn(callee, "object")) === "Type";
  if (!isType || type === undefined || !/^(?:String|Integer|Number)$/.test(type)) return undefined;
  return args.length > 1 ? undefined : { node, type, isOptional: false };
}

/** The options as they are written; undefined where they need names of their module. */
function entriesOf(files: SourceFiles, file: string, leaf: SyntaxNode): readonly Entry[] | undefined {
  const [argument] = nodesIn(leaf, "arguments");
  if (argument === undefined) return [];
  const options = unwrapped(argument);
  if (options.type !== "ObjectExpression") return undefined;
  const entries = nodesIn(options, "properties").map((property): Entry | undefined => {
    const key = nameOf(nodeIn(property, "key"));
    const value = nodeIn(property, "value");
    const isPlain = property.type === "ObjectProperty" && property["computed"] !== true;
    if (!isPlain || key === undefined || value === undefined) return undefined;
    const code = valueText(files.text(file) ?? "", value);
    return code === undefined ? undefined : { key: propertyKey(key), value: code };
  });
  return entries.includes(undefined) ? undefined : entries.filter((one) => one !== undefined);
}

const PLAIN_VALUES =
  /^(?:ObjectExpression|ObjectProperty|ArrayExpression|UnaryExpression|\w+Literal|TemplateElement|ParenthesizedExpression)$/;

/** A value of literals only, on one line. */
function valueText(text: string, value: SyntaxNode): string | undefined {
  const keys = new Set([...walk(value)].map((node) => nodeIn(node, "key")));
  const isPlain = [...walk(value)].every((node) => keys.has(node) || PLAIN_VALUES.test(node.type));
  const code = text.slice(value.start, value.end);
  const hasLines = [...walk(value)].some((one) => one.type === "TemplateElement" && isOverLines(text, one));
  // A comment in there would hide what follows it on the line.
  return !isPlain || hasLines || /\/\/|\/\*/.test(withoutStrings(text, value))
    ? undefined
    : code.replace(/\s*\r?\n\s*/g, " ");
}

function isOverLines(text: string, { start, end }: SyntaxNode): boolean {
  return text.slice(start, end).includes("\n");
}

function withoutStrings(text: string, value: SyntaxNode): string {
  let code = text.slice(0, value.end);
  for (const { type, start, end } of walk(value)) {
    if (/^(?:String|RegExp)Literal$|^TemplateElement$/.test(type))
      code = code.slice(0, start) + "_".repeat(end - start) + code.slice(end);
  }
  return code.slice(value.start);
}

/** What every property of a connection states (spec §2.1). A member is a secret unless its author shows it to everyone. */
function missing(entries: readonly Entry[], { kind, name }: Member): readonly Entry[] {
  const has = (wanted: string) => entries.some(({ key }) => key === wanted);
  const isShown =
    kind === "address" && entries.some(({ key, value }) => key === "writeOnly" && value === "false");
  const added: readonly Entry[] = [
    { key: "title", value: stringLiteral(displayName(upperFirst(name))) },
    { key: "description", value: stringLiteral("") },
    { key: "isSensitive", value: String(!isShown) },
  ];
  return added.filter(({ key }) => !has(key ?? ""));
}

function commentText(files: SourceFiles, file: string, comment: SyntaxNode): string {
  const text = files.text(file) ?? "";
  const indent = /[^\S\n]*$/.exec(text.slice(0, comment.start))?.[0] ?? "";
  const isLine = textIn(comment, "type") === "CommentLine";
  const own = text.slice(comment.start, comment.end).replace(/\r\n/g, "\n");
  return isLine ? own : own.replaceAll(`\n${indent}`, "\n");
}
