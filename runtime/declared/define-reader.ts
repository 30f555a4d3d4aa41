/** Declared readers: what was declared is checked once, and read by the one interpreter. */

import { deepFreeze } from "../../schemas/json.js";
import { variablesIn } from "../../schemas/naming/path-variables.js";
import { durationMs } from "../duration.js";
import { checkPath, type Refuse } from "./calls.js";
import { noteDeclaration } from "./collected.js";
import type {
  AnyListDeclaration,
  AnyReaderDeclaration,
  DataObjectClass,
  DeclaredContext,
  DeclaredReader,
  DeletedWhen,
  ExportCall,
  ExportPages,
  ItemOf,
  ReaderDeclaration,
  Since,
} from "./declaration.js";
import { FILE_FORMATS } from "./downloaded-items.js";
import { isIncremental, readList, resumePointAt } from "./read-list.js";
import { TIME_FORMATS } from "./times.js";

/**
 * Declares how a data object is listed: a reader without code, which stands wherever a reader in code stands. With `since`,
 * `deletedWhen` or `deleted` it is an incremental reader, else a full one.
 * @param type The generated class of the data object.
 * @throws TypeError, which names the member, for a declaration that can't be read.
 * @example
 * export const projectReader = defineReader(Project, {
 *   list: "GET /workspaces/{workspaceId}/projects",
 *   path: { workspaceId: setting("WorkspaceId") },
 *   answer: answer<{ data: ProjectJson[]; paging?: { next?: string } }>(),
 *   items: "data",
 *   pages: { kind: "cursor", send: "after", next: "paging.next", size: { send: "limit", value: 100 } },
 * });
 */
export function defineReader<
  const List extends string,
  Json,
  Answer,
  Item = Json,
  const Time extends Since<Json, Answer> | undefined = undefined,
  const Deleted extends DeletedWhen | undefined = undefined,
  const DeletedList extends string = never,
  DeletedAnswer = unknown,
  DeletedItem = Partial<Json>,
>(
  type: DataObjectClass<Json>,
  declaration: ReaderDeclaration<
    List,
    Json,
    Answer,
    Item,
    Time,
    Deleted,
    DeletedList,
    DeletedAnswer,
    DeletedItem
  >,
): DeclaredReader<ItemOf<Json, Time, Deleted, DeletedList>> {
  const declared = deepFreeze(declaration) as unknown as AnyReaderDeclaration;
  checkDeclaration(type.type.name, declared);
  const read = (context: DeclaredContext) => readList(type.type, declared, context);
  const tools = {
    declaration: declared,
    full: declared.full,
    record: type.type,
    resumePointAt: (page: number) => resumePointAt(type.type.name, declared, page),
  };
  const reader = Object.freeze(Object.assign(read, tools)) as DeclaredReader<
    ItemOf<Json, Time, Deleted, DeletedList>
  >;
  noteDeclaration({
    kind: "reader",
    declared: reader,
    name: type.type.name,
    isIncremental: isIncremental(declared),
  });
  return reader;
}

const KINDS = ["one", "page", "offset", "cursor", "link", "linkHeader", "export"];
const LIST = /^(GET|POST) (\S.*)$/;

/** The compiler says most of it, but not every project is compiled. */
function checkDeclaration(name: string, declaration: AnyReaderDeclaration): void {
  const { deleted } = declaration;
  const refuse: Refuse = (member, expected) => {
    throw new TypeError(`The reader of ${name} can't be declared so: ${member} ${expected}.`);
  };
  checkList(declaration, refuse);
  checkFull(declaration, refuse);
  if (deleted !== undefined) checkList(deleted, (member, expected) => refuse(`deleted.${member}`, expected));
}

function checkFull(declaration: AnyReaderDeclaration, refuse: Refuse): void {
  const { full } = declaration;
  if (full === undefined) return;
  if (typeof full.every !== "string" || durationMs(full.every) === undefined)
    refuse("full.every", 'is an ISO 8601 duration, such as "P7D" or "PT12H"');
  if (!isIncremental(declaration))
    refuse("full", "is for incremental readers: this one reads everything at each run. Leave it out");
}

function checkList(declaration: AnyListDeclaration, refuse: Refuse): void {
  const { list, pages, items, body } = declaration;
  const [, method] = LIST.exec(String(list)) ?? [];
  if (method === undefined) refuse("list", 'is a method and a path, such as "GET /projects"');
  if (method === "GET" && body !== undefined) refuse("body", 'needs a list by POST: "POST /search"');
  checkPath(list, declaration.path, { refuse });
  if (typeof items !== "string" || items === "")
    refuse("items", 'is a way to the list, such as "data", or "$"');
  if (!KINDS.includes(pages?.kind)) refuse("pages.kind", `is one of ${KINDS.join(", ")}`);
  if (pages.kind === "export") checkExport(pages, refuse);
  checkSince(declaration, refuse);
}

/** Members are named as `exportJob` has them. */
function checkExport({ handle, poll, download }: ExportPages, refuse: Refuse): void {
  const within =
    (owner: string): Refuse =>
    (member, expected) =>
      refuse(`${owner}.${member}`, expected);
  if (typeof (typeof handle === "object" ? handle?.header : handle) !== "string")
    refuse("start.handle", 'is a way to what the job is asked by, such as "id", or { header: "Location" }');
  checkJobCall(poll, within("poll"));
  if (poll.state !== undefined && poll.ready === undefined)
    refuse("poll.ready", "is what poll.state leads to when the file is ready");
  for (const member of ["every", "longest"] as const)
    if (poll[member] !== undefined && durationMs(poll[member]) === undefined)
      refuse(`poll.${member}`, 'is an ISO 8601 duration, such as "PT10S" or "PT2H"');
  if (!FILE_FORMATS.includes(download?.format))
    refuse("download.format", `is one of ${FILE_FORMATS.join(", ")}`);
  if (download.format === "json" && typeof download.items !== "string")
    refuse("download.items", 'is a way to the list in the file, such as "data", or "$"');
  if (download.address === undefined) checkJobCall(download, within("download"));
}

function checkJobCall({ call, path = {} }: Partial<ExportCall>, refuse: Refuse): void {
  if (!LIST.test(String(call))) refuse("call", 'is a method and a path, such as "GET /exports/{handle}"');
  const hasHandle = variablesIn(String(call)).includes("handle");
  checkPath(String(call), hasHandle ? { ...path, handle: "" } : path, { refuse });
}

function checkSince({ since }: AnyListDeclaration, refuse: Refuse): void {
  if (since === undefined || "mark" in since) return;
  const { format, overlap } = since;
  if (format !== undefined && !TIME_FORMATS.includes(format))
    refuse("since.format", `is one of ${TIME_FORMATS.join(", ")}`);
  if (overlap !== undefined && durationMs(overlap) === undefined)
    refuse("since.overlap", 'is an ISO 8601 duration, such as "PT1M" or "P1D"');
}
