/** The one interpreter of declared readers: asks for pages, ends where a list ends, and goes on where it was interrupted. */
import { createHash } from "node:crypto";
import { setImmediate as eventLoopTurn } from "node:timers/promises";
import { type ApiResponse, resultOrThrow } from "../client/api-response.js";
import { ResponseError } from "../client/errors.js";
import type { HttpClient } from "../client/http-client.js";
import { countPages, createRepeatCheck, kindOf, nextLink } from "../client/pages.js";
import { ended, sentenceOfSuccess } from "../client/target-words.js";
import { durationMs } from "../duration.js";
import { isOneAtATime } from "../one-at-a-time.js";
import { noteReadByPosition } from "../read-by-position.js";
import type { RecordType } from "../records/record-type.js";
import { serializedMembers } from "../records/serialized-form.js";
import type { RecordChange } from "../registration/contracts.js";
import type { ResponseHeaders } from "../registration/http-messages.js";
import { safeGet } from "../untrusted.js";
import {
  addSent,
  type DeclaredCall,
  type DeclaredRequest,
  declaredRequest,
  httpOf,
  isParentSource,
  isSettingSource,
  refusalIn,
  type SourceValue,
  sendRequest,
  settingValue,
} from "./calls.js";
import type {
  AnyListDeclaration,
  AnyReaderDeclaration,
  CursorPages,
  DeclaredContext,
  DeclaredReader,
  DeletedWhen,
  LinkedPages,
  NumberedPages,
  OffsetPages,
  PageSize,
  Pages,
  ParentReader,
  ParentSource,
} from "./declaration.js";
import { listContexts, oneListContext } from "./deleted-list.js";
import { type ExportRun, exportedPages } from "./export-job.js";
import { askPatiently, errorWithSuccess } from "./graphql.js";
import { type TimeFormat, timeMs, timeText } from "./times.js";
import { checkIsWhole, MorePagesError } from "./trip-wires.js";
import { isScalar, type Scalar, valueAt } from "./ways.js";

const OVERLAP = "PT1M";
const CONCURRENCY = 4;

/** What a list is of. */
interface ListedObject {
  /** Name of the data object, for messages. */
  readonly name: string;
  readonly type: RecordType;
}

/** A run of a declared reader. */
interface ListRun extends ListedObject {
  readonly declaration: AnyListDeclaration;
  readonly context: DeclaredContext;
  readonly http: HttpClient;
  /** Lets calls through, those of parents too; the others wait. */
  readonly gate: Gate;
  /** The most records that a page had. Shorter ones are not full. */
  fullPage: number;
}

/** Reads what is declared; with `since`, `deletedWhen` or `deleted` it yields changes, else records. */
export function readList(
  type: RecordType,
  declaration: AnyReaderDeclaration,
  context: DeclaredContext,
): AsyncGenerator<unknown> {
  const { deletedWhen, deleted } = declaration;
  const object = { name: type.name, type };
  if (deleted !== undefined) return changesOfTwo(object, { ...declaration, deleted }, context);
  const own = oneListContext(context);
  if (!isIncremental(declaration)) return yieldsOf(object, declaration, own, (_, record) => record);
  return yieldsOf(object, declaration, own, (item, record) => toChange(item, record, deletedWhen));
}

/** Whether a declaration gives what has changed, and not every record. */
export function isIncremental({ since, deletedWhen, deleted }: AnyReaderDeclaration): boolean {
  return since !== undefined || deletedWhen !== undefined || deleted !== undefined;
}

/** What the list of what is there says, then what the list of what was deleted says: it has the last word. */
async function* changesOfTwo(
  object: ListedObject,
  declaration: AnyReaderDeclaration & { readonly deleted: AnyListDeclaration },
  context: DeclaredContext,
): AsyncGenerator<unknown> {
  const { deletedWhen, deleted } = declaration;
  const contexts = listContexts(context);
  yield* yieldsOf(object, declaration, contexts.list, (item, record) => toChange(item, record, deletedWhen));
  const gone = { ...object, name: `deleted ${object.name}` };
  yield* yieldsOf(gone, deleted, contexts.deleted, (_, record) => ({ operation: "delete", record }));
}

/** What is yielded for each record of a list. */
async function* yieldsOf(
  object: ListedObject,
  declaration: AnyListDeclaration,
  context: DeclaredContext,
  yieldOf: (item: unknown, record: unknown) => unknown,
): AsyncGenerator<unknown> {
  const { concurrency = CONCURRENCY } = declaration;
  const http = httpOf(`reader of ${object.name}`, context.client);
  const run: ListRun = { ...object, declaration, context, http, gate: createGate(concurrency), fullPage: 0 };
  const checkpoint = checkpointKeeper(run);
  for await (const { page, resumePoint } of pagesOfAll(run)) {
    if (page !== undefined) checkpoint.meet(page);
    for (const item of page?.items ?? []) {
      checkpoint.look(item);
      const record = recordOf(declaration, item);
      if (record !== undefined) yield yieldOf(item, record);
    }
    if (resumePoint !== undefined) context.saveResumePoint(resumePoint);
  }
  checkpoint.save();
}

