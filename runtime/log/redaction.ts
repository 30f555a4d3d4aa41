/** The redactor of the runtime and the command line: finds secrets in any value and any text, and hides them. */

import { pointerSteps } from "../../schemas/json.js";
import { isSecretName } from "../../schemas/naming/secret-names.js";
import { mask, sensitiveValues } from "../records/masking.js";
import type { RecordType } from "../records/record-type.js";
import { errorMessage, safeGet } from "../untrusted.js";
import { type Finding, HIDDEN } from "../validation/finding.js";
import { validate } from "../validation/findings.js";
import { redactMembers } from "./member-texts.js";
import { plainValue } from "./plain-value.js";
import { writeOnlyNames } from "./write-only-names.js";

/** Ends the hiding of what was hidden; the second call does nothing. */
export type Forget = () => void;

/** Hides secrets that it is told, and nothing else. None of its methods throws. */
export interface SecretRedaction {
  /**
   * Hides these texts and numbers from now on, in every form in which they may occur. Other values are ignored.
   * @returns What forgets them again; a secret that somebody else hides too stays hidden.
   */
  hide(secrets: Iterable<unknown>): Forget;
  /** `text` without the secrets. */
  text(text: string): string;
}

/** Hides the secrets that it is told, and what looks like one by its name or form. None of its methods throws. */
export interface Redaction extends SecretRedaction {
  /** `text` without secrets; what is longer than 10,000 characters is cut. */
  text(text: string): string;
  /** `text` without secrets, as long as it is. */
  wholeText(text: string): string;
  /** `value` as plain JSON without secrets, bounded in depth and size. */
  value(value: unknown): unknown;
  /**
   * `value`, which is JSON, without secrets, as large as it is: hidden is what `schema` calls write-only, and what the names
   * hide wherever it stands. A secret name alone (`key`) hides no property that `schema` describes.
   */
  json(value: unknown, schema?: unknown): unknown;
  /** Hides from now on what `json` would hide in this value because of a schema or a name. */
  hideIn(value: unknown, schema?: unknown): Forget;
  /** `found` without values of members with secret names. */
  findings(found: readonly Finding[]): readonly Finding[];
}

/** Longer texts are cut; characters. */
const MAX_TEXT_LENGTH = 10_000;

/**
 * A redactor that also hides every member whose name belongs to a write-only property of one of `schemas`.
 * @param redactMore Hides in texts what else is secret.
 */
export function createRedaction(
  schemas: readonly RecordType[] = [],
  redactMore = (text: string) => text,
): Redaction {
  const secrets = createSecretMatcher();
  const names = writeOnlyNames(schemas);
  const isSecret = (name: string) => isSecretName(name) || names.has(name) || names.hasLike(name);
  const redact = (text: string) =>
    secrets.has(text) ? HIDDEN : redactMore(redactCredentials(secrets.redact(text), isSecret));
  const text = (given: string) => {
    if (given.length <= MAX_TEXT_LENGTH || secrets.has(given)) return redact(given);
    // A secret that the cut goes through must be whole when it is looked for.
    const shown = redact(given.slice(0, MAX_TEXT_LENGTH + secrets.maxLength));
    const more = given.length - MAX_TEXT_LENGTH;
    return `${shown.slice(0, MAX_TEXT_LENGTH).toWellFormed()}… (${more} more characters)`;
  };
  const anywhere = {
    isSecret: (name: string, isDescribed: boolean) => (isDescribed ? names.has(name) : isSecret(name)),
    text: redact,
  };
  const finding = (found: Finding): Finding => {
    const isOfSecret = pointerSteps(found.instancePath).some((step) => isSecret(String(step)));
    const actual = isOfSecret ? HIDDEN : redact(found.actual);
    const message = found.message.endsWith(found.actual)
      ? found.message.slice(0, found.message.length - found.actual.length) + actual
      : redact(found.message);
    return { ...found, actual, message };
  };
  return {
    hide: secrets.hide,
    text,
    wholeText: redact,
    value: (value) => plainValue(value, { text, isSecret }),
    json: (value, schema) => mask(value, schema, anywhere),
    hideIn: (value, schema) => secrets.hide(sensitiveValues(value, schema, anywhere)),
    findings: (found) => found.map(finding),
  };
}

/** The message of what was thrown, without secrets; half characters are replaced. */
export function redactedErrorMessage(error: unknown, { text }: Redaction): string {
  return text(errorMessage(error)).toWellFormed();
}

/** Everything in which `value`, in serialized form, does not fit; neither names nor texts give a secret away. */
export function redactedFindings(
  type: RecordType,
  value: unknown,
  { text, findings }: Redaction,
): readonly Finding[] {
  return findings(validate(type, value, { redact: text }));
}

/** A redactor for what is kept or told of a service: of `schemas`, of `secrets`, and of what its log hides. */
export function serviceRedaction({
  schemas,
  secrets,
  log,
}: {
  readonly schemas: readonly RecordType[];
  readonly secrets: readonly string[];
  readonly log: unknown;
}): Redaction {
  const redacted = safeGet(log, "redacted");
  const redaction = createRedaction(schemas, (text) => {
    const shown: unknown = typeof redacted === "function" ? redacted.call(log, text) : text;
    return typeof shown === "string" ? shown : text;
  });
  redaction.hide(secrets);
  return redaction;
}

