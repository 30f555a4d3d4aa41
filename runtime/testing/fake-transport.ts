/** Leads the calls of any connection to a fake target system, which learns by headers where they were meant to go. */
import type { Transport } from "../registration/http-messages.js";

/** Where a fake grants tokens. */
export const TOKEN_PATH = "/oauth/token";

/** Where a user signs in. */
export const SIGN_IN_PATH = "/oauth/auth";

/** Where a fake tells whom it lets in, and the settings that belong to it. */
export const FACTS_PATH = "/.connectorcli/fake";

/** @param origin Where the fake is: `http://127.0.0.1:port`. */
export function transportTo(origin: string): Transport {
  return (next) => async (request) => {
    const meant = new URL(request.url);
    const path = request.purpose === "token" ? TOKEN_PATH : meant.pathname + meant.search;
    const forwarded = {
      "x-forwarded-host": meant.host,
      "x-forwarded-proto": meant.protocol.replace(":", ""),
    };
    const headers = meant.origin === origin ? request.headers : { ...request.headers, ...forwarded };
    const response = await next({ ...request, url: origin + path, headers });
    return { ...response, url: request.url };
  };
}
