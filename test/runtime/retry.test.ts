import { expect } from "chai";
import {
  AuthenticationError,
  EndlessPagesError,
  NetworkError,
  RequestRefusedError,
  ResponseError,
} from "../../runtime/client/index.js";
import { RecordError } from "../../runtime/entries/runtime.js";
import { retryAfterMsOf, retryOf } from "../../runtime/retry.js";
import { TimeoutError } from "../../runtime/untrusted.js";

const network = (code: string) => new NetworkError({ request: "GET x", code, reason: "x" });
const coded = (code: string) => Object.assign(new Error("failed"), { code });

describe("whether another attempt may help", () => {
  const CASES: readonly (readonly [title: string, error: unknown, retry: "later" | "never" | undefined])[] = [
    ["a connection that broke off", network("ECONNRESET"), "later"],
    ["a certificate that has expired", network("CERT_HAS_EXPIRED"), "never"],
    ["an answer that can't be processed", network("HPE_INVALID_CONSTANT"), undefined],
    ["a time-out", new TimeoutError("late"), "later"],
    ["HTTP 408", new ResponseError("x", 408), "later"],
    ["HTTP 429", new ResponseError("x", 429), "later"],
    ["HTTP 500", new ResponseError("x", 500), "later"],
    ["HTTP 503", new ResponseError("x", 503), "later"],
    ["HTTP 100", { statusCode: 100, retryAfterMs: 5 }, undefined],
    ["HTTP 999", { statusCode: 999 }, "later"],
    ["a status above those of HTTP", { statusCode: 1000 }, undefined],
    ["a status that is no whole number", { statusCode: 503.5 }, undefined],
    ["HTTP 400", new ResponseError("x", 400), "never"],
    ["HTTP 401", new ResponseError("x", 401), "never"],
    ["an answer whose content is wrong", new ResponseError("x", 200), undefined],
    ["credentials that were refused", new AuthenticationError("x", "invalid_client", 401), "never"],
    ["a token endpoint that is busy", new AuthenticationError("x", "http_503", 503), "later"],
    ["a token that the host could not save", new AuthenticationError("x", "not_saved"), "later"],
    ["a token that the host could not lock", new AuthenticationError("x", "not_locked"), "later"],
    ["a token response that makes no sense", new AuthenticationError("x", "invalid_response"), undefined],
    ["a call that may not be made", new RequestRefusedError("x"), "never"],
    ["pages without an end", new EndlessPagesError("x"), "never"],
    ["a record that does not fit", new RecordError("Item", []), "never"],
    ["a mistake in code", new TypeError("x is undefined"), "never"],
    ["any other error", new Error("something"), undefined],
    ["what is no error", "something", undefined],
    ["nothing", undefined, undefined],
    ["an author's error that says so", Object.assign(new Error("locked"), { retry: "later" }), "later"],
    [
      "an author's TypeError that says so",
      Object.assign(new TypeError("locked"), { retry: "later" }),
      "later",
    ],
    ["an error whose cause says it", new Error("not created", { cause: network("ECONNRESET") }), "later"],
    ["fetch without a network", new TypeError("fetch failed", { cause: coded("ECONNREFUSED") }), "later"],
    [
      "fetch of a host with a bad certificate",
      new TypeError("x", { cause: coded("CERT_HAS_EXPIRED") }),
      "never",
    ],
    ["fetch whose time is over", new DOMException("late", "TimeoutError"), "later"],
    ["a call that was aborted", new DOMException("stopped", "AbortError"), "later"],
    [
      "another client's HTTP error",
      Object.assign(new Error("x"), { response: { statusCode: 503 } }),
      "later",
    ],
    ["a file that is not there", coded("ENOENT"), undefined],
    ["an error that throws when it is read", throwing(), undefined],
  ];
  for (const [title, error, retry] of CASES) {
    it(`is ${retry ?? "unknown"} for ${title}`, () => expect(retryOf(error)).to.equal(retry));
  }

  it("is the same for a call and for an action, whatever the network's code", () => {
    for (const code of ["ECONNRESET", "CERT_HAS_EXPIRED", "EPROTO", "EAI_AGAIN", "ENOENT", "E_NONE"]) {
      expect(retryOf(coded(code)), code).to.equal(network(code).retry);
    }
  });

  it("goes with how long the target system wants to be left alone, also in a cause", () => {
    const asked = new ResponseError("busy", 429, { retryAfterMs: 7_000 });
    expect(retryAfterMsOf(new Error("not created", { cause: asked }))).to.equal(7_000);
    expect(retryAfterMsOf(new Error("not created"))).to.equal(undefined);
  });
});

function throwing(): unknown {
  return {
    get retry() {
      throw new Error("no");
    },
    get cause() {
      throw new Error("no");
    },
  };
}
