/** A call of the page: what a handler of it is given, what the page has sent in words, and whether it may. */
import type { ConsoleOptions } from "./console-options.js";
import { type ApiAnswer, type ApiCall, ApiError } from "./server.js";
import type { ConsoleView } from "./session.js";
import type { Target } from "./shown-connection.js";

/** Rows of one answer. */
export const MAX_ROWS = 500;

/** What a call needs beside itself. */
export interface Context extends ApiCall {
  /** What the call is about: the embedded store, or the store of a workspace. */
  readonly session: ConsoleView;
  readonly options: ConsoleOptions;
  readonly say: (line: string) => void;
}

export type Handler = (context: Context) => Promise<ApiAnswer>;

export function json(answer: (context: Context) => Promise<unknown>): Handler {
  return async (context) => ({ json: await answer(context) });
}

/**
 * @param target What would be changed. Default: what the call is about.
 * @throws ApiError if the page may not change anything, or has not named the production system.
 */
export async function allowed(
  { options, session, body }: Pick<Context, "options" | "session" | "body">,
  target: () => Promise<Target> = () => session.target(),
): Promise<void> {
  if (options.isWritable !== true)
    throw new ApiError(403, "This console only shows. Start it with --write to change something.");
  const { isProduction, title } = await target();
  if (isProduction && optionalText(body, "confirmed") !== title)
    throw new ApiError(412, `This is production. Type its name: ${title}`);
}

export function required(query: URLSearchParams, name: string): string {
  const value = query.get(name);
  if (value === null || value === "") throw new ApiError(400, `Say which ${name}.`);
  return value;
}

export function countIn(query: URLSearchParams, name: string): number {
  const value = Number(query.get(name) ?? 0);
  if (!Number.isSafeInteger(value) || value < 0) throw new ApiError(400, `${name} is no whole number.`);
  return value;
}

export function limitIn(query: URLSearchParams): number {
  return Math.min(query.has("limit") ? countIn(query, "limit") : MAX_ROWS, MAX_ROWS);
}

export function memberIn(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null && Object.hasOwn(body, name)
    ? (body as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

export function textsIn<Name extends string>(body: unknown, names: readonly Name[]): Record<Name, string> {
  const entries = names.map((name) => {
    const value = memberIn(body, name);
    if (typeof value !== "string") throw new ApiError(400, `Say which ${name}.`);
    return [name, value] as const;
  });
  return Object.fromEntries(entries) as Record<Name, string>;
}

export function numbersIn<Name extends string>(body: unknown, names: readonly Name[]): Record<Name, number> {
  const entries = names.map((name) => {
    const value = memberIn(body, name) ?? 0;
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0)
      throw new ApiError(400, `${name} is no whole number.`);
    return [name, value] as const;
  });
  return Object.fromEntries(entries) as Record<Name, number>;
}

export function optionalText(body: unknown, name: string): string | undefined {
  const value = memberIn(body, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function flagIn(body: unknown, name: string): boolean {
  return memberIn(body, name) === true;
}
