/** What is tried with the reader of a data object. Each function ends in a Flaw if the reader does what it must not do. */
import type { SyncResult } from "../../cache-writer/sync-options.js";
import type { RecordType } from "../../records/record-type.js";
import type { RegisteredObject } from "../../registration/registration.js";
import { createRecordMaker, type FakeRecord, keysOf } from "../fake-records.js";
import type { FaultName, FaultPlan } from "../fault-names.js";
import { type HeldObject, type HeldRecord, plainName } from "../held-objects.js";
import type { FlawCode } from "./acceptance-options.js";
import { alteredWords, type Cached, differenceOf, Flaw, someOf } from "./flaw.js";
import type { ReadOptions, World } from "./world.js";

const HOUR_MS = 3_600_000;

/** Reads, and expects success and exactly what the target system has. */
export async function readWhole(
  world: World,
  object: RegisteredObject,
  { code, options }: { readonly code?: FlawCode; readonly options?: ReadOptions } = {},
): Promise<SyncResult> {
  const result = await world.read(object, options);
  if (world.calls.isEndless) throw new Flaw("acceptance-endless", "a read goes on and on", result.error);
  if (result.outcome !== "succeeded")
    throw new Flaw(
      code ?? "acceptance-read-fails",
      `a read ends as ${result.outcome}: ${result.message}`,
      result.error,
    );
  await expectWhole(world, object, code);
  expectQuiet(world);
  return result;
}

/** Expects that the cache has exactly what the target system has. */
async function expectWhole(world: World, object: RegisteredObject, code?: FlawCode): Promise<void> {
  if (!world.isListed(object)) return;
  const expected = world.expected(object);
  const { missing, foreign, altered } = differenceOf(await world.cached(object), expected, object.record);
  if (missing.length > 0)
    throw new Flaw(
      code ?? "acceptance-records-missing",
      `a read succeeds, but ${someOf(missing, expected.size)} of the target system are not in the cache${filterWords(world, object)}`,
    );
  if (altered.length > 0)
    throw new Flaw(
      code ?? "acceptance-records-altered",
      `${alteredWords(altered, expected.size)} between the target system and the cache`,
    );
  const gone = tellsDeletes(world, object) ? foreign : [];
  if (gone.length > 0)
    throw new Flaw(
      code ?? "acceptance-records-foreign",
      `the cache has ${someOf(gone, expected.size)} that the target system does not have`,
    );
}

/** What else may be why records are missing. */
function filterWords(world: World, object: RegisteredObject): string {
  const stray = world.strayFiltersOf(object);
  return stray.length === 0 ? "" : `: it asks for ${stray.join(" and ")}, of which no setting speaks`;
}

/** More than that are taken for an attack by some target systems. A declared reader has four calls under way. */
const MOST_AT_ONCE = 16;

/** Expects of a run that has ended well that nothing of it goes on, and that it has only read. */
export function expectQuiet({ calls }: Pick<World, "calls">): void {
  if (calls.atOnce > MOST_AT_ONCE)
    throw new Flaw("acceptance-too-many-at-once", `a read has ${calls.atOnce} calls under way at once`);
  const [left] = calls.left;
  if (left !== undefined)
    throw new Flaw(
      "acceptance-call-left",
      `a read has ended while its call ${left.method} ${new URL(left.url).pathname} was still under way`,
    );
  const written = calls.last.find(
    ({ purpose, method }) =>
      purpose === "call" && (method === "PUT" || method === "PATCH" || method === "DELETE"),
  );
  if (written !== undefined)
    throw new Flaw(
      "acceptance-reader-writes",
      `a read has sent ${written.method} ${new URL(written.url).pathname}`,
    );
}

/** Whether a reader can know what was deleted. */
function tellsDeletes({ sources }: World, { record, readerType }: RegisteredObject): boolean {
  const own = sources.filter(({ type }) => type === record);
  return (
    readerType === "full" || own.some((source) => source.isOfDeleted || source.deletedWhen !== undefined)
  );
}

/** The second read finds what the first one has written. */
export async function readAgain(world: World, object: RegisteredObject): Promise<void> {
  await readWhole(world, object);
  world.pass(HOUR_MS);
  const { inserted, updated, deleted } = await readWhole(world, object);
  if (inserted + updated + deleted === 0) return;
  throw new Flaw(
    "acceptance-read-not-repeatable",
    `a second read of the same records says ${inserted} inserted, ${updated} updated, ${deleted} deleted`,
  );
}

