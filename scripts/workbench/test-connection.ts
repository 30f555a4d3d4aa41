/** Runs the author's connection test with the settings (§4.3); whoever has no refresh token signs in (§5.1). */
import path from "node:path";
import type { TestConnectionResult } from "../../runtime/host/index.js";
import { createRedaction, createSecretRedaction } from "../../runtime/log/redaction.js";
import { isPlaceholderAddress } from "../../schemas/checks/rules/connections.js";
import { type Diagnostic, diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import {
  ADDRESS_MEMBERS,
  type AddressMember,
  ENVIRONMENT_PROPERTY,
  isSaid,
  membersForTokens,
} from "../../schemas/model/connection-members.js";
import type { BaseUrlModel, ConnectorModel } from "../../schemas/model/connector-model.js";
import { frameLines } from "../author-project/author-frames.js";
import { loadProject, type ProjectOptions } from "../author-project/load-project.js";
import { prepareConnector } from "../connector-run/prepare-connector.js";
import { failureFinding, runConnector } from "../connector-run/run-connector.js";
import type { Environment } from "../test-settings/filled-values.js";
import type { OpenSettings } from "../test-settings/open-settings.js";
import { type ConnectionSettings, keyOf, type RunSettings } from "../test-settings/read-settings.js";
import { openSettings, type WorkspaceChoice } from "./open-settings.js";
import { sensitiveTypes } from "./sensitive-types.js";

/** What happens while a connection is tested; texts come without the secrets of the settings. */
export type ConnectionTestEvent =
  /** `generated/` is not what the schema modules give: the result may say anything. */
  | { readonly kind: "generated-stale" }
  /** The user is to open `address`; the target system must know `redirectUri`. */
  | {
      readonly kind: "sign-in";
      /** The address of the authorization server that the user opens in a browser. */
      readonly address: string;
      /** The address on this machine that the browser comes back to. */
      readonly redirectUri: string;
      /** An address on this machine that leads to `address`, with nothing of the connection in it. */
      readonly startAddress: string;
    }
  | { readonly kind: "signed-in" }
  /** A line that the connector printed or logged. */
  | {
      readonly kind: "line";
      /** The line, without its end. */
      readonly text: string;
    };

/** How a user signs in to a connection of the OAuth2 code flow. */
export interface SignInOptions {
  /** Whether to sign in although a refresh token is there. @default false */
  readonly isForced?: boolean;
  /** Port that the browser comes back to. @default any that is free */
  readonly port?: number | undefined;
  /** Seconds that signing in may take. @default 300 */
  readonly timeoutSeconds?: number | undefined;
}

/** Which connection to test, and how. */
export interface TestConnectionOptions extends ProjectOptions, WorkspaceChoice {
  /** The definition key of the connection. @default the active one of the test settings */
  readonly connection?: string | undefined;
  /**
   * The address of a fake target system that is called in place of the real one, with its own connection and settings.
   * @default none
   */
  readonly fake?: string | undefined;
  /** Seconds until a target system that does not answer counts as one without a response. @default 30 */
  readonly responseSeconds?: number | undefined;
  /** Whether calls of the target system are told as lines, without secrets. @default false */
  readonly isTraced?: boolean | undefined;
  /** How to sign in if there is no refresh token; false if nobody does, and a connection without one is not tested. */
  readonly signIn?: SignInOptions | false;
  /** Stops signing in and the test. */
  readonly signal?: AbortSignal | undefined;
  /** Variables for the test settings and for the process that runs the connector, such as `process.env`. */
  readonly environment: Environment;
  /** Called with `sign-in` and awaited: it may open a browser. */
  readonly onEvent?: ((event: ConnectionTestEvent) => void | Promise<void>) | undefined;
}

/** How a connection test ended. */
export interface ConnectionTestRun {
  /** The definition key, if it is known. */
  readonly connection?: string;
  /** What the test said; absent if it was not run, and the diagnostics say why. */
  readonly result?: TestConnectionResult;
  /** Why the test was not run, and what could not be kept in the settings. */
  readonly diagnostics: readonly Diagnostic[];
}

const RESPONSE_SECONDS = 30;
const SIGN_IN_SECONDS = 300;

/** Seconds that loading the connector may take beside the response. */
const LOAD_SECONDS = 30;

/** Tests a connection. Properties that change meanwhile, such as a refresh token, are kept where the settings stand. */
export async function testConnection(options: TestConnectionOptions): Promise<ConnectionTestRun> {
  const { model, diagnostics } = await loadProject(options);
  if (model === undefined) return { diagnostics: diagnostics.filter(({ severity }) => severity === "error") };
  const { opened, ...wrongSettings } = await openSettings(options, model, "test");
  if (opened === undefined) return wrongSettings;
  try {
    return await testOpened(opened, { model, diagnostics }, options);
  } finally {
    await opened.close();
  }
}

/** @param project The project with what is wrong in it. */
async function testOpened(
  opened: OpenSettings,
  { model, diagnostics }: { readonly model: ConnectorModel; readonly diagnostics: readonly Diagnostic[] },
  options: TestConnectionOptions,
): Promise<ConnectionTestRun> {
  const { settings } = opened;
  const root = path.resolve(options.folder);
  const connection = settings.connection.definition.key;
  const isReal = options.fake === undefined;
  const placeholders = isReal ? placeholderFindings(model, settings.connection, diagnostics) : [];
  if (placeholders.length > 0) return { connection, diagnostics: placeholders };
  const prepared = await prepareConnector(root, model);
  if (prepared.code === undefined) return { connection, diagnostics: prepared.diagnostics };
  if (prepared.isStale) void options.onEvent?.({ kind: "generated-stale" });
  const access = await signInIfNeeded(opened, options);
  if (access.settings === undefined) return { connection, diagnostics: access.diagnostics };
  const { properties } = access.settings;
  const secrets = [...settings.secrets, ...access.settings.secrets];
  const filled = { ...settings, connection: { ...settings.connection, properties }, secrets };
  const run = await runTest({ ...prepared, model, root, opened, settings: filled }, options);
  return { connection, ...run, diagnostics: [...access.diagnostics, ...run.diagnostics] };
}

/** The findings on placeholder addresses of the connection, if one would be called: nobody's secrets are sent there. */
function placeholderFindings(
  { connections }: ConnectorModel,
  { definition, properties }: ConnectionSettings,
  findings: readonly Diagnostic[],
): readonly Diagnostic[] {
  const addresses = (["baseUrl", ...ADDRESS_MEMBERS] as const).map((name) =>
    addressOf(definition[name], properties),
  );
  if (!addresses.some((address) => address !== undefined && isPlaceholderAddress(address))) return [];
  const index = connections.findIndex(({ key }) => key === definition.key);
  return findings.filter(
    ({ code, pointer = "" }) =>
      code === "connection-address-placeholder" &&
      `${pointer}/`.startsWith(`/connectionDefinitions/${index}/`),
  );
}

/** The address that the settings lead to; undefined if the user enters it, or has chosen no environment. */
function addressOf(address: BaseUrlModel, properties: ConnectionSettings["properties"]): string | undefined {
  if (address.kind === "fixed") return address.url;
  if (address.kind !== "environment") return undefined;
  // The numbers of the environments (§2.1).
  return { 1: address.production, 2: address.test }[Number(properties[ENVIRONMENT_PROPERTY])];
}

interface SignedIn {
  /** Undefined if signing in failed. */
  readonly settings?: ConnectionSettings;
  readonly diagnostics: readonly Diagnostic[];
}

/** The connection; one of the code flow gets the refresh token of whoever signs in, if it has none. */
async function signInIfNeeded(opened: OpenSettings, options: TestConnectionOptions): Promise<SignedIn> {
  const settings = opened.settings.connection;
  const { definition } = settings;
  if (definition.authType !== "OAuth2CodeFlow") return { settings, diagnostics: [] };
  const value = propertyReader(settings);
  const { signIn = {} } = options;
  const hasToken = value("refreshToken") !== undefined;
  if (hasToken && (signIn === false || signIn.isForced !== true)) return { settings, diagnostics: [] };
  if (signIn === false) return { diagnostics: [opened.emptyFinding("refreshToken")] };
  const missing = [
    ...membersForTokens(definition).filter((name) => value(name) === undefined),
    ...(ADDRESS_MEMBERS.some((name) => isSaid(definition, name) && value(name) === undefined)
      ? [ENVIRONMENT_PROPERTY]
      : []),
  ];
  if (missing.length > 0) return { diagnostics: missing.map((name) => opened.emptyFinding(name)) };
  return signInAndSave(opened, { ...options, signIn });
}

async function signInAndSave(
  opened: OpenSettings,
  {
    signIn: { port, timeoutSeconds = SIGN_IN_SECONDS },
    environment,
    signal,
    onEvent = () => {},
  }: TestConnectionOptions & { readonly signIn: SignInOptions },
): Promise<SignedIn> {
  const { definition, properties, secrets } = opened.settings.connection;
  const value = propertyReader(opened.settings.connection);
  const { signIn, SignInError } = await import("../sign-in/authorization-code.js");
  try {
    const refreshToken = await signIn({
      authorizationUrl: value("authorizationUrl") ?? "",
      tokenUrl: value("tokenUrl") ?? "",
      clientId: value("clientId") ?? "",
      clientSecret: value("clientSecret"),
      scope: value("scope"),
      clientAuthentication: value("clientAuthentication"),
      port,
      environment,
      timeoutMs: timeoutSeconds * 1_000,
      signal,
      show: async (shown) => onEvent({ kind: "sign-in", ...shown }),
    });
    const diagnostics = await opened.saveSignIn({ refreshToken });
    if (hasErrors(diagnostics)) return { diagnostics };
    void onEvent({ kind: "signed-in" });
    const filled = { ...properties, [keyOf(definition, "refreshToken")]: refreshToken };
    return {
      settings: { definition, properties: filled, secrets: [...secrets, refreshToken] },
      diagnostics,
    };
  } catch (error) {
    if (!(error instanceof SignInError)) throw error;
    const reason = createSecretRedaction(secrets).text(error.message);
    const parameters = { reason, advice: error.advice };
    return { diagnostics: [diagnostic("sign-in-failed", opened.place, parameters)] };
  }
}

/** Reads properties by their name in code, and the addresses that the definition says; empty ones are undefined. */
function propertyReader({
  definition,
  properties,
}: ConnectionSettings): (name: string) => string | undefined {
  const isAddress = (name: string): name is AddressMember => isSaid(definition, name);
  return (name) => {
    const value = isAddress(name)
      ? addressOf(definition[name], properties)
      : properties[keyOf(definition, name)];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
}

interface TestRun {
  readonly model: ConnectorModel;
  /** The bundled connector, and the module that it was made from. */
  readonly code: string;
  readonly entry: string;
  readonly root: string;
  readonly opened: OpenSettings;
  /** The same settings, with what the user's sign-in gave. */
  readonly settings: RunSettings;
}

async function runTest(
  { model, code, entry, root, opened, settings }: TestRun,
  {
    responseSeconds = RESPONSE_SECONDS,
    timeoutSeconds = LOAD_SECONDS,
    environment,
    ...options
  }: TestConnectionOptions,
): Promise<Omit<ConnectionTestRun, "connection">> {
  const { connection, registrationConfiguration } = settings;
  const { definition, properties } = connection;
  const { onEvent = () => {} } = options;
  const secrets = createRedaction(sensitiveTypes(model));
  secrets.hide(settings.secrets);
  const redact = secrets.wholeText;
  const sayLine = (text: string) => void onEvent({ kind: "line", text: redact(text) });
  const diagnostics: Diagnostic[] = [];
  const outcome = await runConnector({
    code,
    task: {
      kind: "testConnection",
      isTraced: options.isTraced === true,
      registrationConfiguration,
      folder: root,
      entry,
      container: { DefinitionKey: definition.key, Configuration: JSON.stringify(properties) },
      timeoutMs: responseSeconds * 1_000,
      fake: options.fake,
    },
    environment,
    timeLimitMs: (responseSeconds + timeoutSeconds) * 1_000,
    signal: options.signal,
    lockProperties: async (stop) => {
      const locked = await opened.lockProperties(stop);
      secrets.hide(locked.secrets);
      return locked;
    },
    saveProperties: async (changed) => {
      diagnostics.push(...(await opened.saveProperties(changed)));
    },
    onLine: sayLine,
    onMessage: (message) => {
      if (message.kind === "log") {
        sayLine(`${message.message.replace(/\.$/, "")}: ${message.fields ?? ""}`);
        for (const line of frameLines(message.frames ?? [], root)) sayLine(`    ${line}`);
      } else if (message.kind === "trace") sayLine(message.text);
      else if (message.kind === "save") secrets.hide(Object.values(message.properties));
    },
  });
  if (outcome.kind === "result" && outcome.task === "testConnection") {
    return { result: outcome.result, diagnostics };
  }
  if (outcome.kind === "result") throw new Error("another task was run");
  return { diagnostics: [...diagnostics, failureFinding(outcome, { root, entry, redact })] };
}