function recordOf({ each }: AnyListDeclaration, item: unknown): unknown {
  return each === undefined ? item : each(item as never);
}

function toChange(
  item: unknown,
  record: unknown,
  deletedWhen: DeletedWhen | undefined,
): RecordChange<unknown> {
  return { operation: isDeleted(item, deletedWhen) ? "delete" : "upsert", record };
}

function isDeleted(item: unknown, deletedWhen: DeletedWhen | undefined): boolean {
  if (deletedWhen === undefined) return false;
  const value = valueAt(item, deletedWhen.property);
  if (deletedWhen.is !== undefined) return value === deletedWhen.is;
  return value !== undefined && value !== null && value !== false && value !== "";
}

/** Notes from what the next run asks. This machine's clock has no part in it. */
interface CheckpointKeeper {
  /** Looks at a page before its items. */
  meet(page: Page): void;
  look(item: unknown): void;
  /** Called when everything was read. */
  save(): void;
}

function checkpointKeeper(run: ListRun): CheckpointKeeper {
  const { since } = run.declaration;
  if (since === undefined) return NO_CHECKPOINT;
  if ("mark" in since) return firstAnswerKeeper(run, ({ body }) => markIn(run, since.mark, body));
  const { property, overlap = OVERLAP } = since;
  const overlapMs = durationMs(overlap) ?? 0;
  if (property === undefined)
    return firstAnswerKeeper(run, ({ headers }) =>
      new Date(answerTime(run, headers) - overlapMs).toISOString(),
    );
  return latestChangeKeeper(run, { property, overlapMs, format: since.format ?? "iso" });
}

const NO_CHECKPOINT: CheckpointKeeper = { meet: () => {}, look: () => {}, save: () => {} };

/**
 * Keeps what the first answer says. A run that goes on has it from where it began: what an answer of today says would lose
 * what has changed since.
 */
function firstAnswerKeeper({ context }: ListRun, checkpointOf: (page: Page) => string): CheckpointKeeper {
  let isFirst = context.resumePoint === null;
  return {
    ...NO_CHECKPOINT,
    meet: (page) => {
      if (isFirst) context.saveCheckpoint(checkpointOf(page));
      isFirst = false;
    },
  };
}

function markIn({ name }: ListRun, way: string, body: unknown): string {
  const mark = valueAt(body, way);
  if (isScalar(mark) && mark !== "") return String(mark);
  throw new TypeError(
    `The reader of ${name}: since.mark "${way}" leads to ${kindOf(mark)}, and to nothing to ask by.`,
  );
}

function answerTime({ name }: ListRun, headers: ResponseHeaders): number {
  const ms = timeMs(headers["date"], "httpDate");
  if (ms !== undefined) return ms;
  throw new TypeError(
    `The reader of ${name}: the answer has no header Date, so since.property has to name the property that says when a record was changed.`,
  );
}

/** Keeps the latest change that was met, less the overlap, and never goes back. */
function latestChangeKeeper(
  { name, context }: ListRun,
  {
    property,
    overlapMs,
    format,
  }: { readonly property: string; readonly overlapMs: number; readonly format: TimeFormat },
): CheckpointKeeper {
  let latestMs: number | undefined;
  return {
    ...NO_CHECKPOINT,
    look: (item) => {
      const value = valueAt(item, property);
      const ms = timeMs(value, format);
      if (ms === undefined && value !== undefined && value !== null)
        throw new TypeError(
          `The reader of ${name}: since.property "${property}" holds ${kindOf(value)}, which is no time.`,
        );
      if (ms !== undefined && ms > (latestMs ?? Number.NEGATIVE_INFINITY)) latestMs = ms;
    },
    save: () => {
      if (latestMs === undefined) return;
      const next = latestMs - overlapMs;
      const before = context.checkpoint === null ? undefined : timeMs(context.checkpoint, "iso");
      context.saveCheckpoint(new Date(Math.max(next, before ?? next)).toISOString());
    },
  };
}

/** A page, and the resume point that holds once its items were yielded. */
interface ReadPage {
  /** Undefined at the end of a parent's list. */
  readonly page: Page | undefined;
  readonly resumePoint: string | undefined;
}

