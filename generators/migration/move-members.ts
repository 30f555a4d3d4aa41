/** Moves members of the registration configuration into a connection definition, in the author's code (§5.2). */
import { type Diagnostic, diagnostic, placeInText } from "../../schemas/diagnostics/diagnostic.js";
import {
  ENVIRONMENT_PROPERTY,
  hasEnvironments,
  isSaid,
  standardMembers,
} from "../../schemas/model/connection-members.js";
import { propertyTitle } from "../../schemas/naming/words.js";
import { AUTH_TYPE_FACTS, type ClientNames, isPlaceholder, rootModule } from "../scaffolds/index.js";
import {
  addProperty,
  calleeName,
  type EditPlace,
  itemsOf,
  literalAt,
  locate,
  type NewCode,
  ownProperty,
  propertyComments,
  removeConstant,
  removeProperty,
  removeUnusedImports,
  resolveNode,
  type SourceFiles,
  type Spot,
  usedImports,
} from "../source-edits/index.js";
import { nameOf, nodeIn, nodesIn, type SyntaxNode, textIn, unwrap, walk } from "../source-edits/syntax.js";
import { call, type Entry, layOut, object } from "../typescript/code.js";
import { propertyKey, stringLiteral } from "../typescript/literals.js";
import { propertyNameFor, replacedProperty } from "./choose-connection.js";
import { type Member, roleOf, sameName } from "./registration-members.js";

/** A member that was moved. */
export interface MovedMember {
  readonly member: Member;
  /** The property of the connection that holds it now. */
  readonly property: string;
  /** Whether the property was declared for it; otherwise the connection had the property already. */
  readonly isDeclared: boolean;
  /** Whether the connection takes its base address from it. */
  readonly isBaseUrl: boolean;
}

export interface Move {
  readonly members: readonly Member[];
  /** The connection. Its definition is in the files, also if it is new. */
  readonly names: ClientNames;
  readonly modules: AuthorModules;
}

/** Edits `files`. The findings name what could not be moved. */
export function moveMembers(
  files: SourceFiles,
  move: Move,
): { readonly moved: readonly MovedMember[]; readonly diagnostics: readonly Diagnostic[] } {
  const touched = new Set([...move.modules, move.names.definitionFile]);
  const used = new Map([...touched].map((file) => [file, usedImports(files, file)]));
  const moved: MovedMember[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const member of move.members) {
    const result = moveMember(files, move, { member, moved });
    if ("member" in result) moved.push(result);
    else diagnostics.push(manualEdit(files, member, move.names, result));
  }
  for (const [file, imports] of used) removeUnusedImports(files, file, imports);
  return { moved, diagnostics };
}

interface OneMove {
  readonly member: Member;
  /** The members that were moved before it. */
  readonly moved: readonly MovedMember[];
}

function moveMember(files: SourceFiles, move: Move, { member, moved }: OneMove): MovedMember | NotFound {
  const { names, modules } = move;
  const root = rootModule(files);
  if (!member.isPlain)
    return { ...nearestPlace(files, member.names), reason: "it stands in a list or in a choice of shapes" };
  const found = findMember(files, member.names, modules);
  if (found.steps === undefined) return found;
  const step = found.steps.at(-1);
  if (step === undefined) return { reason: "it is not written as a property", file: root };
  const here = { file: step.holder.file, offset: step.property.start };
  if (moved.some((move) => sameName(move.member.name, member.name)))
    return { ...here, reason: `another "${member.name}" has been moved there` };
  const present = presentProperty(move, member);
  if (present !== undefined && names.definition !== undefined && isSaid(names.definition, present))
    return { ...here, reason: `the definition says ${present} for all users` };
  if (present !== undefined) {
    removeMember(files, member.names, modules);
    return { member, property: present, isDeclared: false, isBaseUrl: false };
  }
  // The auth handler of a new definition reads it.
  const usual = replacedProperty(move.members, member, names);
  const code = memberCode(files, step, { member, isNeeded: usual !== undefined });
  if (code.reason !== undefined) return code;
  const property = propertyNameFor(move.members, member, names);
  if (!declare(files, move, { member, property }, code.code))
    return { ...here, reason: `the properties of "${names.className}" are not written as a plain object` };
  const isBaseUrl = !moved.some((move) => move.isBaseUrl) && takesBaseUrl(files, names, member);
  removeMember(files, member.names, modules);
  return { member, property, isDeclared: true, isBaseUrl };
}

