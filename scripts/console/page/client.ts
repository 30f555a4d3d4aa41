/** Asks the server of the console. The token is in this tab alone: never in an address, a cookie or the page. */
import type { RunEvent } from "./shapes.js";

const TOKEN_HEADER = "x-connectorcli-token";
const KEPT = "connectorcli-token";

let workspace: string | undefined;

/** From here on, calls are about this workspace of a database; about the one that the console chooses if it is undefined. */
export function lookAt(name: string | undefined): void {
  workspace = name;
}

/** The server said no, or is not there; the message is for people. */
export class CallError extends Error {
  override readonly name = "CallError";

  /** @param status 0 if the server could not be reached. */
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Takes the token out of the address, so that it stays neither there nor in the history. */
export function takeToken(): boolean {
  const match = /^#token=([\w-]+)/.exec(location.hash);
  if (match?.[1] !== undefined) {
    sessionStorage.setItem(KEPT, match[1]);
    history.replaceState(null, "", "/#/");
  }
  return sessionStorage.getItem(KEPT) !== null;
}

/** What is read. */
export async function ask<Answer>(
  name: string,
  query: Readonly<Record<string, string | number | readonly string[] | undefined>> = {},
  signal?: AbortSignal,
): Promise<Answer> {
  const parameters = new URLSearchParams();
  const given: typeof query = { workspace, ...query };
  for (const [key, value] of Object.entries(given)) {
    if (typeof value === "object") for (const one of value) parameters.append(key, one);
    else if (value !== undefined && value !== "") parameters.set(key, String(value));
  }
  const response = await send(`/api/${name}?${parameters}`, { signal: signal ?? null });
  return (await response.json()) as Answer;
}

/** What is done at once. */
export async function tell<Answer>(name: string, body: object): Promise<Answer> {
  return (await (await send(addressOf(name), posted(body))).json()) as Answer;
}

/** What takes its time: each event as it comes, until the work has ended or `signal` is aborted. */
export async function run(
  name: string,
  body: object,
  { signal, onEvent }: { readonly signal: AbortSignal; readonly onEvent: (event: RunEvent) => void },
): Promise<void> {
  const response = await send(addressOf(name), { ...posted(body), signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onEvent(JSON.parse(line) as RunEvent);
  }
}

function addressOf(name: string): string {
  return workspace === undefined ? `/api/${name}` : `/api/${name}?${new URLSearchParams({ workspace })}`;
}

function posted(body: object): RequestInit {
  return { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}

async function send(address: string, init: RequestInit): Promise<Response> {
  const headers = { ...init.headers, [TOKEN_HEADER]: sessionStorage.getItem(KEPT) ?? "" };
  let response: Response;
  try {
    response = await fetch(address, { ...init, headers, redirect: "error", credentials: "omit" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new CallError(0, "The console does not answer any more. Start it again: npx connectorcli console");
  }
  if (response.ok) return response;
  const answer = (await response.json().catch(() => ({}))) as { readonly error?: string };
  throw new CallError(response.status, answer.error ?? `The console answered ${response.status}.`);
}
