/** From the connection that a host supplies to the API client of the connector (spec §2.2, §4.2). */
import { missingEnvironmentWords } from "../base-url.js";
import type { RecordError } from "../records/record-type.js";
import type {
  ClientContext,
  ClientHelper,
  Clock,
  ConnectionContainer,
} from "../registration/connection-contracts.js";
import { type ClientHooks, observeMiddleware } from "./hooks.js";
import { createHttpClient, type HttpClient } from "./http-client.js";
import { composeChain, type Middleware } from "./middleware.js";
import { createNetwork, type NetworkOptions } from "./network.js";
import { type RateBudget, rateLimitMiddleware } from "./rate-limit.js";
import { type RetryOptions, retryMiddleware } from "./retry.js";
import { notingRequests } from "./sent-requests.js";
import { sharedTurnsMiddleware } from "./shared-turns.js";
import type { TlsOptions } from "./tls.js";

/** A generated connection class: made from connection properties, which it checks. */
export interface ConnectionClass<Connection> {
  new (properties: never): Connection;
  /** An instance with these properties, in serialized form. @throws RecordError if they do not fit. */
  from(json: unknown): unknown;
}

/**
 * Makes what authenticates the calls of a connection: one of this package's handlers, or middleware of your own.
 * @example
 * const authHandler: AuthHandler<CustomAuth> = ({ apiToken }) =>
 *   headerHandler({ name: "Authorization", value: () => `Token ${apiToken}` });
 */
export type AuthHandler<Connection, Configuration = object> = (
  connection: Connection,
  context: ClientContext<Configuration>,
) => Middleware;

/** What a connection is called with. */
export interface OpenedServices<Connection> {
  /** An instance of the generated class. */
  readonly connection: Connection;
  /** Authenticates the calls. */
  readonly handler: Middleware;
  /** Its certificates, if it has any. */
  readonly tls?: TlsOptions | undefined;
}

/** What the calls of a connection need beside authentication. */
export interface ServicesOptions<Connection> {
  /**
   * The certificates of the connection.
   * @default none: the client shows none, and trusts the usual authorities
   */
  readonly tls?: ((connection: Connection) => TlsOptions | undefined) | undefined;
}

/** What belongs to a definition key; `servicesOf` makes it. */
export interface DefinitionServices<Connection, Configuration = object> {
  /**
   * The connection with these properties, and what authenticates its calls.
   * @throws RecordError with every finding, sensitive values hidden, if the properties do not fit the definition.
   */
  readonly open: (json: unknown, context: ClientContext<Configuration>) => OpenedServices<Connection>;
}

type Definitions = Readonly<Record<string, DefinitionServices<object, never>>>;

type ConnectionOf<All extends Definitions> =
  All[keyof All] extends DefinitionServices<infer Connection, never> ? Connection : never;

/** What all auth handlers ask of the registration configuration. */
type ConfigurationOf<All extends Definitions> = {
  [Key in keyof All]: (configuration: ConfigurationIn<All[Key]>) => void;
}[keyof All] extends (configuration: infer Configuration) => void
  ? Configuration
  : never;

type ConfigurationIn<Services> =
  Services extends DefinitionServices<infer _Connection, infer Configuration> ? Configuration : never;

/** How the calls of a connection are made. */
export interface CallPolicy extends NetworkOptions {
  /** How failed attempts are repeated. */
  readonly retry?: RetryOptions | undefined;
  /**
   * What all calls of a connection may start together.
   * @default no limit
   */
  readonly rateBudget?: RateBudget | undefined;
  /** Observes every attempt, for logs and measurements. */
  readonly hooks?: ClientHooks | undefined;
  /** For tests: time that passes faster. */
  readonly clock?: Clock | undefined;
  /**
   * For tests: a number from 0 up to 1, for random delays.
   * @default Math.random
   */
  readonly random?: (() => number) | undefined;
}

/** What `createClientHelper` joins. */
export interface ClientHelperOptions<All extends Definitions, Client, Configuration = object>
  extends CallPolicy {
  /** By definition key, as `servicesOf` makes them. */
  readonly definitions: All;
  /** Makes the API client. Give it the base address, and nothing else of the connection. */
  readonly createClient: (
    http: HttpClient,
    connection: ConnectionOf<All>,
    context: ClientContext<Configuration>,
  ) => Client;
}

