/** What a call can end in beside an answer. No message holds a header's value, a token or a secret parameter's value. */
import { networkFault, type Retry, retryOfStatus } from "../retry.js";

/** There was no answer, or it broke off. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
  /** The system's code, such as `ECONNREFUSED`; `ETIMEDOUT` if a time limit of the client was over. */
  readonly code: string;
  /** How often it was attempted. */
  readonly attempts: number;
  /** Method and masked address. */
  readonly request: string;
  /** What went wrong, in words. */
  readonly reason: string;
  /** `later` for a connection that broke off, `never` for a certificate; undefined for an unknown code. */
  readonly retry: Retry | undefined;

  constructor(facts: { request: string; code: string; reason: string; attempts?: number }) {
    const { request, code, reason, attempts = 1 } = facts;
    super(`${request} failed: ${reason} (${code})${attempts === 1 ? "" : `, after ${attempts} attempts`}.`);
    this.request = request;
    this.code = code;
    this.reason = reason;
    this.attempts = attempts;
    this.retry = networkFault(code)?.retry;
  }
}

/** There was an answer, and not the one that is needed to go on. */
export class ResponseError extends Error {
  override readonly name = "ResponseError";
  /** Milliseconds after which the target system wants to be called again; undefined if it did not say so. */
  readonly retryAfterMs: number | undefined;
  /**
   * `later` for 408, 429 and 500 to 599, `never` for others from 300 on. Where only the content was wrong: undefined, or
   * `never` if a call that may have acted was answered so.
   */
  readonly retry: Retry | undefined;

  constructor(
    message: string,
    /** HTTP status of the answer; below 300 if its content was wrong. */
    readonly statusCode: number,
    {
      retryAfterMs,
      retry = retryOfStatus(statusCode),
    }: { readonly retryAfterMs?: number | undefined; readonly retry?: Retry | undefined } = {},
  ) {
    super(message);
    this.retryAfterMs = retryAfterMs;
    this.retry = retry;
  }
}

/** There is no token: the call was not sent. */
export class AuthenticationError extends Error {
  override readonly name = "AuthenticationError";
  /** By its status; `later` if the host could not save or lock; undefined if the provider's answer made no sense. */
  readonly retry: Retry | undefined;

  constructor(
    message: string,
    /**
     * The provider's error, such as `invalid_client`; `not_saved` or `not_locked` if the host could not save or lock a
     * refresh token.
     */
    readonly code: string,
    /** 401 if the credentials were refused, else the provider's HTTP status; undefined if its answer made no sense. */
    readonly statusCode?: number,
  ) {
    super(message);
    this.retry = code === NOT_SAVED || code === NOT_LOCKED ? "later" : retryOfStatus(statusCode ?? 0);
  }
}

/** Code of an AuthenticationError for a changed refresh token that the host could not save. */
export const NOT_SAVED = "not_saved";

/** Code of an AuthenticationError for a refresh token that the host could not lock. */
export const NOT_LOCKED = "not_locked";

/** The call was not sent: its address, header or body is not one that may be. */
export class RequestRefusedError extends Error {
  override readonly name = "RequestRefusedError";
  /** The same call would be refused again. */
  readonly retry = "never";
}

/** A list of pages goes in a circle, or is longer than `maxPages`. */
export class EndlessPagesError extends Error {
  override readonly name = "EndlessPagesError";
  /** The list would not end the next time either. */
  readonly retry = "never";
}
