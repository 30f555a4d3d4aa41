import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect as connectSocket } from "node:net";
import { expect } from "chai";
import { FAULTS, type FaultName, type FaultPlan, startFake } from "../../../runtime/entries/testing.js";
import { testConnection } from "../../../runtime/host/index.js";
import {
  AUTH_TYPES,
  closeFakes,
  fakeOf,
  readerOf,
  registrationOf,
  typeOf,
} from "../../support/faked-connector.js";
import { agree } from "../../support/openid-provider.js";
import { rejection } from "../../support/promises.js";
import { recordClass } from "../../support/registration.js";
import { inRepository, SLOW_TEST_MS } from "../../support/repository.js";

const THING = typeOf("Thing", {
  id: { type: "integer" },
  name: { type: "string" },
  status: { enum: ["Open", "Closed"] },
});
const CURSOR = { kind: "cursor", send: "after", next: "next" } as const;
const THINGS = readerOf(THING, { list: "GET /things", items: "data", pages: CURSOR });
const READERS = { Thing: THINGS };

describe("the credentials of a fake target system", () => {
  afterEach(closeFakes);

  for (const [name, auth] of Object.entries(AUTH_TYPES)) {
    it(`are those of ${name}: what the connector sends with its connection is let in, and nothing else`, async function () {
      this.timeout(SLOW_TEST_MS);
      const { fake, registration, client, read } = await fakeOf({ readers: READERS, auth }, { records: 3 });
      expect((await read(THINGS)).items).to.deep.equal(fake.objectOf("Thing").records());
      expect(fake.notes()).to.deep.equal([]);
      const {
        transport,
        settings: { registrationConfiguration },
      } = fake;
      const test = (container = fake.connection) =>
        testConnection(registration, container, { transport, registrationConfiguration });
      expect(await test()).to.deep.equal({ success: true, message: "Successful test.", statusCode: 200 });
      const properties = JSON.parse(fake.connection.Configuration) as Record<string, unknown>;
      for (const secret of ["apiKey", "password", "clientSecret", "refreshToken", "apiToken"]) {
        if (!(secret in properties)) continue;
        const Configuration = JSON.stringify({ ...properties, [secret]: "something-else" });
        expect(await test({ ...fake.connection, Configuration }), secret).to.include({
          success: false,
          statusCode: 401,
        });
      }
      const bare = await fetch(`${fake.origin}/v2/things`);
      expect(bare.status).to.equal(401);
      expect(await client().http.get("things")).to.include({ statusCode: 200 });
    });
  }

  it("are refreshed with a token that rotates: the used one is good for nothing", async function () {
    this.timeout(SLOW_TEST_MS);
    const { fake, client } = await fakeOf(
      { readers: READERS, auth: AUTH_TYPES.OAuth2CodeFlow },
      { records: 3 },
    );
    const saved: string[] = [];
    const first = fake.connection;
    const saveProperties = async ({ refreshToken = "" }: Readonly<Record<string, string>>) =>
      void saved.push(refreshToken);
    const { http } = client({ saveProperties });
    expect(await http.get("things")).to.include({ statusCode: 200 });
    expect(saved).to.have.length(1);
    const { refreshToken } = JSON.parse(fake.connection.Configuration) as Record<string, string>;
    expect([refreshToken]).to.deep.equal(saved);
    expect(await rejection(client({}, first).http.get("things"))).to.include({ code: "invalid_grant" });
    expect(fake.requests.filter(({ path }) => path === "/oauth/token")).to.have.length(2);
  });

  it("come from a user who signs in, too", async function () {
    this.timeout(SLOW_TEST_MS);
    const { fake } = await fakeOf({ readers: READERS, auth: AUTH_TYPES.OAuth2CodeFlow }, { records: 1 });
    const { authorizationUrl, tokenUrl, clientId, clientSecret } = JSON.parse(
      fake.connection.Configuration,
    ) as Record<string, string>;
    const verifier = randomBytes(32).toString("base64url");
    const redirect = "http://127.0.0.1:54321/callback";
    const asked = new URLSearchParams({
      ...{ client_id: clientId ?? "", response_type: "code", redirect_uri: redirect, prompt: "consent" },
      ...{ scope: "openid offline_access", code_challenge_method: "S256" },
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    });
    const at = await agree(`${authorizationUrl}?${asked}`, redirect);
    const code = new URL(at).searchParams.get("code") ?? "";
    const client = { client_id: clientId ?? "", client_secret: clientSecret ?? "" };
    const grant = { grant_type: "authorization_code", redirect_uri: redirect, code, code_verifier: verifier };
    const answer = await fetch(tokenUrl ?? "", {
      method: "POST",
      body: new URLSearchParams({ ...client, ...grant }),
    });
    const { access_token: token, refresh_token: refreshToken } = (await answer.json()) as Record<
      string,
      string
    >;
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${fake.origin}/v2/things`, { headers })).status).to.equal(200);
    expect(JSON.parse(fake.connection.Configuration)).to.include({ refreshToken });
  });

  it("end under way, and are renewed by the client", async function () {
    this.timeout(SLOW_TEST_MS);
    const faults = [{ name: "tokenEnds", at: [2] }] as const;
    const { fake, read } = await fakeOf(
      { readers: READERS, auth: AUTH_TYPES.OAuth2ClientCredentials },
      { records: 30, maxPageSize: 10, faults },
    );
    expect((await read(THINGS)).items).to.have.length(30);
    expect(fake.requests.map(({ status }) => status)).to.deep.equal([200, 200, 401, 200, 200, 200]);
  });

  it("are of the definition that is named, with the properties that are given", async () => {
    const registration = registrationOf({ readers: READERS, auth: AUTH_TYPES.Custom });
    const fake = await startFake(registration, {
      connection: "anyAuth",
      properties: { apiToken: "given-token" },
    });
    expect(JSON.parse(fake.connection.Configuration)).to.include({ apiToken: "given-token" });
    await fake.close();
    expect(await rejection(startFake(registration, { connection: "any" }))).to.have.property(
      "message",
      'The connector has no connection definition "any": it has anyAuth.',
    );
  });

  it("are not asked for where the client makes its calls in a way that nobody sees, which is said", async () => {
    const registration = {
      ...registrationOf({ readers: READERS }),
      clientHelper: () => ({ client: {} as never, connection: {} }),
    };
    const fake = await startFake(registration, { records: 1 });
    expect(fake.notes()).to.deep.equal([
      'The API client has no member "http", so nobody knows what its calls bring: every call is let in.',
    ]);
    expect((await fetch(`${fake.origin}/things`)).status).to.equal(200);
    await fake.close();
  });
});

describe("a fake target system", () => {
  afterEach(closeFakes);

  it("has an address of its own in a property that holds the base address", async () => {
    class Connection extends recordClass("Connection", {
      type: "object",
      properties: { url: { type: "string" }, key: { type: "string", writeOnly: true } },
      required: ["url", "key"],
    }) {}
    const registration = {
      ...registrationOf({ readers: READERS }),
      connections: [{ key: "anyAuth", properties: Connection.type }],
      clientHelper: ({ Configuration }: { readonly Configuration: string }) => ({
        client: {} as never,
        connection: { BaseUrl: (JSON.parse(Configuration) as { url: string }).url },
      }),
    };
    const fake = await startFake(registration, {});
    expect(JSON.parse(fake.connection.Configuration)).to.include({ url: fake.origin, key: "fake-key" });
    await fake.close();
  });

  it("answers what routes say, before everything else", async () => {
    const { client, fake } = await fakeOf(
      { readers: READERS },
      {
        records: 4,
        routes: {
          "GET /things/{id}": ({ variables, objectOf }) => {
            const record = objectOf("Thing")
              .records()
              .find(({ id }) => String(id) === variables["id"]);
            return record === undefined ? { status: 404 } : { body: { data: record } };
          },
          "POST /things": ({ body, objectOf }) => ({
            status: 201,
            body: objectOf("Thing").insert(body as never),
          }),
        },
      },
    );
    const { http } = client();
    const [first] = fake.objectOf("Thing").records();
    expect(await http.get("things/1")).to.deep.include({ statusCode: 200, result: { data: first } });
    expect(await http.get("things/9")).to.include({ statusCode: 404 });
    const made = await http.post<{ id: number }>("things", { json: { name: "made" } });
    expect(made).to.include({ statusCode: 201 });
    expect(fake.objectOf("Thing").records().at(-1)).to.deep.equal(made.result);
    expect(await http.post("things", { json: { id: 1 } })).to.include({ statusCode: 409 });
    expect(() => fake.objectOf("Things")).to.throw(
      'objectOf: the connector has no data object "Things". Did you mean "Thing"?',
    );
  });

  it("lists what a reader in code reads as lists say", async () => {
    const code = Object.assign(async function* () {}, {});
    const declared = registrationOf({ readers: READERS });
    const [module] = declared.modules;
    const [object] = module?.dataObjects ?? [];
    const registration = {
      ...declared,
      modules: [{ ...module, dataObjects: [{ ...object, reader: code }] }],
    } as never;
    const without = await startFake(registration, {});
    expect(without.notes()).to.deep.equal([
      "Thing is read by code: say in lists how its list is asked for, or answer it in routes.",
    ]);
    await without.close();
    const lists = {
      Thing: { list: "GET /things", items: "rows", pages: { kind: "page", send: "p" } },
    } as const;
    const fake = await startFake(registration, { records: 5, maxPageSize: 2, lists });
    const { apiKey = "" } = JSON.parse(fake.connection.Configuration) as Record<string, string>;
    const answer = await fetch(`${fake.origin}/v2/things?p=3&key=${apiKey}`);
    expect(await answer.json()).to.deep.equal({ rows: fake.objectOf("Thing").records().slice(4) });
    await fake.close();
  });

  it("answers so many requests in a window of time, and says how many are left and when to come again", async () => {
    let time = Date.UTC(2026, 0, 1);
    const now = () => time;
    for (const [retryAfter, expected] of [
      ["seconds", "10"],
      ["date", "Thu, 01 Jan 2026 00:00:10 GMT"],
      ["none", undefined],
    ] as const) {
      time = Date.UTC(2026, 0, 1);
      const rate = { requests: 2, windowMs: 10_000, retryAfter };
      const { client } = await fakeOf({ readers: READERS }, { records: 1, now, rate });
      const { http } = client();
      const answers = [await http.get("things"), await http.get("things"), await http.get("things")];
      expect(answers.map(({ statusCode }) => statusCode)).to.deep.equal([200, 200, 429]);
      expect(answers.map(({ headers }) => headers["ratelimit-remaining"])).to.deep.equal(["1", "0", "0"]);
      expect(answers[2]?.headers["retry-after"]).to.equal(expected);
      time += 10_000;
      // This client would wait.
      expect(await client().http.get("things")).to.include({ statusCode: 200 });
    }
  });

  it("outlives requests that break off, and those that nobody can read", async () => {
    const { fake, client } = await fakeOf({ readers: READERS }, { records: 1 });
    const { port } = new URL(fake.origin);
    for (const text of [
      "GET // HTTP/1.1\r\nHost: x\r\n\r\n",
      "POST /v2/things HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf",
    ]) {
      const socket = connectSocket(Number(port), "127.0.0.1");
      await new Promise<void>((resolve) => socket.write(text, () => resolve()));
      socket.end();
      await new Promise((resolve) => socket.once("close", resolve).resume());
    }
    expect(await client().http.get("things")).to.include({ statusCode: 200 });
  });

  it("ends with an error where its port is taken", async () => {
    const { fake, registration } = await fakeOf({ readers: READERS }, { records: 1 });
    const port = Number(new URL(fake.origin).port);
    expect(await rejection(startFake(registration, { port }))).to.include({ code: "EADDRINUSE" });
  });
});

/** How a read of three pages ends whose second request a fault strikes, without retries. */
const ENDS: Readonly<Record<FaultName, RegExp | "whole" | "other records">> = {
  serverError: /500/,
  badGateway: /502/,
  unavailable: /503/,
  gatewayTimeout: /504/,
  tooManyRequests: /429/,
  tooManyRequestsAnyTime: /429/,
  unauthorized: /401/,
  tokenEnds: /401/,
  forbidden: /403/,
  notFound: /404/,
  resetBeforeAnswer: /reset|hang up|closed/i,
  resetInBody: /reset|aborted|closed|broke/i,
  truncatedJson: /JSON/,
  htmlWithSuccess: /JSON|list/,
  emptyBody: /no content|JSON|list/i,
  nullBody: /no content/,
  errorWithSuccess: /list/,
  slowAnswer: "whole",
  slowDrip: "whole",
  noAnswer: /aborted|time/i,
  redirectElsewhere: /./,
  redirectToItself: "whole",
  pageShift: "other records",
  recordArrives: "other records",
  recordChanges: "other records",
  duplicate: "other records",
  emptyPage: "whole",
  listEndsEarly: /ended after|total/,
  cursorRepeats: /does not end/,
  nullWhereNotAllowed: "other records",
  wrongType: "other records",
  newEnumMember: "other records",
  missingMember: "other records",
  unknownMember: "other records",
  longRecord: "other records",
  // One answer of a list by cursors does not count, for records may have come meanwhile.
  totalTooHigh: "whole",
  clockSkew: "whole",
  byteOrderMark: "whole",
  textType: /./,
};

function asPattern(end: RegExp | string): RegExp {
  return typeof end === "string" ? /^no error was expected$/ : end;
}

describe("the faults of a fake target system", () => {
  afterEach(closeFakes);

  it("are at least twenty, each in the documents with its words", () => {
    expect(Object.keys(FAULTS).length).to.be.greaterThan(30);
    const rows = Object.entries(FAULTS).map(([name, says]) => `| \`${name}\` | ${says} |`);
    expect(readFileSync(inRepository("docs/testing.md"), "utf8")).to.include(rows.join("\n"));
  });

  for (const [name, end] of Object.entries(ENDS) as [FaultName, RegExp | string][]) {
    it(`${name} strikes the request that is named: ${FAULTS[name]}`, async function () {
      this.timeout(SLOW_TEST_MS);
      const pages = { ...CURSOR, total: "total" } as const;
      const reader = readerOf(THING, { list: "GET /things", items: "data", pages });
      const { fake, read } = await fakeOf(
        { readers: { Thing: reader } },
        { records: 30, maxPageSize: 10, faults: [{ name, at: [2] }] },
      );
      const whole = fake.objectOf("Thing").records();
      const stop = new AbortController();
      if (name === "noAnswer") setTimeout(() => stop.abort(new Error("the time is over")), 300);
      const outcome = await read(reader, null, stop.signal).catch((error: unknown) => error as Error);
      if (outcome instanceof Error) expect(outcome.message).to.match(asPattern(end));
      else if (end === "whole") expect(outcome.items).to.deep.equal(whole);
      else {
        expect(end).to.equal("other records");
        expect([outcome.items, fake.objectOf("Thing").records()]).to.not.deep.equal([whole, whole]);
      }
      expect(fake.requests.filter(({ fault }) => fault === name).map(({ number }) => number)).to.deep.equal([
        2,
      ]);
    });
  }

  it("strike by the seed: the same requests again, others with another", async () => {
    const struck = async (seed: number) => {
      const { fake, client } = await fakeOf(
        { readers: READERS },
        { seed, records: 1, faults: [{ name: "serverError", share: 0.3 }] },
      );
      const { http } = client();
      for (let turn = 0; turn < 40; turn++) await http.get("things");
      await closeFakes();
      return fake.requests.filter(({ status }) => status === 500).map(({ number }) => number);
    };
    const [first, again, other] = [await struck(1), await struck(1), await struck(2)];
    expect(first.length).to.be.greaterThan(4).and.lessThan(24);
    expect(again).to.deep.equal(first);
    expect(other).to.not.deep.equal(first);
  });

  it("are added while it runs, for one address too, and refused if nobody knows them", async () => {
    const { fake, client } = await fakeOf({ readers: READERS }, { records: 1 });
    const { http } = client();
    expect(await http.get("things")).to.include({ statusCode: 200 });
    fake.strike({ name: "forbidden", at: [fake.nextNumber()] });
    expect(await http.get("things")).to.include({ statusCode: 403 });
    expect(await http.get("things")).to.include({ statusCode: 200 });
    fake.strike({ name: "forbidden", path: new URL(http.address("things/1")).pathname });
    for (const query of [{}, { page: 2 }])
      expect(await http.get("things/1", { query })).to.include({ statusCode: 403 });
    expect(await http.get("things")).to.include({ statusCode: 200 });
    expect(() => fake.strike({ name: "nothing" } as unknown as FaultPlan)).to.throw(
      /^There is no fault "nothing": there are serverError, /,
    );
  });
});