/** The pages of the list; of a list of each parent, one parent after the other. */
async function* pagesOfAll(run: ListRun): AsyncGenerator<ReadPage> {
  const { declaration, context } = run;
  const parents = parentsOf(declaration);
  const resumed = resumeStateOf(context.resumePoint);
  // What slipped past the part of the run that was interrupted is looked for again too.
  if (resumed !== undefined && isByPosition(declaration.pages)) noteReadByPosition();
  if (parents.length === 0) {
    const list = readAhead(run, pagesOf(run, new Map(), resumed));
    for await (const page of list) {
      const isResumable = page.next !== undefined && isStable(declaration.pages);
      const { next, counted } = page;
      yield { page, resumePoint: isResumable ? JSON.stringify({ next, counted }) : undefined };
    }
    return;
  }
  const lists = startedLists(run, parents, resumed);
  for await (const { pages, parentCount, digest, digestBefore } of lists) {
    for await (const page of pages) {
      // Within a list whose pages shift, only whole lists count.
      const isResumable = page.next !== undefined && isStable(declaration.pages);
      const { next, counted } = page;
      const state = { parents: parentCount - 1, digest: digestBefore, next, nextDigest: digest, counted };
      yield { page, resumePoint: isResumable ? JSON.stringify(state) : undefined };
    }
    yield { page: undefined, resumePoint: JSON.stringify({ parents: parentCount, digest }) };
  }
}

/** Records that are inserted or deleted under way move others to another page of a list by numbers or offsets. */
function isStable({ kind }: Pages<unknown>): boolean {
  return kind === "cursor" || kind === "link" || kind === "linkHeader" || kind === "export";
}

function isByPosition({ kind }: Pages<unknown>): boolean {
  return kind === "page" || kind === "offset";
}

/** Where a run goes on. */
interface ResumeState {
  /** Parents whose lists were read to their end. */
  readonly parents?: number;
  /** Of the values of these parents. If they are others now, the run starts over. */
  readonly digest?: string;
  /** The page of the next list. */
  readonly next?: string;
  /** Of these parents and that of the next list. Another one has its list read from the beginning. */
  readonly nextDigest?: string;
  /** The records of this list before that page. */
  readonly counted?: Counted;
}

/** What is known of the length of a list. */
interface Counted {
  /** Records from the beginning. */
  readonly count: number;
  /** How many the whole list has, as far as it was told. */
  readonly total?: number | undefined;
}

/**
 * What a run goes on from to begin with this page of the list, from 1; of lists of parents, of the first one. Undefined
 * if only the page before it tells where it is.
 * @throws TypeError if the declaration lacks what it takes.
 */
export function resumePointAt(
  name: string,
  { pages }: AnyReaderDeclaration,
  page: number,
): string | undefined {
  const next = positionOf(name, pages, page);
  return next === undefined ? undefined : JSON.stringify({ parents: 0, digest: "", next });
}

function positionOf(name: string, pages: Pages<unknown>, page: number): string | undefined {
  if (pages.kind === "page") return String((pages.first ?? 1) + page - 1);
  if (pages.kind !== "offset") return undefined;
  if (pages.size !== undefined) return String((page - 1) * pages.size.value);
  throw new TypeError(
    `The reader of ${name}: pages.size has to say how many records a page has; else nobody knows where page ${page} begins.`,
  );
}

function resumeStateOf(resumePoint: string | null): ResumeState | undefined {
  if (resumePoint === null) return undefined;
  try {
    return JSON.parse(resumePoint) as ResumeState;
  } catch {
    return undefined;
  }
}

/** A list of one parent that has been asked for. */
interface StartedList {
  readonly pages: AsyncGenerator<Page>;
  /** Parents up to and with this one. */
  readonly parentCount: number;
  readonly digest: string;
  readonly digestBefore: string;
}

/** The lists of all parents in their order; some more than the one that is being read have been asked for. */
async function* startedLists(
  run: ListRun,
  parents: readonly ParentReader[],
  resumed: ResumeState | undefined,
): AsyncGenerator<StartedList> {
  const concurrency = isOneAtATime(run.context) ? 1 : (run.declaration.concurrency ?? CONCURRENCY);
  const goesOn = await isSameSoFar(run, parents, resumed);
  const started: StartedList[] = [];
  let parentCount = 0;
  let digest = "";
  for await (const bindings of bindingsOf(run, parents)) {
    const digestBefore = digest;
    digest = digestOf(run, bindings, digest);
    parentCount++;
    const readBefore = goesOn ? (resumed?.parents ?? 0) : 0;
    if (parentCount <= readBefore) continue;
    const { nextDigest = digest } = resumed ?? {};
    const first = goesOn && parentCount === readBefore + 1 && nextDigest === digest ? resumed : undefined;
    started.push({
      pages: readAhead(run, pagesOf(run, bindings, first)),
      ...{ parentCount, digest, digestBefore },
    });
    const [next] = started;
    if (next === undefined || started.length < concurrency) continue;
    yield next;
    started.shift();
  }
  yield* started;
}

