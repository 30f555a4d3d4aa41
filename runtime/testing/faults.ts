/** What goes wrong at target systems, by name. Each is seeded, and can strike any request. */
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { isJsonObject } from "../../schemas/json.js";
import type { RecordType } from "../records/record-type.js";
import { type FakeRecord, keysOf, schemasOf, seedOf } from "./fake-records.js";
import type { FaultName, FaultPlan } from "./fault-names.js";
import type { HeldObject } from "./held-objects.js";
import type { FakeAnswer, FakePage } from "./list-answers.js";

/** What a fault can do with a request. */
interface Fault {
  /** Answers in place of the target system. @param address What was asked for. */
  readonly answer?: (address: string) => FakeAnswer;
  /** Changes what the target system holds before it answers a list. */
  readonly shift?: (strike: Strike) => void;
  /** Changes a page. */
  readonly page?: (page: FakePage, strike: Strike) => FakePage;
  /** Changes the answer, after the target system has acted. */
  readonly change?: (answer: FakeAnswer, strike: Strike) => FakeAnswer;
  /** Writes the answer. */
  readonly write?: (response: ServerResponse, answer: WrittenAnswer) => void | Promise<void>;
  /** Ends the life of the token with which the request came. */
  readonly endsToken?: boolean;
}

/** An answer as it would be sent. */
export interface WrittenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** One request that a fault strikes. */
export interface Strike {
  /** A whole number below `limit`, by the seed. */
  readonly pick: (limit: number) => number;
  /** What is listed; undefined for any other request. */
  readonly object: HeldObject | undefined;
  /** Items of the page before, in the same list. */
  readonly before: readonly unknown[];
}

const refusal = (status: number, headers: FakeAnswer["headers"] = {}) => ({
  answer: () => ({ status, headers, body: { error: { message: `fault: ${status}` } } }),
});
const HTML = "<!doctype html><title>Sign in</title><p>Please sign in.</p>";
const MEGABYTE = 1_048_576;
const SLOW_MS = 400;
const DAY_MS = 86_400_000;

/** Says that a member is left as it is. */
const KEEP = Symbol();
const WRONG_VALUES = [{ is: "wrong" }, "wrong", -1.5];

const FAULT_TABLE: Readonly<Record<FaultName, Fault>> = {
  serverError: refusal(500),
  badGateway: {
    write: (response) =>
      send(response, { status: 502, headers: { "content-type": "text/html" }, text: HTML }),
  },
  unavailable: refusal(503, { "retry-after": "1" }),
  gatewayTimeout: refusal(504),
  tooManyRequests: refusal(429, { "retry-after": "1" }),
  tooManyRequestsAnyTime: refusal(429),
  unauthorized: refusal(401),
  tokenEnds: { endsToken: true },
  forbidden: refusal(403),
  notFound: refusal(404),
  resetBeforeAnswer: {
    write: (response) => void response.socket?.destroy(),
  },
  resetInBody: {
    write: async (response, { status, headers, text }) => {
      const bytes = Buffer.from(text);
      response.writeHead(status, { ...headers, "content-length": bytes.length + 1 });
      await new Promise<void>((resolve) => {
        response.write(bytes.subarray(0, bytes.length >> 1), () => resolve());
      });
      response.socket?.destroy();
    },
  },
  truncatedJson: {
    write: (response, answer) =>
      send(response, { ...answer, text: answer.text.slice(0, Math.max(answer.text.length >> 1, 1)) }),
  },
  htmlWithSuccess: {
    write: (response) =>
      send(response, { status: 200, headers: { "content-type": "text/html" }, text: HTML }),
  },
  emptyBody: {
    write: (response, answer) => send(response, { ...answer, status: 200, text: "" }),
  },
  nullBody: { answer: () => ({ status: 200, headers: {}, body: null }) },
  errorWithSuccess: {
    answer: () => ({
      status: 200,
      headers: {},
      body: { error: { code: "internal", message: "Something went wrong." } },
    }),
  },
  slowAnswer: {
    write: async (response, answer) => {
      await sleep(SLOW_MS);
      send(response, answer);
    },
  },
  slowDrip: {
    write: async (response, { status, headers, text }) => {
      const bytes = Buffer.from(text);
      response.writeHead(status, { ...headers, "content-length": bytes.length });
      const pieces = 10;
      for (let piece = 0; piece < pieces; piece++) {
        const [from, to] = [piece, piece + 1].map((end) => Math.floor((bytes.length * end) / pieces));
        response.write(bytes.subarray(from, to));
        await sleep(SLOW_MS / pieces);
      }
      response.end();
    },
  },
  noAnswer: { write: () => {} },
  redirectElsewhere: {
    answer: () => ({ status: 302, headers: { location: "http://elsewhere.invalid/" }, body: undefined }),
  },
  redirectToItself: {
    answer: (location) => ({ status: 302, headers: { location }, body: undefined }),
  },
  pageShift: {
    shift: ({ object, before, pick }) => removeOne(object, before, pick),
  },
  recordArrives: {
    shift: ({ object }) => void object?.insert({}),
  },
  recordChanges: {
    shift: ({ object, pick }) => changeOne(object, pick),
  },
  duplicate: {
    page: (page, { before }) => ({ ...page, items: [...before.slice(-1), ...page.items] }),
  },
  emptyPage: {
    page: (page) => (page.again === undefined ? page : { ...page, items: [], next: page.again }),
  },
  listEndsEarly: {
    page: (page) => ({ ...page, next: undefined }),
  },
  cursorRepeats: {
    page: (page) => (page.next === undefined ? page : { ...page, next: page.own }),
  },
  nullWhereNotAllowed: {
    page: (page, strike) => withMember(page, strike, ({ fits }) => (fits(null) ? KEEP : null)),
  },
  wrongType: {
    page: (page, strike) =>
      withMember(page, strike, ({ fits }) => WRONG_VALUES.find((value) => !fits(value)) ?? KEEP),
  },
  newEnumMember: {
    page: (page, strike) =>
      withMember(page, strike, ({ type, name }) =>
        schemasOf(type, name).some((schema) => Array.isArray(schema["enum"])) ? "newly-invented" : KEEP,
      ),
  },
  missingMember: {
    page: (page, strike) => withMember(page, strike, ({ fits }) => (fits(undefined) ? KEEP : undefined)),
  },
  unknownMember: {
    page: (page, strike) => withItem(page, strike, (item) => ({ ...item, newlyInvented: "value" })),
  },
  longRecord: {
    page: (page, strike) =>
      withItem(page, strike, (item) => ({ ...item, newlyInvented: "x".repeat(MEGABYTE) })),
  },
  totalTooHigh: {
    page: (page) => ({ ...page, total: page.total + 1 }),
  },
  clockSkew: {
    change: (answer) => ({
      ...answer,
      headers: { ...answer.headers, date: new Date(Date.now() + DAY_MS).toUTCString() },
    }),
  },
  byteOrderMark: {
    write: (response, answer) => send(response, { ...answer, text: `\ufeff${answer.text}` }),
  },
  textType: {
    write: (response, answer) =>
      send(response, { ...answer, headers: { ...answer.headers, "content-type": "text/plain" } }),
  },
};

