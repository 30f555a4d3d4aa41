import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { expect } from "chai";
import fc from "fast-check";
import { createLog, type LogOptions } from "../../../runtime/host/index.js";
import { run } from "../../support/processes.js";
import { objectSchema, recordClass, recordType } from "../../support/registration.js";
import { inRepository, runs, SLOW_TEST_MS } from "../../support/repository.js";

const HIDDEN = "--hidden value--";
const SECRET = "s3cr+t/\"ü\\ €~*' Z";

/** A log with what it wrote, line by line. */
function createRecordedLog(options: Omit<LogOptions, "destination"> = {}) {
  const lines: string[] = [];
  const log = createLog({ level: "debug", ...options, destination: { write: (line) => lines.push(line) } });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? "null") as { msg: string; fields?: unknown } };
}

/** What a log shows of `fields`. */
function fieldsInLog(fields: unknown, hidden: readonly string[] = [], options: LogOptions = {}): unknown {
  const { log, last } = createRecordedLog(options);
  log.hide(hidden);
  log.info("said", fields as object);
  return last().fields;
}

/** What a log that hides SECRET shows of a text. */
function text(message: string): string {
  const { log, last } = createRecordedLog();
  log.hide([SECRET]);
  log.info(message);
  return last().msg;
}

describe("createLog", () => {
  it("writes one JSON object a line, with level, time, message and fields", () => {
    const { log, lines } = createRecordedLog();
    log.info("read\na page", { page: 3 });
    log.error("%s %d");
    expect(lines).to.have.length(2);
    expect(lines[0]).to.match(/^\{.*\}\n$/);
    const entry = JSON.parse(lines[0] ?? "") as { time: string };
    expect(entry).to.deep.include({ level: "info", msg: "read\na page", fields: { page: 3 } });
    expect(new Date(entry.time).toISOString()).to.equal(entry.time);
    expect(JSON.parse(lines[1] ?? "")).to.include({ level: "error", msg: "%s %d" });
  });

  it("writes what its level lets through, from info on by default", () => {
    const counts = ([undefined, "debug", "warn", "error", "silent"] as const).map((level) => {
      const lines: string[] = [];
      const destination = { write: (line: string) => lines.push(line) };
      const log = createLog({ destination, level });
      for (const at of ["debug", "info", "warn", "error"] as const) log[at]("x");
      return lines.length;
    });
    expect(counts).to.deep.equal([3, 4, 2, 1, 0]);
  });

  it("refuses standard output and levels that there are none", () => {
    expect(() => createLog({ destination: process.stdout })).to.throw(RangeError, "standard output");
    expect(() => createLog({ level: "loud" as never })).to.throw(
      RangeError,
      "level: expected one of debug, info",
    );
  });

  it("has written a line before the next statement, also where the process is killed then", async () => {
    const host = pathToFileURL(inRepository("dist/runtime/host/index.js")).href;
    const code = `import { createLog } from ${JSON.stringify(host)};
const log = createLog();
for (const words of ["the first", "others", "the last"]) log.info(words);
process.kill(process.pid, "SIGKILL");`;
    const { stderr } = await run(inRepository("."), process.execPath, [
      "--input-type=module",
      "--eval",
      code,
    ]);
    expect(stderr).to.include("the first").and.to.include("the last");
  });

  it("loses a line, and nothing else, when its destination fails", () => {
    const log = createLog({
      destination: {
        write() {
          throw new Error("full");
        },
      },
    });
    expect(() => log.error("lost")).to.not.throw();
  });
});

describe("createLog on standard error", () => {
  it("goes on when nobody reads it any more", async () => {
    const program = `
      import { createLog } from "connectorcli/host";
      const log = createLog();
      await new Promise((resolve) => process.stdin.once("data", resolve));
      for (let line = 0; line < 1000; line++) log.info("x".repeat(1000));
      setTimeout(() => process.stdout.write("alive"), 50);
      process.stdin.destroy();`;
    const args = ["--input-type=module", "--eval", program];
    const child = spawn(process.execPath, args, { cwd: inRepository(""), stdio: "pipe" });
    child.stderr.destroy();
    child.stdin.write("go");
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      output += part;
    });
    const status = await new Promise((resolve) => child.on("close", resolve));
    expect({ output, status }).to.deep.equal({ output: "alive", status: 0 });
  });
});