/** Whether the parents whose lists were read are the first ones again, in the same order. */
async function isSameSoFar(
  run: ListRun,
  parents: readonly ParentReader[],
  resumed: ResumeState | undefined,
): Promise<boolean> {
  if (resumed === undefined) return false;
  const { parents: readBefore = 0, digest: wanted = "" } = resumed;
  let [count, digest] = [0, ""];
  for await (const bindings of bindingsOf(run, parents)) {
    if (count === readBefore) break;
    digest = digestOf(run, bindings, digest);
    count++;
  }
  return count === readBefore && digest === wanted;
}

/** Values of the parents for one list: serialized records by their reader. */
type Bindings = ReadonlyMap<ParentReader, unknown>;

/** Of what the list is asked by, and of all lists before. */
function digestOf({ declaration }: ListRun, bindings: Bindings, before: string): string {
  const values = sourcesIn(declaration).map(({ reader, way }) => valueAt(bindings.get(reader), way));
  return createHash("sha256").update(before).update(JSON.stringify(values)).digest("base64url");
}

/** The readers that lists are asked for by; those that others of them read by themselves are left out. */
function parentsOf(declaration: AnyListDeclaration): readonly ParentReader[] {
  const readers = new Set(sourcesIn(declaration).map(({ reader }) => reader));
  const inherited = new Set([...readers].flatMap((reader) => [...ancestorsOf(reader)]));
  return [...readers].filter((reader) => !inherited.has(reader));
}

function ancestorsOf(reader: ParentReader): ReadonlySet<ParentReader> {
  if (!isDeclared(reader)) return new Set();
  const parents = sourcesIn(reader.declaration).map((source) => source.reader);
  return new Set(parents.flatMap((parent) => [parent, ...ancestorsOf(parent)]));
}

function isDeclared(reader: ParentReader): reader is DeclaredReader<unknown> {
  return "declaration" in reader;
}

/** Every parent that a declaration takes a value of. */
function sourcesIn({ path, query, headers, body, pages }: AnyListDeclaration): readonly ParentSource[] {
  const found: ParentSource[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if (isParentSource(value)) found.push(value);
    else for (const member of Object.values(value)) look(member);
  };
  for (const place of [path, query, headers, body, pages]) look(place);
  return found;
}

/** Every combination of the parents' records. */
async function* bindingsOf(run: ListRun, parents: readonly ParentReader[]): AsyncGenerator<Bindings> {
  const [first, ...others] = parents;
  if (first === undefined) {
    yield new Map();
    return;
  }
  // Only the first parent may be long: the others are kept, so that they are read once.
  const rest: Bindings[] = [];
  for await (const bindings of bindingsOf(run, others)) rest.push(bindings);
  for await (const own of recordsOf(run, first)) {
    for (const other of rest) yield new Map([...own, ...other]);
  }
}

/** The records of a parent, each with those of its own parents. */
function recordsOf(run: ListRun, reader: ParentReader): AsyncGenerator<Bindings> {
  const context: DeclaredContext = {
    ...run.context,
    ...{ checkpoint: null, resumePoint: null, saveCheckpoint: () => {}, saveResumePoint: () => {} },
  };
  if (isDeclared(reader))
    return declaredRecords(
      { ...run, type: reader.record, declaration: reader.declaration, context, fullPage: 0 },
      reader,
    );
  return recordsInCode(reader, context);
}

async function* recordsInCode(reader: ParentReader, context: DeclaredContext): AsyncGenerator<Bindings> {
  for await (const item of reader(context as never)) {
    const record = existingRecord(item);
    if (record !== undefined) yield new Map([[reader, serializedMembers(record)]]);
  }
}

async function* declaredRecords(run: ListRun, reader: DeclaredReader<unknown>): AsyncGenerator<Bindings> {
  const { deletedWhen } = reader.declaration;
  for await (const bindings of bindingsOf(run, parentsOf(run.declaration))) {
    for await (const { items } of readAhead(run, pagesOf(run, bindings, undefined))) {
      const existing = items.filter((item) => !isDeleted(item, deletedWhen));
      for (const record of existing.map((item) => recordOf(run.declaration, item))) {
        if (record !== undefined) yield new Map([...bindings, [reader, record]]);
      }
    }
  }
}

/** The record that a reader in code yielded; undefined if it was deleted. */
function existingRecord(item: unknown): unknown {
  const operation = safeGet(item, "operation");
  if (operation !== "upsert" && operation !== "delete") return item;
  return operation === "delete" ? undefined : safeGet(item, "record");
}

/** One page of a list. */
interface Page {
  readonly items: readonly unknown[];
  readonly body: unknown;
  readonly headers: ResponseHeaders;
  /** What the next page is asked for by; undefined behind the last one. */
  readonly next: string | undefined;
  /** The records of the list up to the end of this page; undefined if nobody has counted them from the beginning. */
  readonly counted: Counted | undefined;
}

/** An answer, with what it was asked by. */
interface Answer {
  readonly body: unknown;
  readonly headers: ResponseHeaders;
  readonly address: string;
  readonly items: readonly unknown[];
  readonly state: string | undefined;
}

