/** Reads a text from an address, for commands that take a file or an address. */
import { BYTES_PER_MB } from "./read-text.js";

/** How long an answer may take, with its redirects and its body. */
const TIMEOUT_MS = 60_000;
const MOST_REDIRECTS = 5;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether a command's argument is an address and no file. */
export function isAddress(source: string): boolean {
  return /^[a-z][a-z\d+.-]+:\/\//i.test(source);
}

/**
 * The text at `address`. Redirects are followed to other safe addresses only.
 * @throws Error that says why it can't be read.
 */
export async function fetchText(address: string, limitMb: number, signal?: AbortSignal): Promise<string> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const either = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  let url = safeUrl(address);
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const response = await fetch(url, { redirect: "manual", signal: either }).catch(throwReason);
    const next = response.headers.get("location");
    if (response.status >= 300 && response.status < 400 && next !== null) {
      await response.body?.cancel();
      url = safeUrl(new URL(next, url).href);
      continue;
    }
    if (!response.ok) throw new Error(`the answer has the status ${response.status}`);
    return textOf(response, limitMb);
  }
  throw new Error(`it is redirected more than ${MOST_REDIRECTS} times`);
}

/** An address over https, or on this machine. Credentials in it would end in histories, logs and files. */
function safeUrl(address: string): URL {
  if (!URL.canParse(address)) throw new Error("it is no address");
  const url = new URL(address);
  if (url.username !== "" || url.password !== "") throw new Error("it carries a credential");
  if (url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.test(url.hostname))) return url;
  throw new Error("only https is read");
}

async function textOf(response: Response, limitMb: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  // Chunks of a body are bytes; the types of Node do not say so.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > limitMb * BYTES_PER_MB)
      throw new Error(`it has more than ${limitMb} MB, which is the most that is read`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** `fetch failed` says nothing; its cause does. */
function throwReason(error: unknown): never {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  throw cause instanceof Error && cause.message !== "" ? cause : new Error("there is no answer");
}
