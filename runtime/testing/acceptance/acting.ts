/** What is tried with the handler of an action. Each function ends in a Flaw if the handler does what it must not do. */
import { isDeepStrictEqual } from "node:util";
import { isScalar, valueAt } from "../../declared/ways.js";
import type { RecordType } from "../../records/record-type.js";
import type { RegisteredObject } from "../../registration/registration.js";
import type { StartedAction } from "../../registration/started.js";
import { createRecordMaker, type FakeRecord, keysOf } from "../fake-records.js";
import type { FaultName } from "../fault-names.js";
import { type HeldObject, type HeldRecord, parentSources, plainName, propertiesOf } from "../held-objects.js";
import { heldParent } from "../list-answers.js";
import { isDeclaredHandler } from "../routes.js";
import { alteredWords, differenceOf, Flaw, someOf } from "./flaw.js";
import { fixedMembers } from "./reading.js";
import type { Performed, World } from "./world.js";

const HOUR_MS = 3_600_000;

/** An action, and what it is tried on. */
export interface ActionSubject {
  readonly action: StartedAction;
  /** The data object that it belongs to. */
  readonly object: RegisteredObject;
}

/** Inputs that the target system may take: for a record that is there, and for a new one. */
export function inputsFor(
  world: World,
  { action, object }: ActionSubject,
  seed: number,
): readonly FakeRecord[] {
  const held = world.heldOf(object.record);
  // Values differ by the number of a record: those of the records that are there are taken.
  const number = (held?.all().length ?? 0) + 1 + (seed % 50);
  const made = nthRecord(world, action.input, { seed, number });
  if (made === undefined) return [{}];
  const fresh = held === undefined ? {} : (nthRecord(world, held.type, { seed: seed + 1_000, number }) ?? {});
  const inScope = new Set(world.expected(object).values());
  const living = held?.all().filter(({ isDeleted }) => !isDeleted) ?? [];
  const read = living.filter(({ record }) => inScope.has(record));
  const known = read.length > 0 ? read : living;
  const existing = known[seed % Math.max(known.length, 1)];
  // What the list is asked by stays as it is: else the record would not be one of those that are read.
  const asked = held === undefined || existing === undefined ? {} : membersAskedBy(world, held, existing);
  const own = fitted(action, made, { ...withoutReferences(fresh, held), ...asked });
  const base = existing === undefined ? own : withoutUnheld(action, own, { object, existing });
  const linked = fitted(action, base, referencesIn(world, { action, object }, existing));
  const named = existing === undefined ? linked : fitted(action, linked, keyMembers(existing, object));
  return [named, linked];
}

function nthRecord(
  { generate }: World,
  type: RecordType,
  { seed, number }: { readonly seed: number; readonly number: number },
): FakeRecord | undefined {
  const maker = createRecordMaker(generate, type, { seed });
  let made = maker.next();
  for (let turn = 0; turn < number; turn++) made = maker.next() ?? made;
  return made;
}

/** The input with these members, as far as they fit. */
function fitted({ input }: StartedAction, made: FakeRecord, members: FakeRecord): FakeRecord {
  const known = [...propertiesOf(input)];
  let current = made;
  for (const [name, value] of Object.entries(members)) {
    const member = known.find((each) => plainName(each) === plainName(name));
    if (member === undefined) continue;
    // Some target systems take a number as a text, and answer it as a number.
    const forms = isScalar(value) ? [value, String(value), Number(value)] : [value];
    const candidates = forms.map((form) => ({ ...current, [member]: form }));
    current = candidates.find((candidate) => input.check(candidate)) ?? current;
  }
  return current;
}

/** The input without what no record can hold: a member that is a number where it is entered, and a text where it is read. */
function withoutUnheld(
  { input }: StartedAction,
  made: FakeRecord,
  {
    object: { record: type },
    existing,
  }: { readonly object: RegisteredObject; readonly existing: HeldRecord },
): FakeRecord {
  const members = [...propertiesOf(type)];
  let current = made;
  for (const [name, value] of Object.entries(made)) {
    const member = members.find((each) => plainName(each) === plainName(name));
    const forms = isScalar(value) ? [value, Number(value)] : [value];
    const isHeld =
      member === undefined || forms.some((form) => type.check({ ...existing.record, [member]: form }));
    const { [name]: _, ...without } = current;
    if (!isHeld && input.check(without)) current = without;
  }
  return current;
}

