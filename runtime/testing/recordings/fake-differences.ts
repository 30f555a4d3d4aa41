/** Holds a recording of the real target system against the fake: what the one answers and the other does not. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ConnectorRegistration } from "../../registration/registration.js";
import type { FakeOptions } from "../fake-options.js";
import { pathPattern } from "../routes.js";
import { startFake } from "../start-fake.js";
import { type Form, noteAnswer } from "./answer-forms.js";
import { createRecorder, pathForm } from "./exchanges.js";
import type { RestartableClock } from "./fixed-time.js";
import type { Recording } from "./recording.js";
import { runSubject } from "./subject-run.js";

/** What a recording is held against. */
export interface FakeDifferencesOptions {
  /**
   * What `fake.ts` of the project says.
   * @default nothing: the fake is made of the connector alone
   */
  readonly fake?: FakeOptions | undefined;
}

/** Enough that most of what may be in a record is in one of them, on several pages. */
const RECORDS = 40;
const PAGE_SIZE = 15;
const MAX_BYTES = 50_000_000;

const REAL_TIME: RestartableClock = {
  now: () => Date.now(),
  sleep: async (milliseconds, signal) => {
    await sleep(milliseconds, undefined, { signal: signal as AbortSignal | undefined });
  },
  restart: () => {},
};

/**
 * What the real target system has answered and the fake of the same connector would not, a sentence each: statuses, headers,
 * members and types, by call. The reader runs against the fake, with the settings of the recording; values do not count. A
 * recording of an action has no differences: its input names records that a fake does not have.
 * @throws StartError or ConnectionError if the connector does not start with the recorded settings.
 * @example
 * async function hold(text: string) {
 *   return fakeDifferences(registration, readRecording(text));
 * }
 */
export async function fakeDifferences<Client>(
  given: ConnectorRegistration<Client>,
  recording: Recording,
  { fake: own }: FakeDifferencesOptions = {},
): Promise<readonly string[]> {
  const registration = given as ConnectorRegistration;
  const { subject, settings, connection, limit, exchanges } = recording;
  if (subject.action !== undefined) return [];
  const fake = await startFake(registration, {
    ...own,
    ...{ records: RECORDS, maxPageSize: PAGE_SIZE, port: 0 },
    connection: connection.DefinitionKey,
    registrationConfiguration: settings.registrationConfiguration,
  });
  try {
    const recorder = createRecorder(MAX_BYTES);
    const { messages } = await runSubject({
      ...{ registration, subject, settings, connection: fake.connection },
      limit: limit === null ? null : Math.max(limit, RECORDS),
      clock: REAL_TIME,
      host: { environment: {}, transport: (next) => recorder.transport(fake.transport(next)) },
      signal: new AbortController().signal,
      begin: recorder.begin,
      isRepeated: false,
    });
    const real = answersOf(
      exchanges.map(({ request, response }) => ({ ...request, ...response })),
      fake.calls,
    );
    const faked = answersOf(
      recorder.exchanges.map(({ request, response }) => ({
        ...{ method: request.method, url: request.url, purpose: request.purpose },
        ...{ status: 0, headers: {}, text: "", ...response },
      })),
      fake.calls,
    );
    return [
      ...messages.map((message) => `The connector does not read the fake: ${message}`),
      ...[...real].flatMap(([call, answers]) =>
        differencesOf(answers, faked.get(call)).map((words) => `${call}: ${words}`),
      ),
    ];
  } finally {
    await fake.close();
  }
}

/** All answers to one call. */
interface Answers {
  readonly statuses: Set<number>;
  /** Values by lower-case name. */
  readonly headers: Map<string, string>;
  /** Of answers that are no refusals, by place. */
  readonly forms: Map<string, Form>;
}

interface Answered {
  readonly purpose: "call" | "token";
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** @param calls What the fake answers, such as `GET /projects/{id}`: both systems' calls go by these words. */
function answersOf(all: readonly Answered[], calls: readonly string[]): ReadonlyMap<string, Answers> {
  const known = calls.map((call) => ({ call, pattern: pathPattern(call.slice(call.indexOf(" ") + 1)) }));
  const found = new Map<string, Answers>();
  for (const { purpose, method, url, status, headers, text } of all) {
    // Who was not answered has shown nothing.
    if (purpose === "token" || status === 0) continue;
    const { pathname } = new URL(url);
    const match = known.find(({ call, pattern }) => call.startsWith(`${method} `) && pattern.test(pathname));
    const name = match?.call ?? `${method} ${pathForm(url)}`;
    const answers = found.get(name) ?? { statuses: new Set(), headers: new Map(), forms: new Map() };
    found.set(name, answers);
    answers.statuses.add(status);
    for (const [header, value] of Object.entries(headers)) answers.headers.set(header, String(value));
    if (status < 400) noteAnswer(text, answers.forms);
  }
  return found;
}

function differencesOf(real: Answers, fake: Answers | undefined): readonly string[] {
  if (fake === undefined) return ["the fake is not asked for it, or has no answer"];
  return [...statusWords(real, fake), ...headerWords(real, fake), ...formWords(real, fake)];
}

function* statusWords(real: Answers, fake: Answers): Generator<string> {
  const shown = [...fake.statuses].sort((a, b) => a - b).join(" or ");
  for (const status of real.statuses)
    if (!fake.statuses.has(status)) yield `it answers ${status}, and the fake ${shown}`;
}

/** The clock is another one everywhere. */
const UNLIKE = new Set(["date"]);

function* headerWords(real: Answers, fake: Answers): Generator<string> {
  for (const [name, value] of real.headers) {
    if (UNLIKE.has(name)) continue;
    const other = fake.headers.get(name);
    if (other === undefined) yield `it answers with the header ${name}, and the fake does not`;
    else if (name === "content-type" && essenceOf(value) !== essenceOf(other))
      yield `it answers ${essenceOf(value)}, and the fake ${essenceOf(other)}`;
  }
}

/** A content type without its parameters. */
function essenceOf(type: string): string {
  return (type.split(";")[0] ?? "").trim().toLowerCase();
}

function* formWords({ forms: real }: Answers, { forms: fake }: Answers): Generator<string> {
  for (const place of [...new Set([...real.keys(), ...fake.keys()])].sort()) {
    const owner = place.slice(0, place.lastIndexOf("/"));
    // What is missing with its owner needs no word of its own.
    if (place !== "" && !(fake.has(owner) && real.has(owner))) continue;
    const words = placeWords(real.get(place), fake.get(place), fake.get(owner)?.count ?? 0);
    // A list without items says nothing of them.
    const isOfItems = place.endsWith("/*") && !(fake.has(place) && real.has(place));
    if (words !== undefined && !isOfItems) yield `${place === "" ? "the answer" : place} ${words}`;
  }
}

/** @param owners How many objects the fake has that may have this member. */
function placeWords(real: Form | undefined, fake: Form | undefined, owners: number): string | undefined {
  if (fake === undefined) return real && `is ${typesIn(real)}, and the fake has no such member`;
  if (real === undefined) return fake.count < owners ? undefined : "is not there, and the fake always has it";
  const others = [...real.types].filter((type) => !covers(fake, type)).sort();
  return others.length === 0 ? undefined : `is ${others.join(" or ")}, and in the fake ${typesIn(fake)}`;
}

function typesIn({ types }: Form): string {
  return [...types].sort().join(" or ");
}

/** A text of a format is a text, and a whole number is a number. */
function covers({ types }: Form, type: string): boolean {
  return types.has(type) || types.has(type.replace(/ \(.*\)$/, "").replace("whole number", "number"));
}
