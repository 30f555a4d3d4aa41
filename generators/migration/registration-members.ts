/** The members of the registration configuration that belong in a connection, and the part that each has there (§1.3, §5.1). */
import { checkRegistration } from "../../schemas/checks/rules/configurations.js";
import { documentsOf } from "../../schemas/checks/visit/model-parts.js";
import { visitSchemas } from "../../schemas/checks/visit/schema-visitor.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { AuthType, ConnectorModel } from "../../schemas/model/connector-model.js";
import { matchedPhrase, type NameVocabulary, SECRET_NAMES } from "../../schemas/naming/secret-names.js";
import { splitWords } from "../../schemas/naming/words.js";

export interface Member {
  readonly kind: "credential" | "address";
  /** Its name in messages. */
  readonly what: string;
  /** Its names in code, from the outermost to its own. */
  readonly names: readonly string[];
  /** Its own name in code. */
  readonly name: string;
  /** Whether only objects hold it: no list, no dictionary, no combination. */
  readonly isPlain: boolean;
}

/** In the order of the configuration. */
export function registrationMembers(model: ConnectorModel): readonly Member[] {
  const documents = documentsOf(model).filter(({ role }) => role === "registration");
  return documents.flatMap((document) =>
    [...visitSchemas(document)].flatMap((visited) =>
      checkRegistration(visited).map((finding): Member => {
        const { what, path, pointer } = visited.location;
        const steps = pointer.slice(document.location.pointer.length);
        const names = path.slice(document.location.path.length).map(String);
        const isPlain = steps.length === 2 * names.length && steps.every(isPropertyStep);
        return { kind: kindOf(finding), what, names, name: visited.name, isPlain };
      }),
    ),
  );
}

/** Whether two names have the same words, such as `clientID` and `client_id`. */
export function sameName(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

function plain(name: string): string {
  return splitWords(name).join("").toLowerCase();
}

function kindOf({ code }: Diagnostic): Member["kind"] {
  return code === "registration-credential" ? "credential" : "address";
}

function isPropertyStep(step: string | number, index: number): boolean {
  return index % 2 === 1 || step === "properties";
}

/** What a member is for in signing in, or in reaching the target system. */
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

const words = (...endings: readonly string[]): NameVocabulary => ({
  endings,
  wholeNames: [],
  exceptions: [],
});
const whole = (ends: readonly string[], names: readonly string[]): NameVocabulary => ({
  ...words(...ends),
  wholeNames: names,
});

const SPELLINGS: readonly (readonly [MemberRole, NameVocabulary])[] = [
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
  ["key", SECRET_NAMES],
];

export function roleOf({ name }: Pick<Member, "name">): MemberRole {
  return SPELLINGS.find(([, vocabulary]) => matchedPhrase(name, vocabulary) !== undefined)?.[0] ?? "other";
}

/** The auth type that the members are of; undefined if they are of none or several. */
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