function withoutReferences(record: FakeRecord, held: HeldObject | undefined): FakeRecord {
  const keys = new Set(held === undefined ? [] : keysOf(held.type).flatMap(({ properties }) => properties));
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => keys.has(name) || !plainName(name).endsWith("id")),
  );
}

function membersAskedBy(world: World, { type }: HeldObject, { record }: HeldRecord): FakeRecord {
  const fixed = fixedMembers(world, type);
  const keys = new Set(keysOf(type).flatMap(({ properties }) => properties));
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => fixed.has(plainName(name)) && !keys.has(name)),
  );
}

/** Keys of records that are there, under the names by which an input refers to them. */
function referencesIn(world: World, { object }: ActionSubject, existing: HeldRecord | undefined): FakeRecord {
  const found: Record<string, unknown> = {};
  for (const held of world.held.values()) {
    if (held.type === object.record) continue;
    const ordinal = existing?.parents.get(held.type);
    const other =
      ordinal === undefined ? held.all().find(({ isDeleted }) => !isDeleted) : held.all()[ordinal];
    for (const property of primaryKey(held.type)) found[held.type.name + property] = other?.record[property];
  }
  // The path of an action names parents as the list does: by whatever members of theirs.
  for (const { name, source } of parentSources(world.heldOf(object.record)?.declaration)) {
    const parent = heldParent(world, source.reader);
    const ordinal = parent && existing?.parents.get(parent.type);
    const record =
      ordinal === undefined ? parent?.all().find(({ isDeleted }) => !isDeleted) : parent?.all()[ordinal];
    found[name] = valueAt(record?.record, source.way);
  }
  return found;
}

/** The key of a record, by its own names and by those with the name of its object. */
function keyMembers({ record }: HeldRecord, { record: type }: RegisteredObject): FakeRecord {
  return Object.fromEntries(
    primaryKey(type).flatMap((property) => [
      [property, record[property]],
      [type.name + property, record[property]],
    ]),
  );
}

function primaryKey(type: HeldObject["type"]): readonly string[] {
  return keysOf(type).find(({ isPrimary }) => isPrimary)?.properties ?? [];
}

/** What an action has changed of its object in the target system. */
interface Effect {
  readonly inserted: readonly HeldRecord[];
  readonly changed: readonly HeldRecord[];
  readonly deleted: readonly HeldRecord[];
}

function effectSince(held: HeldObject | undefined, before: readonly HeldRecord[]): Effect {
  const now = held?.all() ?? [];
  const isNew = ({ version }: HeldRecord, index: number) => before[index]?.version !== version;
  const changed = now.filter((each, index) => index < before.length && isNew(each, index));
  return {
    inserted: now.slice(before.length).filter(({ isDeleted }) => !isDeleted),
    changed: changed.filter(({ isDeleted }) => !isDeleted),
    deleted: changed.filter(({ isDeleted }) => isDeleted),
  };
}

interface Tried {
  readonly input: FakeRecord;
  readonly performed: Performed;
  readonly effect: Effect;
}

/** Performs the action with the first input that is taken. */
async function tryInputs(world: World, subject: ActionSubject, seed: number): Promise<Tried> {
  const held = world.heldOf(subject.object.record);
  let last: Tried | undefined;
  for (const input of inputsFor(world, subject, seed)) {
    const before = [...(held?.all() ?? [])];
    const performed = await world.act(subject.action, input);
    last = { input, performed, effect: effectSince(held, before) };
    if (performed.outcome === "succeeded") return last;
  }
  return last as Tried;
}

const takenInputs = new WeakMap<World, number>();