/** Gives every record of the target system that is asked for other values. */
export function touchAll(world: World, { record: type }: RegisteredObject, seed: number): void {
  const held = world.heldOf(type);
  if (held === undefined) return;
  const others = createRecordMaker(world.generate, type, { seed });
  const fixed = fixedMembers(world, type);
  for (const each of held.all()) {
    if (each.isDeleted) continue;
    held.change(each.ordinal, changeOf({ type, each, other: others.next() ?? {}, fixed }));
  }
}

/** Members that no scenario changes: keys, references, and what a list is asked or read by; without case and marks. */
export function fixedMembers({ sources }: Pick<World, "sources">, type: RecordType): ReadonlySet<string> {
  const own = sources.filter((source) => source.type === type);
  const asked = own.flatMap(({ deletedWhen, declaration: { query, headers, body, since, pages } }) => [
    ...[query, headers, body].flatMap((place) =>
      typeof place === "object" && place !== null ? Object.keys(place) : [],
    ),
    ...(since !== undefined && "property" in since && since.property !== undefined ? [since.property] : []),
    ...(deletedWhen === undefined ? [] : [deletedWhen.property]),
    ...(pages.kind === "cursor" && typeof pages.next === "object" && "lastItem" in pages.next
      ? [pages.next.lastItem]
      : []),
  ]);
  const keys = keysOf(type).flatMap(({ properties }) => properties);
  return new Set([...keys, ...asked].map((name) => plainName(name.split(".")[0] ?? name)));
}

interface ChangeFacts {
  readonly type: RecordType;
  readonly each: HeldRecord;
  readonly other: FakeRecord;
  readonly fixed: ReadonlySet<string>;
}

function changeOf({ type, each: { record }, other, fixed }: ChangeFacts): FakeRecord {
  let changed: FakeRecord = record;
  const members: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(other)) {
    const plain = plainName(name);
    if (fixed.has(plain) || plain.endsWith("id") || !(name in record)) continue;
    const candidate = { ...changed, [name]: value };
    if (!type.check(candidate)) continue;
    changed = candidate;
    members[name] = value;
  }
  return members;
}

/** A run that is stopped loses nothing, and the next one ends as if there had been no stop. */
export async function stopAnywhere(
  world: World,
  object: RegisteredObject,
  { positions, seed }: { readonly positions: number; readonly seed: number },
): Promise<void> {
  // Who does not end here would not end when it is stopped either, and would then keep the process busy for ever.
  await world.read(object, { deadAfter: 0 });
  for (let stopAfter = 0; stopAfter < positions; stopAfter++) {
    world.pass(HOUR_MS);
    touchAll(world, object, seed + stopAfter + 1);
    const before = await world.cached(object);
    await world.read(object, { stopAfter });
    expectStopped(world);
    await expectNothingLost(world, object, {
      before,
      code: "acceptance-stop-loses",
      when: `a read that is stopped behind ${callsWord(stopAfter)}`,
    });
    world.reconnect();
    await readWhole(world, object, { code: "acceptance-stop-loses" });
  }
}

/** A call that does not hear of the stop keeps the run until it is answered, and be it for minutes. */
function expectStopped({ calls: { unstopped } }: World): void {
  if (unstopped === undefined) return;
  throw new Flaw(
    "acceptance-call-left",
    `a read that is stopped waits for its call ${unstopped.method} ${new URL(unstopped.url).pathname}, which was not given the signal`,
  );
}

/** A run that is stopped in the middle of a page goes on without leaving anything out. */
export async function stopInPage(world: World, object: RegisteredObject, seed: number): Promise<void> {
  for (const stopAfterRecords of [1, 7]) {
    world.pass(HOUR_MS);
    touchAll(world, object, seed + stopAfterRecords);
    const before = await world.cached(object);
    await world.read(object, { stopAfterRecords, pageSize: 1 });
    const when = `a read that is stopped behind ${stopAfterRecords === 1 ? "1 record" : `${stopAfterRecords} records`}`;
    await expectNothingLost(world, object, { before, code: "acceptance-stop-loses", when });
    world.reconnect();
    await readWhole(world, object, { code: "acceptance-stop-loses" });
  }
}

