/** Authentication by an API key, in a header or in the query. */
import { withParameter } from "../http/addresses.js";
import { type DelegatingHandler, withHeader } from "../http/messages.js";

export interface ApiKeyOptions {
  readonly key: string;
  /** Of the header or the query's parameter; `X-Api-Key`. */
  readonly name?: string | undefined;
  /** `header` where left out. */
  readonly in?: "header" | "query" | undefined;
}

/** Sets the key, in place of anything that the call has under the name. */
export function apiKeyHandler({ key, name = "X-Api-Key", in: place }: ApiKeyOptions): DelegatingHandler {
  if (place === "query")
    return (request, next) => next({ ...request, url: withParameter(request.url, name, key) });
  return (request, next) => next(withHeader(request, name, key));
}
