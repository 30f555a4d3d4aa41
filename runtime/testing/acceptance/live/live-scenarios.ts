/**
 * What is tried at a real target system, which others change meanwhile: most of it on answers that it gave once, so that no
 * difference is its own. Each function ends in a Flaw if the connector does what it must not do.
 */

import { isJsonObject } from "../../../../schemas/json.js";
import type { SyncResult } from "../../../cache-writer/sync-options.js";
import type { RegisteredObject } from "../../../registration/registration.js";
import { jsonIn } from "../../../untrusted.js";
import { type FakeRecord, keysOf } from "../../fake-records.js";
import { alteredWords, type Cached, type Difference, differenceOf, Flaw, someOf } from "../flaw.js";
import { expectLeftAlone, expectQuiet, unfitMember } from "../reading.js";
import type { LiveCache, LiveReadOptions, LiveSystem } from "./live-system.js";
import type { Strike, StrikeName } from "./struck-calls.js";

/** A data object, and what a first read of it gave. */
export interface LiveSubject {
  readonly system: LiveSystem;
  readonly object: RegisteredObject;
  readonly whole: WholeRead;
  readonly seed: number;
  /** Members that no scenario changes, without case and marks. */
  readonly fixed: ReadonlySet<string>;
  /** Tells the author what could not be tried, or what is no fault of the connector. */
  readonly note: (text: string) => void;
}

/** What a read of everything gave. */
export interface WholeRead {
  readonly cached: Cached;
  readonly result: SyncResult;
  /** How many calls it took. */
  readonly calls: number;
}

/** Why something is not tried: a sentence for the author. */
export class NotTried extends Error {
  override readonly name = "NotTried";
}

/** One thing that is tried. */
export interface LiveCase {
  /** What happens, for the author. */
  readonly how?: string | undefined;
  /** Whether the target system itself is read again: what was remembered is another then. @default false */
  readonly isAsking?: boolean | undefined;
  /** Whether it sees by itself what others change meanwhile, so that it is tried once. @default false */
  readonly isSure?: boolean | undefined;
  readonly run: (subject: LiveSubject) => Promise<void>;
}

/** What is tried with a data object, by the name of the scenario. */
export function casesOf(name: string, { object, whole, seed }: LiveSubject): readonly LiveCase[] {
  switch (name) {
    case "again":
      return [
        { how: "on the same answers", run: readStillAgain },
        { how: "of the target system itself", isAsking: true, isSure: true, run: readTwice },
      ];
    case "stopped":
      return stops(whole).map(({ how, ...stop }) => ({ how, run: (subject) => readStopped(subject, stop) }));
    case "faults":
      return strikesOf(whole, seed).map((strike) => ({
        how: `${strike.name} at call ${strike.at + 1}${strike.isLasting ? " and all behind it" : ""}`,
        run: (subject) => readStruck(subject, strike),
      }));
    case "rate":
      return [{ how: "429 at the last call", run: readRefused }];
    case "changes":
      return object.readerType === "full" ? [] : [{ isAsking: true, run: readChanges }];
    case "unfit":
      return [{ run: readUnfitAnswer }];
    case "elsewhere":
      return [{ how: "links that lead to another host", run: readMisled }];
    default:
      return [];
  }
}

/** Reads everything, and expects success. @param most How many records there may be. */
export async function readEverything(
  system: LiveSystem,
  object: RegisteredObject,
  most: number,
): Promise<WholeRead> {
  return system.inCache(async (cache) => {
    const result = await read(system, cache, object, { source: "learn", stopAfterRecords: most + 1 });
    if (result.read > most)
      throw new NotTried(
        `${object.name} has more than ${most} records: nothing was tried with it. --records says how many may be read.`,
      );
    return wholeOf(system, await expectSuccess(system, result), await cache.cached(object));
  });
}

function wholeOf({ calls }: LiveSystem, result: SyncResult, cached: Cached): WholeRead {
  return { cached, result, calls: calls.last.filter(({ purpose }) => purpose === "call").length };
}

async function expectSuccess(system: LiveSystem, result: SyncResult): Promise<SyncResult> {
  if (result.outcome !== "succeeded")
    throw new Flaw(
      "acceptance-read-fails",
      `a read ends as ${result.outcome}: ${result.message}`,
      result.error,
    );
  expectQuiet(system);
  return result;
}