/** The property of the connection with the same meaning. Properties of OAuth 2 are found by their other names, too. */
function presentProperty({ members, names }: Move, member: Member): string | undefined {
  const { authType, definition } = names;
  if (replacedProperty(members, member, names) !== undefined) return undefined;
  const standard = standardMembers(authType);
  const declared = definition?.attributes ?? AUTH_TYPE_FACTS[authType].properties;
  const role = roleOf(member);
  return (
    declared.find(({ name }) => sameName(name, member.name)) ??
    standard.find(({ name }) => sameName(name, member.name) || name === role)
  )?.name;
}

/** Declares the property. In a new definition it replaces the usual one. Returns whether that was possible. */
function declare(
  files: SourceFiles,
  { members, names }: Move,
  { member, property }: Pick<MovedMember, "member" | "property">,
  code: Parameters<typeof addProperty>[3],
): boolean {
  const usual = replacedProperty(members, member, names);
  if (usual !== undefined) removeFromDefinition(files, names, ["properties", usual]);
  const place = definitionPlace(files, names, "properties");
  return place !== undefined && addProperty(files, place, property, code).problem === undefined;
}

/** Takes the base address of a connection without one, or with placeholders, from the member. Returns whether it did. */
function takesBaseUrl(files: SourceFiles, names: ClientNames, member: Member): boolean {
  const present = names.definition?.baseUrl;
  const hasOwn = present !== undefined && present.kind !== "none" && !isPlaceholder(present);
  if (hasOwn || roleOf(member) !== "baseUrl") return false;
  removeFromDefinition(files, names, ["baseUrl"]);
  const place = definitionPlace(files, names);
  const code = () => `{ property: ${stringLiteral(member.name)} }`;
  return (
    place !== undefined && addProperty(files, place, "baseUrl", { imports: [], code }).problem === undefined
  );
}

/** The finding that a definition asks for an environment that chooses nothing any more: no address for tokens either. */
export function environmentLeft(files: SourceFiles, names: ClientNames): readonly Diagnostic[] {
  const { definition } = names;
  if (definition !== undefined && hasEnvironments({ ...definition, baseUrl: { kind: "none" } })) return [];
  const place = definitionPlace(files, names, "properties");
  const holder = place && locate(files, place.start, place.steps).spot;
  const property = holder && ownProperty(holder, ENVIRONMENT_PROPERTY);
  if (holder === undefined || property === undefined) return [];
  const { file } = holder;
  const where = placeInText({ file, text: files.text(file) ?? "" }, property.start);
  return [diagnostic("migration-environment-left", where, { connection: names.className })];
}

function manualEdit(files: SourceFiles, { what }: Member, names: ClientNames, lost: NotFound): Diagnostic {
  const { file, offset, reason } = lost;
  const place = offset === undefined ? { file } : placeInText({ file, text: files.text(file) ?? "" }, offset);
  return diagnostic("migration-by-hand", place, { what, reason, connection: names.className });
}

/** A property, and the object literals that lead to it. */
export interface FoundMember {
  /** From the configuration down; the last one is the member. */
  readonly steps: readonly FoundStep[];
}

export interface FoundStep {
  /** The object literal. */
  readonly holder: Spot;
  readonly property: SyntaxNode;
  /** The constant that holds the object literal, if there is one. */
  readonly constant: string | undefined;
}