describe("createLog: secrets that it was told", () => {
  it("hides them wherever they are in a text, in every encoding", () => {
    const form = new URLSearchParams({ p: SECRET }).toString().slice(2);
    const lower = encodeURIComponent(SECRET).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
    const strict = encodeURIComponent(SECRET).replace(
      /[*']/g,
      (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
    );
    const forms = [
      SECRET,
      encodeURIComponent(SECRET),
      encodeURI(SECRET),
      form,
      lower,
      strict,
      encodeURIComponent(encodeURIComponent(SECRET)),
      JSON.stringify(SECRET).slice(1, -1),
      JSON.stringify(JSON.stringify(SECRET)).slice(3, -3),
    ];
    for (const form of forms) expect(text(`a ${form} b`)).to.equal(`a ${HIDDEN} b`);
  });

  it("hides them in base64, at every position among other bytes, in both alphabets", () => {
    for (const before of ["", "u", "us", "use", "user:"]) {
      for (const encoding of ["base64", "base64url"] as const) {
        const encoded = Buffer.from(`${before}${SECRET}${before}`).toString(encoding);
        expect(text(`Header ${encoded} end`)).to.equal(`Header ${HIDDEN} end`);
      }
    }
  });

  it("hides them in errors: message, stack, causes, aggregates, own members", () => {
    const cause = new TypeError(`cause ${SECRET}`);
    const error = new AggregateError([new Error(`one ${SECRET}`)], `all ${SECRET}`, { cause });
    Object.assign(error, {
      code: SECRET,
      statusCode: 401,
      address: `https://h/${encodeURIComponent(SECRET)}`,
    });
    const fields = fieldsInLog({ error }, [SECRET]) as { error: Record<string, unknown> };
    expect(JSON.stringify(fields)).to.not.include("s3cr");
    expect(fields.error).to.include({
      name: "AggregateError",
      message: `all ${HIDDEN}`,
      code: HIDDEN,
      statusCode: 401,
    });
    expect(fields.error["stack"]).to.include(`all ${HIDDEN}`).and.to.include("log.test");
    expect(fields.error["cause"]).to.include({ name: "TypeError", message: `cause ${HIDDEN}` });
    expect(fields.error["address"]).to.equal(`https://h/${HIDDEN}`);
  });

  it("hides them in names of members, in numbers, and in each line of a long one", () => {
    const key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\n-----END KEY-----";
    expect(fieldsInLog({ [SECRET]: 1, pin: 123456 }, [SECRET, "123456"])).to.deep.equal({
      [HIDDEN]: 1,
      pin: HIDDEN,
    });
    expect(fieldsInLog(["line MIIEvQIBADANBgkqhkiG9w0B"], [key])).to.deep.equal([`line ${HIDDEN}`]);
  });

  it("hides a short one only if it is the whole text, so that words stay words", () => {
    expect(fieldsInLog({ code: "ab", word: "cabin" }, ["ab", ""])).to.deep.equal({
      code: HIDDEN,
      word: "cabin",
    });
  });

  it("does not cut through one when it cuts a long text", () => {
    const long = `${"x".repeat(9_995)}${SECRET}${"y".repeat(100)}`;
    const shownText = text(long);
    expect(shownText).to.match(/\(\d+ more characters\)$/);
    expect(shownText).to.not.include("s3c");
  });

  it("hides any secret in any text around it", () => {
    const secret = fc
      .string({ minLength: 6, maxLength: 40, unit: "binary" })
      .filter((text) => text.trim().length > 5);
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (hidden, before, after) => {
        const { log, last } = createRecordedLog();
        log.hide([hidden]);
        const texts = [hidden, encodeURIComponent(hidden), Buffer.from(hidden).toString("base64")];
        for (const form of texts) {
          log.info(`${before} ${form} ${after}`, { error: new Error(form) });
          expect(last().msg).to.include(HIDDEN);
          expect(last().fields).to.have.nested.property("error.message").that.does.not.include(form);
        }
      }),
      { numRuns: runs(300) },
    );
  }).timeout(SLOW_TEST_MS);
});

