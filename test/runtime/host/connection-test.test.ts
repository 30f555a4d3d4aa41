import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import type { ConnectionTestHandler, Log } from "../../../runtime/entries/runtime.js";
import { ConnectionError, type TestConnectionOptions, testConnection } from "../../../runtime/host/index.js";
import { type SmallClient, smallContainer, smallRegistration } from "../../support/registration.js";

type Handler = ConnectionTestHandler<SmallClient>;

const NO_RESPONSE = { success: false, message: "Failed to get response from server", statusCode: 500 };

/** What a connection test with this handler ends in. */
function resultOf(connectionTestHandler: Handler, options?: TestConnectionOptions) {
  return testConnection(smallRegistration({ connectionTestHandler }), smallContainer(), options);
}

const answering = (isSuccessful: boolean, statusCode: number) =>
  resultOf(async () => ({ isSuccessful, statusCode }));

const throwing = (error: unknown) =>
  resultOf(async () => {
    throw error;
  });

describe("testConnection: the table of §4.3", () => {
  it("no response: false, Failed to get response from server, 500", async () => {
    expect(await resultOf(async () => undefined)).to.deep.equal(NO_RESPONSE);
  });

  it("response successful: true, Successful test., the response status", async () => {
    for (const statusCode of [200, 204, 299]) {
      const expected = { success: true, message: "Successful test.", statusCode };
      expect(await answering(true, statusCode)).to.deep.equal(expected);
    }
  });

  it("status 403: false, Invalid Credentials: Forbidden., 403", async () => {
    const expected = { success: false, message: "Invalid Credentials: Forbidden.", statusCode: 403 };
    expect(await answering(false, 403)).to.deep.equal(expected);
  });

  it("status 401: false, Invalid Credentials: Unauthorized, 401", async () => {
    const expected = { success: false, message: "Invalid Credentials: Unauthorized", statusCode: 401 };
    expect(await answering(false, 401)).to.deep.equal(expected);
  });

  it("any other unsuccessful status: false, Unknown Issue., the response status", async () => {
    for (const statusCode of [200, 302, 400, 402, 404, 418, 429, 500, 503, 600, 999]) {
      const expected = { success: false, message: "Unknown Issue.", statusCode };
      expect(await answering(false, statusCode)).to.deep.equal(expected);
    }
  });
});