/** Which of the inputs is taken, tried once in a world. */
async function takenInput(world: World, subject: ActionSubject, seed: number): Promise<number> {
  const known = takenInputs.get(world);
  if (known !== undefined) return known;
  const { input } = await tryInputs(world, subject, seed);
  const [first] = inputsFor(world, subject, seed);
  const index = isDeepStrictEqual(first, input) ? 0 : 1;
  takenInputs.set(world, index);
  return index;
}

/** An action succeeds; what it changes is in the target system, in the cache at once, and the same in the next read. */
export async function performAndRead(world: World, subject: ActionSubject, seed: number): Promise<void> {
  const { object } = subject;
  await world.read(object);
  const { input, performed, effect } = await tryInputs(world, subject, seed);
  if (performed.outcome !== "succeeded") {
    const why = performed.message ?? JSON.stringify(performed.result);
    throw new Flaw(
      "acceptance-action-fails",
      `it ends as ${performed.outcome} with an input that fits: ${why}`,
      performed.error,
    );
  }
  const [left] = world.calls.left;
  if (left !== undefined)
    throw new Flaw("acceptance-call-left", `it is over while its call ${left.method} is still under way`);
  expectEntered(subject, input, effect);
  const isLeft = isLeftToSync(subject);
  if (!isLeft) await expectCached(world, object, effect);
  world.pass(HOUR_MS);
  const { outcome, message, error, inserted, updated, deleted } = await world.read(object);
  if (outcome !== "succeeded")
    throw new Flaw("acceptance-read-fails", `the read after it ends as ${outcome}: ${message}`, error);
  // What the list is not asked for was kept by the action, and goes with the next read.
  const scope = new Set(world.expected(object).values());
  const others = [...effect.inserted, ...effect.changed].filter(({ record }) => !scope.has(record)).length;
  const brought = isLeft ? effect.inserted.length + effect.changed.length : 0;
  const gone = isLeft ? effect.deleted.length : 0;
  if (inserted + updated > brought || deleted > others + gone)
    throw new Flaw(
      "acceptance-action-not-cached",
      `the read after it still finds ${inserted} inserted, ${updated} updated, ${deleted} deleted`,
    );
  await expectCleared(world, subject, { input, effect });
}

/** Null in an input that changes a record takes the value away, where the input and the record may have it. */
async function expectCleared(
  world: World,
  { action, object }: ActionSubject,
  { input, effect: { changed } }: Pick<Tried, "input" | "effect">,
): Promise<void> {
  const [record] = changed;
  const held = world.heldOf(object.record);
  if (record === undefined || held === undefined) return;
  const known = [...propertiesOf(object.record)];
  const cleared: Record<string, string> = {};
  let emptied = input;
  for (const name of Object.keys(input)) {
    const member = known.find((each) => plainName(each) === plainName(name));
    const candidate = { ...emptied, [name]: null };
    if (member === undefined || !action.input.check(candidate)) continue;
    if (!object.record.check({ ...record.record, [member]: null })) continue;
    emptied = candidate;
    cleared[name] = member;
  }
  if (Object.keys(cleared).length === 0) return;
  const { outcome } = await world.act(action, emptied);
  const now = held.all()[record.ordinal]?.record;
  if (outcome !== "succeeded" || now === undefined) return;
  for (const [name, member] of Object.entries(cleared))
    if (now[member] !== null && now[member] !== undefined)
      throw new Flaw(
        "acceptance-action-without-effect",
        `${name} of its input of ${action.name} is null, and the target system still has a value in ${member}`,
      );
}

/**
 * Whether an action says itself that the cache is left to the next sync, and has nothing to tell it: no record, and of what
 * it deletes not the whole key.
 */
function isLeftToSync({ action, object }: ActionSubject): boolean {
  if (!isDeclaredHandler(action.handler)) return false;
  const { call, change, record, reread, key = {} } = action.handler.declaration;
  if (change !== "none" || record !== undefined || reread !== undefined) return false;
  const known = new Set([...propertiesOf(action.input), ...Object.keys(key)]);
  return !call.startsWith("DELETE ") || primaryKey(object.record).some((name) => !known.has(name));
}