describe("createLog: what looks like a credential", () => {
  it("hides members by their name, in any convention", () => {
    const names = [
      "Authorization",
      "x-api-key",
      "Set-Cookie",
      "PASSWORD",
      "client_secret",
      "refreshToken",
      "apiKey",
    ];
    for (const name of names) expect(fieldsInLog({ [name]: "abc" })).to.deep.equal({ [name]: HIDDEN });
    expect(fieldsInLog({ token: { deep: 1 }, secret: ["a"], password: null, cookie: true })).to.deep.equal({
      token: HIDDEN,
      secret: HIDDEN,
      password: null,
      cookie: true,
    });
    const kept = { tokenUrl: "https://h/token", secretary: "Li", passwordLength: 8, author: "Wu" };
    expect(fieldsInLog(kept)).to.deep.equal(kept);
  });

  it("hides headers as lists, maps and Headers", () => {
    expect(fieldsInLog({ raw: ["Accept", "a", "Authorization", "b"] })).to.deep.equal({
      raw: ["Accept", "a", "Authorization", HIDDEN],
    });
    const headers = { map: new Map([["cookie", "c"]]), headers: new Headers({ "X-Api-Key": "d" }) };
    expect(fieldsInLog(headers)).to.deep.equal({ map: { cookie: HIDDEN }, headers: { "x-api-key": HIDDEN } });
  });

  it("hides it in texts: addresses, headers, forms, JSON", () => {
    const texts: readonly (readonly [string, string])[] = [
      ["GET https://user:pass@host/x", `GET https://${HIDDEN}@host/x`],
      ["https://h/?page=2&api_key=abc&sort=a", `https://h/?page=2&api_key=${HIDDEN}&sort=a`],
      ["grant_type=x&client_secret=abc", `grant_type=x&client_secret=${HIDDEN}`],
      ["Authorization: Token api=abc", `Authorization: ${HIDDEN}`],
      ["sent Bearer abc123def456", `sent Bearer ${HIDDEN}`],
      ['{"access_token":"a\\"b","n":1}', `{"access_token":"${HIDDEN}","n":1}`],
      ["jwt eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl", `jwt ${HIDDEN}`],
    ];
    for (const [given, expected] of texts) expect(text(given)).to.equal(expected);
  });

  it("leaves sentences as they are", () => {
    const sentences = [
      "Basic information about the project",
      "/password: expected at least 8 characters, found nothing",
      "Unable to find services for definition key apiKeyAuth",
      "read 12 of 40 pages of https://host/path?page=2",
    ];
    for (const sentence of sentences) expect(text(sentence)).to.equal(sentence);
  });
});

