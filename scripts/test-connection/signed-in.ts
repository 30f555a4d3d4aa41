/** The settings of a connection with a refresh token: whoever has none signs in (spec §5.1). */
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectionModel } from "../../schemas/model/connector-model.js";
import { membersForTokens } from "../../schemas/model/oauth2-members.js";
import { numberOf } from "../argument-values.js";
import type { Arguments } from "../command-spec.js";
import type { Output } from "../output.js";
import { type ConnectionSettings, keyOf } from "../test-settings/connection-settings.js";
import { hiding } from "../test-settings/hiding.js";
import { saveProperties } from "../test-settings/save-properties.js";
import { settingsPath } from "../test-settings/settings-file.js";
import { referenceTo } from "../test-settings/variables.js";

export interface SignInPlace {
  readonly root: string;
  readonly args: Arguments;
  readonly output: Output;
}

export interface SignedIn {
  /** Undefined where signing in failed. */
  readonly settings?: ConnectionSettings;
  readonly diagnostics: readonly Diagnostic[];
}

/** Seconds that a user may take. */
const SIGN_IN_SECONDS = 300;

/** `settings`, with the refresh token of whoever signs in where it is the code flow's and has none. */
export async function signedIn(settings: ConnectionSettings, place: SignInPlace): Promise<SignedIn> {
  const { definition } = settings;
  if (definition.authType !== "OAuth2CodeFlow") return { settings, diagnostics: [] };
  const value = textOf(settings);
  if (value("refreshToken") !== undefined && place.args["sign-in"] !== true)
    return { settings, diagnostics: [] };
  const missing = membersForTokens(definition.authType).filter((name) => value(name) === undefined);
  if (missing.length > 0)
    return { diagnostics: missing.map((name) => emptyFinding(name, definition, place)) };
  return ask(settings, value, place);
}

async function ask(
  settings: ConnectionSettings,
  value: (name: string) => string | undefined,
  { root, args, output }: SignInPlace,
): Promise<SignedIn> {
  const { definition, properties, secrets } = settings;
  const { signIn, SignInError } = await import("../sign-in/authorization-code.js");
  const { showAddress } = await import("../sign-in/browser.js");
  try {
    const refreshToken = await signIn({
      authorizationUrl: value("authorizationUrl") ?? "",
      tokenUrl: value("tokenUrl") ?? "",
      clientId: value("clientId") ?? "",
      clientSecret: value("clientSecret"),
      scope: value("scope"),
      clientAuthentication: value("clientAuthentication"),
      port: numberOf(args["port"]),
      timeoutMs: (numberOf(args["sign-in-timeout"]) ?? SIGN_IN_SECONDS) * 1000,
      show: (address, redirectUri) =>
        showAddress(output, { address, redirectUri, useBrowser: args["no-browser"] !== true }),
    });
    output.say("Signed in.");
    const diagnostics = saveProperties({ root, definition, properties: { refreshToken } });
    const filled = { ...properties, [keyOf(definition, "refreshToken")]: refreshToken };
    return {
      settings: { definition, properties: filled, secrets: [...secrets, refreshToken] },
      diagnostics,
    };
  } catch (error) {
    if (!(error instanceof SignInError)) throw error;
    const reason = hiding(secrets)(error.message);
    const parameters = { reason, advice: error.advice };
    return { diagnostics: [diagnostic("sign-in-failed", { file: settingsPath(root) }, parameters)] };
  }
}

/** Reads properties by their name in code. */
function textOf({ definition, properties }: ConnectionSettings): (name: string) => string | undefined {
  return (name) => {
    const value = properties[keyOf(definition, name)];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
}

function emptyFinding(name: string, definition: ConnectionModel, { root }: SignInPlace): Diagnostic {
  const key = keyOf(definition, name);
  const what = `connections.${definition.key}.${key}`;
  const reference = `"${referenceTo(key.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toUpperCase())}"`;
  const place = { file: settingsPath(root) };
  return diagnostic("settings-empty", place, { what, expected: "text, for signing in", reference });
}
