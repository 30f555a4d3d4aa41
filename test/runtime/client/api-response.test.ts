import { expect } from "chai";
import {
  type ApiResponse,
  ResponseError,
  serverTime,
  throwIfRetryable,
} from "../../../runtime/client/index.js";
import { retryOf } from "../../../runtime/retry.js";
import { clientAt, closeServers, listen } from "../../support/loopback.js";

const responseWith = (statusCode: number, headers = {}): ApiResponse => ({
  ...{ isSuccessful: statusCode < 300, result: null, errorMessage: null, errorBody: null },
  ...{ statusCode, headers },
});

/** What throwIfRetryable throws for an answer of this status. */
function errorOf(response: ApiResponse): unknown {
  try {
    expect(throwIfRetryable(response)).to.equal(response);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("the time of an answer", () => {
  it("is the target system's, and an error where the answer does not say it", () => {
    const date = "Wed, 01 Jan 2020 12:00:00 GMT";
    expect(serverTime(responseWith(200, { date })).toISOString()).to.equal("2020-01-01T12:00:00.000Z");
    for (const headers of [{}, { date: "soon" }, { date: ["a", "b"] }])
      expect(() => serverTime(responseWith(200, headers)))
        .to.throw(ResponseError, "no header Date")
        .with.property("statusCode", 200);
  });
});

describe("the content of an answer", () => {
  afterEach(closeServers);

  const answerTo = async (
    body: Uint8Array | string,
    type: string,
    responseType: "json" | "text" = "json",
  ) => {
    const { origin } = await listen((_, response) =>
      response.writeHead(200, { "content-type": type }).end(body),
    );
    return clientAt(origin).get("x", { responseType });
  };

  it("is decoded in the charset that the answer states", async () => {
    const latin = Buffer.from('{"name":"Jörg"}', "latin1");
    expect((await answerTo(latin, "application/json; charset=ISO-8859-1")).result).to.deep.equal({
      name: "Jörg",
    });
    const wide = Buffer.from("naïve", "utf16le");
    expect((await answerTo(wide, 'text/plain; charset="utf-16le"', "text")).result).to.equal("naïve");
  });

  it("is not taken if its bytes do not belong to the charset, or nobody knows that", async () => {
    const latin = Buffer.from('{"name":"Jörg"}', "latin1");
    for (const [type, charset] of [
      ["application/json", "UTF-8"],
      ["application/json; charset=utf-8", "UTF-8"],
      ["application/json; charset=klingon", "klingon"],
    ] as const) {
      const response = await answerTo(latin, type);
      expect(response).to.include({ isSuccessful: false, result: null, statusCode: 200 });
      expect(response.errorMessage).to.match(
        new RegExp(`200 with a body that can't be read as ${charset}\\.$`),
      );
    }
  });

  it("is not taken if a number in it is larger than any that JavaScript has", async () => {
    for (const text of ["1e400", '{"a":[-1E+999]}', `[${"9".repeat(400)}]`]) {
      const { isSuccessful, errorMessage } = await answerTo(text, "application/json");
      expect(isSuccessful, text).to.equal(false);
      expect(errorMessage).to.include("200 with a number that is too large");
    }
    const { result } = await answerTo('{"a":1e300,"b":"1e400","c":": 1e999"}', "application/json");
    expect(result).to.deep.equal({ a: 1e300, b: "1e400", c: ": 1e999" });
  });
});

describe("throwIfRetryable", () => {
  it("throws for exactly the statuses after which an action is tried again", () => {
    for (let status = 100; status < 600; status++) {
      // Refused credentials keep the action in the queue, although nothing but new credentials helps.
      const isTransient = status === 401 || retryOf(new ResponseError("x", status)) === "later";
      expect(errorOf(responseWith(status)) instanceof ResponseError, String(status)).to.equal(isTransient);
    }
  });

  it("keeps how long the target system wants to be left alone", () => {
    expect(errorOf(responseWith(429, { "retry-after": "7" }))).to.include({ retryAfterMs: 7_000 });
  });
});
