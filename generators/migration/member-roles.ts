/** What the names of members say: which auth type they make, and which part each has in it (spec §5.1). */
import { matchedWords } from "../../schemas/checks/matched-words.js";
import { SECRETS, type Vocabulary } from "../../schemas/checks/telling-words.js";
import type { AuthType } from "../../schemas/model/connector-model.js";
import type { Member } from "./registration-members.js";

/** The part that a member has in signing in, or in reaching the target system. */
export type MemberRole =
  | "clientId"
  | "clientSecret"
  | "tokenUrl"
  | "authorizationUrl"
  | "refreshUrl"
  | "username"
  | "password"
  | "key"
  | "baseUrl"
  | "other";

const words = (...endings: readonly string[]): Vocabulary => ({ endings, whole: [], innocent: [] });
const whole = (ends: readonly string[], names: readonly string[]): Vocabulary => ({
  ...words(...ends),
  whole: names,
});

const SPELLINGS: readonly (readonly [MemberRole, Vocabulary])[] = [
  ["clientId", words("client id", "app id", "application id")],
  ["clientSecret", whole(["client secret", "app secret", "application secret"], ["secret"])],
  ["tokenUrl", words("token url", "token uri", "token endpoint", "token address")],
  [
    "authorizationUrl",
    words(
      ...["authorization url", "authorization uri", "authorization endpoint"],
      ...["authorize url", "authorize uri", "authorize endpoint", "auth url", "auth uri", "auth endpoint"],
    ),
  ],
  ["refreshUrl", words("refresh url", "refresh uri", "refresh endpoint")],
  ["username", whole(["user name", "login name"], ["user", "login", "user id"])],
  ["password", whole(["password", "passwd", "pwd", "pass phrase", "pass word"], ["pass"])],
  [
    "baseUrl",
    whole(
      ["base url", "base uri", "base address", "api url", "api uri", "api address", "api endpoint"],
      ["url", "uri", "endpoint", "service url", "server url", "server address"],
    ),
  ],
  ["key", SECRETS],
];

export function roleOf({ name }: Pick<Member, "name">): MemberRole {
  return SPELLINGS.find(([, vocabulary]) => matchedWords(name, vocabulary) !== undefined)?.[0] ?? "other";
}

/** The auth type that the members make, where they make only one. */
export function authTypeOf(members: readonly Member[]): AuthType | undefined {
  const roles = new Set(members.map(roleOf));
  const has = (...wanted: readonly MemberRole[]) => wanted.every((role) => roles.has(role));
  const isOAuth2 = has("clientId", "clientSecret") && (has("tokenUrl") || has("authorizationUrl"));
  const isBasic = has("username", "password");
  const isKey = has("key") && !isOAuth2;
  if ([isOAuth2, isBasic, isKey].filter(Boolean).length !== 1) return undefined;
  if (isBasic) return "Basic";
  if (isKey) return "ApiKey";
  return has("authorizationUrl") ? "OAuth2CodeFlow" : "OAuth2ClientCredentials";
}