/** Why a member was not found (the end of a sentence), and where the search ended. */
export interface NotFound {
  readonly steps?: undefined;
  readonly reason: string;
  readonly file: string;
  readonly offset?: number;
}

/** Paths of all of the author's modules: a constant may be used elsewhere. */
export type AuthorModules = readonly string[];

export function findMember(
  files: SourceFiles,
  names: readonly string[],
  modules: AuthorModules,
): FoundMember | NotFound {
  const start = { file: rootModule(files), call: "defineConnector" };
  const found = locate(files, start, [1, "registrationConfiguration"]);
  if (found.spot === undefined) return { reason: found.reason, file: found.file };
  const { file } = found.spot;
  if (calleeName(files, found.spot) !== "defineRegistrationConfiguration")
    return { reason: "the configuration is not a call of defineRegistrationConfiguration", file };
  const [, options] = nodesIn(found.spot.node, "arguments");
  const properties = options && optionIn({ file, node: unwrap(options) }, "properties");
  if (properties === undefined)
    return { reason: "the configuration has no properties that are written plainly", file };
  return stepsTo(files, properties, { names, modules });
}

function optionIn(options: Spot, name: string): Spot | undefined {
  const property = ownProperty(options, name);
  const value = property && nodeIn(property, "value");
  return value && { file: options.file, node: value };
}

/** Where the member is written, or the nearest that holds it: inside lists and choices, and through constants. */
function nearestPlace(files: SourceFiles, names: readonly string[]): Pick<NotFound, "file" | "offset"> {
  const root = rootModule(files);
  const found = locate(files, { file: root, call: "defineConnector" }, [1, "registrationConfiguration"]);
  if (found.spot === undefined) return { file: root };
  let at = found.spot;
  for (const name of names) {
    const next = propertyWithin(files, at, name, new Set());
    if (next === undefined) break;
    at = next;
  }
  return { file: at.file, offset: at.node.start };
}

