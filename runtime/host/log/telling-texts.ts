/** Texts without what looks like a credential by where it stands: in addresses, headers, forms and JSON. */
import { HIDDEN } from "../../validation/finding.js";

/** User name and password of an address. */
const USER_INFO = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#"'<>\\]*@/gi;

/** A parameter of an address or a form, or a setting in a text; a part of it may be hidden already. */
const PARAMETER = /(^|[?&;\s"'`{,([])([\w.%[\]-]{1,64})=(?:--hidden value--|[^&\s"'`<>#;,)}\]])+/g;

/** A member of JSON. */
const MEMBER = /(["'])([\w.$ -]{1,64})(\1\s{0,3}:\s{0,3}\1)((?:\\.|(?!\1)[^\r\n\\])+)/g;

/** A member of JSON in a text of JSON. */
const QUOTED_MEMBER = /(\\{1,3}["'])([\w.$ -]{1,64})(\1\s{0,3}:\s{0,3}\1)((?:(?!\1)[^\r\n])+)/g;

/** A member that is a number, also in a text of JSON. */
const NUMBER_MEMBER = /(\\{0,3}["'])([\w.$ -]{1,64})(\1\s{0,3}:\s{0,3})-?\d[\d.eE+-]{0,40}/g;

/** A header with its value, to the end of the line. */
const HEADER =
  /\b((?:proxy-)?authorization|(?:set-)?cookie|x-api-key)(\\?["']?\s{0,3}[:=]\s{0,3}\[?\s{0,3}\\?["']?)([^\r\n"'\\]+)/gi;

/** The schemes of the header that are told by their name; a word in a sentence has no digit or capital letter. */
const SCHEME = /\b(Bearer|Basic|Token)(\s{1,3})(?=[a-z]{0,60}[A-Z0-9_=])[\w.~+/=-]{8,}/g;

const JSON_WEB_TOKEN = /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g;

/** `text` with all of these hidden; `isSensitive` tells by its name which member or parameter is. */
export function withoutTelling(text: string, isSensitive: (name: string) => boolean): string {
  const hiddenMember = (whole: string, quote: string, name: string, between: string) =>
    isSensitive(name) ? `${quote}${name}${between}${HIDDEN}` : whole;
  return text
    .replace(USER_INFO, `$1${HIDDEN}@`)
    .replace(HEADER, `$1$2${HIDDEN}`)
    .replace(SCHEME, `$1$2${HIDDEN}`)
    .replace(JSON_WEB_TOKEN, HIDDEN)
    .replace(PARAMETER, (whole, before: string, name: string) =>
      isSensitive(name) ? `${before}${name}=${HIDDEN}` : whole,
    )
    .replace(MEMBER, hiddenMember)
    .replace(QUOTED_MEMBER, hiddenMember)
    .replace(NUMBER_MEMBER, hiddenMember);
}
