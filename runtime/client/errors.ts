/** What a call can end in beside an answer. No message holds a header's value, a token or a query's value. */

/** There was no answer, or it broke off. */
export class ConnectionFailure extends Error {
  override readonly name = "ConnectionFailure";
  /** The system's code, such as `ECONNREFUSED`. */
  readonly code: string;
  /** How often it was tried. */
  readonly tries: number;
  /** Method and masked address. */
  readonly request: string;
  /** What went wrong, in words. */
  readonly reason: string;

  constructor(failure: { request: string; code: string; reason: string; tries?: number }) {
    const { request, code, reason, tries = 1 } = failure;
    super(`${request} failed: ${reason} (${code})${tries === 1 ? "" : `, after ${tries} tries`}.`);
    this.request = request;
    this.code = code;
    this.reason = reason;
    this.tries = tries;
  }
}

/** There was an answer, and not the one that is needed to go on. */
export class ResponseError extends Error {
  override readonly name = "ResponseError";
  /** Milliseconds after which the target system wants to be asked again, where it said so. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    /** HTTP status of the answer; below 300 where its content was the trouble. */
    readonly statusCode: number,
    { retryAfterMs }: { readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** No token was given out: the call was not sent. */
export class AuthenticationFailure extends Error {
  override readonly name = "AuthenticationFailure";

  constructor(
    message: string,
    /** The provider's error, such as `invalid_client`. */
    readonly code: string,
    /** 401 where the credentials were refused, else the provider's HTTP status; absent where it made no sense. */
    readonly statusCode?: number,
  ) {
    super(message);
  }
}

/** The call was not sent: its address, header or body is not one that may be. */
export class RequestRefused extends Error {
  override readonly name = "RequestRefused";
}

/** Reading pages does not come to an end. */
export class EndlessPages extends Error {
  override readonly name = "EndlessPages";
}