/** Reads; what would have changed the target system was refused, and is the first thing to say. */
async function read(
  system: LiveSystem,
  cache: LiveCache,
  object: RegisteredObject,
  options: LiveReadOptions = {},
): Promise<SyncResult> {
  const result = await cache.read(object, options);
  const [refused] = system.refused;
  if (refused?.method === "POST")
    throw new NotTried(
      `${object.name} was not tried: its reader sends POST ${refused.path}, which may change the target system, and was refused. If it only reads, say so in fake.ts: lists: { ${object.name}: { list: "POST …", … } }.`,
    );
  if (refused !== undefined)
    throw new Flaw(
      "acceptance-reader-writes",
      `a read wants to send ${refused.method} ${refused.path}; it was refused`,
    );
  if (system.calls.isEndless) throw new Flaw("acceptance-endless", "a read goes on and on", result.error);
  return result;
}

async function compared(
  { object, whole }: LiveSubject,
  cache: LiveCache,
): Promise<Difference & { readonly size: number }> {
  const { missing, foreign, altered } = differenceOf(await cache.cached(object), whole.cached, object.record);
  return { missing, foreign, altered, size: whole.cached.size };
}

async function readStillAgain(subject: LiveSubject): Promise<void> {
  const { system, object } = subject;
  await system.inCache(async (cache) => {
    await expectSuccess(system, await read(system, cache, object));
    const { missing, foreign, altered, size } = await compared(subject, cache);
    if (missing.length + foreign.length > 0)
      throw new Flaw(
        "acceptance-read-not-repeatable",
        `a second read of the same answers gives other records: ${someOf([...missing, ...foreign], size)}`,
      );
    if (altered.length > 0)
      throw new Flaw(
        "acceptance-read-not-repeatable",
        `a second read of the same answers gives other values: ${alteredWords(altered, size)}`,
      );
  });
}

/** Records that change in so many of all of them are changed by the target system itself, whenever it is asked. */
const VOLATILE_SHARE = 0.5;

/** What one read leaves out that those before and behind it have was not deleted: no list may lose it. */
async function readTwice(subject: LiveSubject): Promise<void> {
  const { object, whole, note } = subject;
  const second = await readAnew(subject);
  const change = differenceOf(second, whole.cached, object.record);
  if (change.missing.length + change.foreign.length + change.altered.length === 0) return;
  const third = await readAnew(subject);
  const lost = change.missing.filter((key) => third.has(key));
  if (lost.length > 0)
    throw new Flaw(
      "acceptance-records-missing",
      `a read leaves out ${someOf(lost, whole.cached.size)} that the reads before and behind it have`,
    );
  const again = differenceOf(third, second, object.record).altered;
  const members = [...new Set(change.altered.flatMap((each) => each.members))];
  const restless = members.filter((name) =>
    [change.altered, again].every(
      (altered) =>
        altered.filter((each) => each.members.includes(name)).length >
        Math.max(whole.cached.size * VOLATILE_SHARE, 1),
    ),
  );
  if (restless.length > 0)
    note(
      `${object.name}: ${restless.join(", ")} ${restless.length === 1 ? "differs" : "differ"} in most records from read to read. If nobody changes them, name them in volatile (connectorcli.run in package.json): every read updates the whole cache otherwise.`,
    );
  const changed = new Set([...change.missing, ...change.foreign, ...change.altered.map(({ key }) => key)]);
  note(
    `${object.name}: ${someOf([...changed], whole.cached.size)} changed in the target system between two reads. That was not counted as a fault.`,
  );
}

/** The records of a new read of the target system. */
async function readAnew({ system, object }: LiveSubject): Promise<Cached> {
  system.forget();
  return system.inCache(async (cache) => {
    await expectSuccess(system, await read(system, cache, object, { source: "learn" }));
    return cache.cached(object);
  });
}

const MOST_STOPS = 4;

function stops({ calls }: WholeRead): readonly (LiveReadOptions & { readonly how: string })[] {
  const behindCalls = Array.from({ length: Math.min(calls, MOST_STOPS) }, (_, stopAfter) => ({
    how: `stopped behind ${stopAfter === 1 ? "1 call" : `${stopAfter} calls`}`,
    stopAfter,
  }));
  return [
    ...behindCalls,
    { how: "stopped behind 1 record", stopAfterRecords: 1, pageSize: 1 },
    { how: "stopped behind 7 records", stopAfterRecords: 7, pageSize: 1 },
  ];
}

