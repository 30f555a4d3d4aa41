/** From the connection that a host supplies to the API client of the connector (spec §2.2, §4.2). */
import type { ClientHelper, ClientHost, ConnectionContainer } from "../registration/connection-contracts.js";
import { type ClientHooks, observingHandler } from "./handlers/hooks.js";
import { type RateBudget, rateBudgetHandler } from "./handlers/rate-budget.js";
import { type RetryOptions, retryHandler } from "./handlers/retry-handler.js";
import type { Clock } from "./http/clock.js";
import { type ExchangeOptions, exchange } from "./http/exchange.js";
import { type HttpClient, httpClient } from "./http/http-client.js";
import { chained, type DelegatingHandler } from "./http/messages.js";

/** A generated connection class. */
export interface ConnectionClass<Connection> {
  new (properties: never): Connection;
  from(json: unknown): unknown;
}

/** Makes the handler that authenticates the calls of a connection. */
export type AuthHandler<Connection> = (connection: Connection, host: ClientHost) => DelegatingHandler;

/** What belongs to a definition key. */
export interface DefinitionServices<Connection> {
  /** @throws RecordError with every finding, sensitive values hidden. */
  open(
    json: unknown,
    host: ClientHost,
  ): { readonly connection: Connection; readonly handler: DelegatingHandler };
}

type Definitions = Readonly<Record<string, DefinitionServices<object>>>;

type ConnectionOf<All extends Definitions> =
  All[keyof All] extends DefinitionServices<infer Connection> ? Connection : never;

/** How the calls of a connection are made. */
export interface CallPolicy extends ExchangeOptions {
  readonly retry?: RetryOptions | undefined;
  /** Shared by all calls of a connection; without one there is no limit. */
  readonly rateBudget?: RateBudget | undefined;
  readonly hooks?: ClientHooks | undefined;
  /** For tests. */
  readonly clock?: Clock | undefined;
  /** For tests: from 0 to 1, as Math.random. */
  readonly random?: (() => number) | undefined;
}

export interface ClientHelperOptions<All extends Definitions, Client> extends CallPolicy {
  /** By definition key. */
  readonly definitions: All;
  /** Gives the API client its base address, and nothing else of the connection. */
  createClient(http: HttpClient, connection: ConnectionOf<All>): Client;
}

/** The services of a connection definition: its generated class and the handler that authenticates its calls. */
export function servicesOf<Connection extends object>(
  type: ConnectionClass<Connection>,
  authHandler: AuthHandler<Connection>,
): DefinitionServices<Connection> {
  return {
    open: (json, host) => {
      // `from` makes an instance of the class that it is called on.
      const connection = type.from(json) as Connection;
      return { connection, handler: authHandler(connection, host) };
    },
  };
}

/**
 * Resolves the services of a connection. What it returns throws Error for an unknown definition key (§7) and for a
 * configuration that is not JSON, and RecordError, with every finding, for one that does not fit its definition.
 * Each call of it makes a client with connections, tokens and a rate budget of its own.
 */
export function createClientHelper<All extends Definitions, Client>(
  options: ClientHelperOptions<All, Client>,
): ClientHelper<Client> {
  return (container, host = {}) => {
    const { connection, handler } = servicesFor(options.definitions, container).open(
      configurationOf(container),
      host,
    );
    const inner = innerChain(options);
    const send = exchange(options);
    const http = httpClient({
      withCredentials: chained([handler, ...inner], send),
      bare: chained(inner, send),
      signal: host.signal,
    });
    return { client: options.createClient(http, connection as ConnectionOf<All>), connection };
  };
}

function servicesFor(definitions: Definitions, { DefinitionKey: key }: ConnectionContainer) {
  const services = Object.hasOwn(definitions, key) ? definitions[key] : undefined;
  if (services === undefined) throw new Error(`Unable to find services for definition key ${key}`);
  return services;
}

/** The parser's own message quotes the text, which holds secrets. */
function configurationOf({ DefinitionKey, Configuration }: ConnectionContainer): unknown {
  try {
    return JSON.parse(Configuration);
  } catch {
    throw new Error(`The configuration of connection ${DefinitionKey} is not valid JSON.`);
  }
}

/** What every try of a call goes through, below the authentication. */
function innerChain({ retry, rateBudget, hooks, clock, random }: CallPolicy): readonly DelegatingHandler[] {
  return [
    retryHandler(retry, { clock, random, hooks }),
    ...(rateBudget === undefined ? [] : [rateBudgetHandler(rateBudget, clock)]),
    ...(hooks === undefined ? [] : [observingHandler(hooks, clock)]),
  ];
}