/** What was entered is what the target system has now, where both have the same name. */
function expectEntered(
  { action, object }: ActionSubject,
  input: FakeRecord,
  { inserted, changed }: Effect,
): void {
  const [record] = [...inserted, ...changed];
  if (record === undefined) return;
  const known = [...propertiesOf(object.record)];
  for (const [name, value] of Object.entries(input)) {
    const member = known.find((each) => plainName(each) === plainName(name));
    if (member === undefined || typeof value === "object" || String(record.record[member]) === String(value))
      continue;
    throw new Flaw(
      "acceptance-action-without-effect",
      `${name} of its input of ${action.name} is not what the target system has in ${member}`,
    );
  }
}

async function expectCached(world: World, object: RegisteredObject, effect: Effect): Promise<void> {
  if (!world.isListed(object)) return;
  const cached = await world.cached(object);
  const expected = world.expected(object);
  const { missing, foreign, altered } = differenceOf(cached, expected, object.record);
  const { size } = expected;
  if (missing.length > 0)
    throw new Flaw(
      "acceptance-action-not-cached",
      `it succeeds, but ${someOf(missing, size)} of the target system are not in the cache`,
    );
  if (altered.length > 0)
    throw new Flaw(
      "acceptance-action-not-cached",
      `it succeeds, but the cache differs from the target system: ${alteredWords(altered, size)}`,
    );
  if (foreign.length > 0 && effect.deleted.length > 0)
    throw new Flaw(
      "acceptance-action-not-cached",
      `it succeeds, but the cache still has ${someOf(foreign, size)}`,
    );
}

/** The answer gets lost after the target system has acted, and the action is tried again: there is one record, not two. */
export async function performTwice(world: World, subject: ActionSubject, seed: number): Promise<void> {
  const { object } = subject;
  await world.read(object);
  const { performed: first, effect, input } = await tryInputs(world, subject, seed);
  if (first.outcome !== "succeeded" || effect.inserted.length !== 1) return;
  const held = world.heldOf(object.record);
  const before = [...(held?.all() ?? [])];
  const other = await world.act(subject.action, nextInput(world, subject, { input, seed: seed + 1 }));
  if (other.outcome === "succeeded" && effectSince(held, before).inserted.length === 0)
    throw new Flaw(
      "acceptance-action-without-effect",
      "a second action with another input succeeds, and makes no record of its own",
    );
  const calls = world.calls.last.filter(({ purpose }) => purpose === "call").length;
  for (let after = 0; after < Math.max(calls, 1); after++)
    await loseAnswer(world, subject, { input, after, seed });
}

async function loseAnswer(
  world: World,
  subject: ActionSubject,
  { input, after, seed }: { readonly input: FakeRecord; readonly after: number; readonly seed: number },
): Promise<void> {
  const held = world.heldOf(subject.object.record);
  const before = [...(held?.all() ?? [])];
  world.strike({ name: "resetBeforeAnswer", at: [world.fake.nextNumber() + after] });
  const performed = await world.act(
    subject.action,
    nextInput(world, subject, { input, seed: seed + 2 + after }),
  );
  world.fake.calm();
  const { inserted } = effectSince(held, before);
  const when = "the answer gets lost after the target system has acted; when it is tried again, it";
  if (inserted.length > 1) throw new Flaw("acceptance-action-twice", `${when} makes a second record`);
  if (inserted.length === 1 && performed.outcome === "failed")
    throw new Flaw(
      "acceptance-action-twice",
      `${when} says that it was refused, although the record is there`,
    );
}

/** Another input of the same kind. */
function nextInput(
  world: World,
  subject: ActionSubject,
  { input, seed }: { readonly input: FakeRecord; readonly seed: number },
): FakeRecord {
  const [, linked = input] = inputsFor(world, subject, seed);
  return linked;
}

/** Faults that no other attempt changes. */
const FOR_GOOD: ReadonlySet<FaultName> = new Set(["forbidden"]);