function callsWord(count: number): string {
  return count === 1 ? "1 call" : `${count} calls`;
}

async function expectNothingLost(
  world: World,
  object: RegisteredObject,
  { before, code, when }: { readonly before: Cached; readonly code: FlawCode; readonly when: string },
): Promise<void> {
  if (!world.isListed(object)) return;
  const expected = world.expected(object);
  const cached = await world.cached(object);
  const lost = [...expected.keys()].filter((key) => before.has(key) && !cached.has(key));
  if (lost.length > 0)
    throw new Flaw(code, `${when} deletes ${someOf(lost, expected.size)} that the target system still has`);
  const past = differenceOf(
    cached,
    new Map([...before].filter(([key]) => cached.has(key))),
    object.record,
  ).altered;
  const wrong = new Set(differenceOf(cached, expected, object.record).altered.map(({ key }) => key));
  const madeUp = past.filter(({ key }) => wrong.has(key));
  if (madeUp.length > 0)
    throw new Flaw(
      "acceptance-records-altered",
      `${when} leaves values in the cache that the target system never had: ${alteredWords(madeUp, expected.size)}`,
    );
}

/** What a fault strikes. */
export interface FaultCase {
  readonly name: FaultName;
  /** @param first The number of the run's first request. */
  readonly at: (first: number) => Omit<FaultPlan, "name">;
}

/** A fault deletes nothing, is not called a success unless nothing is missing, and is over when it is over. */
export async function readWithFault(
  world: World,
  object: RegisteredObject,
  { name, at, seed }: FaultCase & { readonly seed: number },
): Promise<void> {
  world.pass(HOUR_MS);
  touchAll(world, object, seed);
  const before = await world.cached(object);
  world.strike({ name, ...at(world.fake.nextNumber()) });
  const result = await world.read(object);
  world.fake.calm();
  const when = `a read that meets ${name}`;
  if (world.calls.isEndless) throw new Flaw("acceptance-endless", `${when} goes on and on`, result.error);
  await expectNothingLost(world, object, { before, code: "acceptance-fault-deletes", when });
  if (result.outcome === "needs-approval")
    throw new Flaw(
      "acceptance-fault-hidden",
      `${when} takes what it could not read for deleted: ${result.message}`,
      result.error,
    );
  if (result.outcome === "succeeded") await expectHonest(world, object, when);
  world.pass(HOUR_MS);
  await readWhole(world, object, { code: "acceptance-not-recovered" });
}

async function expectHonest(world: World, object: RegisteredObject, when: string): Promise<void> {
  if (!world.isListed(object)) return;
  const expected = world.expected(object);
  const { missing, altered } = differenceOf(await world.cached(object), expected, object.record);
  const absent = [...missing, ...altered.map(({ key }) => key)];
  if (absent.length > 0)
    throw new Flaw(
      "acceptance-fault-hidden",
      `${when} is called a success, although ${someOf(absent, expected.size)} were not read`,
    );
}

/** A record is deleted on a page that was read: all others stay. */
export async function readWithShift(
  world: World,
  object: RegisteredObject,
  { after, seed }: { readonly after: number; readonly seed: number },
): Promise<void> {
  world.pass(HOUR_MS);
  touchAll(world, object, seed);
  const before = await world.cached(object);
  world.strike({ name: "pageShift", at: [world.fake.nextNumber() + after] });
  const result = await world.read(object);
  world.fake.calm();
  const when = "a read in which records move up, because one is deleted,";
  await expectNothingLost(world, object, { before, code: "acceptance-shift-loses", when });
  // With its last record a list looks as if it could not be read: the guard asks.
  if (world.expected(object).size === 0) return;
  if (result.outcome === "succeeded") {
    const expected = world.expected(object);
    const { missing } = differenceOf(await world.cached(object), expected, object.record);
    if (missing.length > 0)
      throw new Flaw("acceptance-shift-loses", `${when} succeeds without ${someOf(missing, expected.size)}`);
  }
  world.pass(HOUR_MS);
  await readWhole(world, object, { code: "acceptance-shift-loses" });
}

