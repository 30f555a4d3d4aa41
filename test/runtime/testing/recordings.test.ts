import { gunzipSync, gzipSync } from "node:zlib";
import { expect } from "chai";
import type { ApiResponse, HttpClient } from "../../../runtime/client/index.js";
import type { ConnectorRegistration } from "../../../runtime/entries/runtime.js";
import {
  answerChanges,
  type FakeTarget,
  fakeDifferences,
  type Recording,
  RecordingError,
  RecordingRefusedError,
  type RecordOptions,
  readRecording,
  record,
  recordingText,
  replay,
} from "../../../runtime/entries/testing.js";
import {
  AUTH_TYPES,
  closeFakes,
  type FakedConnector,
  fakeOf,
  readerOf,
  typeOf,
} from "../../support/faked-connector.js";
import { answerJson, closeServers, serve } from "../../support/loopback.js";
import { rejection } from "../../support/promises.js";

const PERSON = typeOf("Person", {
  id: { type: "string", format: "uuid" },
  email: { type: "string", format: "email", writeOnly: true },
  born: { type: "string", format: "date", writeOnly: true },
  grade: { enum: ["low", "middle", "high"], writeOnly: true },
  salary: { type: "integer", minimum: 1_000, maximum: 9_000, writeOnly: true },
  title: { type: "string", minLength: 5 },
});

const PEOPLE = {
  list: "GET /people",
  items: "data.items",
  pages: {
    kind: "cursor",
    send: "after",
    next: "data.next",
    total: "data.total",
    size: { send: "limit", value: 5 },
  },
} as const;

type Registration = ConnectorRegistration<{ readonly http: HttpClient }>;

function optionsFor(fake: FakeTarget, differences: Partial<RecordOptions> = {}): RecordOptions {
  const { connection, settings, transport } = fake;
  const object = "faked/app/1/person";
  return { object, connection, settings, host: { transport }, key: "test", ...differences };
}

/** A connector of people, and a fake of it. */
async function people(
  connector: Partial<FakedConnector> = {},
  options: Parameters<typeof fakeOf>[1] = {},
): Promise<{ readonly registration: Registration; readonly fake: FakeTarget }> {
  const readers = { Person: readerOf(PERSON, PEOPLE) };
  return fakeOf({ readers, attempts: 3, ...connector }, { records: 12, maxPageSize: 5, ...options });
}

/** The same connector with another reader of its first data object. */
function withReader(registration: Registration, reader: unknown): Registration {
  const modules = registration.modules.map((module) => ({
    ...module,
    dataObjects: module.dataObjects.map((object, index) =>
      index === 0 ? { ...object, reader: reader as never } : object,
    ),
  }));
  return { ...registration, modules };
}

interface CodeContext {
  readonly client: { readonly http: HttpClient };
}

/** What the fake holds that must not be kept. */
function secretsOf(fake: FakeTarget): readonly string[] {
  const properties = Object.entries(JSON.parse(fake.connection.Configuration) as Record<string, string>);
  const credentials = properties.filter(([name]) => /key|password|secret|token$/i.test(name));
  const records = fake.objectOf("Person").records();
  return [
    ...credentials.map(([, value]) => value),
    ...records.flatMap(({ email, born, salary }) => [String(email), String(born), `"salary":${salary},`]),
  ];
}

