/** What a connector calls its target system with: connections, authentication, HTTP, pages. */
export { type ApiKeyOptions, apiKeyHandler } from "./auth/api-key-handler.js";
export { type BasicOptions, basicHandler } from "./auth/basic-handler.js";
export {
  type ClientCredentialsOptions,
  clientCredentialsHandler,
} from "./auth/client-credentials-handler.js";
export { type CodeFlowOptions, codeFlowHandler } from "./auth/code-flow-handler.js";
export { type HeaderOptions, headerHandler } from "./auth/header-handler.js";
export {
  type AuthHandler,
  type CallPolicy,
  type ClientHelperOptions,
  type ConnectionClass,
  createClientHelper,
  type DefinitionServices,
  servicesOf,
} from "./client-helper.js";
export {
  AuthenticationFailure,
  ConnectionFailure,
  EndlessPages,
  RequestRefused,
  ResponseError,
} from "./errors.js";
export type {
  ClientHooks,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  TokenEvent,
} from "./handlers/hooks.js";
export type { RateBudget } from "./handlers/rate-budget.js";
export { type RetryOptions, type RetrySurroundings, retryHandler } from "./handlers/retry-handler.js";
export type { Query, QueryValue } from "./http/addresses.js";
export { type ApiResponse, orThrow } from "./http/api-response.js";
export type { Clock } from "./http/clock.js";
export type { ExchangeOptions } from "./http/exchange.js";
export type { CallOptions, HttpClient, StreamedResponse, StreamOptions } from "./http/http-client.js";
export type {
  DelegatingHandler,
  HttpMethod,
  IncomingResponse,
  OutgoingRequest,
  RequestBody,
  ResponseHeaders,
  Send,
} from "./http/messages.js";
export type { Timeouts } from "./http/timeouts.js";
export { orRetry } from "./or-retry.js";
export {
  type CursorOptions,
  cursors,
  linkHeaders,
  type OffsetOptions,
  offsets,
  type PageNumberOptions,
  type Pages,
  pageNumbers,
} from "./pages/paginators.js";
