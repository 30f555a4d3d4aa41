/** What is tried with the handler of an action. Each function ends in a Flaw if the handler does what it must not do. */
import type { RecordType } from "../../records/record-type.js";
import type { RegisteredObject } from "../../registration/registration.js";
import type { StartedAction } from "../../registration/started.js";
import { createRecordMaker, type FakeRecord, keysOf } from "../fake-records.js";
import type { FaultName } from "../fault-names.js";
import { type HeldObject, type HeldRecord, plainName, propertiesOf } from "../held-objects.js";
import { alteredWords, differenceOf, Flaw, someOf } from "./flaw.js";
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
  const living = held?.all().filter(({ isDeleted }) => !isDeleted) ?? [];
  const existing = living[seed % Math.max(living.length, 1)];
  const base = fitted(action, made, withoutReferences(fresh, held));
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
    const candidate = { ...current, [member]: value };
    if (input.check(candidate)) current = candidate;
  }
  return current;
}

function withoutReferences(record: FakeRecord, held: HeldObject | undefined): FakeRecord {
  const keys = new Set(held === undefined ? [] : keysOf(held.type).flatMap(({ properties }) => properties));
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => keys.has(name) || !plainName(name).endsWith("id")),
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

/** An action succeeds; what it changes is in the target system, in the cache at once, and the same in the next read. */
export async function performAndRead(world: World, subject: ActionSubject, seed: number): Promise<void> {
  const { action, object } = subject;
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
  expectEntered(action, input, effect);
  await expectCached(world, object, effect);
  world.pass(HOUR_MS);
  const { outcome, message, error, inserted, updated, deleted } = await world.read(object);
  if (outcome !== "succeeded")
    throw new Flaw("acceptance-read-fails", `the read after it ends as ${outcome}: ${message}`, error);
  if (inserted + updated + deleted > 0)
    throw new Flaw(
      "acceptance-action-not-cached",
      `the read after it still finds ${inserted} inserted, ${updated} updated, ${deleted} deleted`,
    );
}

/** What was entered is what the target system has now, where both have the same name. */
function expectEntered(action: StartedAction, input: FakeRecord, { inserted, changed }: Effect): void {
  const [record] = [...inserted, ...changed];
  if (record === undefined) return;
  for (const [name, value] of Object.entries(input)) {
    const member = Object.keys(record.record).find((each) => plainName(each) === plainName(name));
    if (member === undefined || typeof value === "object" || record.record[member] === value) continue;
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
  const again = nextInput(world, subject, { input, seed: seed + 1 });
  const before = [...(held?.all() ?? [])];
  const calls = world.calls.last.filter(({ purpose }) => purpose === "call").length;
  for (let after = 0; after < Math.max(calls, 1); after++) {
    world.strike({ name: "resetBeforeAnswer", at: [world.fake.nextNumber() + after] });
    await world.act(subject.action, nextInput(world, subject, { input: again, seed: seed + 2 + after }));
    world.fake.calm();
    const { inserted } = effectSince(held, before);
    if (inserted.length > after + 1)
      throw new Flaw(
        "acceptance-action-twice",
        `the answer gets lost after the target system has acted; when it is tried again, it makes a second record`,
      );
  }
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

/** A call that fails is not called a success, and puts nothing into the cache that the target system does not have. */
export async function performWithFault(
  world: World,
  subject: ActionSubject,
  { name, seed, hasActed }: { readonly name: FaultName; readonly seed: number; readonly hasActed: boolean },
): Promise<void> {
  const { action, object } = subject;
  await world.read(object);
  const held = world.heldOf(object.record);
  const before = [...(held?.all() ?? [])];
  for (const input of inputsFor(world, subject, seed)) {
    world.strike({ name, from: world.fake.nextNumber() });
    const performed = await world.act(action, input);
    world.fake.calm();
    const when = `where every call of it meets ${name}, it`;
    if (performed.outcome === "succeeded" && !hasActed)
      throw new Flaw("acceptance-failure-hidden", `${when} is called a success`);
    const { inserted, changed, deleted } = effectSince(held, before);
    const touched = new Set([...inserted, ...changed, ...deleted].map(({ ordinal }) => ordinal));
    const unsure = touched.size;
    const { missing, foreign, altered } = differenceOf(
      await world.cached(object),
      world.expected(object),
      object.record,
    );
    if (missing.length + foreign.length + altered.length > unsure)
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
