/**
 * The one list of names that say what a value is: a secret, a credential, an address, or personal data.
 *
 * Two questions are asked of a name, and they differ on purpose:
 *
 * - **Findings** ask `matchedPhrase` with a vocabulary. A finding must not cry wolf, so a phrase counts only where the
 *   words of a name end with it (`workEmail`, `client_secret`, `FIRSTNAME`); numbers and the suffixes below are ignored
 *   (`email2`, `phoneNumber`, `passwordHash`). `tokenCount`, `emailSent` and `nextPageToken` match nothing.
 * - **Redaction** asks `isSecretName`. A shown secret is worse than a hidden harmless value, so it needs no borders
 *   between words and has no exceptions: `nextPageToken` and `mypassword` are secret. It covers secrets only; personal
 *   data is redacted where a schema says `writeOnly`.
 */
import { splitWords } from "./words.js";

/** Phrases in lower case, their words separated by spaces; singular and plural match alike. */
export interface NameVocabulary {
  /** Match at the end of a name. */
  readonly endings: readonly string[];
  /** Match only as the whole name, because they have many other meanings. */
  readonly wholeNames: readonly string[];
  /** Names that end with one of these never match. */
  readonly exceptions: readonly string[];
}

/** Words at the end of a name that do not change what the value is. */
const IGNORED_SUFFIXES: ReadonlySet<string> = new Set(
  "number no nr num value text string plain hash hashed encrypted primary secondary work home private business".split(
    " ",
  ),
);

/** First words of names of booleans. */
const BOOLEAN_PREFIXES: ReadonlySet<string> = new Set(
  "is has had can allow allows enable enabled require requires send use uses show hide verify".split(" "),
);

const SECRET_ENDINGS = [
  ...["password", "passwd", "pwd", "passcode", "passphrase", "pass phrase", "pass word"],
  ...["secret", "client secret", "secret key", "shared key", "signing key", "encryption key", "master key"],
  ...["api key", "app key", "access key", "account key", "private key", "subscription key", "auth key"],
  ...["token", "access token", "refresh token", "api token", "bearer token", "id token", "jwt"],
  ...["auth header", "authorization header", "client assertion", "credential", "connection string"],
  ...["one time password", "otp", "pin code", "security code", "security answer"],
];

/** Secrets in what signs a connector in; elsewhere `key` and `pin` are mostly something else. */
const SECRET_WHOLE_NAMES = ["pass", "pin", "pat", "key", "auth", "authorization", "bearer", "cookie"];

const HARMLESS_TOKENS = [
  ...["page token", "continuation token", "cancellation token", "sync token", "skip token", "delta token"],
  ...["cursor token", "resume token", "change token", "next token", "previous token", "csrf token"],
  ...["max token", "completion token", "prompt token", "total token", "stop token"],
];

/** What must never be shown: connection properties with such a name are sensitive (§2.1). */
export const SECRET_NAMES: NameVocabulary = {
  endings: SECRET_ENDINGS,
  wholeNames: SECRET_WHOLE_NAMES,
  exceptions: HARMLESS_TOKENS,
};

/** The same for connection properties (§2.1), which hold the key of a client certificate too; elsewhere it may be public. */
export const CONNECTION_SECRET_NAMES: NameVocabulary = {
  ...SECRET_NAMES,
  endings: [
    ...SECRET_ENDINGS,
    ...["client key", "certificate key", "cert key", "tls key", "ssl key", "pem key", "key pem"],
    ...["pfx", "pkcs12", "key store"],
  ],
};

/** Secrets among what code sets to a string; `key` in code is mostly that of a definition or a record. */
export const CODE_SECRET_NAMES: NameVocabulary = {
  ...SECRET_NAMES,
  wholeNames: SECRET_WHOLE_NAMES.filter((name) => name !== "key"),
};