describe("createLog: schemas", () => {
  const schema = objectSchema({
    id: {},
    mobile: { type: "string", writeOnly: true },
    card_no: { writeOnly: true },
  });
  const Person = recordClass("Person", schema, { properties: [["cardNumber", "card_no"]] });

  it("hides what is write-only in instances and drafts, however deep they are", () => {
    const person = Person.from({ id: "1", mobile: "555-0100", card_no: 4 });
    const expected = { id: "1", card_no: HIDDEN, mobile: HIDDEN };
    expect(fieldsInLog({ people: [person, Person.draft({ mobile: "555-0100" })] })).to.deep.equal({
      people: [expected, { mobile: HIDDEN }],
    });
    expect(fieldsInLog(person)).to.deep.equal(expected);
  });

  it("hides members by those names in JSON within texts, also in JSON of JSON", () => {
    const options = { schemas: [Person.type] };
    const json = JSON.stringify({ id: "1", mobile: "555-0100", card_no: -4.5e7, size: 2 });
    const hidden = `{"id":"1","mobile":"${HIDDEN}","card_no":"${HIDDEN}","size":2}`;
    expect(fieldsInLog(`read ${json}`, [], options)).to.equal(`read ${hidden}`);
    expect(fieldsInLog(JSON.stringify({ json }), [], options)).to.equal(JSON.stringify({ json: hidden }));
  });

  it("hides lists and objects in texts as well, in JSON of JSON, cut off, and as inspect prints them", () => {
    const shape = objectSchema({
      home: { writeOnly: true, ...objectSchema({ at: {} }) },
      keys: { items: { writeOnly: true } },
    });
    const options = { schemas: [recordClass("Place", shape).type] };
    const secret = { at: ["s3cret {", 's3cret " ]', "it's s3cret \\"], more: { a: { b: "s3cret }" } } };
    const value = { id: "1", home: secret, keys: ["s3cret", 5], size: { width: 2 } };
    const json = JSON.stringify(value);
    const hidden = `{"id":"1","home":"${HIDDEN}","keys":"${HIDDEN}","size":{"width":2}}`;
    expect(fieldsInLog(`read ${json}, it's so`, [], options)).to.equal(`read ${hidden}, it's so`);
    const nested = [json, 1].map((level) => JSON.stringify({ level }));
    expect(fieldsInLog(nested[0], [], options)).to.equal(JSON.stringify({ level: hidden }));
    const twice = JSON.stringify({ json: JSON.stringify({ json }) });
    expect(fieldsInLog(twice, [], options)).to.equal(
      JSON.stringify({ json: JSON.stringify({ json: hidden }) }),
    );
    for (const text of [
      json,
      twice,
      inspect(value, { depth: 9 }),
      inspect(new Map(Object.entries(value)), { depth: 9 }),
    ]) {
      for (let length = text.indexOf("home") + 20; length <= text.length; length++) {
        expect(String(fieldsInLog(text.slice(0, length), [], options)), text.slice(0, length)).to.not.match(
          /s3c|\bcret/,
        );
      }
      expect(fieldsInLog(text, [], options))
        .to.include(HIDDEN)
        .and.to.match(/width\W+2/);
    }
  });

  it("hides misspelt names of write-only members, unless a schema has them", () => {
    const shape = {
      street: { writeOnly: true },
      wage: { writeOnly: true },
      streets: {},
      email_address: { writeOnly: true },
    };
    const options = { schemas: [recordClass("Place", objectSchema(shape)).type] };
    const hidden = [
      "STREET",
      "streat",
      "stret",
      "strete",
      "srteet",
      "emailAdress",
      "E-Mail-Address",
      "eMailAdresse",
    ];
    const others = ["streets", "page", "wages2", "trees", "email", "address", "strategy"];
    const values = Object.fromEntries([...hidden, ...others].map((name) => [name, "x"]));
    expect(fieldsInLog(values, [], options)).to.deep.equal({
      ...Object.fromEntries(hidden.map((name) => [name, HIDDEN])),
      ...Object.fromEntries(others.map((name) => [name, "x"])),
    });
  });

  it("shows a text of any length as it would log it", () => {
    const log = createLog({ schemas: [Person.type], destination: { write: () => true } });
    log.hide(["known-s3cret"]);
    const long = "long ".repeat(10_000);
    expect(log.redacted(`${long}{"mobile":"1"} known-s3cret`)).to.equal(
      `${long}{"mobile":"${HIDDEN}"} ${HIDDEN}`,
    );
  });

  it("hides members by the names that the schemas call write-only, in values without a schema", () => {
    const options = { schemas: [Person.type, recordType("Other", { items: { anyOf: [schema] } })] };
    const raw = { id: "1", MOBILE: "555-0100", card_no: 4, cardNumber: 5, cardNo: 6 };
    expect(fieldsInLog(raw, [], options)).to.deep.equal({
      id: "1",
      MOBILE: HIDDEN,
      card_no: HIDDEN,
      cardNumber: HIDDEN,
      cardNo: HIDDEN,
    });
  });

  it("knows such names through references, lists and dictionaries", () => {
    const secret = { $ref: "#/$defs/secret" };
    const of = {
      codes: { items: secret },
      byName: { additionalProperties: { items: [secret] } },
      pair: { prefixItems: [{}, secret] },
      some: { contains: secret },
      byPattern: { patternProperties: { "^x": secret } },
      other: {},
    };
    const type = recordType("Codes", { ...objectSchema(of), $defs: { secret: { writeOnly: true } } });
    const values = {
      ...{ codes: ["a"], byName: { x: ["a"] }, pair: [1, "a"], some: ["a"], byPattern: { x: "a" } },
      other: ["b"],
    };
    const hidden = { codes: HIDDEN, byName: HIDDEN, pair: HIDDEN, some: HIDDEN, byPattern: HIDDEN };
    expect(fieldsInLog(values, [], { schemas: [type] })).to.deep.equal({ ...hidden, other: ["b"] });
  });

  it("takes a property called constructor for what it is", () => {
    expect(fieldsInLog({ constructor: { type: Person.type }, a: 1 })).to.deep.include({ a: 1 });
  });
});

