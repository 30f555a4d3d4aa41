/** How long each phase of a call may take. */

export interface Timeouts {
  /** For looking up the host, connecting and the TLS handshake; 10,000 ms. */
  readonly connectMs?: number | undefined;
  /** From the request's last byte to the first of the answer; 60,000 ms. */
  readonly responseMs?: number | undefined;
  /** For the body of a request, and for that of an answer, unless they are streams; 120,000 ms. */
  readonly bodyMs?: number | undefined;
  /** Between two pieces of a streamed answer; 60,000 ms. */
  readonly idleMs?: number | undefined;
}

/** The times, with those that are left out. */
export function timeoutsOf({ connectMs, responseMs, bodyMs, idleMs }: Timeouts = {}) {
  return {
    connectMs: connectMs ?? 10_000,
    responseMs: responseMs ?? 60_000,
    bodyMs: bodyMs ?? 120_000,
    idleMs: idleMs ?? 60_000,
  };
}
