/** Shapes of strings that only credentials have: those in an author's code are found, and never shown. */

/** A shape of credentials, and what messages call it. */
interface CredentialShape {
  readonly kind: string;
  readonly pattern: RegExp;
}

/** A digit must follow somewhere: words of a sentence have none. */
const DIGIT = String.raw`(?=[\w.~+/=-]*\d)`;

const SHAPES: readonly CredentialShape[] = [
  { kind: "a bearer token", pattern: new RegExp(`\\bBearer\\s+${DIGIT}[\\w.~+/=-]{12,}`, "g") },
  { kind: "a user name with a password", pattern: new RegExp(`\\bBasic\\s+${DIGIT}[\\w+/=-]{12,}`, "g") },
  { kind: "an access key", pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: "an access token", pattern: /\b(?:gh[pousr]_|github_pat_)\w{30,}/g },
  { kind: "an access token", pattern: /\bglpat-[\w-]{20,}/g },
  { kind: "an access token", pattern: /\bxox[abeprs]-[\w-]{10,}/g },
  { kind: "an access token", pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: "an API key", pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g },
  { kind: "an API key", pattern: new RegExp(`\\bsk-${DIGIT}[\\w-]{20,}`, "g") },
  { kind: "an API key", pattern: /\bAIza[\w-]{35}/g },
  { kind: "an API key", pattern: /\bSG\.[\w-]{16,}\.[\w-]{16,}/g },
  { kind: "a signed token", pattern: /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}(?:\.[\w-]*)?/g },
  { kind: "a private key", pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END[^\n-]*-----|$)/g },
  { kind: "an address with a password", pattern: /(?<=:\/\/)[^\s/?#@:"'`]+:[^\s/?#@"'`]+(?=@)/g },
  {
    kind: "an address with a secret parameter",
    pattern:
      /(?<=[?&](?:api[-_]?key|(?:access[-_]?|auth[-_]?)?token|password|client[-_]?secret|secret|signature|sig)=)[^\s&#"'`${}<]{6,}/gi,
  },
];

/** Longer strings are searched up to here: no author writes a longer one by hand. */
const MAX_LENGTH = 20_000;

/** The kind of credential that `text` contains, such as "an access key"; undefined if it contains none. */
export function credentialKind(text: string): string | undefined {
  const searched = text.slice(0, MAX_LENGTH);
  return SHAPES.find(({ pattern }) => searched.search(pattern) !== -1)?.kind;
}

/** `text` with every credential replaced by what `mask` returns for it. */
export function redactCredentials(text: string, mask: (credential: string) => string): string {
  return SHAPES.reduce((redacted, { pattern }) => redacted.replace(pattern, mask), text);
}
