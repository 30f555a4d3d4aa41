/**
 * The one interpreter of declared handlers: makes the call of an action, finds the record that it has changed, and never
 * acts again where it can know that it has acted.
 */
import { variablesIn } from "../../schemas/naming/path-variables.js";
import { refusalOf } from "../client/action-answers.js";
import { type ApiResponse, answerOf, resultOrThrow, throwIfRetryable } from "../client/api-response.js";
import { AuthenticationError, NetworkError, RequestRefusedError, ResponseError } from "../client/errors.js";
import type { CallOptions, HttpClient } from "../client/http-client.js";
import { kindOf } from "../client/pages.js";
import { quotedFrom } from "../client/target-words.js";
import { applicableSchemas, membersOf } from "../records/applicable-schemas.js";
import { declaresProperty, serializedKeyNames } from "../records/record-type.js";
import { serializedForm } from "../records/serialized-form.js";
import type { JsonClass } from "../registration/action-class.js";
import {
  type CacheChange,
  type Failed,
  failed,
  type IdempotencyNote,
  type Succeeded,
  succeeded,
} from "../registration/contracts.js";
import { safeGet } from "../untrusted.js";
import {
  addSent,
  type DeclaredCall,
  type DeclaredRequest,
  declaredRequest,
  httpOf,
  isSettingSource,
  refusalIn,
  resolved,
  type SourceValue,
  sendRequest,
  settingValue,
} from "./calls.js";
import {
  type AnsweredSource,
  type AnyActionClass,
  type AnyHandlerDeclaration,
  type DeclaredActionContext,
  type InputSource,
  type LookUp,
  REST,
} from "./handler-declaration.js";
import { checkIsWhole, type LastAnswer, MorePagesError } from "./trip-wires.js";
import { isScalar, valueAt, withoutValueAt } from "./ways.js";

/** A longer answer is not kept for another attempt; characters of JSON. */
const MAX_KEPT_LENGTH = 256 * 1024;
/** The note of an attempt that the target system has not performed for certain. */
const NOT_PERFORMED = "not performed";
/** The note of an attempt that was refused while the one before may have been under way. */
const UNDER_WAY = "perhaps under way";

/** One attempt of an action. */
interface ActionRun {
  readonly action: AnyActionClass;
  readonly declaration: AnyHandlerDeclaration;
  readonly context: DeclaredActionContext;
  readonly http: HttpClient;
  /** In serialized form. */
  readonly input: unknown;
  /** The last note of an attempt before. */
  readonly previous: IdempotencyNote | null;
  /** Whether an attempt before may have reached the target system. */
  readonly isRepeated: boolean;
}

/** What is known once the target system has acted. */
interface Acted {
  /** What it answered; null if that was nothing. */
  readonly answer: unknown;
  /** Way to the record in it. */
  readonly record: string | undefined;
  /** Address of what was created. */
  readonly location: string | undefined;
}

/** The target system has not acted, and never will. */
interface NotActed {
  readonly failure: unknown;
}

/**
 * Performs an action as it is declared. What may pass is thrown, as handlers in code throw it; what the target system
 * refuses is a failure.
 */
export async function callAction(
  { action, declaration }: Pick<ActionRun, "action" | "declaration">,
  given: unknown,
  context: DeclaredActionContext,
): Promise<Succeeded<unknown, CacheChange> | Failed<unknown>> {
  const { previous } = context.idempotency;
  const run: ActionRun = {
    ...{ action, declaration, context, previous, isRepeated: mayHaveActed(previous) },
    http: httpOf(`handler of ${action.name}`, context.client),
    input: serializedForm(action.input.type, given),
  };
  const acted = (await actedBefore(run)) ?? (await act(run));
  if ("failure" in acted) return failed(acted.failure);
  const record = await recordAfter(run, acted);
  return succeeded(outputOf(run, acted, record), changesOf(run, acted, record));
}

function mayHaveActed(previous: IdempotencyNote | null): boolean {
  return previous !== null && !(previous.stage === "intent" && previous.detail === NOT_PERFORMED);
}

