/**
 * What names of properties give away: the words that say "secret", "personal", "credential" or "address".
 *
 * A phrase counts where a name ends with it (`workEmail`, `client_secret`, `FIRSTNAME`), numbers and the tails below
 * aside (`email2`, `phoneNumber`, `passwordHash`). So `tokenCount`, `emailSent` and `nameConflict` say nothing: what
 * such a name ends with is what the value is. Phrases of one word that mean too many things count only as the whole
 * name; names with an innocent end (`nextPageToken`) never count.
 */

export interface Vocabulary {
  /** Phrases that count at the end of a name. */
  readonly endings: readonly string[];
  /** Phrases that count only where they are the whole name. */
  readonly whole: readonly string[];
  /** Ends of names that are harmless although they hold a phrase. */
  readonly innocent: readonly string[];
}

/** Words that may follow a phrase without changing what the value is. */
export const TAILS: ReadonlySet<string> = new Set(
  "number no nr num value text string plain hash hashed encrypted primary secondary work home private business".split(
    " ",
  ),
);

/** Words that a yes or no begins with. */
export const QUESTIONS: ReadonlySet<string> = new Set(
  "is has had can allow allows enable enabled require requires send use uses show hide verify".split(" "),
);

const SECRET_ENDINGS = [
  ...["password", "passwd", "pwd", "passcode", "passphrase", "pass phrase", "pass word"],
  ...["secret", "client secret", "secret key", "shared key", "signing key", "encryption key", "master key"],
  ...["api key", "app key", "access key", "account key", "private key", "subscription key", "auth key"],
  ...["token", "access token", "refresh token", "api token", "bearer token", "id token", "jwt"],
  ...[
    "credential",
    "connection string",
    "one time password",
    "otp",
    "pin code",
    "security code",
    "security answer",
  ],
];

const HARMLESS_TOKENS = [
  ...["page token", "continuation token", "cancellation token", "sync token", "skip token", "delta token"],
  ...[
    "cursor token",
    "resume token",
    "change token",
    "next token",
    "previous token",
    "csrf token",
    "max token",
  ],
  ...["completion token", "prompt token", "total token", "stop token"],
];

/** What must never be shown: connection properties that say so are sensitive (spec §2.1). */
export const SECRETS: Vocabulary = {
  endings: SECRET_ENDINGS,
  whole: ["pass", "pin", "auth", "authorization"],
  innocent: HARMLESS_TOKENS,
};

/** What signs a connector in, secret or not: none of it belongs in the registration configuration (spec §1.3). */
export const CREDENTIALS: Vocabulary = {
  endings: [
    ...SECRET_ENDINGS,
    "client id",
    "user name",
    "login name",
    "tenant id",
    "app id",
    "application id",
  ],
  whole: [...SECRETS.whole, "user", "login", "user id", "certificate", "thumbprint"],
  innocent: HARMLESS_TOKENS,
};

/** Where the target system is (spec §1.3). */
export const ADDRESSES: Vocabulary = {
  endings: [
    ...["base url", "api url", "token url", "authorization url", "authentication url", "auth url"],
    ...["refresh url", "base uri", "token endpoint", "authorization endpoint", "api endpoint"],
    ...["url", "uri", "endpoint", "base address", "host", "host name", "server address", "server name"],
    ...["base path", "authority", "api address"],
  ],
  whole: ["address", "server", "domain", "instance"],
  innocent: [
    ...["webhook", "hook", "callback", "redirect", "return", "proxy", "help", "support", "docs"].flatMap(
      (word) => [`${word} url`, `${word} uri`, `${word} endpoint`, `${word} host`],
    ),
    ...["documentation url", "logo url", "icon url", "image url", "notification url", "public url"],
  ],
};

/** Personal and financial data of records and payloads, beside secrets (spec §2.9). */
export const PERSONAL: Vocabulary = {
  endings: [
    ...SECRET_ENDINGS,
    // reaching a person
    ...["email", "e mail", "mail address", "email address", "email id"],
    ...["phone", "telephone", "mobile", "cell phone", "mobile phone", "phone extension"],
    ...["street", "street address", "street line", "address line", "home address", "mailing address"],
    ...["postal address", "private address", "residential address", "ip address"],
    // naming a person; a name alone is anything's
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
  whole: ["address", "birth", "tax number", "sin", "tin", "pin", "fax", "race", "initials"],
  innocent: HARMLESS_TOKENS,
};
