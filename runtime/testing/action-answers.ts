/** How a fake target system acts on what a declared handler asks for: the declaration, from the other side. */
import { isJsonObject } from "../../schemas/json.js";
import { isAnswered, isInput } from "../declared/call-action.js";
import { type AnyHandlerDeclaration, type LookUp, REST } from "../declared/handler-declaration.js";
import { isScalar, valueAt, withValueAt } from "../declared/ways.js";
import type { RecordType } from "../records/record-type.js";
import { safeGet } from "../untrusted.js";
import { type FakeRecord, keysOf } from "./fake-records.js";
import {
  type HeldObject,
  type HeldRecord,
  parentNames,
  parentSources,
  plainName,
  propertiesOf,
  TakenKeyError,
} from "./held-objects.js";
import { type AskedList, type FakeAnswer, type FakeLists, heldParent } from "./list-answers.js";

/** An action that can be asked for. */
export interface FakeAction extends FakeLists {
  readonly declaration: AnyHandlerDeclaration;
  /** What it changes. */
  readonly object: HeldObject;
  readonly operation: "upsert" | "delete" | "none";
  /** Members of an output that fits, for what no record has. */
  readonly output: () => FakeRecord;
}

/** What a call changes by its method, if its address is that of the list of an object, or of a record in it. */
export function operationOf(call: string, { declaration }: HeldObject): FakeAction["operation"] {
  const [method = "", path = ""] = call.split(/ (.*)/s).map(withoutNames);
  const [, list] = (declaration?.list ?? "").split(/ (.*)/s).map(withoutNames);
  if (method === "POST" && path === list) return "upsert";
  if (list === undefined || path !== `${list}/{}`) return "none";
  if (method === "DELETE") return "delete";
  return method === "PUT" || method === "PATCH" ? "upsert" : "none";
}

function withoutNames(path: string): string {
  return path.replace(/\{[^{}]*\}/g, "{}").replace(/\/$/, "");
}

/** Acts, and answers; a key that came before gets the answer that it got then. */
export function createActing(action: FakeAction): (asked: AskedList) => FakeAnswer {
  const before = new Map<string, FakeAnswer>();
  return (asked) => {
    const key = keySent(action.declaration, asked);
    const known = key === undefined ? undefined : before.get(key);
    if (known !== undefined) return known;
    const answer = acted(action, asked);
    // What was refused can be asked for again.
    if (key !== undefined && answer.status < 300) before.set(key, answer);
    return answer;
  };
}

function keySent({ idempotency }: AnyHandlerDeclaration, { headers, body }: AskedList): string | undefined {
  if (idempotency === undefined || "lookUp" in idempotency) return undefined;
  const sent =
    "header" in idempotency ? headers[idempotency.header.toLowerCase()] : valueAt(body, idempotency.body);
  return isScalar(sent) ? String(sent) : undefined;
}

function acted(action: FakeAction, asked: AskedList): FakeAnswer {
  const { declaration, object, operation } = action;
  const { input, members } = partsOf(action, asked);
  const found = recordNamed(action, input, asked);
  try {
    if (found === "gone") return refusal(action, 404, `There is no such ${object.type.name}.`);
    if (operation === "none") return answerWith(action, asked, found?.record);
    if (operation === "delete") {
      if (found === undefined) return refusal(action, 404, `There is no such ${object.type.name}.`);
      object.remove(found.ordinal);
      return declaration.record === undefined
        ? { status: 204, headers: {}, body: undefined }
        : answerWith(action, asked, found.record);
    }
    const given = membersFor(object, { ...input, ...members });
    if (found !== undefined) return answerWith(action, asked, object.change(found.ordinal, given).record);
    return answerWith(action, asked, object.insert(given, parentsNamed(action, asked)).record, 201);
  } catch (error) {
    if (error instanceof TakenKeyError) return refusal(action, 409, error.message);
    if (error instanceof UnfitMemberError) return refusal(action, 422, error.message);
    throw error;
  }
}

/** A value that no record can have. */
class UnfitMemberError extends Error {
  override readonly name = "UnfitMemberError";
}

/** What a call says. */
interface CallParts {
  /** The input, as far as it stands in the call. */
  readonly input: FakeRecord;
  /** Members of the record that stand in the body under their own names, whatever they were taken from. */
  readonly members: FakeRecord;
}