/**
 * The services of a connection definition: its generated class, the handler that authenticates its calls, and its
 * certificates.
 */
export function servicesOf<Connection extends object, Configuration = object>(
  type: ConnectionClass<Connection>,
  authHandler: AuthHandler<Connection, Configuration>,
  { tls }: ServicesOptions<Connection> = {},
): DefinitionServices<Connection, NoInfer<Configuration>> {
  return {
    open: (json, context) => {
      // `from` makes an instance of the class that it is called on.
      const connection = withEnvironmentWords(() => type.from(json)) as Connection;
      return { connection, handler: authHandler(connection, context), tls: tls?.(connection) };
    },
  };
}

/**
 * A client helper: resolves the services of a connection. It throws Error for an unknown definition key (§7) and for a
 * configuration that is not JSON, and RecordError, with every finding, for one that does not fit its definition.
 * Each call of it makes a client with connections, tokens and a rate budget of its own, and puts `host.transport`, if
 * there is one, between the client and the network.
 * @throws RangeError, when it is called, for a rate budget of less than one request.
 * @example
 * export const clientHelper = createClientHelper({
 *   definitions: { customAuth: servicesOf(CustomAuth, customAuthHandler) },
 *   createClient: (http, connection) => new ApiClient(http, connection.BaseUrl),
 * });
 */
export function createClientHelper<All extends Definitions, Client, Configuration = object>(
  options: ClientHelperOptions<All, Client, Configuration>,
): ClientHelper<Client, ConnectionOf<All>, Configuration & ConfigurationOf<All>> {
  return (container, host = {}) => {
    const services = findServices(options.definitions, container);
    const { registrationConfiguration = NO_SETTINGS as never } = host;
    const context = { ...host, registrationConfiguration };
    const {
      connection: opened,
      handler,
      tls,
    } = services.open(parseConfiguration(container), context as never);
    const connection = opened as ConnectionOf<All>;
    const policy = { ...options, clock: host.clock ?? options.clock };
    const attempts = attemptChain(policy, host);
    const network = notingRequests(createNetwork({ ...options, tls, environment: host.environment }));
    const send = host.transport === undefined ? network : notingRequests(host.transport(network));
    const http = createHttpClient({
      withCredentials: composeChain([handler, ...attempts], send),
      bare: composeChain(attempts, send),
      signal: host.signal,
      clock: policy.clock,
    });
    return { client: options.createClient(http, connection, context), connection };
  };
}

const NO_SETTINGS = Object.freeze({});

/** Calls `open`. An environment that is absent or unknown is said first (§2.1), then everything that is wrong. */
function withEnvironmentWords(open: () => unknown): unknown {
  try {
    return open();
  } catch (error) {
    if (isRecordError(error)) error.message = missingEnvironmentWords(error.findings) + error.message;
    throw error;
  }
}

/** By its name: the class of generated code may have been loaded from elsewhere. */
function isRecordError(error: unknown): error is RecordError {
  return error instanceof Error && error.name === "RecordError" && "findings" in error;
}

function findServices(definitions: Definitions, { DefinitionKey: key }: ConnectionContainer) {
  const services = Object.hasOwn(definitions, key) ? definitions[key] : undefined;
  if (services === undefined) throw new Error(`Unable to find services for definition key ${key}`);
  return services;
}

/** The parser's own message quotes the text, which holds secrets. */
function parseConfiguration({ DefinitionKey, Configuration }: ConnectionContainer): unknown {
  try {
    return JSON.parse(Configuration);
  } catch {
    throw new Error(`The configuration of connection ${DefinitionKey} is not valid JSON.`);
  }
}

/** What repeats a call, and what every attempt goes through, below the authentication. */
function attemptChain(
  { retry, rateBudget, hooks, clock, random }: CallPolicy,
  { deadlineMs, turns }: Partial<Pick<ClientContext, "deadlineMs" | "turns">>,
): readonly Middleware[] {
  const maxPauseMs = retry?.maxRetryAfterMs;
  const shared = turns && sharedTurnsMiddleware(turns, { rateBudget, maxPauseMs, clock });
  return [
    retryMiddleware(retry, { clock, random, hooks, deadlineMs }),
    rateLimitMiddleware(rateBudget, { maxPauseMs, clock }),
    ...(shared === undefined ? [] : [shared]),
    ...(hooks === undefined ? [] : [observeMiddleware(hooks, clock)]),
  ];
}