/** A redactor of texts for the secrets that it is told, of any length: results as JSON stay JSON. */
export function createSecretRedaction(secrets: Iterable<unknown> = []): SecretRedaction {
  const matcher = createSecretMatcher();
  matcher.hide(secrets);
  return { hide: matcher.hide, text: matcher.redact };
}

/** Hides `secrets` in a log that can hide, such as one of `createLog`; leaves any other value alone. */
export function hideInLog(log: unknown, secrets: readonly string[]): Forget {
  const hide = safeGet(log, "hide");
  const forget: unknown = typeof hide === "function" ? hide.call(log, secrets) : undefined;
  return typeof forget === "function" ? () => void forget() : () => {};
}

/** Known secrets, and texts without them. */
interface SecretMatcher {
  hide(secrets: Iterable<unknown>): Forget;
  /** Whether `text` as a whole is a secret. */
  has(text: string): boolean;
  redact(text: string): string;
  /** Length of the longest form of a secret, so that no form is cut in its middle. */
  readonly maxLength: number;
}

/** A shorter secret stands in too many words by chance: it is hidden only if it is the whole text. Characters. */
const MIN_PART_LENGTH = 4;

const BASE64_CHARACTER = /[A-Za-z0-9+/_=-]/;

/** Longer patterns are cut in several, for a pattern has a largest size; characters. */
const MAX_PATTERN_LENGTH = 100_000;

function createSecretMatcher(): SecretMatcher {
  /** How often each secret is hidden, and its forms. */
  const hidden = new Map<string, { count: number; readonly forms: SecretForms }>();
  let compiled: Compiled | undefined;
  const compile = (): Compiled => {
    compiled ??= compileForms([...hidden.values()].map(({ forms }) => forms));
    return compiled;
  };
  const add = (secret: string) => {
    const known = hidden.get(secret);
    if (known !== undefined) known.count++;
    else {
      hidden.set(secret, { count: 1, forms: secretForms(secret) });
      compiled = undefined;
    }
  };
  const remove = (secret: string) => {
    const known = hidden.get(secret);
    if (known === undefined || --known.count > 0) return;
    hidden.delete(secret);
    compiled = undefined;
  };
  return {
    hide(secrets) {
      let added = textsOf(secrets);
      for (const secret of added) add(secret);
      return () => {
        for (const secret of added) remove(secret);
        added = [];
      };
    },
    has: (text) => hidden.has(text),
    redact(text) {
      if (hidden.has(text)) return HIDDEN;
      return compile().steps.reduce((redacted, step) => step(redacted), text);
    },
    get maxLength() {
      return compile().maxLength;
    },
  };
}

/** What hides the forms of all secrets, the longest first. */
interface Compiled {
  readonly steps: readonly ((text: string) => string)[];
  readonly maxLength: number;
}

function compileForms(all: readonly SecretForms[]): Compiled {
  const plain = new Set(all.flatMap((forms) => forms.plain));
  const base64 = new Set(all.flatMap((forms) => forms.base64));
  const forms = [
    ...[...plain].map((text) => ({ text, isBase64: false })),
    ...[...base64].filter((text) => !plain.has(text)).map((text) => ({ text, isBase64: true })),
  ].sort((a, b) => b.text.length - a.text.length);
  const parts: (typeof forms)[] = [];
  let length = 0;
  for (const form of forms) {
    // An escaped character takes two.
    const size = form.text.length * 2;
    const part = parts.at(-1);
    if (part === undefined || length + size > MAX_PATTERN_LENGTH) parts.push([form]);
    else part.push(form);
    length = parts.at(-1) === part ? length + size : size;
  }
  const steps = parts.map((part) => {
    const [first] = part;
    if (first !== undefined && first.text.length * 2 > MAX_PATTERN_LENGTH)
      return (text: string) => text.replaceAll(first.text, () => HIDDEN);
    const [plainForms, base64Forms] = [false, true].map((isBase64) =>
      anyOf(part.filter((form) => form.isBase64 === isBase64).map(({ text }) => text)),
    );
    const pattern = new RegExp(`(${plainForms})|${base64Forms}`, "g");
    return (text: string) => replaceSecrets(text, pattern);
  });
  return { steps, maxLength: forms[0]?.text.length ?? 0 };
}

function textsOf(secrets: Iterable<unknown>): readonly string[] {
  return collectValues(secrets)
    .filter((secret) => typeof secret === "string" || typeof secret === "number")
    .map(String)
    .filter((secret) => secret.trim() !== "");
}

/** The values that `values` gives before it throws; a text is one value. */
function collectValues(values: Iterable<unknown>): readonly unknown[] {
  if (typeof values === "string") return [values];
  const list: unknown[] = [];
  try {
    for (const value of values) list.push(value);
  } catch {
    // Authors' code makes these lists, and hiding must not fail for it.
  }
  return list;
}