/** An answer, and what is known of its list with it. */
interface Reached {
  readonly answer: Answer;
  readonly counted: Counted | undefined;
}

/** The pages of one list, from the beginning or from where it was interrupted. No list goes on where another has ended. */
function pagesOf(
  run: ListRun,
  bindings: Bindings,
  resumed: Pick<ResumeState, "next" | "counted"> | undefined,
): AsyncGenerator<Page> {
  const { pages } = run.declaration;
  if (pages.kind === "export") return pagesOfFile({ ...run, pages }, bindings, resumed?.next);
  return askedPages(run, bindings, resumed);
}

/** Pages of which each is asked for. */
async function* askedPages(
  run: ListRun,
  bindings: Bindings,
  resumed: Pick<ResumeState, "next" | "counted"> | undefined,
): AsyncGenerator<Page> {
  const { pages } = run.declaration;
  const checkRepeated = createRepeatCheck();
  const answers = answersOf(run, bindings);
  let state = resumed?.next ?? firstState(pages);
  let counted = resumed?.next === undefined ? { count: 0 } : resumed.counted;
  let lastBefore: Answer | undefined;
  for (const _ of countPages()) {
    if (isBehindOthers(pages, state)) noteReadByPosition();
    const answer = await pageBehind(lastBefore, answers.at(state));
    if (answer === undefined) return checkTotal(run, counted);
    const { items, body, headers } = answer;
    run.fullPage = Math.max(run.fullPage, items.length);
    counted = countedWith(counted, pages, answer);
    const next = nextState(run, { answer, counted });
    // A page that comes again is told by its items; a cursor tells itself.
    if (items.length > 0 && !isStable(pages)) checkRepeated(items);
    if (next !== undefined && isStable(pages)) checkRepeated(next);
    yield { items, body, headers, next, counted };
    if (next === undefined) return checkTotal(run, counted);
    answers.askAhead(answer, next);
    lastBefore = isLastByNumber(run, { answer, counted }) ? answer : undefined;
    state = next;
  }
}

/** The pages of a list that is exported as a file. */
async function* pagesOfFile(
  run: ListRun & Pick<ExportRun, "pages">,
  bindings: Bindings,
  resumed: string | undefined,
): AsyncGenerator<Page> {
  const { name, type, pages, http, declaration } = run;
  const subject = `The export of ${name}`;
  const { signal } = run.context;
  const send = async (request: DeclaredRequest, isIdempotent?: boolean) => {
    const response = await run.gate(() => sendRequest(http, request, { signal, isIdempotent }));
    throwIfRefused(subject, response, declaration);
    return response;
  };
  const exported = exportedPages(
    {
      ...{ name, type, pages, http, signal },
      // To start a job twice costs more than a run that fails.
      start: async () => {
        const response = await send(requestOf(run, bindings, undefined));
        return declaration.absent?.includes(response.statusCode) === true ? undefined : response;
      },
      requestOf: (call, handle) =>
        requestWithHandle({ ...call, subject }, handle, (value) => sourceValue(run, bindings, value)),
      send: (request) => send(request, true),
    },
    resumed,
  );
  for await (const page of exported) {
    checkHoldsRecords(run, page.items);
    yield { ...page, counted: undefined };
  }
}

/** A call of an export. A path that is the handle alone is an address. */
function requestWithHandle(call: DeclaredCall, handle: string, sourceValue: SourceValue): DeclaredRequest {
  const request = declaredRequest({ ...call, path: { ...call.path, handle } }, sourceValue);
  return /^\S+ \{handle\}$/.test(call.call) ? { ...request, path: handle } : request;
}

/** Whether the place of a page depends on how many records come before it. */
function isBehindOthers(pages: Pages<unknown>, state: string | undefined): boolean {
  return isByPosition(pages) && state !== firstState(pages);
}

/** Statuses with which target systems refuse a page that they do not have. */
const NO_SUCH_PAGE = [400, 404, 416, 422];

/**
 * The answer that was asked for. Behind one that says that it is the last one it is undefined if there is no such page: it
 * is refused, or the one before comes again.
 */
async function pageBehind(
  lastBefore: Answer | undefined,
  asked: Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  if (lastBefore === undefined) return asked;
  try {
    const answer = await asked;
    const isSame = JSON.stringify(answer?.items) === JSON.stringify(lastBefore.items);
    return isSame ? undefined : answer;
  } catch (error) {
    if (error instanceof ResponseError && NO_SUCH_PAGE.includes(error.statusCode)) return undefined;
    throw error;
  }
}

/** The answers of one list. Where the numbers of its pages can be told from the first one, several are asked for at once. */
interface Answers {
  /** Undefined if the target system has nothing to list. */
  at(state: string | undefined): Promise<Answer | undefined>;
  /** Asks for `next` and for what is likely to come behind it. It changes nothing of what is read, nor in which order. */
  askAhead(answer: Answer, next: string): void;
}