/** What signs a connector in, secret or not: none of it belongs in the registration configuration (§1.3). */
export const CREDENTIAL_NAMES: NameVocabulary = {
  endings: [
    ...SECRET_ENDINGS,
    ...["client id", "user name", "login name", "tenant id", "app id", "application id"],
  ],
  wholeNames: [...SECRET_WHOLE_NAMES, "user", "login", "user id", "certificate", "thumbprint"],
  exceptions: HARMLESS_TOKENS,
};

/** Where the target system is (§1.3). */
export const ADDRESS_NAMES: NameVocabulary = {
  endings: [
    ...["base url", "api url", "token url", "authorization url", "authentication url", "auth url"],
    ...["refresh url", "base uri", "token endpoint", "authorization endpoint", "api endpoint"],
    ...["url", "uri", "endpoint", "base address", "host", "host name", "server address", "server name"],
    ...["base path", "authority", "api address"],
  ],
  wholeNames: ["address", "server", "domain", "instance"],
  exceptions: [
    ...["webhook", "hook", "callback", "redirect", "return", "proxy", "help", "support", "docs"].flatMap(
      (word) => [`${word} url`, `${word} uri`, `${word} endpoint`, `${word} host`],
    ),
    ...["documentation url", "logo url", "icon url", "image url", "notification url", "public url"],
  ],
};

/**
 * What records and payloads show only as write-only: personal and financial data, and secrets (§2.9). Of the whole
 * names of secrets it has `pin` alone: a record's `key`, `auth` or `pass` is mostly none.
 */
export const PERSONAL_NAMES: NameVocabulary = {
  endings: [
    ...SECRET_ENDINGS,
    // reaching a person
    ...["email", "e mail", "mail address", "email address", "email id"],
    ...["phone", "telephone", "mobile", "cell phone", "mobile phone", "phone extension"],
    ...["street", "street address", "street line", "address line", "home address", "mailing address"],
    ...["postal address", "private address", "residential address", "ip address"],
    // naming a person; `name` alone is anything's
    ...["first name", "last name", "middle name", "maiden name", "full name", "given name", "family name"],
    ...["legal name", "preferred name", "sur name", "employee name", "contact name", "person name"],
    ...["patient name", "card holder", "card holder name", "account holder", "account holder name"],
    // who a person is
    ...["birth date", "date of birth", "birth day", "birth place", "place of birth", "birth year", "dob"],
    ...["gender", "ethnicity", "nationality", "citizenship", "religion", "marital status", "disability"],
    ...["ssn", "social security", "social insurance", "national id", "national insurance", "identity card"],
    ...["passport", "passport id", "driver license", "drivers license", "driver licence", "drivers licence"],
    ...["license plate", "tax id", "tax identifier", "tax code", "tax file", "tax payer id", "vat id"],
    // money
    ...["salary", "wage", "pay rate", "hourly rate", "base pay", "gross pay", "net pay", "compensation"],
    ...["iban", "bank account", "account number", "account no", "routing number", "sort code", "bic"],
    ...["credit card", "credit card number", "debit card", "card number", "cvv", "cvc", "card code"],
  ],
  wholeNames: ["address", "birth", "tax number", "sin", "tin", "pin", "fax", "race", "initials"],
  exceptions: HARMLESS_TOKENS,
};

/** The longest phrase of `vocabulary` that `name` ends with, in the words of the name; undefined if it has none. */
export function matchedPhrase(name: string, vocabulary: NameVocabulary): string | undefined {
  const words = splitWords(name.slice(0, MAX_NAME_LENGTH)).map((word) => word.toLowerCase());
  if (words.length > 1 && BOOLEAN_PREFIXES.has(words[0] ?? "")) return undefined;
  const { endings, wholeNames, exceptions } = indexOf(vocabulary);
  for (let length = words.length; length > 0; length--) {
    const part = words.slice(0, length);
    if (endOf(part, exceptions) !== undefined) return undefined;
    const match = endOf(part, endings) ?? (wholeNames.has(singular(part.join(""))) ? part : undefined);
    if (match !== undefined) return match.join(" ");
    const last = part.at(-1) ?? "";
    if (!IGNORED_SUFFIXES.has(singular(last)) && !/^\p{Nd}+$/u.test(last)) return undefined;
  }
  return undefined;
}