describe("a recording", () => {
  afterEach(closeFakes);

  for (const [name, auth] of Object.entries(AUTH_TYPES)) {
    it(`of a connector with ${name} is replayed without the target system, and holds no secret`, async () => {
      const { registration, fake } = await people(
        { auth },
        { faults: [{ name: "serverError", at: [2] }], properties: { apiToken: 'a token: "quoted"' } },
      );
      const secrets = secretsOf(fake);
      const recording = await record(registration, optionsFor(fake));
      await closeFakes();
      const text = recordingText(recording);
      for (const secret of secrets) expect(text).to.not.include(secret);
      expect(recording.runs[0]).to.deep.include({
        outcome: "succeeded",
        counts: { unchanged: 0, inserted: 12, updated: 0, deleted: 0, rejected: 0 },
      });
      const calls = recording.exchanges.filter(({ request }) => request.purpose === "call");
      expect(calls.map(({ response }) => response.status)).to.deep.equal([200, 500, 200, 200]);
      expect(readRecording(text)).to.deep.equal(recording);
      const { differences, isSame } = await replay(registration, readRecording(text));
      expect(differences).to.deep.equal([]);
      expect(isSame).to.equal(true);
    });
  }

  it("is the same for the same answers and the same key, but for the time and what is random", async () => {
    const { registration, fake } = await people();
    const [one, same, other] = [
      await record(registration, optionsFor(fake)),
      await record(registration, optionsFor(fake)),
      await record(registration, optionsFor(fake, { key: "another" })),
    ];
    const bodies = ({ exchanges }: Recording) => exchanges.map(({ response }) => response.text);
    expect(bodies(same)).to.deep.equal(bodies(one));
    expect(bodies(other)).to.not.deep.equal(bodies(one));
  });

  it("of which a page is not read any more fails", async () => {
    const { registration, fake } = await people();
    const recording = await record(registration, optionsFor(fake));
    const firstPage = {
      ...PEOPLE,
      pages: { kind: "one", ignore: ["data.next", "data.total"] },
      query: { limit: 5 },
    };
    const changed = withReader(registration, readerOf(PERSON, firstPage as never));
    const { differences } = await replay(changed, recording);
    expect(differences).to.have.length(2);
    for (const words of differences)
      expect(words).to.match(/^first: GET https:\S+after=\S+ was recorded, and not asked for$/);
  });

  it("fails for a request that was not recorded, and names the nearest one and where it differs", async () => {
    const { registration, fake } = await people();
    const recording = await record(registration, optionsFor(fake));
    const changed = withReader(registration, readerOf(PERSON, { ...PEOPLE, query: { active: true } }));
    const { differences } = await replay(changed, recording);
    expect(differences[0]).to.equal(
      "GET https://api.faked.invalid/v2/people?active=true&limit=5 was not recorded. The nearest is GET https://api.faked.invalid/v2/people?limit=5 (?active: recorded nothing, asked true).",
    );
  });

  it("fails if an answer is asked for more often than it was", async () => {
    const { registration, fake } = await people();
    const recording = await record(registration, optionsFor(fake));
    const twice = async function* (context: CodeContext) {
      await context.client.http.get("people?limit=5");
      yield* (readerOf(PERSON, PEOPLE) as never as (context: object) => AsyncIterable<object>)(context);
    };
    const { differences } = await replay(withReader(registration, twice), recording);
    expect(differences.join("\n")).to.include(
      "was not recorded so often: it has 1 answer, and was asked for once more",
    );
  });

  it("says which property of the cache differs, and what does not fit any more", async () => {
    const { registration, fake } = await people();
    const recording = await record(registration, optionsFor(fake));
    const each = (person: Record<string, unknown>) => ({
      ...person,
      title: String(person["title"]).toUpperCase(),
    });
    const changed = withReader(registration, readerOf(PERSON, { ...PEOPLE, each: each as never }));
    expect((await replay(changed, recording)).differences).to.deep.equal([
      "the cache has other values of title",
    ]);
    const [first] = fake.objectOf("Person").records();
    const cut = (person: Record<string, unknown>) =>
      person["id"] === first?.["id"] ? { ...person, title: "x" } : person;
    const wrong = withReader(registration, readerOf(PERSON, { ...PEOPLE, each: cut as never }));
    const { differences } = await replay(wrong, recording);
    expect(differences).to.include.members([
      "inserted was 12, and is 11",
      "rejected was 0, and is 1",
      "/title minLength: 0 records did not fit, and 1 do not",
      "the cache has other keys",
    ]);
  });

  it("fails if a second run with the same answers changes the cache", async () => {
    const { registration, fake } = await people();
    const recording = await record(registration, optionsFor(fake));
    let runs = 0;
    const each = (person: Record<string, unknown>) => ({
      ...person,
      title: `${person["title"]}, run ${runs}`,
    });
    const reader = readerOf(PERSON, { ...PEOPLE, each: each as never });
    const counting = (context: never) => {
      runs++;
      return reader(context);
    };
    const { differences } = await replay(withReader(registration, counting), recording);
    expect(differences).to.include("read again with the same answers, it changed the cache: 12 updated");
  });

  it("has the time and the random numbers of when it was made", async () => {
    const { registration, fake } = await people();
    const dated = async function* ({ client }: CodeContext) {
      const deadline = Date.now() + 50;
      // Time passes for whoever waits.
      while (Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
      const query = { limit: 5, at: new Date().toISOString(), nonce: Math.random(), id: crypto.randomUUID() };
      const { result } = await client.http.get<{ data: { items: object[] } }>("people", { query });
      yield* result?.data.items ?? [];
    };
    const changed = withReader(registration, dated);
    const [first, second] = [
      await record(changed, optionsFor(fake)),
      await record(changed, optionsFor(fake)),
    ];
    const urls = [first, second].map(({ exchanges }) => exchanges[0]?.request.url);
    expect(urls[0]).to.not.equal(urls[1]);
    expect((await replay(changed, first)).differences).to.deep.equal([]);
    expect(new Date().getFullYear()).to.equal(new Date(Date.now()).getFullYear());
  });

  it("of an incremental reader has the first run, and the one from its checkpoint", async () => {
    const type = typeOf("Person", {
      id: { type: "string" },
      changed: { type: "string", format: "date-time" },
    });
    const since = { property: "changed", send: "since" };
    const readers = { Person: readerOf(type, { ...PEOPLE, since } as never) };
    const { registration, fake } = await people({ readers });
    const recording = await record(registration, optionsFor(fake));
    expect(recording.runs.map(({ run, outcome }) => [run, outcome])).to.deep.equal([
      ["first", "succeeded"],
      ["next", "succeeded"],
    ]);
    expect(recording.runs[0]?.checkpoint).to.be.a("string");
    const { searchParams } = new URL(recording.exchanges.at(-1)?.request.url ?? "");
    expect(searchParams.get("since")).to.be.a("string");
    expect((await replay(registration, recording)).differences).to.deep.equal([]);
  });

  it("has no more records than the limit, and ends there again", async () => {
    const { registration, fake } = await people();
    const recording = await record(registration, optionsFor(fake, { limit: 7 }));
    expect(recording.runs[0]?.cache?.records).to.equal(7);
    expect(recording.exchanges).to.have.length(2);
    expect((await replay(registration, recording)).differences).to.deep.equal([]);
  });

  it("replaces what no schema describes, and keys still join", async () => {
    const child = typeOf("Person", { id: { type: "string" }, team: { type: "string" } });
    const { registration, fake } = await people(
      { readers: { Person: readerOf(child, PEOPLE) } },
      {
        routes: {
          "GET /teams": () => ({ body: [{ teamId: 4711, lead: "Ada Lovelace", phone: "+31 6 1234" }] }),
          "GET /teams/{id}/members": ({ variables }) =>
            variables["id"] === "4711"
              ? { body: { count: 1, rows: [{ ref: "m-1", nick: "Countess", team_id: 4711, active: true }] } }
              : { status: 404 },
        },
      },
    );
    const inCode = async function* ({ client }: CodeContext) {
      const teams = await client.http.get<{ teamId: number }[]>("teams");
      for (const { teamId } of teams.result ?? []) {
        const members = await client.http.get<{ rows: Record<string, unknown>[] }>(`teams/${teamId}/members`);
        for (const { ref, team_id } of members.result?.rows ?? [])
          yield { id: String(ref), team: String(team_id) };
      }
    };
    const changed = withReader(registration, inCode);
    const recording = await record(changed, optionsFor(fake));
    const [teams, members] = recording.exchanges.map(({ request, response }) => ({
      url: request.url,
      json: JSON.parse(response.text),
    }));
    const text = recordingText(recording);
    for (const real of ["4711", "Lovelace", "1234", "Countess"]) expect(text).to.not.include(real);
    const id = teams?.json[0].teamId;
    expect(id).to.be.a("number");
    expect(teams?.json[0].phone).to.match(/^\+\d\d \d \d{4}$/);
    expect(members?.url).to.match(new RegExp(`/teams/${id}/members$`));
    expect(members?.json).to.deep.include({ count: 1 });
    expect(members?.json.rows[0]).to.include({ team_id: id, active: true });
    expect((await replay(changed, recording)).differences).to.deep.equal([]);
  });
});

/** Reads answers of several forms as code does that takes them apart by hand. */
async function* readForms(http: HttpClient): AsyncGenerator<object> {
  const csv = await http.get<string>("csv", { responseType: "text" });
  expect(csv.result?.split("\n")[0]?.trim()).to.equal("id,worker,note");
  for (const path of ["lines", "gzip"])
    for (const row of await linesAt(http, path)) yield { ...row, id: `${path} ${row.id}` };
  const xml = await http.get<string>("xml", { responseType: "text" });
  for (const [, id, worker] of xml.result?.matchAll(/<row id="(\w+)"><worker>(\w+)</g) ?? [])
    yield { id, worker, note: "" };
  yield* (await http.get<object[]>("latin")).result ?? [];
}

async function linesAt(http: HttpClient, path: string): Promise<readonly { readonly id: string }[]> {
  const { body } = await http.stream(path);
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const text = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString();
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("what a real server answers", () => {
  afterEach(async () => {
    await closeFakes();
    await closeServers();
  });

  const SHIFT = typeOf("Person", {
    id: { type: "string" },
    worker: { type: "string", writeOnly: true },
    note: { type: "string" },
  });

  /** What a reader in code makes of the answers of a server, and the recording of that. */
  async function recordedFrom(
    answer: Parameters<typeof serve>[0],
    read: (http: HttpClient) => AsyncIterable<object>,
  ): Promise<{ readonly recording: Recording; readonly text: string }> {
    const server = await serve(answer);
    const { registration, fake } = await people({
      readers: { Person: readerOf(SHIFT, PEOPLE) },
      baseUrl: server.origin,
    });
    const reader = (context: CodeContext) => read(context.client.http);
    const changed = withReader(registration, reader);
    const recording = await record(changed, optionsFor(fake, { host: {} }));
    await closeServers();
    const text = recordingText(recording);
    expect((await replay(changed, readRecording(text))).differences).to.deep.equal([]);
    return { recording, text };
  }

  it("is kept without cookies, and without headers and parameters that prove who calls", async () => {
    const { recording, text } = await recordedFrom(
      (_, response) => {
        response.writeHead(200, {
          "content-type": "application/json",
          "set-cookie": "session=cookie-0815",
          "x-request-trace": "trace-0815",
          "x-total-count": "1",
        });
        response.end(JSON.stringify([{ id: "1", worker: "Grace Hopper", note: "n" }]));
      },
      async function* (http) {
        const { result } = await http.get<object[]>("shifts", { headers: { cookie: "sent-0815" } });
        yield* result ?? [];
      },
    );
    for (const secret of ["0815", "fake-apiKey", "Hopper"]) expect(text).to.not.include(secret);
    expect(recording.exchanges[0]?.response.headers).to.include({ "x-total-count": "1" });
    expect(recording.exchanges[0]?.request.url).to.match(/\/shifts$/);
  });

  it("is followed from link to link, in a header and in the body", async () => {
    const { recording, text } = await recordedFrom(
      ({ path, headers }, response) => {
        const { searchParams } = new URL(path, "http://x");
        const origin = `http://${headers.host}`;
        const cursor = searchParams.get("cursor");
        const rows = [{ id: `row-${cursor ?? "0"}`.slice(0, 8), worker: "w", note: "" }];
        const header =
          cursor === null ? { link: `<${origin}/shifts?cursor=opaque-cursor-of-0815>; rel="next"` } : {};
        const next = cursor === "opaque-cursor-of-0815" ? "/shifts?cursor=another-cursor-of-4711" : null;
        response.writeHead(200, { "content-type": "application/json", ...header });
        response.end(JSON.stringify({ rows, next, me: `${origin}${path}` }));
      },
      async function* (http) {
        let next: string | undefined = "shifts";
        while (next !== undefined) {
          const answer: ApiResponse<{ rows: object[]; next: string | null }> = await http.get(next);
          yield* answer.result?.rows ?? [];
          const link = /<([^>]+)>/.exec(String(answer.headers["link"] ?? ""))?.[1];
          next = link ?? answer.result?.next ?? undefined;
        }
      },
    );
    expect(recording.exchanges).to.have.length(3);
    for (const real of ["0815", "4711"]) expect(text).to.not.include(real);
  });

  it("may be a table, lines of JSON, compressed, markup or of another charset", async () => {
    const lines = [
      '{"id":"1","worker":"Grace Hopper","note":"a"}',
      '{"id":"2","worker":"Alan Turing","note":"b"}',
    ];
    const bodies: Readonly<Record<string, readonly [type: string, body: Buffer | string]>> = {
      "/csv": ["text/csv", 'id,worker,note\r\n1,"Hopper, ""Grace""\nUSN",a\r\n2,Turing,b\r\n'],
      "/lines": ["application/x-ndjson", lines.join("\n")],
      "/gzip": ["application/gzip", gzipSync(lines.join("\n"))],
      "/xml": [
        "application/xml",
        '<rows><!-- Lovelace --><row id="r1"><worker>Hopper</worker></row><row id="r2"><worker>Turing</worker></row><b at=\'Lovelace\' of=Lovelace><![CDATA[Lovelace]]></b></rows>',
      ],
      "/latin": [
        "application/json; charset=iso-8859-1",
        Buffer.from('[{"id":"1","worker":"J\u00f6rg","note":"\u00e4"}]', "latin1"),
      ],
    };
    const { recording, text } = await recordedFrom(({ path }, response) => {
      const [type = "", body = ""] = bodies[new URL(path, "http://x").pathname] ?? [];
      response.writeHead(200, { "content-type": type }).end(body);
    }, readForms);
    for (const real of ["Hopper", "Turing", "Grace", "J\u00f6rg", "Lovelace"])
      expect(text).to.not.include(real);
    const [csv, , , xml, latin] = recording.exchanges.map(({ response }) => response.text);
    expect(csv).to.match(/^id,worker,note\n1,"\w+, ""\w+""\n\w+",a\n2,\w+,b\n$/);
    expect(xml).to.match(/^<rows><!-- \w+ --><row id="\w+"><worker>\w+<\/worker><\/row>/);
    expect(JSON.parse(latin ?? "")[0]).to.include({ id: "1", note: "\u00e4" });
  });

  it("may break off before it comes whole: each attempt is in the recording", async () => {
    const { recording } = await recordedFrom(
      (_, response, count) => {
        if (count < 3) response.destroy();
        else answerJson(response, [{ id: "1", worker: "w", note: "" }]);
      },
      async function* (http) {
        yield* (await http.get<object[]>("shifts")).result ?? [];
      },
    );
    expect(recording.exchanges.map(({ response }) => response.error ?? response.status)).to.deep.equal([
      "ECONNRESET",
      "ECONNRESET",
      200,
    ]);
  });
});

describe("recording is refused", () => {
  afterEach(closeFakes);

  const refusal = async (registration: Registration, options: RecordOptions) => {
    const error = await rejection(record(registration, options));
    expect(error).to.be.instanceOf(RecordingRefusedError);
    return error as RecordingRefusedError;
  };

  it("if the run fails", async () => {
    const { registration, fake } = await people(
      { attempts: 1 },
      { faults: [{ name: "forbidden", at: [2] }] },
    );
    expect((await refusal(registration, optionsFor(fake))).message).to.match(
      /the run did not succeed: .*403/,
    );
  });

  it("if calls go past the API client, which a replay would make in truth", async () => {
    const { registration, fake } = await people();
    const fetching = async function* () {
      const answer = await fetch(`${fake.origin}/v2/people?key=fake-apiKey`);
      yield* ((await answer.json()) as { data: { items: object[] } }).data.items;
    };
    const { message } = await refusal(withReader(registration, fetching), optionsFor(fake));
    expect(message).to.include("fetch was called: only calls that go through the API client");
    const helper = () => ({ client: {}, connection: {} });
    const past = { ...registration, clientHelper: helper as never };
    expect((await refusal(past, optionsFor(fake))).message).to.equal(
      "its API client does not go through ClientHost.transport",
    );
  });

  it("if code decides by what is replaced, and names it", async () => {
    const { registration, fake } = await people(
      {},
      {
        routes: {
          "GET /people": ({ objectOf }) => ({
            body: objectOf("Person")
              .records()
              .map((person, index) => ({ ...person, state: index < 4 ? "open" : "closed", nick: "Bo" })),
          }),
        },
      },
    );
    const deciding = async function* ({ client }: CodeContext) {
      const { result } = await client.http.get<Record<string, unknown>[]>("people");
      for (const { state, nick, ...person } of result ?? [])
        if (state === "open" && nick !== "") yield person;
    };
    const changed = withReader(registration, deciding);
    const { message, advice } = await refusal(changed, optionsFor(fake));
    expect(message).to.include("inserted was 4, and is 0");
    expect(advice).to.include('decides by "state", which').and.to.include('"keep": ["state"]');
    const recording = await record(changed, optionsFor(fake, { keep: ["state"] }));
    expect(recordingText(recording)).to.include('"state": "open"').and.to.not.include('"nick": "Bo"');
  });

  it("if a secret is left, naming its place and not the secret", async () => {
    const secrets = {
      "a private key": "-----BEGIN PRIVATE KEY-----",
      "a signed token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.x",
    };
    for (const [kind, secret] of Object.entries(secrets)) {
      const { registration, fake } = await people();
      fake.objectOf("Person").change(`id/${fake.objectOf("Person").records()[3]?.["id"]}`, { title: secret });
      const { message } = await refusal(registration, optionsFor(fake));
      expect(message).to.equal(`${kind} would stand in it: answer 1/data/items/3/title`);
    }
    const { registration, fake } = await people();
    fake
      .objectOf("Person")
      .change(`id/${fake.objectOf("Person").records()[1]?.["id"]}`, { title: "our backup-password-7" });
    const { message } = await refusal(registration, optionsFor(fake, { secrets: ["backup-password-7"] }));
    expect(message).to.equal("a secret of the settings would stand in it: answer 1/data/items/1/title");
  });

  it("if a write-only value is a part of a text that is kept", async () => {
    const { registration, fake } = await people();
    const [person] = fake.objectOf("Person").records();
    fake.objectOf("Person").change(`id/${person?.["id"]}`, { title: `Mail of ${person?.["email"]}` });
    const { message } = await refusal(registration, optionsFor(fake));
    expect(message).to.equal("a write-only value would stand in it: answer 1/data/items/0/title");
  });
});

describe("a file that is no recording", () => {
  it("is refused with what is wrong", () => {
    const message = (text: string) => {
      try {
        readRecording(text);
        return "none";
      } catch (error) {
        expect(error).to.be.instanceOf(RecordingError);
        return (error as Error).message;
      }
    };
    expect(message("{")).to.equal("it is no JSON");
    expect(message("[]")).to.equal("it has no log");
    expect(message('{"log":{"version":"1.2"}}')).to.equal("connectorcli test record did not write it");
    expect(message('{"log":{"_connectorcli":{"format":0}}}')).to.include("another version");
    expect(message('{"log":{"_connectorcli":{"format":1}}}')).to.equal("members of it are missing");
  });
});

describe("the answers of two recordings", () => {
  const recorded = (body: unknown, path = "people/7"): Recording =>
    ({
      exchanges: [
        {
          run: "first",
          request: { purpose: "call", method: "GET", url: `https://api.example.com/v2/${path}` },
          response: { status: 200, headers: {}, text: JSON.stringify(body) },
        },
      ],
    }) as never;

  it("are compared by their form, and not by their values", () => {
    const before = {
      id: 1,
      name: "Ada",
      fax: "1",
      tags: [],
      since: "2025-01-01",
      left: 1,
      list: [
        { a: 1, b: 2 },
        { a: 2, b: 3 },
      ],
    };
    const after = {
      id: 2,
      name: "Bo",
      nick: { short: "b" },
      tags: ["x"],
      since: "yesterday",
      left: null,
      list: [{ a: 1 }, { a: 2, b: 3 }],
    };
    expect(answerChanges(recorded(before), recorded(after))).to.deep.equal([
      "GET /v2/people/* 200: /fax is gone: it was a text",
      "GET /v2/people/* 200: /left was a whole number, and is null",
      "GET /v2/people/* 200: /list/*/b is not in every object any more",
      "GET /v2/people/* 200: /nick is new: an object",
      "GET /v2/people/* 200: /since was a text (date), and is a text",
    ]);
    expect(
      answerChanges(recorded(before), recorded({ ...before, id: 9, name: "Cy" }, "people/9")),
    ).to.deep.equal([]);
    expect(answerChanges(recorded(before), recorded(before, "persons/7"))).to.deep.equal([
      "GET /v2/people/* 200: this call is not made any more",
      "GET /v2/persons/* 200: this call is new",
    ]);
  });
});

describe("a fake held against a recording", () => {
  afterEach(closeServers);
  after(closeFakes);

  it("has nothing to say where the target system answers in the same form", async () => {
    const { registration, fake } = await people();
    const recording = await record(registration, optionsFor(fake));
    expect(await fakeDifferences(registration, recording)).to.deep.equal([]);
  });

  it("shows statuses, headers, members and types that only the target system has, and what only the fake has", async () => {
    const type = typeOf("Person", { id: { type: "integer" }, title: { type: "string" } });
    const server = await serve((_, response) => {
      response.writeHead(206, {
        "content-type": "application/hal+json",
        "x-ratelimit-remaining": "99",
      });
      const items = [
        { id: 1, title: "Captain" },
        { id: 2, title: "Mate", boss: { level: 1 } },
      ];
      response.end(JSON.stringify({ data: { items, next: null }, took: 3 }));
    });
    const { total: _, ...pages } = PEOPLE.pages;
    const readers = { Person: readerOf(type, { ...PEOPLE, pages }) };
    const { registration, fake } = await people({ baseUrl: server.origin, readers });
    const recording = await record(registration, optionsFor(fake, { host: {} }));
    // What fake.ts says of the total is wrong.
    const options = { fake: { lists: { Person: PEOPLE } } };
    expect(await fakeDifferences(registration, recording, options)).to.deep.equal([
      "GET /people: it answers 206, and the fake 200",
      "GET /people: it answers application/hal+json, and the fake application/json",
      "GET /people: it answers with the header x-ratelimit-remaining, and the fake does not",
      "GET /people: /data/items/*/boss is an object, and the fake has no such member",
      "GET /people: /data/total is not there, and the fake always has it",
      "GET /people: /took is a whole number, and the fake has no such member",
    ]);
  });
});