async function readStopped(subject: LiveSubject, stop: LiveReadOptions): Promise<void> {
  const { system, object } = subject;
  await system.inCache(async (cache) => {
    // Who does not end here would not end when it is stopped either.
    await read(system, cache, object, { deadAfter: 0 });
    await read(system, cache, object, stop);
    await expectAll(subject, cache, {
      code: "acceptance-stop-loses",
      when: "the read behind one that was stopped",
    });
    await read(system, cache, object, stop);
    await expectNoneLost(subject, cache, { code: "acceptance-stop-loses", when: "a read that is stopped" });
  });
}

interface Expectation {
  readonly code: Flaw["code"];
  readonly when: string;
}

/** The next read ends well, and the cache has everything then. */
async function expectAll(subject: LiveSubject, cache: LiveCache, { code, when }: Expectation): Promise<void> {
  const { system, object } = subject;
  const result = await read(system, cache, object);
  if (result.outcome !== "succeeded")
    throw new Flaw(code, `${when} ends as ${result.outcome}: ${result.message}`, result.error);
  const { missing, altered, size } = await compared(subject, cache);
  if (missing.length > 0) throw new Flaw(code, `${when} leaves out ${someOf(missing, size)}`);
  if (altered.length > 0)
    throw new Flaw(code, `${when} leaves others behind: ${alteredWords(altered, size)}`);
}

async function expectNoneLost(
  subject: LiveSubject,
  cache: LiveCache,
  { code, when }: Expectation,
): Promise<void> {
  const { missing, size } = await compared(subject, cache);
  if (missing.length > 0)
    throw new Flaw(code, `${when} deletes ${someOf(missing, size)} that the target system still has`);
}

/** The easiest to take for a list that is empty, at the first call; the others at one behind it. */
const FIRST: readonly StrikeName[] = ["forbidden", "errorWithSuccess"];
const LATER: readonly StrikeName[] = [
  "forbidden",
  "truncatedJson",
  "htmlWithSuccess",
  "emptyBody",
  "nullBody",
  "errorWithSuccess",
];
const LASTING: readonly StrikeName[] = ["unauthorized", "serverError", "resetBeforeAnswer"];

function strikesOf({ calls }: WholeRead, seed: number): readonly Strike[] {
  const later = (index: number) => (calls < 2 ? 0 : 1 + ((index + seed) % (calls - 1)));
  const all: Strike[] = [
    ...FIRST.map((name) => ({ name, at: 0, isLasting: false })),
    ...LATER.map((name, index) => ({ name, at: later(index), isLasting: false })),
    ...LASTING.map((name, index) => ({ name, at: later(index), isLasting: true })),
  ];
  return all.filter(
    ({ name, at }, index) => all.findIndex((other) => other.name === name && other.at === at) === index,
  );
}

async function readStruck(subject: LiveSubject, strike: Strike): Promise<void> {
  const { system, object } = subject;
  const when = `a read that meets ${strike.name}`;
  await system.inCache(async (cache) => {
    const first = await read(system, cache, object, { strike });
    const { missing, altered, size } = await compared(subject, cache);
    const absent = [...missing, ...altered.map(({ key }) => key)];
    if (first.outcome === "succeeded" && absent.length > 0)
      throw new Flaw(
        "acceptance-fault-hidden",
        `${when} is called a success, although ${someOf(absent, size)} were not read`,
      );
    await expectAll(subject, cache, {
      code: "acceptance-not-recovered",
      when: `the read behind one that meets ${strike.name}`,
    });
    const second = await read(system, cache, object, { strike });
    await expectNoneLost(subject, cache, { code: "acceptance-fault-deletes", when });
    if (second.outcome === "needs-approval")
      throw new Flaw(
        "acceptance-fault-hidden",
        `${when} takes what it could not read for deleted: ${second.message}`,
        second.error,
      );
  });
}

async function readRefused(subject: LiveSubject): Promise<void> {
  const { system, object, whole } = subject;
  const strike: Strike = { name: "tooManyRequests", at: Math.max(whole.calls - 1, 0), isLasting: false };
  await system.inCache(async (cache) => {
    const { outcome, message, error } = await read(system, cache, object, { strike });
    expectLeftAlone(system.calls);
    if (outcome !== "succeeded")
      throw new Flaw(
        "acceptance-rate-ignored",
        `a read that is answered 429 ends as ${outcome}: ${message}`,
        error,
      );
  });
}