/** The first property `name` that is written in the expression at `spot`, or in a constant that it names. */
function propertyWithin(
  files: SourceFiles,
  spot: Spot,
  name: string,
  seen: Set<SyntaxNode>,
): Spot | undefined {
  if (seen.has(spot.node)) return undefined;
  seen.add(spot.node);
  const inside = spot.node.type === "ObjectProperty" ? (nodeIn(spot.node, "value") ?? spot.node) : spot.node;
  const nodes = [...walk(inside)];
  const own = nodes.find((node) => node.type === "ObjectProperty" && nameOf(nodeIn(node, "key")) === name);
  if (own !== undefined) return { file: spot.file, node: own };
  for (const node of nodes.filter(({ type }) => type === "Identifier")) {
    const target = resolveNode(files, { file: spot.file, node });
    const found = target.node === node ? undefined : propertyWithin(files, target, name, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Wanted {
  readonly names: readonly string[];
  readonly modules: AuthorModules;
}

function stepsTo(files: SourceFiles, from: Spot, { names, modules }: Wanted): FoundMember | NotFound {
  const steps: FoundStep[] = [];
  let at = from;
  for (const name of names) {
    const shape = shapeAt(files, at, modules);
    if ("reason" in shape) return shape;
    const { file, node } = shape.holder;
    const property = ownProperty(shape.holder, name);
    const value = property && nodeIn(property, "value");
    if (property === undefined || value === undefined) {
      const reason = `"${name}" is not written as a plain property of the object that holds it`;
      return { reason, file, offset: node.start };
    }
    steps.push({ ...shape, property });
    at = { file, node: value };
  }
  return { steps };
}

/** The object literal inside Type.Optional, Nullable and Type.Object. Constants of the same module are followed. */
function shapeAt(
  files: SourceFiles,
  spot: Spot,
  modules: AuthorModules,
  constant?: string,
): Omit<FoundStep, "property"> | NotFound {
  const { file } = spot;
  const node = unwrap(spot.node);
  const here = { file, offset: node.start };
  if (node.type === "ObjectExpression") return { holder: { file, node }, constant };
  if (node.type === "Identifier") {
    const name = nameOf(node) ?? "";
    const target = resolveNode(files, { file, node });
    if (target.node === node) return { ...here, reason: `"${name}" can't be followed` };
    if (target.file !== file) return { ...here, reason: `"${name}" is stated in another module` };
    if (!isUsedOnce(files, file, name, modules))
      return { ...here, reason: `"${name}" is used elsewhere, too` };
    return shapeAt(files, target, modules, name);
  }
  const [argument] = nodesIn(node, "arguments");
  const isWrapper = /^(?:Optional|Nullable|Object)$/.test(calleeName(files, { file, node }) ?? "");
  if (!isWrapper || argument === undefined)
    return { ...here, reason: "what holds it is not written as a plain Type.Object" };
  return shapeAt(files, { file, node: argument }, modules, constant);
}

/** Whether only its declaration and one other place name the constant. */
function isUsedOnce(files: SourceFiles, file: string, name: string, modules: AuthorModules): boolean {
  const program = files.syntax(file)?.program;
  const nodes = program === undefined ? [] : [...walk(program)].filter((node) => isNamed(node, name));
  // The shorthand `{ name }` is one place, with a node for the key and one for the value.
  const own = [...new Set(nodes.map(({ start }) => start))];
  const others = modules.filter((module) => module !== file);
  return own.length === 2 && !others.some((module) => mentions(files.text(module) ?? "", name));
}

function isNamed(node: SyntaxNode, name: string): boolean {
  return node.type === "Identifier" && nameOf(node) === name;
}

function mentions(text: string, name: string): boolean {
  return text.split(/[^\p{L}\p{Nd}_$]+/u).includes(name);
}

/** The code of the new property. */
export interface MemberCode {
  readonly reason?: undefined;
  readonly code: NewCode;
}

interface MemberToMove {
  readonly member: Member;
  /** Whether nobody can sign in without it. */
  readonly isNeeded: boolean;
}

interface Leaf {
  readonly node: SyntaxNode;
  /** `String`, `Integer` or `Number`. */
  readonly type: string;
  readonly isOptional: boolean;
}

/** The code of the new property, or why its type can't be moved. */
export function memberCode(
  files: SourceFiles,
  step: FoundStep,
  { member, isNeeded }: MemberToMove,
): MemberCode | NotFound {
  const { file } = step.holder;
  const value = nodeIn(step.property, "value");
  const leaf = value && leafOf(files, file, value);
  const entries = leaf && entriesOf(files, file, leaf.node);
  if (leaf === undefined || entries === undefined) {
    const reason = "its type is not written as a plain Type.String, Type.Integer or Type.Number";
    return { reason, file, offset: step.property.start };
  }
  // A connection uses isSensitive in its place.
  const kept = entries.filter(({ key }) => key !== "writeOnly");
  const own = [...kept, ...missing(entries, member)];
  const comments = propertyComments(files, step.holder, step.property).map((comment) =>
    commentText(files, file, comment),
  );
  const code = (type = "Type") => {
    const typed = call(`${type}.${leaf.type}`, object(own));
    return layOut(
      leaf.isOptional && !isNeeded ? call(`${type}.Optional`, typed) : typed,
      "",
      INDENT + member.name.length,
    );
  };
  const imports = [{ name: "Type", from: { package: "connectorcli" } }];
  return { code: { imports, code, above: comments } };
}

/** The width of the indentation, the colon and the space of a property of a definition. */
const INDENT = 6;

/** The type inside Type.Optional and Nullable. A connection has no null: a property that may be null becomes optional. */
function leafOf(files: SourceFiles, file: string, value: SyntaxNode): Leaf | undefined {
  const node = unwrap(value);
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

/** The options as source text; undefined if they use names of their module. */
function entriesOf(files: SourceFiles, file: string, leaf: SyntaxNode): readonly Entry[] | undefined {
  const [argument] = nodesIn(leaf, "arguments");
  if (argument === undefined) return [];
  const options = unwrap(argument);
  if (options.type !== "ObjectExpression") return undefined;
  const entries = nodesIn(options, "properties").map((property): Entry | undefined => {
    const key = nameOf(nodeIn(property, "key"));
    const value = nodeIn(property, "value");
    const isPlain = property.type === "ObjectProperty" && property["computed"] !== true;
    if (!isPlain || key === undefined || value === undefined) return undefined;
    const code = valueText(files.text(file) ?? "", value);
    return code === undefined ? undefined : { key: propertyKey(key), value: code };
  });
  return entries.includes(undefined) ? undefined : entries.filter((entry) => entry !== undefined);
}

const PLAIN_VALUES =
  /^(?:ObjectExpression|ObjectProperty|ArrayExpression|UnaryExpression|\w+Literal|TemplateElement|ParenthesizedExpression)$/;

/** The source text of a value of literals, on one line; undefined if it is anything else. */
function valueText(text: string, value: SyntaxNode): string | undefined {
  const keys = new Set([...walk(value)].map((node) => nodeIn(node, "key")));
  const isPlain = [...walk(value)].every((node) => keys.has(node) || PLAIN_VALUES.test(node.type));
  const code = text.slice(value.start, value.end);
  const hasLines = [...walk(value)].some(
    (node) => node.type === "TemplateElement" && isOverLines(text, node),
  );
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

/** The options that every property of a connection must have (§2.1). A credential is a secret; an address is one if its author hides it. */
function missing(entries: readonly Entry[], { kind, name }: Member): readonly Entry[] {
  const has = (wanted: string) => entries.some(({ key }) => key === wanted);
  const isHidden = entries.some(({ key, value }) => key === "writeOnly" && value === "true");
  const added: readonly Entry[] = [
    { key: "title", value: stringLiteral(propertyTitle(name)) },
    { key: "description", value: stringLiteral("") },
    { key: "isSensitive", value: String(kind === "credential" || isHidden) },
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

/** The place of the definition's options, or of the option `name`. */
export function definitionPlace(
  files: SourceFiles,
  { definition, definitionFile }: ClientNames,
  ...name: readonly string[]
): EditPlace | undefined {
  const steps = [1, ...name];
  if (definition === undefined) return { start: { file: definitionFile, call: "defineConnection" }, steps };
  const start = { file: rootModule(files), call: "defineConnector" };
  const list = locate(files, start, [1, "connections"]);
  const items = list.spot === undefined ? [] : itemsOf(files, list.spot);
  const calls = items.filter(
    (spot) =>
      calleeName(files, spot) === "defineConnection" && literalAt(files, spot, [0]) === definition.name,
  );
  return calls.length === 1 && calls[0] !== undefined ? { start: calls[0], steps } : undefined;
}

/** Removes the property that `names` lead to from the definition, if it is written plainly. */
export function removeFromDefinition(
  files: SourceFiles,
  client: ClientNames,
  names: readonly string[],
): void {
  const place = definitionPlace(files, client, ...names.slice(0, -1));
  const holder = place && locate(files, place.start, place.steps).spot;
  const property = holder && ownProperty(holder, names.at(-1) ?? "");
  if (holder !== undefined && property !== undefined) removeProperty(files, holder, property);
}

export function removeMember(files: SourceFiles, names: readonly string[], modules: AuthorModules): void {
  const { steps } = findMember(files, names, modules);
  if (steps === undefined) return;
  let index = steps.length - 1;
  while (index > 0 && nodesIn(steps[index]?.holder.node ?? NOTHING, "properties").length === 1) index -= 1;
  const step = steps[index];
  if (step === undefined) return;
  removeProperty(files, step.holder, step.property);
  for (const { constant, holder } of steps.slice(index + 1)) {
    if (constant !== undefined) removeConstant(files, holder.file, constant);
  }
}

const NOTHING = { type: "", start: 0, end: 0 };