function partsOf({ declaration, object }: FakeAction, asked: AskedList): CallParts {
  const { path, query, headers, body } = declaration;
  const known = propertiesOf(object.type);
  const members: Record<string, unknown> = {};
  let input: unknown = {};
  const take = (declared: unknown, sent: unknown, isRecord = false): void => {
    if (sent === undefined || typeof declared !== "object" || declared === null) return;
    if (isInput(declared)) {
      // Null takes a value away.
      input = inputWith(input, declared.way, sent);
      return;
    }
    if (sent === null) return;
    const hasRest = REST in declared;
    if (hasRest) input = { ...(input as FakeRecord), ...membersBeside(declared, sent) };
    for (const [name, inner] of Object.entries(declared)) {
      const value = valueAt(sent, name);
      if ((isRecord || hasRest) && known.has(name) && isGiven(inner)) members[name] = value;
      take(inner, value);
    }
  };
  take(body ?? { [REST]: true }, asked.body, true);
  take(headers, asked.headers);
  take(query, Object.fromEntries(asked.query));
  take(path, asked.variables);
  return { input: input as FakeRecord, members };
}

function inputWith(input: unknown, way: string, sent: unknown): unknown {
  return way === "$" ? (sent ?? {}) : withValueAt(input, way, sent);
}

/** Members of what was sent that are not declared by their names. */
function membersBeside(declared: object, sent: unknown): FakeRecord {
  if (!isJsonObject(sent)) return {};
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !Object.hasOwn(declared, name)));
}

/** Whether a value of a declaration comes from who performs the action: of the input, or a reference to look it up by. */
function isGiven(declared: unknown): boolean {
  return isObject(declared) && (isInput(declared) || safeGet(declared, "kind") === "actionKey");
}

/** The record whose primary key stands in the address; "gone" if that is of none. Undefined if no key stands there. */
function recordNamed(
  action: Pick<FakeAction, "object" | "typeOfReader" | "held">,
  input: FakeRecord,
  { variables, query }: AskedList,
): HeldRecord | "gone" | undefined {
  const { type, all, declaration } = action.object;
  const primary = keysOf(type).find(({ isPrimary }) => isPrimary);
  if (primary === undefined) return undefined;
  // What names a parent where the records are listed names it here too.
  const ofParents = new Map(
    parentSources(declaration).map((each) => [
      each.name,
      parentNames(each, action.typeOfReader(each.source.reader) ?? { name: "" }),
    ]),
  );
  const isComposite = primary.properties.length > 1;
  const sent = Object.entries({ ...Object.fromEntries(query), ...variables });
  const wanted = primary.properties.map((property) => {
    const names = [plainName(property), plainName(type.name + property)];
    const isOf = (name: string) => {
      const parent = ofParents.get(name);
      return parent === undefined || (isComposite && parent.includes(plainName(property)));
    };
    const named = sent.filter(([name]) => isOf(name));
    const value =
      named.find(([name]) => names.includes(plainName(name)))?.[1] ??
      named.find(([name]) => ofParents.has(name))?.[1];
    const isTold = named.some(([, each]) => String(input[property]) === each);
    return [property, value ?? (isTold ? String(input[property]) : undefined)] as const;
  });
  // What stands before the own part of a key may be said by the parents: by the name of a project in place of its number.
  const line = parentsNamed(action, { variables });
  const known = wanted.filter(
    ([, value], index) => value !== undefined || line.size === 0 || index === wanted.length - 1,
  );
  if (known.some(([, value]) => value === undefined)) return undefined;
  const found = all().find(
    ({ isDeleted, record, parents }) =>
      !isDeleted &&
      known.every(([property, value]) => String(record[property]) === value) &&
      (known.length === wanted.length ||
        [...line].every(([parent, ordinal]) => parents.get(parent) === ordinal)),
  );
  return found ?? "gone";
}

/**
 * What the input says of the members of a record.
 * @throws UnfitMemberError for a value that does not fit.
 */
function membersFor({ type, all }: HeldObject, input: FakeRecord): FakeRecord {
  const sample = all().find(({ isDeleted }) => !isDeleted)?.record;
  const known = propertiesOf(type);
  return Object.fromEntries(
    Object.entries(input)
      .filter(([name]) => known.has(name))
      .map(([name, value]) => {
        // A path and a form know texts only.
        const candidates = typeof value === "string" ? [value, Number(value), value === "true"] : [value];
        const fitting = candidates.find(
          (each) => sample === undefined || type.check({ ...sample, [name]: each }),
        );
        if (fitting === undefined) throw new UnfitMemberError(`${name} has a value that it can't have.`);
        return [name, fitting] as const;
      }),
  );
}

/** The parents that the address names, as the list of the object does. */
function parentsNamed(
  action: Pick<FakeAction, "object" | "typeOfReader" | "held">,
  { variables }: Pick<AskedList, "variables">,
): HeldRecord["parents"] {
  const parents = new Map<RecordType, number>();
  for (const { name, source } of parentSources(action.object.declaration)) {
    const parent = heldParent(action, source.reader);
    const held = parent
      ?.all()
      .find(({ isDeleted, record }) => !isDeleted && String(valueAt(record, source.way)) === variables[name]);
    if (parent === undefined || held === undefined) continue;
    for (const [type, ordinal] of held.parents) parents.set(type, ordinal);
    parents.set(parent.type, held.ordinal);
  }
  return parents;
}