/** Where a target system refuses more calls for a while, it is left alone so long, and the read ends well. */
export async function readUnderRate(world: World, object: RegisteredObject): Promise<void> {
  // Also a list of one call comes to the limit then.
  let result = await world.read(object);
  for (let more = 0; more < 2 && result.outcome === "succeeded"; more++) result = await world.read(object);
  expectLeftAlone(world.calls);
  if (result.outcome === "succeeded") return;
  throw new Flaw(
    "acceptance-rate-ignored",
    `a read that is answered 429 ends as ${result.outcome}: ${result.message}`,
    result.error,
  );
}

/** Expects that nothing was asked for as long as an answer 429 says. */
export function expectLeftAlone(calls: World["calls"]): void {
  const refused = calls.all.filter(({ status }) => status === 429);
  for (const { answeredMs = 0, retryAfter } of refused) {
    const until = answeredMs + Number(retryAfter ?? 0) * 1_000;
    const early = calls.all.find(
      ({ sentMs, purpose }) => purpose === "call" && sentMs > answeredMs && sentMs < until - 50,
    );
    if (early !== undefined)
      throw new Flaw(
        "acceptance-rate-ignored",
        `429 with Retry-After ${retryAfter} is answered by another call ${Math.round(early.sentMs - answeredMs)} ms later`,
      );
  }
}

/** Every change of the target system comes into the cache, and only changes are asked for. */
export async function followChanges(
  world: World,
  object: RegisteredObject,
  { steps, seed }: { readonly steps: number; readonly seed: number },
): Promise<void> {
  const held = world.heldOf(object.record);
  if (held === undefined) return;
  for (let step = 0; step < steps; step++) {
    const existing = held.all().filter(({ isDeleted }) => !isDeleted);
    const chosen = existing[(seed * 7 + step * 5) % Math.max(existing.length, 1)];
    const kind = step === 0 ? 0 : (seed + step) % 3;
    if (kind === 0 || chosen === undefined) insertBelow(world, held, chosen, step === 0);
    else if (kind === 1 && tellsDeletes(world, object)) held.remove(chosen.ordinal);
    else {
      const other = createRecordMaker(world.generate, object.record, { seed: seed + step }).next() ?? {};
      held.change(
        chosen.ordinal,
        changeOf({ type: object.record, each: chosen, other, fixed: fixedMembers(world, object.record) }),
      );
    }
    await readWhole(world, object, { code: "acceptance-change-missed" });
  }
}

/** Adds a record, below parents that are there, or below a new one. */
function insertBelow(
  { held: all }: World,
  held: HeldObject,
  chosen: HeldRecord | undefined,
  isNewParent: boolean,
): void {
  const parents = new Map(chosen?.parents);
  // Those further above come first.
  const nearest = [...parents.keys()].at(-1);
  const parent = nearest === undefined ? undefined : all.get(nearest);
  const before = nearest === undefined ? undefined : parent?.all()[parents.get(nearest) ?? 0];
  if (isNewParent && nearest !== undefined && parent !== undefined && before !== undefined)
    parents.set(nearest, parent.insert({}, before.parents).ordinal);
  held.insert({}, parents);
}

/** A second tenant with other credentials and other records: nothing of the one comes to the other. */
export async function readBeside(world: World, object: RegisteredObject, other: World): Promise<void> {
  const code = "acceptance-state-shared";
  await readWhole(world, object);
  await readWhole(other, object, { code });
  for (const each of [world, other]) {
    each.pass(HOUR_MS);
    touchAll(each, object, 77);
  }
  const results = await Promise.all([world.read(object), other.read(object)]);
  const failed = results.find(({ outcome }) => outcome !== "succeeded");
  if (failed !== undefined)
    throw new Flaw(
      code,
      `beside the read of another tenant it ends as ${failed.outcome}: ${failed.message}`,
      failed.error,
    );
  for (const each of [world, other]) await expectWhole(each, object, code);
}

/** Nobody reads what has changed longer ago a second time, to miss nothing. */
const MOST_OVERLAP_MS = 15 * 24 * HOUR_MS;

/** A record that the reader is to yield with the settings of this world; undefined if there is none. */
function listedOf(world: World, object: RegisteredObject): HeldRecord | undefined {
  const listed = new Set(world.expected(object).values());
  return world
    .heldOf(object.record)
    ?.all()
    .find(({ record }) => listed.has(record));
}

