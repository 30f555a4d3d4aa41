/** Declared readers: what was declared is checked once, and read by the one interpreter. */
import { deepFreeze } from "../../schemas/json.js";
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
  ItemOf,
  ReaderDeclaration,
  Since,
} from "./declaration.js";
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
  const read = (context: DeclaredContext) => readList(type.type.name, declared, context);
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

const KINDS = ["one", "page", "offset", "cursor", "link", "linkHeader"];
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

function checkFull({ full, since, deletedWhen, deleted }: AnyReaderDeclaration, refuse: Refuse): void {
  if (full === undefined) return;
  if (typeof full.every !== "string" || durationMs(full.every) === undefined)
    refuse("full.every", 'is an ISO 8601 duration, such as "P7D" or "PT12H"');
  if (since === undefined && deletedWhen === undefined && deleted === undefined)
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
  checkSince(declaration, refuse);
}

function checkSince({ since }: AnyListDeclaration, refuse: Refuse): void {
  if (since === undefined || "mark" in since) return;
  const { format, overlap } = since;
  if (format !== undefined && !TIME_FORMATS.includes(format))
    refuse("since.format", `is one of ${TIME_FORMATS.join(", ")}`);
  if (overlap !== undefined && durationMs(overlap) === undefined)
    refuse("since.overlap", 'is an ISO 8601 duration, such as "PT1M" or "P1D"');
}