/** An answer from which the handler can take its record and its output. */
function answerWith(
  action: FakeAction,
  { address }: AskedList,
  record: FakeRecord | undefined,
  status = 200,
): FakeAnswer {
  const { declaration, object, output } = action;
  const key = keysOf(object.type).find(({ isPrimary }) => isPrimary)?.properties ?? [];
  const whole = { ...output(), ...record };
  const facts = record === undefined || object.type.check(whole) ? whole : record;
  const body = answeredBody(declaration, facts, { record, key });
  const last = key.at(-1);
  if (declaration.reread !== "Location" || record === undefined || last === undefined)
    return { status, headers: {}, body };
  const list = address.replace(/\?.*$/s, "").replace(/\/$/, "");
  return { status, headers: { location: `${list}/${encodeURIComponent(String(record[last]))}` }, body };
}

function answeredBody(
  { record: way, refused, output: form }: AnyHandlerDeclaration,
  facts: FakeRecord,
  { record, key }: { readonly record: FakeRecord | undefined; readonly key: readonly string[] },
): unknown {
  if (way === "$") return facts;
  // Without a record in it an answer tells at least the key.
  const told = record === undefined ? facts : Object.fromEntries(key.map((name) => [name, record[name]]));
  let body: unknown = way === undefined ? told : withValueAt({}, way, record ?? facts);
  for (const [name, source] of Object.entries(isJsonObject(form) ? form : {}))
    if (isObject(source) && isAnswered(source) && source.way !== "$")
      body = withValueAt(body, source.way, facts[name]);
  if (refused !== undefined && typeof refused.is === "boolean")
    body = withValueAt(body, refused.at, !refused.is);
  return body;
}

function refusal({ declaration }: FakeAction, status: number, message: string): FakeAnswer {
  const { failures = {}, refused } = declaration;
  let body: unknown = { error: { code: String(status), message } };
  const say = (value: unknown): void => {
    if (!isObject(value)) return;
    if (isAnswered(value) && value.way !== "$") body = withValueAt(body, value.way, message);
    else for (const inner of Object.values(value)) say(inner);
  };
  say(failures[status]);
  if (refused !== undefined) body = withValueAt(body, refused.at, refused.is);
  return { status, headers: {}, body };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The call by which a handler reads what it has changed: method and path below the base address. */
export function rereadCall({ declaration, object }: FakeAction): string | undefined {
  const { reread, call } = declaration;
  const key = keysOf(object.type)
    .find(({ isPrimary }) => isPrimary)
    ?.properties.at(-1);
  if (reread === undefined) return undefined;
  if (typeof reread === "object") return reread.call;
  const [, path = ""] = call.split(/ (.*)/s);
  return reread === "Location" ? `GET ${path.replace(/\/$/, "")}/{${key ?? "id"}}` : reread;
}

/** Answers with the record that the address names. */
export function reread(action: FakeAction, asked: AskedList): FakeAnswer {
  const { declaration, object } = action;
  const path = typeof declaration.reread === "object" ? declaration.reread.path : undefined;
  const variables = Object.fromEntries(
    Object.entries(asked.variables).map(([name, value]) => {
      const way = valueAt(path?.[name], "way");
      // `answered("data.id")` is the `id` of the record that the answer tells of.
      return [typeof way === "string" ? (way.split(".").at(-1) ?? name) : name, value];
    }),
  );
  const found = recordNamed(action, variables, { ...asked, variables });
  if (found === undefined || found === "gone")
    return {
      status: 404,
      headers: {},
      body: { error: { message: `There is no such ${object.type.name}.` } },
    };
  const own = typeof declaration.reread === "object" ? declaration.reread.record : undefined;
  const way = own ?? declaration.record ?? "$";
  return { status: 200, headers: {}, body: way === "$" ? found.record : withValueAt({}, way, found.record) };
}

/** Answers with the records that have what the query and the body of a look-up say. */
export function lookedUp({ object }: FakeAction, { items }: LookUp<unknown>, asked: AskedList): FakeAnswer {
  const body = isJsonObject(asked.body) ? asked.body : {};
  const named = Object.entries({ ...body, ...Object.fromEntries(asked.query) });
  const known = [...propertiesOf(object.type)];
  const wanted = named.flatMap(([name, value]) => {
    const property = known.find((each) => plainName(each) === plainName(name));
    return property === undefined || !isScalar(value) ? [] : [[property, String(value)] as const];
  });
  const found = object
    .all()
    .filter(({ isDeleted }) => !isDeleted)
    .filter(({ record }) => wanted.every(([property, value]) => String(record[property]) === value))
    .map(({ record }) => record);
  return { status: 200, headers: {}, body: items === "$" ? found : withValueAt({}, items, found) };
}