/** What strikes a request. */
export interface StruckBy extends Fault {
  readonly name: FaultName;
}

const SHARE = 0.2;

/** @throws TypeError for a name that no fault has. */
export function createFaults(plans: readonly (FaultName | FaultPlan)[], seed: number) {
  const planned: FaultPlan[] = plans.map(toPlan);
  return {
    add: (plan: FaultPlan) => void planned.push(toPlan(plan)),
    /** Nothing goes wrong any more. */
    clear: () => void planned.splice(0),
    /** The fault that strikes the request with this number, for this path; undefined if none does. */
    at(number: number, asked: string): StruckBy | undefined {
      const plan = planned.find(({ name, at, from, path, share = path === undefined ? SHARE : 1 }) => {
        if (path !== undefined && path !== asked) return false;
        if (at !== undefined) return at.includes(number);
        return from === undefined ? seedOf(seed, name, number) < share * 2 ** 32 : number >= from;
      });
      return plan === undefined ? undefined : { name: plan.name, ...FAULT_TABLE[plan.name] };
    },
  };
}

function toPlan(plan: FaultName | FaultPlan): FaultPlan {
  const made = typeof plan === "string" ? { name: plan } : plan;
  if (Object.hasOwn(FAULT_TABLE, made.name)) return made;
  throw new TypeError(`There is no fault "${made.name}": there are ${Object.keys(FAULT_TABLE).join(", ")}.`);
}

/** Sends a whole answer. */
export function send(response: ServerResponse, { status, headers, text }: WrittenAnswer): void {
  const bytes = Buffer.from(text);
  response.writeHead(status, { ...headers, "content-length": bytes.length });
  response.end(bytes);
}

/** Gives a record what another one has in a member that belongs to no key. */
function changeOne(object: HeldObject | undefined, pick: Strike["pick"]): void {
  if (object === undefined) return;
  const existing = object.all().filter(({ isDeleted }) => !isDeleted);
  const held = existing[pick(existing.length)];
  const inKeys = new Set(keysOf(object.type).flatMap(({ properties }) => properties));
  const changes = existing.flatMap(({ record }) =>
    Object.entries(record).filter(([name, value]) => !inKeys.has(name) && held?.record[name] !== value),
  );
  const change = changes[pick(changes.length)];
  if (held !== undefined)
    object.change(held.ordinal, change === undefined ? {} : Object.fromEntries([change]));
}

function removeOne(object: HeldObject | undefined, before: readonly unknown[], pick: Strike["pick"]): void {
  const existing = object?.all().filter(({ isDeleted }) => !isDeleted) ?? [];
  const read = existing.filter(({ record }) => before.includes(record));
  const held = read[pick(read.length)] ?? existing[0];
  if (held !== undefined) object?.remove(held.ordinal);
}

/** A member of a record. */
interface Member {
  readonly type: RecordType;
  readonly name: string;
  /** Whether the record fits with this value of it; undefined for without it. */
  readonly fits: (value: unknown) => boolean;
}

/** A page with another value in a member of one of its records, where there is such a member. */
function withMember(page: FakePage, strike: Strike, choose: (member: Member) => unknown): FakePage {
  const type = strike.object?.type;
  if (type === undefined) return page;
  return withItem(page, strike, (item) => {
    const changes = Object.keys(item).flatMap((name) => {
      const changed = (value: unknown) => {
        const { [name]: _, ...without } = item;
        return value === undefined ? without : { ...without, [name]: value };
      };
      const value = choose({ type, name, fits: (other) => type.check(changed(other)) });
      return value === KEEP ? [] : [changed(value)];
    });
    return changes[strike.pick(changes.length)] ?? item;
  });
}

function withItem(page: FakePage, { pick }: Strike, change: (item: FakeRecord) => FakeRecord): FakePage {
  const chosen = pick(page.items.length);
  return {
    ...page,
    items: page.items.map((item, index) => (index === chosen && isJsonObject(item) ? change(item) : item)),
  };
}