function answersOf(run: ListRun, bindings: Bindings): Answers {
  const { pages, concurrency = CONCURRENCY } = run.declaration;
  const asked = new Map<string, Promise<Answer | undefined>>();
  let size = 0;
  let isRegular = true;
  const call = (state: string | undefined) => run.gate(() => ask(run, bindings, state));
  return {
    at: (state) => {
      const answer = asked.get(state ?? "");
      asked.delete(state ?? "");
      return answer ?? call(state);
    },
    askAhead: (answer, next) => {
      if (isOneAtATime(run.context)) return;
      size = Math.max(size, answer.items.length);
      // Pages of different sizes: what was asked for begins elsewhere.
      if (asked.size > 0 && !asked.has(next)) isRegular = false;
      if (!isRegular) return asked.clear();
      for (const state of likelyStates(pages, { answer, next, size })) {
        if (asked.size >= concurrency) return;
        if (!asked.has(state)) asked.set(state, unheeded(call(state)));
      }
    },
  };
}

/** The states from `next` on, as far as the answer says how long the list is. */
function* likelyStates(
  pages: Pages<unknown>,
  { answer, next, size }: { readonly answer: Answer; readonly next: string; readonly size: number },
): Generator<string> {
  if (!isByPosition(pages)) return;
  const total = totalIn(pages, answer) ?? 0;
  const first = Number(firstState(pages));
  const step = pages.kind === "offset" ? size : 1;
  const lastOfTotal = pages.kind === "offset" ? total - 1 : first + Math.ceil(total / size) - 1;
  const last = Math.max(lastOfTotal, lastIn(pages, answer) ?? 0);
  if (step > 0) for (let state = Number(next); state <= last; state += step) yield String(state);
}

/** What is known of the length of a list with one more answer. */
function countedWith(
  counted: Counted | undefined,
  pages: Pages<unknown>,
  answer: Answer,
): Counted | undefined {
  if (counted === undefined) return undefined;
  const { count, total: before } = counted;
  const told = totalIn(pages, answer);
  // What is inserted where a cursor has passed raises the total, and is not missing. A list by position ends by its latest.
  const total = told === undefined || before === undefined ? (told ?? before) : Math.min(told, before);
  return { count: count + answer.items.length, total: isStable(pages) ? total : (told ?? before) };
}

/** @throws MorePagesError if a total that is declared says that there are more. */
function checkTotal({ name }: ListRun, counted: Counted | undefined): void {
  if (counted?.total === undefined || counted.total <= counted.count) return;
  throw new MorePagesError(
    `The list of ${name} ended after ${counted.count} records, but its answer says ${counted.total} (pages.total). Nothing was deleted.`,
  );
}

/** The total that an answer tells; undefined if it tells none. */
function totalIn(
  pages: Pages<unknown>,
  { body, headers }: Pick<Answer, "body" | "headers">,
): number | undefined {
  if (!("total" in pages) || pages.total === undefined) return undefined;
  const { total } = pages;
  const told = typeof total === "string" ? valueAt(body, total) : headers[total.header.toLowerCase()];
  if (typeof told === "number") return told;
  return typeof told === "string" && /^\d+$/.test(told) ? Number(told) : undefined;
}

function firstState(pages: Pages<unknown>): string | undefined {
  if (pages.kind === "page") return String(pages.first ?? 1);
  return pages.kind === "offset" ? "0" : undefined;
}

/** What the page behind `answer` is asked for by; undefined if there is none. */
function nextState(run: ListRun, reached: Reached): string | undefined {
  const { answer } = reached;
  const { pages } = run.declaration;
  switch (pages.kind) {
    case "one":
      checkIsWhole({ ...answer, ignored: pages.ignore ?? [] });
      return undefined;
    case "page":
      return nextPage(run, pages, reached);
    case "offset":
      return nextOffset(run, pages, reached);
    case "cursor":
      return nextCursor(run, pages, answer);
    case "link":
      return linkIn(run, pages, answer);
    case "linkHeader":
      return nextLink(answer.headers["link"], answer.address);
    case "export":
      // Its pages are parts of one file.
      return undefined;
    default:
      return pages satisfies never;
  }
}

function nextPage(run: ListRun, { last }: NumberedPages<unknown>, reached: Reached): string | undefined {
  const { answer } = reached;
  const said = last === undefined ? undefined : valueAt(answer.body, last);
  if (said === true || isLastFor(run, reached)) return undefined;
  // A target that says which page is the last one may have empty ones before it.
  const goesOn = said === false || (typeof said === "number" && Number(answer.state) < said);
  return answer.items.length > 0 || goesOn ? String(Number(answer.state) + 1) : undefined;
}