describe("createLog: values that are not made for it", () => {
  it("shows what is no JSON in a plain form", () => {
    const circular: Record<string, unknown> = { a: 1 };
    circular["self"] = circular;
    const fields = {
      circular,
      big: 12n,
      none: undefined,
      nan: Number.NaN,
      date: new Date(0),
      noDate: new Date(Number.NaN),
      url: new URL("https://h/"),
      bytes: new Uint8Array(3),
      set: new Set([1]),
      symbol: Symbol("s"),
      work: function work() {},
    };
    expect(fieldsInLog(fields)).to.deep.equal({
      circular: { a: 1, self: "[the value that it is in]" },
      big: "12",
      nan: "NaN",
      date: "1970-01-01T00:00:00.000Z",
      noDate: "[no date]",
      url: "https://h/",
      bytes: "[3 bytes]",
      set: [1],
      symbol: "Symbol(s)",
      work: "[function work]",
    });
  });

  it("never throws: getters and proxies that throw, odd errors, odd messages", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const bad = {
      get value(): string {
        throw new Error("not to be read");
      },
    };
    const error = Object.defineProperty(new Error("x"), "message", {
      get() {
        throw new Error("not to be read");
      },
    });
    expect(fieldsInLog({ bad, proxy, error })).to.deep.include({
      bad: { value: "[not readable]" },
      proxy: "[not readable]",
    });
    const { log, lines } = createRecordedLog();
    for (const message of [undefined, null, 7, {}, Symbol("x")]) log.info(message as never, proxy);
    log.hide(null as never);
    log.hide(proxy as never);
    log.info("x", "no object" as never);
    expect(lines).to.have.length(6);
  });

  it("bounds what it writes: depth, members, items, texts, all together", () => {
    let deep: object = {};
    for (let level = 0; level < 50; level++) deep = { deep };
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`m${index}`, index]));
    const list = Array.from({ length: 5_000 }, () => "y".repeat(20_000));
    const { log, lines } = createRecordedLog();
    log.info("a.".repeat(2_000_000), { deep, wide, list, lists: Array(500).fill(list) });
    expect(lines.join("").length).to.be.lessThan(500_000);
    expect(lines.join("")).to.include("[too deep to show]").and.to.include("4900 more");
  });

  it("takes no longer for texts that are hard on patterns", () => {
    const { log, lines } = createRecordedLog();
    log.hide([SECRET, "aaaaaaaaaaaaaaaaaaaaaaaaaaab"]);
    // A pattern that goes back from every place of such a text would run for hours.
    for (const part of ["a", "a.", "://", '"a":"', '\\"', "eyJ", "Bearer ", "a=", "authorization: "]) {
      log.info(part.repeat(1_000_000));
    }
    expect(lines).to.have.lengthOf(9);
  });

  it("writes valid JSON for anything", () => {
    const { log, lines } = createRecordedLog();
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
    });
    fc.assert(
      fc.property(anything, fc.string({ unit: "binary" }), (fields, message) => {
        log.debug(message, fields as object);
        expect(JSON.parse(lines.at(-1) ?? "")).to.include.keys("level", "msg");
      }),
      { numRuns: runs(500) },
    );
  }).timeout(SLOW_TEST_MS);
});
