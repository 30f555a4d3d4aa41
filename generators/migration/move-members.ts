/** Moves members of the registration configuration into a connection definition, in the author's code (spec §5.2 rule 5). */
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { standardMembers } from "../../schemas/model/oauth2-members.js";
import { AUTH_TYPE_FACTS, type ClientNames, rootModule } from "../scaffolds/index.js";
import { addProperty, removeUnusedImports, type SourceFiles, usedImports } from "../source-edits/index.js";
import { stringLiteral } from "../typescript/literals.js";
import { replacedProperty } from "./choose-connection.js";
import { definitionPlace, removeFromDefinition } from "./definition-place.js";
import { type AuthorModules, findMember, type NotFound } from "./find-member.js";
import { memberCode } from "./member-code.js";
import { roleOf } from "./member-roles.js";
import { type Member, sameName } from "./registration-members.js";
import { removeMember } from "./remove-member.js";

/** What became of a member. */
export interface Moved {
  readonly member: Member;
  /** The property of the connection that holds it from now on. */
  readonly property: string;
  /** Whether it was declared for it; else the connection had it, or every connection of its auth type has. */
  readonly isDeclared: boolean;
  /** Whether the connection takes its base address from it. */
  readonly isBaseUrl: boolean;
}

export interface Move {
  readonly members: readonly Member[];
  /** The connection; its definition stands in the files, new or not. */
  readonly names: ClientNames;
  readonly modules: AuthorModules;
}

/** Edits `files`; findings say what could not be moved. */
export function moveMembers(
  files: SourceFiles,
  move: Move,
): { readonly moved: readonly Moved[]; readonly diagnostics: readonly Diagnostic[] } {
  const touched = new Set([...move.modules, move.names.definitionFile]);
  const used = new Map([...touched].map((file) => [file, usedImports(files, file)]));
  const moved: Moved[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const member of move.members) {
    const result = moveMember(files, move, { member, moved });
    if ("member" in result) moved.push(result);
    else diagnostics.push(byHand(files, member, move.names, result));
  }
  for (const [file, imports] of used) removeUnusedImports(files, file, imports);
  return { moved, diagnostics };
}

interface OneMove {
  readonly member: Member;
  /** Those that were moved before. */
  readonly moved: readonly Moved[];
}

function moveMember(files: SourceFiles, move: Move, { member, moved }: OneMove): Moved | NotFound {
  const { names, modules } = move;
  const root = rootModule(files);
  if (!member.isPlain) return { reason: "it stands in a list or in a choice of shapes", file: root };
  const found = findMember(files, member.names, modules);
  if (found.steps === undefined) return found;
  const step = found.steps.at(-1);
  if (step === undefined) return { reason: "it is not written as a property", file: root };
  const here = { file: step.holder.file, offset: step.property.start };
  if (moved.some((one) => sameName(one.member.name, member.name)))
    return { ...here, reason: `another "${member.name}" has been moved there` };
  const present = presentProperty(move, member);
  if (present !== undefined) {
    removeMember(files, member.names, modules);
    return { member, property: present, isDeclared: false, isBaseUrl: false };
  }
  const code = memberCode(files, step, member);
  if (code.reason !== undefined) return code;
  if (!declare(files, move, member, code.code))
    return { ...here, reason: `the properties of "${names.className}" are not written as a plain object` };
  const isBaseUrl = !moved.some((one) => one.isBaseUrl) && takesBaseUrl(files, names, member);
  removeMember(files, member.names, modules);
  return { member, property: member.name, isDeclared: true, isBaseUrl };
}

/** The property of the connection that says the same; members of OAuth2 are known by other names, too. */
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

/** Declares the property; the usual one of a new definition makes way for it. */
function declare(
  files: SourceFiles,
  { members, names }: Move,
  member: Member,
  code: Parameters<typeof addProperty>[3],
): boolean {
  const usual = replacedProperty(members, member, names);
  if (usual !== undefined) removeFromDefinition(files, names, ["properties", usual]);
  const place = definitionPlace(files, names, "properties");
  return place !== undefined && addProperty(files, place, member.name, code).problem === undefined;
}

/** Lets a connection that has no base address of its own take it from the member. */
function takesBaseUrl(files: SourceFiles, names: ClientNames, member: Member): boolean {
  const hasOwn = names.definition !== undefined && names.definition.baseUrl.kind !== "none";
  if (hasOwn || roleOf(member) !== "baseUrl") return false;
  if (names.definition === undefined) removeFromDefinition(files, names, ["baseUrl"]);
  const place = definitionPlace(files, names);
  const code = () => `{ property: ${stringLiteral(member.name)} }`;
  return (
    place !== undefined && addProperty(files, place, "baseUrl", { imports: [], code }).problem === undefined
  );
}

function byHand(files: SourceFiles, { what }: Member, names: ClientNames, lost: NotFound): Diagnostic {
  const { file, offset, reason } = lost;
  const line =
    offset === undefined ? undefined : (files.text(file) ?? "").slice(0, offset).split("\n").length;
  const place = { file, ...(line !== undefined && { line }) };
  return diagnostic("migration-by-hand", place, { what, reason, connection: names.className });
}