/** A call that fails is not called a success, and puts nothing into the cache that the target system does not have. */
export async function performWithFault(
  world: World,
  subject: ActionSubject,
  { name, seed, hasActed }: { readonly name: FaultName; readonly seed: number; readonly hasActed: boolean },
): Promise<void> {
  const { action, object } = subject;
  await world.read(object);
  const held = world.heldOf(object.record);
  const taken = await takenInput(world, subject, seed);
  const before = [...(held?.all() ?? [])];
  const differing = async () => {
    const { missing, foreign, altered } = differenceOf(
      await world.cached(object),
      world.expected(object),
      object.record,
    );
    return missing.length + foreign.length + altered.length;
  };
  const differed = await differing();
  for (const input of inputsFor(world, subject, seed + 20).slice(taken, taken + 1)) {
    world.strike({ name, from: world.fake.nextNumber() });
    const performed = await world.act(action, input);
    world.fake.calm();
    const when = `where every call of it meets ${name}, it`;
    if (performed.outcome === "succeeded" && !hasActed)
      throw new Flaw("acceptance-failure-hidden", `${when} is called a success`);
    if (performed.outcome === "retry" && FOR_GOOD.has(name))
      throw new Flaw(
        "acceptance-refusal-repeated",
        `${when} is tried again, although the target system has refused it for good`,
        performed.error,
      );
    const { inserted, changed, deleted } = effectSince(held, before);
    const touched = new Set([...inserted, ...changed, ...deleted].map(({ ordinal }) => ordinal));
    if ((await differing()) > differed + touched.size)
      throw new Flaw(
        "acceptance-failure-hidden",
        `${when} changes records of the cache that the target system has as they were`,
      );
  }
  const back = await world.read(object);
  if (back.outcome !== "succeeded")
    throw new Flaw(
      "acceptance-read-fails",
      `a read after it ends as ${back.outcome}: ${back.message}`,
      back.error,
    );
}

/** A target system that is too busy for a moment is asked again. */
export async function performWhenBusy(world: World, subject: ActionSubject, seed: number): Promise<void> {
  const { object, action } = subject;
  await world.read(object);
  const { performed: first } = await tryInputs(world, subject, seed);
  if (first.outcome !== "succeeded") return;
  const held = world.heldOf(object.record);
  for (const input of inputsFor(world, subject, seed + 7)) {
    const before = [...(held?.all() ?? [])];
    world.strike({ name: "unavailable", at: [world.fake.nextNumber()] });
    const performed = await world.act(action, input);
    world.fake.calm();
    const { inserted, changed, deleted } = effectSince(held, before);
    if (performed.outcome === "succeeded" || inserted.length + changed.length + deleted.length > 0) return;
    // An input that is not for this target system is refused in the same way without a fault.
    const again = await world.act(action, input);
    if (again.outcome !== "succeeded") continue;
    throw new Flaw(
      "acceptance-action-given-up",
      `the target system answers 503 once, and it ends as ${performed.outcome}: ${performed.message ?? JSON.stringify(performed.result)}`,
      performed.error,
    );
  }
}

/** A key that another record has is refused, and that is said. */
export async function performTaken(world: World, subject: ActionSubject, seed: number): Promise<void> {
  const { object, action } = subject;
  await world.read(object);
  const { performed: first, input, effect } = await tryInputs(world, subject, seed);
  const [existing] = effect.inserted;
  if (first.outcome !== "succeeded" || existing === undefined) return;
  const held = world.heldOf(object.record);
  const before = [...(held?.all() ?? [])];
  const alternate = keysOf(object.record).filter(({ isPrimary }) => !isPrimary);
  const members = alternate.flatMap(({ properties }) =>
    properties.map((name) => [name, existing.record[name]] as const),
  );
  const taken = fitted(
    action,
    nextInput(world, subject, { input, seed: seed + 11 }),
    Object.fromEntries(members),
  );
  const isTaken = alternate.some(({ properties }) =>
    properties.every((name) => propertiesOf(action.input).has(name) && taken[name] === existing.record[name]),
  );
  if (!isTaken) return;
  const performed = await world.act(action, taken);
  const { inserted, changed } = effectSince(held, before);
  if (performed.outcome === "succeeded" && inserted.length + changed.length === 0)
    throw new Flaw(
      "acceptance-failure-hidden",
      "the target system refuses a key that another record has, and it is called a success",
    );
}
