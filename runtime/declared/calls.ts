/** From a declared call to the request that is sent: variables of the path, and values that come from elsewhere. */

import { ownMember } from "../../schemas/json.js";
import { variablesIn } from "../../schemas/naming/path-variables.js";
import { path as pathOf, type Query, type QueryValue } from "../client/addresses.js";
import type { ApiResponse } from "../client/api-response.js";
import type { CallOptions, HttpClient } from "../client/http-client.js";
import { kindOf } from "../client/pages.js";
import { quotedFrom } from "../client/target-words.js";
import { serializedMembers } from "../records/serialized-form.js";
import type { ServiceContext, ServiceTypes } from "../registration/contracts.js";
import { safeGet } from "../untrusted.js";
import type { CallingClient, ParentSource, Refused, SentAs, SettingSource } from "./declaration.js";
import { isScalar, type Scalar, valueAt, withValueAt } from "./ways.js";

/** A call as it is declared; `subject` begins every message. */
export interface DeclaredCall {
  readonly subject: string;
  /** Method and path below the base address, with variables: `GET /projects/{id}`. */
  readonly call: string;
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

/** A call with all its values. It may be added to until it is sent. */
export interface DeclaredRequest {
  readonly method: Lowercase<CallMethod>;
  path: string;
  query: Query | undefined;
  headers: Readonly<Record<string, string>>;
  /** Undefined if none is sent. */
  body: unknown;
}

type CallMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The value of what stands for one in a declaration; undefined for a value that stands for itself. */
export type SourceValue = (value: object) => { readonly value: unknown } | undefined;

/**
 * The request of a call. `sourceValue` gives the value of what stands for one, at any depth; members whose value is
 * undefined are left out.
 * @throws TypeError if a variable of the path has no value.
 */
export function declaredRequest(declared: DeclaredCall, sourceValue: SourceValue): DeclaredRequest {
  const { subject, call, path = {}, query = {}, headers = {}, body } = declared;
  const resolve = (value: unknown) => resolved(value, sourceValue);
  const [method = "", template = ""] = call.split(/ (.*)/s);
  const parts = template.split(VARIABLE);
  const values = variablesIn(template).map((name) => pathValue(subject, name, resolve(path[name])));
  return {
    method: method.toLowerCase() as DeclaredRequest["method"],
    path: pathOf(Object.assign(parts, { raw: parts }), ...values),
    query: queryOf(subject, resolve(query) as Readonly<Record<string, unknown>>),
    headers: headersOf(subject, resolve(headers) as Readonly<Record<string, unknown>>),
    body: resolve(body),
  };
}

function queryOf(subject: string, query: Readonly<Record<string, unknown>>): Query {
  for (const [name, value] of Object.entries(query))
    for (const item of [value].flat())
      if (item !== null && !isScalar(item))
        throw new TypeError(`${subject}: its query can't send ${kindOf(item)} as "${name}".`);
  return query as Query;
}

function headersOf(
  subject: string,
  headers: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === null) return [];
      if (isScalar(value)) return [[name, String(value)]];
      throw new TypeError(`${subject}: its header ${name} can't send ${kindOf(value)}.`);
    }),
  );
}

const VARIABLE = /\{[^{}]*\}/;

function pathValue(subject: string, variable: string, value: unknown): Scalar {
  if (isScalar(value)) return value;
  throw new TypeError(`${subject}: {${variable}} in its path has no value.`);
}

/** A value with what stands for others replaced, at any depth. */
export function resolved(value: unknown, sourceValue: SourceValue): unknown {
  if (typeof value !== "object" || value === null) return value;
  const source = sourceValue(value);
  if (source !== undefined) return source.value;
  if (Array.isArray(value))
    return value.map((item) => resolved(item, sourceValue)).filter((item) => item !== undefined);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const found = resolved(member, sourceValue);
      return found === undefined ? [] : [[name, found]];
    }),
  );
}

/** Whether a value of a declaration stands for a setting. */
export function isSettingSource(value: object): value is SettingSource {
  return safeGet(value, "kind") === "setting" && typeof safeGet(value, "name") === "string";
}

/** Whether a value of a declaration stands for a member of each parent. */
export function isParentSource(value: object): value is ParentSource {
  return safeGet(value, "kind") === "parent" && typeof safeGet(value, "reader") === "function";
}

/** @throws TypeError if nobody has the setting, and it has no default. */
export function settingValue(
  subject: string,
  context: Pick<ServiceContext<unknown, ServiceTypes>, "registrationConfiguration" | "connection">,
  { name, as = {}, default: fallback }: SettingSource,
): Scalar | null {
  for (const owner of [context.registrationConfiguration, context.connection]) {
    const value = valueAt(serializedMembers(owner), name);
    if (isScalar(value)) return Object.hasOwn(as, String(value)) ? (as[String(value)] ?? null) : value;
  }
  if (fallback !== undefined) return fallback;
  throw new TypeError(
    `${subject}: neither the registration configuration nor the connection has a setting "${name}".`,
  );
}

/** Puts one more value into a request. */
export function addSent(request: DeclaredRequest, as: SentAs, value: QueryValue): void {
  if (typeof as === "string") request.query = { ...request.query, [as]: value };
  else if ("header" in as) request.headers = { ...request.headers, [as.header]: String(value) };
  else request.body = withValueAt(request.body, as.body, value);
}

/** Sends a request. A list by POST without a body sends an empty object, unless `content` says what is sent. */
export function sendRequest(
  http: HttpClient,
  { method, path, query, headers, body }: DeclaredRequest,
  options: Pick<CallOptions, "signal" | "isIdempotent">,
  content: Pick<CallOptions, "json" | "form"> = method === "get" ? {} : { json: body ?? {} },
): Promise<ApiResponse> {
  return http[method](path, { ...options, ...content, query, headers });
}

/** The reason of an error that was answered with a success; undefined if there was none. */
export function refusalIn(body: unknown, refused: Refused<unknown> | undefined): string | undefined {
  if (refused === undefined || valueAt(body, refused.at) !== refused.is) return undefined;
  const reason = refused.message === undefined ? undefined : valueAt(body, refused.message);
  const words = quotedFrom(body, typeof reason === "string" ? reason : undefined);
  return words === "" ? `${refused.at} is ${String(refused.is)}` : words;
}

/** Ends with an error that names the member. */
export type Refuse = (member: string, expected: string) => never;

/** Refuses a variable of the path of `call` without a value, and a value without a variable. */
export function checkPath(
  call: string,
  path: Readonly<Record<string, unknown>> | undefined,
  { refuse, member = "path" }: { readonly refuse: Refuse; readonly member?: string },
): void {
  const variables = variablesIn(call);
  const given = path ?? {};
  for (const variable of variables) {
    const value = ownMember(given, variable);
    if (!isScalar(value) && (typeof value !== "object" || value === null))
      refuse(`${member}.${variable}`, `is a value for {${variable}} of ${call}`);
  }
  for (const name of Object.keys(given))
    if (!variables.includes(name)) refuse(`${member}.${name}`, `has no variable {${name}} in ${call}`);
}

/** @throws TypeError if the client can't make calls. `service` names who makes them. */
export function httpOf(service: string, client: CallingClient): HttpClient {
  const given = safeGet(client, "http") ?? client;
  if (typeof safeGet(given, "get") === "function" && typeof safeGet(given, "address") === "function")
    return given as HttpClient;
  throw new TypeError(
    `The declared ${service} makes its calls with the member "http" of the API client, and the client has none: add readonly http: HttpClient to it.`,
  );
}
