/** Authentication by something that goes along with every call: a header, an API key, user and password. */
import { withParameter } from "./addresses.js";
import { RequestRefusedError } from "./errors.js";
import { type Middleware, withHeader, withoutHeaders } from "./middleware.js";

/** What `headerHandler` sends. */
export interface HeaderOptions {
  /** Name of the header, in any case. */
  readonly name: string;
  /** Gives the header's value; called for each call. An error that it throws ends the call. */
  value(): string | Promise<string>;
  /**
   * Names of other headers that are removed from the call.
   * @default none
   */
  readonly remove?: readonly string[] | undefined;
}

/**
 * Sets a header, in place of any that the call has under the name.
 * @example
 * headerHandler({ name: "Authorization", value: () => `Token api=${connection.apiToken}` });
 */
export function headerHandler({ name, value, remove = [] }: HeaderOptions): Middleware {
  return async (request, next) => {
    const headers = withoutHeaders(request.headers, remove);
    return next(withHeader({ ...request, headers }, name, await value()));
  };
}

/** What `apiKeyHandler` sends. */
export interface ApiKeyOptions {
  /** The key itself. */
  readonly key: string;
  /**
   * Name of the header or query parameter.
   * @default "X-Api-Key"
   */
  readonly name?: string | undefined;
  /**
   * Where the key goes.
   * @default "header"
   */
  readonly in?: "header" | "query" | undefined;
}

/**
 * Sets an API key, in place of anything that the call has under the name.
 * @example
 * apiKeyHandler({ key: connection.apiKey, name: "key", in: "query" });
 */
export function apiKeyHandler({ key, name = "X-Api-Key", in: place = "header" }: ApiKeyOptions): Middleware {
  if (place === "query") {
    return (request, next) => {
      const secretParameters = [...(request.secretParameters ?? []), name];
      return next({ ...request, url: withParameter(request.url, name, key), secretParameters });
    };
  }
  return (request, next) => next(withHeader(request, name, key));
}

/** What `basicHandler` sends. */
export interface BasicOptions {
  /** User name; it can't have a colon. */
  readonly username: string;
  /** Any text. */
  readonly password: string;
}

/**
 * Sets the header `Authorization` of Basic authentication (RFC 7617), in UTF-8.
 * @throws RequestRefusedError for a user name with a colon: the server would split it there.
 * @example
 * basicHandler({ username: connection.userName, password: connection.password });
 */
export function basicHandler({ username, password }: BasicOptions): Middleware {
  if (username.includes(":")) {
    throw new RequestRefusedError("The user name has a colon, which Basic authentication forbids.");
  }
  const credentials = Buffer.from(`${username}:${password}`, "utf8").toString("base64");
  return (request, next) => next(withHeader(request, "authorization", `Basic ${credentials}`));
}
