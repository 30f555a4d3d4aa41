import { expect } from "chai";
import {
  type ApiResponse,
  apiKeyHandler,
  basicHandler,
  headerHandler,
  type Middleware,
  pageNumbers,
  refusalOf,
  resultOrThrow,
  serverTime,
  throwIfRetryable,
} from "../../../runtime/client/index.js";
import { answerJson, clientAt, closeServers, serve } from "../../support/loopback.js";
import { failure } from "../../support/promises.js";

const DISABLED = "User is disabled";
/** What the message says behind the status. */
const wordsOf = ({ errorMessage }: ApiResponse) =>
  /answered 403 Forbidden(?:: )?(.*)$/.exec(errorMessage ?? "")?.[1];

async function refusedWith(body: unknown, type = "application/json"): Promise<ApiResponse> {
  const { origin } = await serve((_, response) =>
    response
      .writeHead(403, { "content-type": type })
      .end(typeof body === "string" ? body : JSON.stringify(body)),
  );
  return clientAt(origin).get("x");
}

describe("the words of a target system that refuses a call", () => {
  afterEach(closeServers);

  it("are taken from the usual places of its answer", async () => {
    const bodies: readonly unknown[] = [
      { error: { message: DISABLED } },
      { error: { code: "E1", message: { lang: "en", value: DISABLED } } },
      { "odata.error": { message: { value: DISABLED } } },
      { message: DISABLED, error: "Forbidden" },
      { Message: DISABLED },
      { error: "access_denied", error_description: DISABLED },
      { errors: [{ code: "E1", message: DISABLED }, { message: "and more" }] },
      { errors: [{ detail: DISABLED, title: "No" }] },
      { errors: [{ title: DISABLED }] },
      { errors: [DISABLED] },
      { title: "One or more errors occurred.", errors: { user: [DISABLED] } },
      { title: "Forbidden", status: 403, detail: DISABLED },
      { title: DISABLED },
      { error: DISABLED },
      [{ message: DISABLED, errorCode: "E1" }],
      { fault: { faultstring: DISABLED } },
      JSON.stringify(DISABLED),
    ];
    for (const body of bodies)
      expect(wordsOf(await refusedWith(body)), JSON.stringify(body)).to.equal(`${DISABLED}.`);
    expect(wordsOf(await refusedWith(`${DISABLED}!\r\n`, "text/plain"))).to.equal(`${DISABLED}!`);
  });

  it("are left out where there are none, where they are a page or data, and where they repeat the status", async () => {
    const bodies: readonly (readonly [unknown, string?])[] = [
      [{ code: "E7" }],
      [{ error: { code: 7, user: { name: "Jo" } } }],
      [{ message: "" }],
      [{ error: "Forbidden." }],
      [null],
      [""],
      ["<html><body>Sign in</body></html>", "text/html"],
      [{ message: "<p>Sign in</p>" }],
      ["<!doctype html><title>No</title>", "text/plain"],
      [`{"name": "Jo", "salary": 1`],
      ["long ".repeat(50), "text/plain"],
      [Buffer.from([0xff, 0xfe, 0x41]).toString("latin1"), "image/png"],
    ];
    for (const [body, type] of bodies) {
      const { errorMessage } = await refusedWith(body, type);
      expect(errorMessage, JSON.stringify(body)).to.match(/ answered 403 Forbidden\.$/);
    }
  });

  it("are one short line: neither a word nor what stands in quotes is cut in its middle", async () => {
    const words =
      wordsOf(await refusedWith({ message: `no\n\u001b[31m such\t${"user ".repeat(100)}` })) ?? "";
    expect(words).to.match(/^no \[31m such user .*user…$/);
    expect(words.length).to.be.within(190, 201);
    const quoted = `${"x".repeat(150)} "${"name ".repeat(20)}" is none`;
    expect(wordsOf(await refusedWith({ message: quoted }))).to.equal(`${"x".repeat(150)}…`);
  });

  it("are in what is thrown, and in the failure of an action", async () => {
    const response = await refusedWith({ error: { message: DISABLED } });
    const { request = "" } = response;
    expect(request).to.match(/^GET http:.*\/x$/);
    const message = `${request} answered 403 Forbidden: ${DISABLED}.`;
    expect(response).to.include({ errorMessage: message });
    expect(() => resultOrThrow(response)).to.throw(message);
    expect(() => throwIfRetryable({ ...response, statusCode: 503 })).to.throw(message);
    expect(refusalOf(response)).to.deep.equal({ code: "403", errors: [{ text: message }] });
  });

  it("hide whatever was sent as a secret, in any way of authentication", async () => {
    const secret = "c4n4ry +/&=";
    const { origin } = await serve((request, response) => {
      const { authorization = "", cookie = "", "x-custom": custom = "" } = request.headers;
      const decoded = Buffer.from(/^Basic (.*)/.exec(authorization)?.[1] ?? "", "base64").toString();
      const query = Object.values(Object.fromEntries(new URLSearchParams(request.path.replace(/^.*\?/, ""))));
      const told = [
        authorization,
        decoded,
        cookie,
        String(custom),
        ...query,
        request.body,
        decodeURIComponent(request.path),
      ];
      const place = told.flatMap((text) => [text, text.split(/[ =:]/).at(-1) ?? ""])[
        Number(request.headers["x-place"])
      ];
      answerJson(response, { error: { message: `can't use ${place} here` } }, 403);
    });
    const ways: readonly Middleware[] = [
      headerHandler({ name: "X-Custom", value: () => "c4n4ry-custom" }),
      headerHandler({ name: "Authorization", value: () => "Token api=c4n4ry-custom, v=2" }),
      apiKeyHandler({ key: secret, in: "query", name: "q" }),
      basicHandler({ username: "jo", password: secret }),
    ];
    for (const auth of ways) {
      let hidden = 0;
      for (let place = 0; place < 18; place++) {
        const { errorMessage } = await clientAt(origin, { auth }).post(
          `x?session_token=${encodeURIComponent(secret)}`,
          {
            json: { password: secret },
            headers: { cookie: "session=c4n4ry-cookie", "x-place": String(place) },
          },
        );
        expect(errorMessage).to.include("answered 403 Forbidden: can't use").and.to.not.include("c4n4ry");
        if (/can't use .*--hidden value--/.test(errorMessage ?? "")) hidden++;
      }
      expect(hidden).to.be.greaterThan(5);
    }
  });

  it("hide what the answer itself calls a secret", async () => {
    const response = await refusedWith({ message: "t0k3n-9 has expired", token: "t0k3n-9" });
    expect(wordsOf(response)).to.equal("--hidden value-- has expired.");
  });

  it("stand beside an error in place of a list that came with a success, and the values of a record do not", async () => {
    const messageFor = async (body: unknown) => {
      const { origin } = await serve((_, response) => answerJson(response, body));
      const http = clientAt(origin, { auth: apiKeyHandler({ key: "k3y-value" }) });
      const pages = pageNumbers<{ items: unknown[] }>({
        read: () => http.get("x"),
        itemsOf: ({ items }) => items,
      });
      return String(await failure(pages.next())).replace(origin, "");
    };
    expect(await messageFor({ error: { message: `${DISABLED}: k3y-value` } })).to.equal(
      'ResponseError: The answer 200 to GET /x has no list of items: itemsOf gave undefined. The page is an object with the members "error". It says: User is disabled: --hidden value--. Change itemsOf to where the items stand.',
    );
    expect(await messageFor({ success: false, message: DISABLED, data: null })).to.include(
      `It says: ${DISABLED}. `,
    );
    expect(await messageFor({ id: 1, message: "Dear Jo", title: "Letter" })).to.not.include("It says");
  });

  it("are missed in an answer without content, or without a time, which is named by its method and address", async () => {
    const { origin } = await serve((_, response) => {
      response.sendDate = false;
      response.writeHead(200).end();
    });
    const response = await clientAt(origin).get("x?api_key=k3y-value");
    const request = `GET ${origin}/x?api_key=--hidden value--`;
    expect(() => resultOrThrow(response)).to.throw(`The answer 200 to ${request} has no content.`);
    expect(() => serverTime(response)).to.throw(`The answer 200 to ${request} has no header Date`);
  });
});
