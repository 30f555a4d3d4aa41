/** HTTP clients of a connection without a generated class, for tests of what happens on the way. */
import {
  type CallPolicy,
  createClientHelper,
  type DelegatingHandler,
  type HttpClient,
  servicesOf,
} from "../../runtime/client/index.js";
import { type ClientHost, isObject, type RecordMethods, typedRecord } from "../../runtime/index.js";

/** A connection of no properties. */
export class NoProperties extends typedRecord<object, object, RecordMethods<object>>({
  name: "NoProperties",
  schema: { type: "object" },
  check: isObject,
}) {}

export interface TestClient extends CallPolicy {
  readonly auth?: DelegatingHandler;
  readonly host?: ClientHost;
}

/** A client at `origin`, without retries unless they are asked for. */
export function clientAt(origin: string, { auth, host, ...policy }: TestClient = {}): HttpClient {
  const handler: DelegatingHandler = auth ?? ((request, next) => next(request));
  const helper = createClientHelper({
    retry: { tries: 1 },
    ...policy,
    definitions: { any: servicesOf(NoProperties, () => handler) },
    createClient: (http) => http.at(origin),
  });
  return helper({ DefinitionKey: "any", Configuration: "{}" }, host).client;
}
