/** Rules of what every connector has beside its schemas, so that a host can start it and test its connections (§1.5, §4.2). */
import { CLIENT_HELPER_FILE, CONNECTION_TEST_FILE, REGISTRATION_FILE } from "../../../generators/layout.js";
import type { CheckRules } from "../../../schemas/diagnostics/codes.js";
import { type Diagnostic, diagnosticsOf } from "../../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../../schemas/model/connector-model.js";

export const REGISTRATION_RULES = {
  "registration-incomplete": {
    severity: "warning",
    section: "§1.5",
    message: "The connector has no {parts}: it can't be started, and its connections can't be tested.",
    fix: "Run: npx connectorcli client new --auth-type {authType}",
  },
} as const satisfies CheckRules;

const report = diagnosticsOf(REGISTRATION_RULES);

export interface RegistrationParts {
  /** The root module, where the finding is shown. */
  readonly file: string;
  /** The text of registration.ts; undefined if there is none. */
  readonly registration: string | undefined;
  /** Whether a file of the project exists, by its path in the layout. */
  readonly exists: (path: string) => boolean;
}

/** Finds that client helper, connection test handler or registration are missing. A connector without a connection needs none yet. */
export function registrationFindings(
  { connections }: ConnectorModel,
  { file, registration, exists }: RegistrationParts,
): readonly Diagnostic[] {
  const [connection] = connections;
  if (connection === undefined) return [];
  const code = registration?.replace(COMMENTS, "");
  const has = (name: string, path: string) =>
    code === undefined ? exists(path) : new RegExp(`\\b${name}\\b`).test(code);
  const parts = [
    ...(has("connectionTestHandler", CONNECTION_TEST_FILE) ? [] : ["connection test handler"]),
    ...(has("clientHelper", CLIENT_HELPER_FILE) ? [] : ["client helper"]),
    ...(registration === undefined ? [REGISTRATION_FILE] : []),
  ];
  if (parts.length === 0) return [];
  return [
    report("registration-incomplete", { file }, { parts: listed(parts), authType: connection.authType }),
  ];
}

/** What stands in a comment registers nothing. What stands in a text is left to the compiler. */
const COMMENTS = /\/\*[\s\S]*?\*\/|\/\/.*/g;

function listed(parts: readonly string[]): string {
  return parts.length === 1 ? String(parts[0]) : `${parts.slice(0, -1).join(", no ")} and no ${parts.at(-1)}`;
}
