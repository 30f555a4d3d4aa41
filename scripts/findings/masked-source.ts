/** Source without what is secret in it, column for column: reports are kept, and read by many. */
import { parse } from "@babel/parser";
import { withoutCredentials } from "../../schemas/checks/credential-texts.js";

/** What stands in place of each character that is not shown. */
export const HIDDEN = "\u2022";

/** Findings that speak of a secret in the code: nothing that its author wrote as text is shown. */
const SECRET_CODES: ReadonlySet<string> = new Set([
  "connection-address-credentials",
  "connection-address-placeholder",
  "connection-address-invalid",
  "code-credential",
]);

/** Whether only code may be shown of the lines around a finding with this code. */
export function speaksOfSecret(code: string): boolean {
  return SECRET_CODES.has(code);
}

/** `text` with every credential that can be told by its shape hidden. */
export function withoutSecrets(text: string): string {
  return withoutCredentials(text, hidden);
}

/** `text` with every literal and comment hidden; undefined where its syntax can't be read. */
export function withoutTexts(text: string): string | undefined {
  const options = { sourceType: "module", plugins: ["typescript", "decorators"], tokens: true } as const;
  try {
    const { tokens, comments } = parse(text, { ...options, plugins: [...options.plugins] });
    const texts = (tokens ?? []).filter(({ type }) => ["string", "template", "regexp"].includes(type.label));
    return [...texts, ...(comments ?? [])].reduce(
      (shown, { start, end }) => shown.slice(0, start) + hidden(shown.slice(start, end)) + shown.slice(end),
      text,
    );
  } catch {
    return undefined;
  }
}

function hidden(text: string): string {
  return text.replace(/[^\r\n\u2028\u2029]/g, HIDDEN);
}
