/** Splits names into words. Display names and url parts split differently, on purpose, as the platform's files do. */

/** Where one word ends and the next one begins; letters, digits and marks are in no gap. */
const EDGES = {
  unicode: {
    acronymEnd: /(\p{Lu})(?=\p{Lu}\p{Ll})/gu,
    lowerToUpper: /(\p{Ll})(?=\p{Lu})/gu,
    digit: /(?<=\p{L})(?=\p{Nd})|(?<=\p{Nd})(?=\p{L})/gu,
    gap: /[^\p{L}\p{M}\p{Nd}]+/u,
  },
  // The same for the names that nearly all are: many times as quick to compile and to run.
  ascii: {
    acronymEnd: /([A-Z])(?=[A-Z][a-z])/g,
    lowerToUpper: /([a-z])(?=[A-Z])/g,
    digit: /(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])/g,
    gap: /[^A-Za-z0-9]+/,
  },
};

/**
 * The display name of a class: a space before every capital, none before digits.
 * `PCO` becomes `P C O`, `SignalR` becomes `Signal R`, `Schedulesv2` stays as it is.
 */
export function displayName(className: string): string {
  return className.replace(/(?<=\S)(?=\p{Lu})/gu, " ");
}

/**
 * The words of a name: acronyms stay together, digits stand alone, anything but letters and digits separates.
 * `PCOs` gives `PC`, `Os`; `Schedulesv2` gives `Schedulesv`, `2`.
 */
export function splitWords(name: string): readonly string[] {
  const { acronymEnd, lowerToUpper, digit, gap } = EDGES[/^[\x20-\x7e]*$/.test(name) ? "ascii" : "unicode"];
  return name
    .replace(lowerToUpper, "$1 ")
    .replace(acronymEnd, "$1 ")
    .replace(digit, " ")
    .split(gap)
    .filter((word) => word !== "");
}

/**
 * The title of a property as a person writes it, every word with a capital: `baseUrl` becomes `Base URL`, `clientId`
 * becomes `Client ID`, `oauthToken` becomes `OAuth Token`.
 */
export function propertyTitle(name: string): string {
  const isLoud = !/\p{Ll}/u.test(name);
  const words = splitWords(name.replace(/oauth/i, "Oauth"));
  return words.map((word) => titleWord(isLoud ? word.toLowerCase() : word)).join(" ");
}

/** Words that people write in another way than with one capital; all others in this list are written in capitals. */
const SPELLINGS: Readonly<Record<string, string>> = {
  ids: "IDs",
  oauth: "OAuth",
  apis: "APIs",
  uris: "URIs",
  urls: "URLs",
};
const ACRONYMS = new Set(
  "aad api aws crm csv dns erp ftp gcp hr html http https iban id ip json jwt mfa oidc pdf pin po rest rpc saml sdk sftp smtp soap sql ssh ssl sso tcp tls ui uid upn uri url utc uuid vat vpn xml".split(
    " ",
  ),
);

function titleWord(word: string): string {
  const lower = word.toLowerCase();
  if (ACRONYMS.has(lower)) return lower.toUpperCase();
  // A word of capitals is an acronym of the author's.
  return SPELLINGS[lower] ?? upperFirst(/^\p{Lu}+$/u.test(word) ? word : lower);
}

/** The url part of a name: its words in kebab-case. `SignalR` becomes `signal-r`, `PCOs` becomes `pc-os`. */
export function urlPartOf(name: string): string {
  return splitWords(name).join("-").toLowerCase();
}

/** `name` with its first letter lowered, the rest untouched. `OAuth2CodeFlow` becomes `oAuth2CodeFlow`. */
export function lowerFirst(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}

/** `name` with its first letter raised, the rest untouched. */
export function upperFirst(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