/** What is read as changed is compared with a read of everything, and that with another one: only what stays is no change. */
async function readChanges(subject: LiveSubject): Promise<void> {
  const { system, object } = subject;
  await system.inCache(async (cache) => {
    system.forget();
    for (let turn = 0; turn < 2; turn++)
      await expectSuccess(system, await read(system, cache, object, { source: "learn" }));
    const before = await readAnew(subject);
    system.forget();
    await expectSuccess(system, await read(system, cache, object, { source: "learn" }));
    const after = await readAnew(subject);
    const stayed = differenceOf(after, before, object.record);
    const moved = new Set([...stayed.missing, ...stayed.altered.map(({ key }) => key)]);
    const steady = new Map([...before].filter(([key]) => !moved.has(key)));
    const { missing, altered } = differenceOf(await cache.cached(object), steady, object.record);
    const absent = [...missing, ...altered.map(({ key }) => key)];
    if (absent.length > 0)
      throw new Flaw(
        "acceptance-change-missed",
        `reads of what has changed leave ${someOf(absent, steady.size)} otherwise than a read of everything does`,
      );
  });
}

/** A record that was made unfit on its way is kept aside, and the others are read. */
async function readUnfitAnswer(subject: LiveSubject): Promise<void> {
  const { system, object, whole, note } = subject;
  const unfit = [...whole.cached].flatMap(([key, record]) => {
    const found = unfitMember(object.record, record, subject.fixed);
    return found === undefined ? [] : [{ key, record, ...found }];
  })[0];
  if (unfit === undefined) return;
  const { key, record, name, value } = unfit;
  let isChanged = false;
  const change = (text: string) => {
    const json = jsonIn(text);
    const changed = json && withMember(json.value, { record, keys: keyNames(object), name, value });
    if (changed?.isChanged !== true) return undefined;
    isChanged = true;
    return JSON.stringify(changed.value);
  };
  await system.inCache(async (cache) => {
    const result = await read(system, cache, object, { change, rejectedLimit: { maxShare: 1 } });
    if (!isChanged) {
      note(
        `Scenario unfit was not tried with ${object.name}: no answer has a record as it stands in the cache.`,
      );
      return;
    }
    const when = `a read that meets a record whose ${name} does not fit`;
    if (result.outcome !== "succeeded")
      throw new Flaw(
        "acceptance-rejected-lost",
        `${when} ends as ${result.outcome}: ${result.message}`,
        result.error,
      );
    if (result.rejected <= whole.result.rejected)
      throw new Flaw(
        "acceptance-rejected-lost",
        `${when} does not keep it aside, but leaves it out or changes it`,
      );
    const { missing, size } = await compared(subject, cache);
    const others = missing.filter((each) => each !== key);
    if (others.length > 0)
      throw new Flaw("acceptance-rejected-lost", `${when} leaves out ${someOf(others, size)}`);
  });
}

function keyNames({ record }: RegisteredObject): readonly string[] {
  return keysOf(record).flatMap(({ properties }) => properties);
}

interface ChangedMember {
  readonly record: FakeRecord;
  readonly keys: readonly string[];
  readonly name: string;
  readonly value: unknown;
}

/** The JSON value with another member in the object that stands for the record, wherever that is. */
function withMember(
  json: unknown,
  change: ChangedMember,
): { readonly value: unknown; readonly isChanged: boolean } {
  if (Array.isArray(json)) {
    const items = json.map((item) => withMember(item, change));
    return { value: items.map(({ value }) => value), isChanged: items.some(({ isChanged }) => isChanged) };
  }
  if (!isJsonObject(json)) return { value: json, isChanged: false };
  const { record, keys, name, value } = change;
  const isMeant = [...keys, name].every((each) => each in json && json[each] === record[each]);
  if (isMeant) return { value: { ...json, [name]: value }, isChanged: true };
  const members = Object.entries(json).map(([member, inner]) => [member, withMember(inner, change)] as const);
  return {
    value: Object.fromEntries(members.map(([member, changed]) => [member, changed.value])),
    isChanged: members.some(([, { isChanged }]) => isChanged),
  };
}

/** Whether links to another host are followed is the connector's own affair; what is sent there is not. */
async function readMisled({ system, object, whole }: LiveSubject): Promise<void> {
  await system.inCache(async (cache) => {
    await read(system, cache, object, { isMisleading: true });
    for (const at of new Set([0, Math.max(whole.calls - 1, 0)]))
      await read(system, cache, object, { strike: { name: "redirectElsewhere", at, isLasting: false } });
  });
}