describe("testConnection: what counts as which row", () => {
  it("counts an error as no response", async () => {
    expect(await throwing(new TypeError("fetch failed"))).to.deep.equal(NO_RESPONSE);
  });

  it("counts anything else that is thrown as no response", async () => {
    const hostile = {
      get statusCode(): number {
        throw new Error("not to be read");
      },
    };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const odd of [null, undefined, "text", 7, Symbol("x"), hostile, proxy]) {
      expect(await throwing(odd)).to.deep.equal(NO_RESPONSE);
    }
  });

  it("counts an error that carries an HTTP status as a response of that status", async () => {
    const errorWithStatus = (status: number) => Object.assign(new Error("refused"), { statusCode: status });
    expect(await throwing(errorWithStatus(401))).to.include({ message: "Invalid Credentials: Unauthorized" });
    expect(await throwing(errorWithStatus(403))).to.include({ message: "Invalid Credentials: Forbidden." });
    expect(await throwing(errorWithStatus(502))).to.include({ message: "Unknown Issue.", statusCode: 502 });
    const nested = { response: { statusCode: 401 } };
    expect(await throwing(nested)).to.include({ message: "Invalid Credentials: Unauthorized" });
    const caused = new Error("could not list", { cause: errorWithStatus(404) });
    expect(await throwing(caused)).to.include({ message: "Unknown Issue.", statusCode: 404 });
  });

  it("never calls a thrown error a success, whatever its status", async () => {
    const error = Object.assign(new Error("not JSON"), { statusCode: 200 });
    expect(await throwing(error)).to.deep.equal({
      success: false,
      message: "Unknown Issue.",
      statusCode: 200,
    });
  });

  it("counts a status that is no HTTP status as no response", async () => {
    for (const statusCode of [0, 99, 1_000, 200.5, Number.NaN, "401"]) {
      expect(await throwing({ statusCode })).to.deep.equal(NO_RESPONSE);
      expect(await resultOf(async () => ({ isSuccessful: true, statusCode }) as never)).to.deep.equal(
        NO_RESPONSE,
      );
    }
  });

  it("counts a malformed response as no response", async () => {
    const getter = {
      isSuccessful: true,
      get statusCode(): number {
        throw new Error("not to be read");
      },
    };
    for (const response of [null, "OK", 200, [], {}, { isSuccessful: true }, { statusCode: 200 }, getter]) {
      expect(await resultOf(async () => response as never)).to.deep.equal(NO_RESPONSE);
    }
  });

  it("takes a result of the handler as it is (§2.5)", async () => {
    const results = [
      { success: false, message: "The site is locked.", statusCode: 423 },
      { success: true, message: "Welcome.", statusCode: 200 },
    ];
    for (const result of results) expect(await resultOf(async () => result)).to.deep.equal(result);
  });

  it("takes responses of the usual clients (§2.4), and the members that the platform has in its own names", async () => {
    const success = { success: true, message: "Successful test.", statusCode: 200 };
    const unauthorized = {
      ...{ success: false, message: "Invalid Credentials: Unauthorized", statusCode: 401 },
    };
    const responsesOf = (status: number) => [
      new Response("{}", { status }),
      { status, headers: {}, data: {} },
      { statusCode: status, headers: {}, body: {} },
      { statusCode: status, ok: status === 200, headers: {} },
      {
        IsSuccessful: status === 200,
        StatusCode: status,
        Result: null,
        ErrorMessage: null,
      } as unknown as Response,
    ];
    for (const response of responsesOf(200))
      expect(await resultOf(async () => response)).to.deep.equal(success);
    for (const response of responsesOf(401))
      expect(await resultOf(async () => response)).to.deep.equal(unauthorized);
  });

  it("tells the log what the handler returned if it can't be read as a response, without its values", async () => {
    const told: string[] = [];
    const note = (message: string, fields?: object) => void told.push(`${message} ${JSON.stringify(fields)}`);
    const log: Log = { debug: note, info: note, warn: note, error: note };
    expect(await resultOf(async () => ({ data: "private", code: 200 }) as never, { log })).to.deep.equal(
      NO_RESPONSE,
    );
    expect(told.join())
      .to.include("can't be read as a response: expected isSuccessful and statusCode")
      .and.to.include("found an object with data, code")
      .and.to.not.include("private");
  });

  it("takes a handler that throws before it gives a promise, and one that gives none", async () => {
    const throws = (() => {
      throw new Error("at once");
    }) as Handler;
    expect(await resultOf(throws)).to.deep.equal(NO_RESPONSE);
    const plain = (() => ({ isSuccessful: true, statusCode: 200 })) as unknown as Handler;
    expect(await resultOf(plain)).to.include({ success: true });
  });

  it("ends with the cause chain of an error that is its own cause", async () => {
    const error: Error & { cause?: unknown } = new Error("round");
    error.cause = error;
    expect(await throwing(error)).to.deep.equal(NO_RESPONSE);
  });

  it("gives what a real server answers", async () => {
    const server = createServer((request, response) => {
      response.writeHead(Number(request.url?.slice(1))).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const handler: Handler = async ({ client, signal }) => {
      const { ok, status } = await fetch(client.baseUrl, { signal });
      return { isSuccessful: ok, statusCode: status };
    };
    const test = (path: string) => {
      const container = smallContainer({ url: `http://127.0.0.1:${port}/${path}` });
      return testConnection(smallRegistration({ connectionTestHandler: handler }), container);
    };
    try {
      expect((await test("200")).message).to.equal("Successful test.");
      expect((await test("401")).message).to.equal("Invalid Credentials: Unauthorized");
      expect((await test("403")).message).to.equal("Invalid Credentials: Forbidden.");
      expect((await test("500")).message).to.equal("Unknown Issue.");
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
    expect(await test("200")).to.deep.equal(NO_RESPONSE);
  });
});

describe("testConnection: time", () => {
  it("counts a handler that never answers and ignores its signal as no response", async () => {
    const signals: AbortSignal[] = [];
    const handler: Handler = ({ signal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    expect(await resultOf(handler, { timeoutMs: 20 })).to.deep.equal(NO_RESPONSE);
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true]);
  });

  it("forgets what a handler does after its time", async () => {
    const late: Handler = ({ signal }) =>
      new Promise((_, reject) =>
        signal.addEventListener("abort", () => setImmediate(reject, new Error("late"))),
      );
    expect(await resultOf(late, { timeoutMs: 20 })).to.deep.equal(NO_RESPONSE);
    await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it("rejects with the caller's reason when the caller stops it", async () => {
    const caller = new AbortController();
    const stopped = resultOf(() => new Promise(() => undefined), { signal: caller.signal });
    caller.abort(new Error("the user went home"));
    const reason = await stopped.catch((error: unknown) => error);
    expect(reason).to.be.an("error").with.property("message", "the user went home");
    const before = await resultOf(async () => undefined, { signal: caller.signal }).catch((error) => error);
    expect(before).to.equal(reason);
  });

  it("refuses a time that is none", async () => {
    for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const error = await resultOf(async () => undefined, { timeoutMs }).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(RangeError);
    }
  });
});

describe("testConnection: what comes before the test", () => {
  const failureOf = async (test: Promise<unknown>): Promise<ConnectionError> => {
    const error = await test.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof ConnectionError)) throw new Error("expected a ConnectionError");
    return error;
  };

  it("says of an unknown definition key: Unable to find services for definition key <key> (§7)", async () => {
    const error = await failureOf(testConnection(smallRegistration(), smallContainer({}, "otherAuth")));
    expect(error.message).to.equal("Unable to find services for definition key otherAuth");
  });

  it("says No base url was set. (§7) if the client helper finds none", async () => {
    const clientHelper = () => {
      throw new Error("No base url was set.");
    };
    const error = await failureOf(testConnection(smallRegistration({ clientHelper }), smallContainer()));
    expect(error.message).to.equal("No base url was set.");
  });

  it("says No base url was set. first if the environment is absent or unknown (§2.1), then what is wrong", async () => {
    const schema = {
      ...{ type: "object", required: ["connectionEnvironment"] },
      properties: { connectionEnvironment: { enum: [0, 1, 2] } },
    };
    const check = (value: unknown) => [0, 1, 2].includes(Object(value).connectionEnvironment);
    const registration = {
      ...smallRegistration(),
      connections: [{ key: "basicAuth", properties: { name: "BasicAuth", schema, check } as never }],
    };
    for (const properties of ["{}", '{"connectionEnvironment":9}']) {
      const container = { DefinitionKey: "basicAuth", Configuration: properties };
      const error = await failureOf(testConnection(registration, container));
      expect(error.message).to.match(/^No base url was set\. Connection basicAuth: .*expected /);
    }
  });

  it("names every finding of the properties, without the sensitive ones", async () => {
    const container = smallContainer({ apiKey: "abc", url: 7 });
    const error = await failureOf(testConnection(smallRegistration(), container));
    expect(error.findings.map(({ instancePath }) => instancePath)).to.deep.equal(["/apiKey", "/url"]);
    expect(error.message)
      .to.match(/^Connection apiKeyAuth: /)
      .and.to.include("--hidden value--")
      .and.to.not.include("abc");
  });

  it("does not quote a configuration that is not JSON", async () => {
    const container = { DefinitionKey: "apiKeyAuth", Configuration: '{"apiKey": "kept-from-all"' };
    const error = await failureOf(testConnection(smallRegistration(), container));
    expect(error.message).to.equal("Connection apiKeyAuth: its Configuration is not JSON");
  });

  it("hides secrets in what the client helper throws", async () => {
    const clientHelper = () => {
      throw new Error("no client for kept-from-all");
    };
    const error = await failureOf(testConnection(smallRegistration({ clientHelper }), smallContainer()));
    expect(error.message).to.equal("no client for --hidden value--");
  });
});

describe("testConnection: what it passes on", () => {
  it("tells the log why, without the secrets, those that were rotated included", async () => {
    const said: string[] = [];
    const note = (message: string, fields?: object) => void said.push(`${message} ${JSON.stringify(fields)}`);
    const log: Log = { debug: note, info: note, warn: note, error: note };
    const saved: unknown[] = [];
    const result = await testConnection(
      smallRegistration({
        clientHelper: (_, host) => ({
          client: { baseUrl: "" },
          connection: { rotate: () => host?.saveProperties?.({ apiKey: "rotated-key" }) },
        }),
        connectionTestHandler: async ({ connection }) => {
          await (connection as { rotate(): Promise<void> }).rotate();
          throw new Error("kept-from-all is not rotated-key");
        },
      }),
      smallContainer(),
      { log, saveProperties: async (properties) => void saved.push(properties) },
    );
    expect(result).to.deep.equal(NO_RESPONSE);
    expect(saved).to.deep.equal([{ apiKey: "rotated-key" }]);
    expect(said).to.have.length(1);
    expect(said.join()).to.include("--hidden value-- is not --hidden value--");
  });
});