function nextOffset(run: ListRun, { more }: OffsetPages<unknown>, reached: Reached): string | undefined {
  const { answer } = reached;
  const hasMore = more === undefined ? undefined : valueAt(answer.body, more);
  if (hasMore === false || isLastFor(run, reached)) return undefined;
  if (answer.items.length > 0) return String(offsetBehind(answer));
  if (hasMore !== true) return undefined;
  throw new MorePagesError(
    `The list of ${run.name} has an empty page behind ${answer.state} records, but its answer says that there are more (pages.more). Nothing was deleted.`,
  );
}

function offsetBehind({ state, items }: Answer): number {
  return Number(state) + items.length;
}

/**
 * Whether the list ends here by the number that its answer gives. Where that number is cut off, it ends with a full page:
 * behind one of those an empty page has to say so too.
 */
function isLastFor(run: ListRun, reached: Reached): boolean {
  return reached.answer.items.length < run.fullPage && isLastByNumber(run, reached);
}

/** Whether the answer gives the number of the last page, and it is this one, or a total that was read. */
function isLastByNumber({ declaration: { pages } }: ListRun, { answer, counted }: Reached): boolean {
  if (!isByPosition(pages)) return false;
  const count = pages.kind === "offset" ? offsetBehind(answer) : counted?.count;
  if (count !== undefined && totalIn(pages, answer) === count) return true;
  return Number(answer.state) >= (lastIn(pages, answer) ?? Number.POSITIVE_INFINITY);
}

/** The number of the last page; undefined if the answer does not tell it. */
function lastIn(pages: Pages<unknown>, { body }: Answer): number | undefined {
  const last = pages.kind === "page" && pages.last !== undefined ? valueAt(body, pages.last) : undefined;
  return typeof last === "number" ? last : undefined;
}

function linkIn(
  { name }: ListRun,
  { next }: LinkedPages<unknown>,
  { body, address }: Answer,
): string | undefined {
  const link = valueAt(body, next);
  if (link === undefined || link === null || link === "" || link === false) return undefined;
  if (typeof link === "string" && URL.canParse(link, address)) return new URL(link, address).href;
  throw new TypeError(
    `The list of ${name}: pages.next "${next}" holds ${kindOf(link)}, which is no address.`,
  );
}

function nextCursor(
  { name }: ListRun,
  { next, more }: CursorPages<unknown>,
  { body, headers, items }: Answer,
): string | undefined {
  const hasMore = more === undefined ? undefined : valueAt(body, more);
  if (hasMore === false) return undefined;
  const cursor = cursorIn(next, { body, headers, items });
  if (typeof cursor === "number" || (typeof cursor === "string" && cursor !== "")) return String(cursor);
  const isNone = cursor === undefined || cursor === null || cursor === "" || cursor === false;
  // Each record has the member that is asked by: without it there is no telling whether the list ends.
  const isEnd = typeof next === "object" && "lastItem" in next ? items.length === 0 : isNone;
  if (isEnd && hasMore !== true) return undefined;
  throw new MorePagesError(
    `The list of ${name} goes on, but its pages.next leads to ${kindOf(cursor)}: there is no cursor to go on by. Nothing was deleted.`,
  );
}

function cursorIn(
  next: CursorPages<unknown>["next"],
  { body, headers, items }: Pick<Answer, "body" | "headers" | "items">,
): unknown {
  if (typeof next === "string") return valueAt(body, next);
  if ("header" in next) return headers[next.header.toLowerCase()];
  return valueAt(items.at(-1), next.lastItem);
}

/** One call. Returns undefined if the target system has nothing to list. */
async function ask(run: ListRun, bindings: Bindings, state: string | undefined): Promise<Answer | undefined> {
  const { declaration, http } = run;
  const { pages, absent = [] } = declaration;
  const request = requestOf(run, bindings, state);
  // An address that the target system gave has its own query.
  if ((pages.kind === "link" || pages.kind === "linkHeader") && state !== undefined)
    Object.assign(request, { path: state, query: undefined });
  const { signal } = run.context;
  const call = () => sendRequest(http, request, { signal, isIdempotent: true });
  const response = await (declaration.errors === undefined ? call() : askPatiently(http, call, signal));
  // A list that gave a cursor is there: without an answer to it, the rest of its records would be taken for deleted.
  const isThere = isStable(pages) && state !== undefined;
  if (!isThere && absent.includes(response.statusCode)) return undefined;
  const body = resultOrThrow(response);
  throwIfRefused(subjectOf(run), response, declaration);
  const items = itemsIn(run, body, response.statusCode);
  checkHoldsRecords(run, items);
  const address = http.address(request.path, request.query);
  return { body, headers: response.headers, address, items, state };
}

