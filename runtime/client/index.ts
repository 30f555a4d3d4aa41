/** `connectorcli/client`: what a connector calls its target system with: connections, authentication, HTTP, pages. */

export type { Clock } from "../registration/connection-contracts.js";
export type {
  HttpMethod,
  IncomingResponse,
  OutgoingRequest,
  RequestBody,
  ResponseHeaders,
  Send,
  Transport,
} from "../registration/http-messages.js";
export type { Retry } from "../retry.js";
export { type RecordClass, type Refusal, recordAfter, refusalOf } from "./action-answers.js";
export { type PathValue, path, type Query, type QueryValue } from "./addresses.js";
export { type ApiResponse, resultOrThrow, serverTime, throwIfRetryable } from "./api-response.js";
export {
  type ApiKeyOptions,
  apiKeyHandler,
  type BasicOptions,
  basicHandler,
  type HeaderOptions,
  headerHandler,
} from "./auth-handlers.js";
export {
  type AuthHandler,
  type CallPolicy,
  type ClientHelperOptions,
  type ConnectionClass,
  createClientHelper,
  type DefinitionServices,
  type OpenedServices,
  type ServicesOptions,
  servicesOf,
} from "./client-helper.js";
export {
  AuthenticationError,
  EndlessPagesError,
  NetworkError,
  RequestRefusedError,
  ResponseError,
} from "./errors.js";
export type { ClientHooks, RequestEvent, ResponseEvent, RetryEvent, TokenEvent } from "./hooks.js";
export type { CallOptions, HttpCall, HttpClient, StreamedResponse, StreamOptions } from "./http-client.js";
export type { Middleware } from "./middleware.js";
export type { NetworkOptions, Timeouts } from "./network.js";
export {
  type ClientCredentialsOptions,
  type CodeFlowOptions,
  clientCredentialsHandler,
  codeFlowHandler,
} from "./oauth.js";
export {
  type CursorOptions,
  cursors,
  linkHeaders,
  type OffsetOptions,
  offsets,
  type PageIterator,
  type PageLimit,
  type PageNumberOptions,
  pageNumbers,
} from "./pages.js";
export type { RateBudget } from "./rate-limit.js";
export type { RetryOptions } from "./retry.js";
export type { TlsOptions } from "./tls.js";