/**
 * Whether values under `name` are hidden wherever something is shown: the name of a member, a header or a parameter, in
 * any convention (`X-Api-Key`, `client_secret`, `refreshToken`, `Set-Cookie`).
 */
export function isSecretName(name: string): boolean {
  const letters = lettersOf(name);
  if (REDACTED_WHOLE_NAMES.has(letters) || REDACTED_ENDINGS.some((ending) => letters.endsWith(ending))) {
    return true;
  }
  // Suffixes and plurals, such as `passwordHash`, `token2` and `keys`.
  return matchedPhrase(name, SECRET_NAMES) !== undefined;
}

/** The letters and digits of `name` in lower case, which it shares with its forms in other conventions. */
export function lettersOf(name: string): string {
  return name
    .slice(-MAX_LETTERS_LENGTH)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

/**
 * Whether code may set something with a name of `CODE_SECRET_NAMES` to a string. Quick and generous: it spares the
 * parsing of modules that set nothing of the kind.
 */
export function mayAssignSecret(code: string): boolean {
  return SECRET_ASSIGNMENT.test(code);
}

const joined = (phrase: string) => phrase.replaceAll(" ", "");

/** Redaction also hides headers that hold secrets among other things, and what signs an address. */
const REDACTED_ENDINGS: readonly string[] = [
  ...SECRET_ENDINGS.map(joined),
  ...["authorization", "cookie", "signature"],
];
const REDACTED_WHOLE_NAMES: ReadonlySet<string> = new Set([...SECRET_WHOLE_NAMES.map(joined), "sig"]);

const SECRET_ASSIGNMENT = new RegExp(
  [
    `(?:${CODE_SECRET_NAMES.endings.map(phrasePattern).join("|")}`,
    `|(?<![a-z0-9])(?:${CODE_SECRET_NAMES.wholeNames.map(phrasePattern).join("|")}))s?`,
    `(?:[ _.$-]?(?:\\d{1,9}|(?:${[...IGNORED_SUFFIXES].join("|")})s?)){0,4}["'\`]?\\]?`,
    "(?:\\s{0,20}:\\s{0,20}[\\w.]{1,40})?\\s{0,20}[:=]\\s{0,20}[\"'`]",
  ].join(""),
  "i",
);

/** The pattern of a phrase in any convention. */
function phrasePattern(phrase: string): string {
  return phrase.replaceAll(" ", "[ _.$-]?");
}

/** No phrase is longer; names in foreign files may be of any length. */
const MAX_NAME_LENGTH = 200;
const MAX_LETTERS_LENGTH = 100;
const MAX_PHRASE_WORDS = 4;

/** The longest end of `words` that is one of `phrases`, written together or apart. */
function endOf(words: readonly string[], phrases: ReadonlySet<string>): readonly string[] | undefined {
  for (let count = Math.min(MAX_PHRASE_WORDS, words.length); count > 0; count--) {
    const end = words.slice(-count);
    if (phrases.has(singular(end.join("")))) return end;
  }
  return undefined;
}

/** `emails` becomes `email`; `address` and `pass` stay. */
function singular(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

type Index = { readonly [List in keyof NameVocabulary]: ReadonlySet<string> };

const indexes = new WeakMap<NameVocabulary, Index>();

function indexOf(vocabulary: NameVocabulary): Index {
  const known = indexes.get(vocabulary);
  if (known !== undefined) return known;
  const setOf = (phrases: readonly string[]) => new Set(phrases.map((phrase) => singular(joined(phrase))));
  const index = {
    endings: setOf(vocabulary.endings),
    wholeNames: setOf(vocabulary.wholeNames),
    exceptions: setOf(vocabulary.exceptions),
  };
  indexes.set(vocabulary, index);
  return index;
}