/** @throws ResponseError for an error that came with a success. */
function throwIfRefused(
  subject: string,
  response: ApiResponse,
  { refused, errors }: Pick<AnyListDeclaration, "refused" | "errors">,
): void {
  const refusal = refusalIn(response.result, refused);
  if (refusal !== undefined)
    throw new ResponseError(`${subject} was refused with a success: ${ended(refusal)}`, response.statusCode);
  const error = errorWithSuccess(subject, response, errors);
  if (error !== undefined) throw error;
}

/** The items of an answer. @throws ResponseError, which says what the answer is, if its list is elsewhere. */
function itemsIn({ name, declaration }: ListRun, body: unknown, statusCode: number): readonly unknown[] {
  const { items: way, record } = declaration;
  const items = way === "$" ? body : valueAt(body, way);
  if (Array.isArray(items))
    return record === undefined ? items : items.map((item) => valueAt(item, record) ?? null);
  const found = way === "$" ? "" : `items "${way}" leads to ${kindOf(items)}. `;
  throw new ResponseError(
    `The answer to ${declaration.list} has no list of ${name}: ${found}The answer is ${kindOf(body)}. ${sentenceOfSuccess(body)}Change items to where the records stand.`,
    statusCode,
  );
}

/** A checkpoint in the form in which the target system is asked. */
function askedSince(since: NonNullable<AnyListDeclaration["since"]>, checkpoint: string): Scalar {
  const ms = "mark" in since ? undefined : timeMs(checkpoint, "iso");
  if (ms === undefined || "mark" in since) return checkpoint;
  const { send, format = "iso" } = since;
  const text = timeText(ms, format);
  // In a body, numbers are not texts.
  const isNumber = format.startsWith("epoch") && typeof send === "object" && "body" in send;
  return isNumber ? Number(text) : text;
}

/** @throws TypeError if no item can be a record: such a list would be rejected page by page, and perhaps never end. */
function checkHoldsRecords({ name, declaration }: ListRun, items: readonly unknown[]): void {
  const isRecord = (item: unknown) => typeof item === "object" && item !== null && !Array.isArray(item);
  if (declaration.each !== undefined || items.length === 0 || items.some(isRecord)) return;
  throw new TypeError(
    `The answer to ${declaration.list} has no records of ${name}: its list holds ${kindOf(items[0])} where a record is an object. Change items to where the records stand, or make records of the items with each.`,
  );
}

/** What a page is asked for with. */
function requestOf(run: ListRun, bindings: Bindings, state: string | undefined): DeclaredRequest {
  const { declaration, context } = run;
  const { list, pages, since } = declaration;
  const request = declaredRequest({ ...declaration, call: list, subject: subjectOf(run) }, (source) =>
    sourceValue(run, bindings, source),
  );
  const size = sizeOf(pages);
  if (size !== undefined) addSent(request, size.send, size.value);
  if ("send" in pages && state !== undefined)
    addSent(request, pages.send, pages.kind === "cursor" ? state : Number(state));
  if (since !== undefined && context.checkpoint !== null)
    addSent(request, since.send, askedSince(since, context.checkpoint));
  return request;
}

function sourceValue(
  run: ListRun,
  bindings: Bindings,
  value: object,
): { readonly value: Scalar | null } | undefined {
  if (isSettingSource(value)) return { value: settingValue(subjectOf(run), run.context, value) };
  return isParentSource(value) ? { value: parentValue(run, bindings, value) } : undefined;
}

function subjectOf({ name }: ListRun): string {
  return `The list of ${name}`;
}

function sizeOf(pages: Pages<unknown>): PageSize | undefined {
  return "size" in pages ? pages.size : undefined;
}

function parentValue({ name }: ListRun, bindings: Bindings, { reader, way }: ParentSource): Scalar {
  const value = valueAt(bindings.get(reader), way);
  if (isScalar(value) && value !== "") return value;
  throw new TypeError(
    `The list of ${name}: a parent has ${kindOf(value)} at "${way}", and no value to ask by.`,
  );
}

/** `pages` of which one more than the one that is being read has been asked for. */
function readAhead<Item>({ context }: ListRun, pages: AsyncGenerator<Item>): AsyncGenerator<Item> {
  if (isOneAtATime(context)) return pages;
  let next = unheeded(pages.next());
  return (async function* () {
    try {
      for (;;) {
        const { done, value } = await next;
        if (done === true) return;
        next = unheeded(pages.next());
        // Whoever writes the records leaves no turn to the network: the request would leave only after them.
        await eventLoopTurn();
        yield value;
      }
    } finally {
      await pages.return(undefined).catch(() => {});
    }
  })();
}

/** The same promise. It is looked at later, or never: until then nobody handles its failure. */
function unheeded<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Does some work once there is a place for it. */
type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets so many go on at a time, in the order in which they came. */
function createGate(places: number): Gate {
  const waiting: (() => void)[] = [];
  let free = places;
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      return await work();
    } finally {
      const enter = waiting.shift();
      if (enter === undefined) free++;
      else enter();
    }
  };
}
