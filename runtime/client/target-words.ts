/** What a target system says of a call that it refuses, in its own words, without secrets and short enough for a message. */
import { isJsonObject } from "../../schemas/json.js";
import { oneLine } from "../log/redaction.js";
import type { OutgoingRequest } from "../registration/http-messages.js";
import { redactionOfRequests } from "./sent-requests.js";

/** Longer words are cut; characters. */
const MAX_LENGTH = 200;
/** Messages stand near the top; data may be as deep as it likes. */
const MAX_DEPTH = 5;

/**
 * The words in the body of an unsuccessful answer: the member of its JSON that usually holds them, or the whole of a short
 * plain text. Empty if there are none.
 */
export function wordsOfError(body: unknown, sent: readonly OutgoingRequest[]): string {
  const isLong = typeof body === "string" && oneLine(body).length > MAX_LENGTH;
  // The beginning of JSON that was cut off is data.
  const isData = typeof body === "string" && /^\s*(?:[[{]|null\s*$)/.test(body);
  return isLong || isData ? "" : shown(messageIn(body), body, sent);
}

/** What was sent for a list or an object that a successful answer holds; by the value, for authors wrap answers. */
const sentFor = new WeakMap<object, readonly OutgoingRequest[]>();

/** Remembers what was asked for `result`. */
export function rememberSent(result: unknown, sent: readonly OutgoingRequest[]): void {
  if (typeof result === "object" && result !== null) sentFor.set(result, sent);
}

/** Members of an object that is nothing but an error, in lower case without marks between words. */
const ERROR_MEMBERS: ReadonlySet<string> = new Set([
  ...["message", "code", "status", "statuscode", "success", "ok", "type", "timestamp", "path", "name"],
  ...["errorcode", "errordescription", "errormessage", "requestid", "traceid", "correlationid", "details"],
]);

/**
 * A sentence with the words of an object that came with a success and is an error all the same, and a space; else empty.
 * A record may have a member `message` or `title` too: its values are never quoted.
 */
export function sentenceOfSuccess(result: unknown): string {
  if (!isJsonObject(result)) return "";
  const isError = Object.entries(result).every(
    ([name, value]) => value === null || ERROR_MEMBERS.has(lettersOf(name)),
  );
  const { error, errors, "odata.error": odata } = result;
  const words = quotedFrom(result, messageIn(isError ? result : { error, errors, "odata.error": odata }));
  return words === "" ? "" : `It says: ${ended(words)} `;
}

/** `text`, which stands in what a call has returned, as a message may quote it. */
export function quotedFrom(result: unknown, text: string | undefined): string {
  const sent = typeof result === "object" && result !== null ? sentFor.get(result) : undefined;
  return shown(text, result, sent ?? []);
}

/** `words` with the end of a sentence. */
export function ended(words: string): string {
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

/** The names of members that hold a message, or what holds one, the most telling first; in lower case without marks. */
const MESSAGE_PLACES = ["errormessage", "errordescription", "faultstring"];
const DETAIL_PLACES = ["details", "detail", "description", "reason", "title"];

/** The message in a body of JSON. Returns undefined if it is in none of the usual places. */
function messageIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return messageIn(value[0], depth + 1);
  if (!isJsonObject(value)) return undefined;
  const members = new Map(Object.entries(value).map(([name, member]) => [lettersOf(name), member] as const));
  const membersAt = (names: readonly string[]) => names.map((name) => members.get(name));
  const [message, errors] = membersAt(["message", "errors"]);
  const codes = membersAt(["error", "odataerror", "fault"]);
  const candidates = [
    // A text is most often a code, such as `invalid_grant`: what explains it goes before.
    ...codes.filter((code) => typeof code === "object"),
    // OData: `{ "message": { "lang": "en", "value": "The user is disabled." } }`.
    isJsonObject(message) ? (message["value"] ?? message) : message,
    ...membersAt(MESSAGE_PLACES),
    ...[errors, textOfField(errors)],
    ...membersAt(DETAIL_PLACES),
    ...codes,
  ];
  for (const candidate of candidates) {
    const found = messageIn(candidate, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first text of `{ "name": ["The name is required."] }`. */
function textOfField(errors: unknown): unknown {
  if (!isJsonObject(errors)) return undefined;
  const texts = Object.values(errors).map((field) => (Array.isArray(field) ? field[0] : field));
  return texts.find((text) => typeof text === "string");
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}

const HTML =
  /<\/?(?:!doctype|html|head|body|title|h\d|p|div|span|br|b|a|pre|table|script|style|ul|li|\?xml)\b/i;

/** `text` as a message may quote it; empty if it may not. It stands in `body`, an answer to `sent`. */
function shown(text: string | undefined, body: unknown, sent: readonly OutgoingRequest[]): string {
  if (text === undefined || HTML.test(text) || text.includes("\uFFFD")) return "";
  const redaction = redactionOfRequests(sent);
  if (typeof body === "object") redaction.hideIn(body);
  return cut(oneLine(redaction.text(text)));
}

/** Whoever redacts the message again knows more secrets, and finds them only whole: neither words nor quotes are cut. */
function cut(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const start = text.slice(0, MAX_LENGTH);
  const words = start.slice(0, Math.max(0, start.lastIndexOf(" ")));
  const isInQuotes = words.split('"').length % 2 === 0;
  return `${(isInQuotes ? words.slice(0, words.lastIndexOf('"')) : words).trimEnd()}…`;
}