/** What has not changed for a month is not asked for again. */
export async function readOnlyChanges(world: World, object: RegisteredObject): Promise<void> {
  if (object.readerType === "full" || object.reader.full !== undefined) return;
  const held = world.heldOf(object.record);
  const chosen = listedOf(world, object);
  if (held === undefined || chosen === undefined) return;
  world.pass(30 * 24 * HOUR_MS);
  held.change(chosen.ordinal, {});
  await readWhole(world, object, { code: "acceptance-change-missed" });
  world.pass(HOUR_MS);
  const { read } = await readWhole(world, object, { code: "acceptance-change-missed" });
  const lately = world.clock.now() - MOST_OVERLAP_MS;
  const recent = held.all().filter(({ changedMs }) => changedMs > lately).length;
  if (read > recent)
    throw new Flaw(
      "acceptance-since-ignored",
      `a read goes through ${read} records, although only ${recent} of ${held.all().length} have changed in the last fifteen days`,
    );
}

/** What is deleted goes from the cache: by what the target system says of it, or with the next full read. */
export async function followDeletes(world: World, object: RegisteredObject): Promise<void> {
  // A full reader meets deletes in other scenarios, and when a full read is due is for the cache writer to say.
  if (object.readerType === "full" || object.reader.full !== undefined) return;
  const { record: type } = object;
  const chosen = listedOf(world, object);
  if (chosen === undefined) return;
  const before = await world.cached(object);
  world.heldOf(type)?.remove(chosen.ordinal);
  const still = world.expected(object);
  world.pass(HOUR_MS);
  await readWhole(world, object, { code: "acceptance-change-missed" });
  const left = [...(await world.cached(object)).keys()].filter((key) => before.has(key) && !still.has(key));
  if (left.length > 0)
    throw new Flaw(
      "acceptance-deletes-missed",
      `a record that was deleted stays in the cache for good (${left.join(", ")}): nothing tells of it, and no read is a full one`,
    );
}

/** A record that does not fit its schema is kept aside; all others are read, and it comes back when it is mended. */
export async function readUnfit(world: World, object: RegisteredObject): Promise<void> {
  const { record: type } = object;
  const held = world.heldOf(type);
  const unfit = held === undefined ? undefined : unfitChange(world, type, world.expected(object), held.all());
  if (held === undefined || unfit === undefined) return;
  const { each, name, value } = unfit;
  world.pass(HOUR_MS);
  held.change(each.ordinal, { [name]: value });
  const before = await world.cached(object);
  const result = await world.read(object, { rejectedLimit: { maxShare: 1 } });
  const when = `a read that meets a record whose ${name} does not fit`;
  await expectNothingLost(world, object, { before, code: "acceptance-rejected-lost", when });
  if (result.outcome !== "succeeded")
    throw new Flaw(
      "acceptance-rejected-lost",
      `${when} ends as ${result.outcome}: ${result.message}`,
      result.error,
    );
  if (result.rejected === 0)
    throw new Flaw(
      "acceptance-rejected-lost",
      `${when} does not keep it aside, but leaves it out or changes it`,
    );
  world.pass(HOUR_MS);
  held.change(each.ordinal, each.record);
  await readWhole(world, object, { code: "acceptance-rejected-lost" });
}

const UNFIT_VALUES = [null, { is: "wrong" }, "wrong", -1.5];

function unfitChange(world: World, type: RecordType, asked: Cached, all: readonly HeldRecord[]) {
  const fixed = fixedMembers(world, type);
  const scope = new Set(asked.values());
  const candidates = all.filter(({ isDeleted, record }) => !isDeleted && scope.has(record));
  const each = candidates[1] ?? candidates[0];
  if (each === undefined) return undefined;
  const found = unfitMember(type, each.record, fixed);
  return found && { each, ...found };
}

/** A member that belongs to no key, with a value of it that does not fit; undefined if there is none. */
export function unfitMember(
  type: RecordType,
  record: FakeRecord,
  fixed: ReadonlySet<string>,
): { readonly name: string; readonly value: unknown } | undefined {
  for (const name of Object.keys(record)) {
    const plain = plainName(name);
    if (fixed.has(plain) || plain.endsWith("id")) continue;
    const value = UNFIT_VALUES.find((wrong) => !type.check({ ...record, [name]: wrong }));
    if (value !== undefined) return { name, value };
  }
  return undefined;
}