/** Base64 around a match is hidden with it: the characters at its edges hold bits of the secret. */
function replaceSecrets(text: string, pattern: RegExp): string {
  let result = "";
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index < end) continue;
    const isBase64 = match[1] === undefined;
    let start = match.index;
    while (isBase64 && start > end && BASE64_CHARACTER.test(text[start - 1] ?? "")) start--;
    result += `${text.slice(end, start)}${HIDDEN}`;
    end = match.index + match[0].length;
    while (isBase64 && BASE64_CHARACTER.test(text[end] ?? "")) end++;
  }
  return result + text.slice(end);
}

/** A pattern for any of `forms`; it matches nothing if there are none. */
function anyOf(forms: readonly string[]): string {
  return forms.length === 0 ? "(?!)" : forms.map(escapePattern).join("|");
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** Base64 of a text with fewer bytes has too few characters of its own to be told from other texts. */
const MIN_BASE64_BYTES = 4;

/** Every text that gives a secret away. */
interface SecretForms {
  /** As it is, in quotes, percent-encoded. */
  readonly plain: readonly string[];
  /** Its characters in base64. */
  readonly base64: readonly string[];
}

/** The forms of `secret`; none of one that is too short to be told from other texts. */
function secretForms(secret: string): SecretForms {
  if (secret.trim().length < MIN_PART_LENGTH) return { plain: [], base64: [] };
  const quotedWords = oneLine(secret);
  const words = quotedWords.length < MIN_PART_LENGTH ? [] : [quotedWords];
  const texts = [secret, secret.trim(), ...words, ...longLines(secret)];
  const quoted = texts.flatMap((text) => [text, quote(text), quote(quote(text))]);
  const encoded = texts.flatMap((text) => percentForms(text).flatMap((form) => [form, lowerCaseCodes(form)]));
  return { plain: [...quoted, ...encoded], base64: texts.flatMap(base64Forms) };
}

/** Shorter lines of a secret are not hidden on their own; characters. */
const MIN_LINE_LENGTH = 8;

/** A private key is often printed line by line. */
function longLines(secret: string): readonly string[] {
  const lines = secret.split(/\r?\n/);
  return lines.length === 1
    ? []
    : lines.map((line) => line.trim()).filter((line) => line.length >= MIN_LINE_LENGTH);
}

/** `text` as messages quote it: breaks and characters without a shape become spaces. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{C}]+/gu, " ").trim();
}

function quote(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function percentForms(secret: string): readonly string[] {
  const text = secret.toWellFormed();
  const component = encodeURIComponent(text);
  const strict = component.replace(/[!'()*]/g, percentCode);
  const form = new URLSearchParams([["", text]]).toString().slice(1);
  return [component, strict, form, encodeURI(text), encodeURIComponent(component)];
}

function percentCode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function lowerCaseCodes(encoded: string): string {
  return encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}

/**
 * The characters that a secret has in base64 wherever it stands in the encoded bytes, for example behind a user name.
 * It can begin at three positions of a group; for each, these are the characters that the secret alone decides.
 */
function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  if (bytes.length < MIN_BASE64_BYTES) return [];
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64url");
    const end = Math.floor(((shift + bytes.length) * 8) / 6);
    const own = text.slice(Math.ceil((shift * 8) / 6), end);
    return [own, own.replace(/-/g, "+").replace(/_/g, "/")];
  });
}

/** User name and password of an address. */
const USER_INFO = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#"'<>\\]*@/gi;

/** A parameter of an address or a form, or a setting in a text; a part of it may be hidden already. */
const PARAMETER = /(^|[?&;\s"'`{,([])([\w.%[\]-]{1,64})=(?:--hidden value--|[^&\s"'`<>#;,)}\]])+/g;

/** A header with its value, to the end of the line. */
const HEADER =
  /\b((?:proxy-)?authorization|(?:set-)?cookie|x-api-key)(\\?["']?\s{0,3}[:=]\s{0,3}\[?\s{0,3}\\?["']?)([^\r\n"'\\]+)/gi;

/** The schemes of the Authorization header that have a name; a word in a sentence has no digit or capital letter. */
const SCHEME = /\b(Bearer|Basic|Token)(\s{1,3})(?=[a-z]{0,60}[A-Z0-9_=])[\w.~+/=-]{8,}/g;

const JSON_WEB_TOKEN = /\beyJ[\w-]{8,4000}\.[\w-]{8,}(?:\.[\w-]*)?/g;

/** `text` without what has the form of a credential; `isSecret` says by its name whether a member or parameter is one. */
function redactCredentials(text: string, isSecret: (name: string) => boolean): string {
  const shown = text
    .replace(USER_INFO, `$1${HIDDEN}@`)
    .replace(HEADER, `$1$2${HIDDEN}`)
    .replace(SCHEME, `$1$2${HIDDEN}`)
    .replace(JSON_WEB_TOKEN, HIDDEN)
    .replace(PARAMETER, (whole, before: string, name: string) =>
      isSecret(name) ? `${before}${name}=${HIDDEN}` : whole,
    );
  return redactMembers(shown, isSecret);
}