/** What is known of an attempt before; undefined if the action has to be performed, perhaps once more. */
async function actedBefore(run: ActionRun): Promise<Acted | undefined> {
  const { previous, isRepeated } = run;
  if (!isRepeated) return undefined;
  const isConfirmed = previous?.stage === "confirmed";
  const kept = isConfirmed ? keptAnswer(run, previous.detail) : undefined;
  if (kept !== undefined) return kept;
  const found = await lookUp(run);
  if (found === undefined && isConfirmed && !sendsKey(run))
    throw new ResponseError(
      `${subjectOf(run)}: an attempt before has performed it, and its answer is not known any more.`,
      200,
      { retry: "never" },
    );
  return found;
}

/** The answer in a note; undefined for a note of other code. */
function keptAnswer({ declaration }: ActionRun, detail: string | null): Acted | undefined {
  const { answer, location } = membersOf(parsed(detail ?? ""));
  if (answer === undefined) return undefined;
  return {
    answer,
    record: declaration.record,
    location: typeof location === "string" ? location : undefined,
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Calls the target system. */
async function act(run: ActionRun): Promise<Acted | NotActed> {
  const { declaration, context } = run;
  const request = requestOf(run);
  const content = contentOf(run, request);
  await context.idempotency.note("intent");
  const { response, refusal } = await answerTo(run, request, content);
  if (refusal !== null && mayBeUnderWay(run, response.statusCode)) {
    await context.idempotency.note("sent", UNDER_WAY);
    throw new ResponseError(textOf(refusal), response.statusCode, { retry: "later" });
  }
  if (refusal !== null) {
    // What an attempt before has made may be the reason.
    const found = run.isRepeated ? await lookUp(run) : undefined;
    return found ?? { failure: failureOf(run, response, refusal) };
  }
  const { result: answer, location } = response;
  const json = JSON.stringify({ answer, location });
  await context.idempotency.note("confirmed", json.length > MAX_KEPT_LENGTH ? undefined : json);
  return { answer, record: declaration.record, location };
}

/** An answer, and why the target system has not acted; null if it has. */
interface Judged {
  readonly response: ApiResponse;
  readonly refusal: PlainFailure | null;
}

interface PlainFailure {
  readonly code: string;
  readonly errors: readonly { readonly text: string }[];
}

function textOf({ errors }: PlainFailure): string {
  return errors.map(({ text }) => text).join(" ");
}

/** Sends a request once it is noted. An error that leaves open whether the target system has acted is noted too. */
async function answerTo(run: ActionRun, request: DeclaredRequest, content: Content): Promise<Judged> {
  const { context, declaration, http } = run;
  try {
    const options = { signal: context.signal, isIdempotent: isIdempotent(run) };
    const response = throwIfRetryable(await sendRequest(http, request, options, content));
    if (isGone(run, response.statusCode)) return { response, refusal: null };
    const refusal = refusalOf(response) ?? refusalOfSuccess(response, declaration);
    return { response, refusal };
  } catch (error) {
    const isCertain = isNeverSent(error);
    // What an attempt before has done stays open.
    if (!isCertain || !run.isRepeated)
      await context.idempotency
        .note(isCertain ? "intent" : "sent", isCertain ? NOT_PERFORMED : undefined)
        .catch(() => {});
    throw error;
  }
}

/**
 * Whether the client may repeat a call by itself; undefined for what its method says. What is repeated has to be known as
 * such: a deleted record is not found any more, and a key is refused while the call before is under way.
 */
function isIdempotent(run: ActionRun): false | undefined {
  return deletes(run) || run.declaration.idempotency !== undefined ? false : undefined;
}

/**
 * Whether a refusal may only say that the call before, of the same key, is still under way. It is asked once more: what is
 * refused in the same way then is refused for good.
 */
function mayBeUnderWay(run: ActionRun, statusCode: number): boolean {
  return run.isRepeated && sendsKey(run) && statusCode === 409 && run.previous?.detail !== UNDER_WAY;
}

function sendsKey({ declaration: { idempotency } }: ActionRun): boolean {
  return idempotency !== undefined && !("lookUp" in idempotency);
}

function deletes({ declaration: { call, change } }: ActionRun): boolean {
  return (
    call.startsWith("DELETE ") || change === "delete" || (typeof change === "object" && "delete" in change)
  );
}

/** Whether what is to be deleted is not there any more: an attempt before may have deleted it, and its answer was lost. */
function isGone(run: ActionRun, statusCode: number): boolean {
  const { absent = [] } = run.declaration;
  return deletes(run) && (absent.includes(statusCode) || (run.isRepeated && [404, 410].includes(statusCode)));
}

function refusalOfSuccess(
  { result, statusCode }: ApiResponse,
  { refused }: AnyHandlerDeclaration,
): PlainFailure | null {
  const text = refusalIn(result, refused);
  return text === undefined ? null : { code: String(statusCode), errors: [{ text }] };
}

/** Codes of a connection that never came about. */
const UNCONNECTED = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"];

/** Whether the target system has not performed the call for certain. */
function isNeverSent(error: unknown): boolean {
  if (error instanceof RequestRefusedError || error instanceof AuthenticationError) return true;
  if (error instanceof ResponseError) return error.statusCode === 401 || error.statusCode === 429;
  return error instanceof NetworkError && (UNCONNECTED.includes(error.code) || error.retry === "never");
}

/** The failure of a refusal, as it is declared for its status. */
function failureOf(run: ActionRun, response: ApiResponse, refusal: PlainFailure): unknown {
  const form = run.declaration.failures?.[response.statusCode];
  if (form === undefined) return refusal;
  const body = response.errorBody ?? response.result;
  const sourceValue = sourceValueIn(run, body);
  const failure = resolved(form, (value) => {
    const source = sourceValue(value);
    const text = source?.value;
    // These are words of the target system: they hold no secrets, and are short.
    return isAnswered(value) && typeof text === "string" ? { value: quotedFrom(body, text) } : source;
  });
  if (!isShort(run, form)) return failure;
  const { code, text } = membersOf(failure);
  return {
    code: isScalar(code) ? String(code) : refusal.code,
    errors: [{ text: isScalar(text) && text !== "" ? String(text) : textOf(refusal) }],
  };
}

/** Whether a failure is given as `{ code, text }`, and has no such members itself. */
function isShort({ action }: ActionRun, form: unknown): boolean {
  const isNamed = Object.keys(membersOf(form)).every((name) => name === "code" || name === "text");
  return isNamed && !declaresProperty(action.failure.type, "text");
}

/** The request of the action, with all values of its input. */
function requestOf(run: ActionRun): DeclaredRequest {
  const { declaration, context } = run;
  const { idempotency, call } = declaration;
  const hasBody = !/^(?:GET|DELETE) /.test(call);
  const body = declaration.body === undefined && hasBody ? { [REST]: true } : declaration.body;
  const request = filledRequest(run, { ...declaration, body });
  const { key } = context.idempotency;
  if (idempotency !== undefined && "header" in idempotency) addSent(request, idempotency, key);
  if (idempotency !== undefined && "body" in idempotency) addSent(request, idempotency, key);
  return request;
}

function filledRequest(
  run: ActionRun,
  call: Omit<DeclaredCall, "subject">,
  answer?: unknown,
): DeclaredRequest {
  return declaredRequest({ ...call, subject: subjectOf(run) }, sourceValueIn(run, answer));
}

function subjectOf({ action }: Pick<ActionRun, "action">): string {
  return `The handler of ${action.name}`;
}

type Content = Pick<CallOptions, "json" | "form">;

/** The body as it is written. @throws TypeError for a form with more than texts in it. */
function contentOf(run: ActionRun, { body }: DeclaredRequest): Content {
  if (body === undefined || body === null) return {};
  if (run.declaration.encoding !== "form") return { json: body };
  for (const [name, value] of Object.entries(membersOf(body)))
    if (!isScalar(value) && value !== null)
      throw new TypeError(`${subjectOf(run)}: "${name}" is ${kindOf(value)}, which a form can't hold.`);
  return { form: membersOf(body) as NonNullable<CallOptions["form"]> };
}

/** The values of what stands for one in a declaration; `answer` is what the target system has said. */
function sourceValueIn(run: ActionRun, answer: unknown): SourceValue {
  const sourceValue: SourceValue = (value) => {
    if (isSettingSource(value)) return { value: settingValue(subjectOf(run), run.context, value) };
    if (safeGet(value, "kind") === "actionKey") return { value: run.context.idempotency.key };
    if (isInput(value)) return { value: at(run.input, value.way) };
    if (isAnswered(value)) return { value: at(answer, value.way) };
    return REST in value ? { value: withRest(run, value, sourceValue) } : undefined;
  };
  return sourceValue;
}

/** Whether a value of a declaration stands for one of the input. */
export function isInput(value: object): value is InputSource {
  return safeGet(value, "kind") === "input" && typeof safeGet(value, "way") === "string";
}

/** Whether a value of a declaration stands for one of the answer. */
export function isAnswered(value: object): value is AnsweredSource {
  return safeGet(value, "kind") === "answered" && typeof safeGet(value, "way") === "string";
}

function at(value: unknown, way: string): unknown {
  return way === "$" ? value : valueAt(value, way);
}

/** The members of an object that the rest of the input was spread into; the rest alone where it has none of its own. */
function withRest(run: ActionRun, value: object, sourceValue: SourceValue): unknown {
  const { path, query, headers, body } = run.declaration;
  const ways = inputWays([path, query, headers, body]);
  const left = ways.reduce((input, way) => withoutValueAt(input, way), run.input);
  // Only its own names: the mark of the rest is none.
  const members = Object.fromEntries(Object.entries(value));
  if (Object.keys(members).length === 0) return left;
  if (typeof left === "object" && left !== null && !Array.isArray(left))
    return { ...left, ...(resolved(members, sourceValue) as object) };
  throw new TypeError(`${subjectOf(run)}: its input is ${kindOf(left)}, which has no members to spread.`);
}

/** Ways of the input that stand anywhere in `value`. */
function inputWays(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return isInput(value) ? [value.way] : Object.values(value).flatMap(inputWays);
}

/** What an attempt before has made, by the declared look-up; undefined if there is none. */
async function lookUp(run: ActionRun): Promise<Acted | undefined> {
  const { declaration, http, context } = run;
  const { idempotency } = declaration;
  if (idempotency === undefined || !("lookUp" in idempotency)) return undefined;
  const { where, items: way, absent = [], ignore = [], ...call } = idempotency.lookUp;
  const wanted = wantedValues(run, where);
  const request = filledRequest(run, call);
  const options = { signal: context.signal, isIdempotent: true };
  const response = await sendRequest(http, request, options);
  if (absent.includes(response.statusCode)) return undefined;
  const body = resultOrThrow(response);
  const listed = at(body, way);
  if (typeof listed !== "object" || listed === null)
    throw new ResponseError(
      `${answerOf(response)} has no list: lookUp.items "${way}" leads to ${kindOf(listed)}.`,
      response.statusCode,
      { retry: "never" },
    );
  const items: readonly unknown[] = Array.isArray(listed) ? listed : [listed];
  const found = items.filter((item) =>
    wanted.every(([name, value]) => {
      const member = valueAt(item, name);
      return isScalar(member) && String(member) === value;
    }),
  );
  if (found.length > 1)
    throw new ResponseError(
      `${answerOf(response)} has ${found.length} records that lookUp.where describes: it has to describe one.`,
      response.statusCode,
      { retry: "never" },
    );
  if (found.length === 1) return { answer: found[0], record: "$", location: undefined };
  if (!isWhole({ body, headers: response.headers, items, ignored: ignore }))
    throw new MorePagesError(
      `${answerOf(response)} tells of more records than the ${items.length} that it holds, and none of them is the one that lookUp.where describes: ask for less in lookUp.query, or name what says nothing of the list in lookUp.ignore.`,
    );
  return undefined;
}

function isWhole(answer: LastAnswer): boolean {
  try {
    checkIsWhole(answer);
    return true;
  } catch (error) {
    if (error instanceof MorePagesError) return false;
    throw error;
  }
}

/** @throws TypeError for a value that there is not: everything would be equal to it. */
function wantedValues(
  run: ActionRun,
  where: LookUp<unknown>["where"],
): readonly (readonly [string, string])[] {
  const sourceValue = sourceValueIn(run, undefined);
  return Object.entries(where).map(([name, source]) => {
    const value = resolved(source, sourceValue);
    if (isScalar(value)) return [name, String(value)];
    throw new TypeError(
      `${subjectOf(run)}: lookUp.where.${name} is ${kindOf(value)}, and nothing to look up by.`,
    );
  });
}

/**
 * The record that was changed: what the answer holds, else what is read; null if that is none. It throws nothing: the target
 * system has acted.
 */
async function recordAfter(run: ActionRun, acted: Acted): Promise<unknown> {
  const { declaration, context } = run;
  const type = changedClass(run);
  const own = ownRecord(acted);
  if (isRecord(type, own)) return own;
  const { reread } = declaration;
  if (reread === undefined && declaration.record === undefined) return null;
  try {
    const read = reread === undefined ? undefined : await rereadRecord(run, acted, reread);
    if (isRecord(type, read)) return read;
    const findings = type.findings(read ?? own).map(({ message }) => message);
    context.log.warn(`${subjectOf(run)}: there is no record of ${type.type.name}. The next sync brings it.`, {
      findings,
    });
  } catch (error) {
    context.log.warn(`${subjectOf(run)}: the record could not be read. The next sync brings it.`, {
      reason: safeGet(error, "message"),
    });
  }
  return null;
}

function changedClass({ action, declaration: { change } }: ActionRun): JsonClass<unknown> {
  if (typeof change !== "object") return action.dataObject;
  return "upsert" in change ? change.upsert : change.delete;
}

/** What stands in the answer where the record is to be. */
function ownRecord({ answer, record }: Acted): unknown {
  return record === undefined ? undefined : at(answer, record);
}

function isRecord(type: JsonClass<unknown>, value: unknown): boolean {
  return value !== undefined && value !== null && type.findings(value).length === 0;
}

async function rereadRecord(
  run: ActionRun,
  acted: Acted,
  reread: NonNullable<AnyHandlerDeclaration["reread"]>,
): Promise<unknown> {
  const { http, context, declaration } = run;
  const { signal } = context;
  const way = (typeof reread === "object" ? reread.record : undefined) ?? declaration.record ?? "$";
  if (reread === "Location") {
    if (acted.location === undefined) return undefined;
    return at(resultOrThrow(await http.get(acted.location, { signal })), way);
  }
  const call = typeof reread === "object" ? reread : { call: reread, path: knownValues(run, acted, reread) };
  const request = filledRequest(run, { ...call, body: undefined }, acted.answer);
  return at(resultOrThrow(await sendRequest(http, request, { signal })), way);
}

/** The variables of a path, from the record as far as it is known, from the answer, or from the input. */
function knownValues({ input }: ActionRun, acted: Acted, path: string): Readonly<Record<string, unknown>> {
  const places = [ownRecord(acted), acted.answer, input];
  return Object.fromEntries(
    variablesIn(path).map((name) => {
      const values = places.map((place) => safeOwn(place, name));
      return [name, values.find(isScalar)];
    }),
  );
}

function safeOwn(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function outputOf(run: ActionRun, acted: Acted, record: unknown): unknown {
  const { action, declaration, input } = run;
  const { output: form, toOutput } = declaration;
  const { answer } = acted;
  if (toOutput !== undefined) return toOutput({ input, answer, record } as never);
  const stated = resolved(form ?? {}, sourceValueIn(run, answer));
  if (isAnswered(form ?? {})) return stated;
  const { schema } = action.output.type;
  const names = applicableSchemas(schema, schema).flatMap((part) =>
    Object.keys(membersOf(part["properties"])),
  );
  if (names.length === 0 && form === undefined) {
    const nothing = [{}, null].filter((empty) => action.output.findings(empty).length === 0);
    return nothing.length === 0 ? answer : nothing[0];
  }
  const places = [record ?? ownRecord(acted), answer, input];
  const members = [...new Set(names)].flatMap((name) => {
    const value = [stated, ...places].map((place) => safeOwn(place, name)).find((each) => each !== undefined);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...membersOf(stated), ...Object.fromEntries(members) };
}

function changesOf(run: ActionRun, acted: Acted, record: unknown): readonly CacheChange[] {
  const { change = "none" } = run.declaration;
  if (change === "none") return [];
  const dataObject = changedClass(run).type.name;
  if (deletesRecord(change))
    return [{ dataObject, operation: "delete", record: record ?? keyRecord(run, acted) }];
  return record === null ? [] : [{ dataObject, operation: "upsert", record }];
}

function deletesRecord(change: NonNullable<AnyHandlerDeclaration["change"]>): boolean {
  return typeof change === "object" ? "delete" in change : change === "delete";
}

/** The primary key of the record that was deleted. */
function keyRecord(run: ActionRun, acted: Acted): unknown {
  const { declaration, input } = run;
  const stated = resolved(declaration.key ?? {}, sourceValueIn(run, acted.answer));
  const places = [stated, ownRecord(acted), input];
  const members = serializedKeyNames(changedClass(run).type).map((name) => {
    const value = places.map((place) => safeOwn(place, name)).find((each) => each !== undefined);
    return [name, value] as const;
  });
  return Object.fromEntries(members);
}
