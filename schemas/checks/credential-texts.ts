/** Credentials as texts: shapes that no other text has, so that one in an author's code is seen and never shown. */

/** A shape, and what messages call it. */
interface CredentialShape {
  readonly kind: string;
  readonly pattern: RegExp;
}

/** A digit further on: words of a sentence have none. */
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

/** Texts longer than this are looked at up to here: no author writes a longer one. */
const LONGEST = 20_000;

/** What kind of credential `text` holds; undefined for none. */
export function credentialIn(text: string): string | undefined {
  const looked = text.slice(0, LONGEST);
  return SHAPES.find(({ pattern }) => looked.search(pattern) !== -1)?.kind;
}

/** `text` with what `mask` makes of every credential in its place. */
export function withoutCredentials(text: string, mask: (credential: string) => string): string {
  return SHAPES.reduce((shown, { pattern }) => shown.replace(pattern, mask), text);
}
