/**
 * Actions, runs and their leases as the ports promise them, in the fewest words that say it, beside a store to which the
 * same is done: whatever comes after what, both are to be the same, and in the end every action ends.
 */
import { expect } from "chai";
import fc from "fast-check";
import {
  type Attempt,
  type RecordWrite,
  type Run,
  type Store,
  StoreError,
} from "../../../runtime/store/store.js";
import { all, failure } from "../../support/promises.js";

/** A store in which no time passes but what a test lets pass. */
export interface ModelPlace {
  readonly store: Store;
  /** Lets so much time pass. */
  advance(milliseconds: number): Promise<void>;
  /** Whether time passes by the clock of this process; else what was planned comes nearer. */
  readonly isClockMoved: boolean;
  /** Lets the holder of a run seem to stand still for longer than its lease; absent where a run has none. */
  readonly freeze?: (() => Promise<void>) | undefined;
  /** Another store of the same tenant, after the process of this one was killed; absent where it can't be. */
  readonly kill?: (() => Promise<Store>) | undefined;
  remove(): Promise<void>;
}

/** So long that the time which a test takes is nothing beside it. */
const UNIT_MS = 3_600_000;
const OBJECT = "tests/app/1/item";
const ACTIONS = [{ object: OBJECT, action: "create" }];
const OTHER = { object: OBJECT, action: "other" };
const MAX_STALLS = 3;

interface ModelAction {
  readonly id: number;
  state: string;
  attempts: number;
  /** By the store's clock as it was at the beginning. */
  dueAt: number;
  leasedUntil: number;
  current: Attempt | undefined;
}

interface ModelRun {
  readonly id: number;
  readonly startedAfter: number;
  state: string;
  resumePoint: string | null;
  resumedFrom: string | null;
  stalls: number;
  checkpoint: string | null;
  /** Keys that were found or written. */
  readonly met: Set<string>;
  readonly counts: Record<"unchanged" | "inserted" | "updated" | "deleted" | "rejected", number>;
}

interface Holding {
  readonly run: Run;
  readonly model: ModelRun;
}

interface Change {
  readonly key: string;
  readonly operation: "insert" | "update" | "delete";
}

const OPERATIONS = { inserted: "insert", updated: "update", deleted: "delete" } as const;

class World {
  readonly place: ModelPlace;
  store: Store;
  passed = 0;
  readonly actions: ModelAction[] = [];
  /** All that were ever begun. */
  readonly attempts: { readonly attempt: Attempt; readonly action: ModelAction }[] = [];
  readonly records = new Map<string, { readonly hash: string; readonly sequence: number }>();
  readonly changes: Change[] = [];
  readonly runs: ModelRun[] = [];
  /** All that ever held the object. */
  readonly holdings: Holding[] = [];
  holder: Holding | undefined;
  checkpoint: string | null = null;

  constructor(place: ModelPlace) {
    this.place = place;
    this.store = place.store;
  }

  get now(): number {
    return Date.now() + (this.place.isClockMoved ? 0 : this.passed);
  }

  /** A time of the store, as it would be if nothing had passed. */
  timeOf(iso: string): number {
    return Date.parse(iso) + (this.place.isClockMoved ? 0 : this.passed);
  }

  /** The time that a store shows for one of this world. */
  shown(time: number): string {
    return new Date(time - (this.place.isClockMoved ? 0 : this.passed)).toISOString();
  }

  write(writes: readonly RecordWrite[], run?: ModelRun): void {
    for (const write of writes) {
      const what = this.#effectOf(write);
      if (write.operation === "upsert") run?.met.add(write.key);
      else run?.met.delete(write.key);
      if (what === undefined) continue;
      if (run !== undefined) run.counts[what]++;
      if (what === "unchanged") continue;
      const sequence = this.changes.push({ key: write.key, operation: OPERATIONS[what] });
      if (write.operation === "delete") this.records.delete(write.key);
      else this.records.set(write.key, { hash: write.hash, sequence });
    }
  }

  /** As what a write is counted; undefined if it does nothing. */
  #effectOf(write: RecordWrite): "unchanged" | keyof typeof OPERATIONS | undefined {
    const before = this.records.get(write.key);
    if (write.operation === "delete") return before === undefined ? undefined : "deleted";
    if (before === undefined) return "inserted";
    return before.hash === write.hash ? "unchanged" : "updated";
  }

  /** Keys that a full read has not met and that nobody has written since it began. */
  notMet({ met, startedAfter }: ModelRun): readonly string[] {
    const keys = [...this.records].filter(([key, { sequence }]) => sequence <= startedAfter && !met.has(key));
    return keys.map(([key]) => key).sort();
  }
}

type Step = fc.AsyncCommand<World, World, boolean>;

function step(
  name: string,
  run: (world: World) => Promise<void>,
  check: (world: World) => boolean = () => true,
): Step {
  return { check, run, toString: () => name };
}

async function expectSuperseded(call: Promise<unknown>): Promise<void> {
  expect(await failure(call))
    .to.be.instanceOf(StoreError)
    .and.include({ problem: "superseded" });
}

/** One of a list, so that an early one is drawn as often as a late one. */
function chosen<Value>(list: readonly Value[], index: number): Value {
  const value = list[index % list.length];
  if (value === undefined) throw new Error("there is none");
  return value;
}

const nth = fc.nat(20);

/** Takes what is due; afterwards the one that had it has it no more. */
async function take(world: World, leaseMs: number): Promise<ModelAction | undefined> {
  const { now } = world;
  const due = world.actions.filter(
    ({ state, dueAt, leasedUntil }) =>
      (state === "queued" && dueAt <= now) || (state === "taken" && leasedUntil <= now),
  );
  const [next] = due.sort((left, right) => left.dueAt - right.dueAt || left.id - right.id);
  const taken = await world.store.source.take({ leaseMs, actions: ACTIONS });
  expect(taken?.id).to.equal(next?.id);
  if (taken === undefined || next === undefined) return undefined;
  const attempt = { id: taken.id, token: taken.token };
  Object.assign(next, { state: "taken", current: attempt, leasedUntil: now + leaseMs });
  next.attempts++;
  expect(taken.attempts).to.equal(next.attempts);
  world.attempts.push({ attempt, action: next });
  return next;
}

/** Does what only the attempt may do that holds the action. */
function settling(
  name: string,
  index: number,
  settle: (world: World, attempt: Attempt, action: ModelAction) => Promise<() => unknown>,
): Step {
  return step(
    `${name} ${index}`,
    async (world) => {
      const { attempt, action } = chosen(world.attempts, index);
      if (action.current !== attempt) return expectSuperseded(settle(world, attempt, action));
      await (await settle(world, attempt, action))();
    },
    ({ attempts }) => attempts.length > 0,
  );
}

/** The time at which it is due is the store's. */
async function seeDue(world: World, action: ModelAction): Promise<void> {
  const entry = await world.store.ledger.get(action.id);
  action.dueAt = world.timeOf(entry?.dueAt ?? "");
  expect(Math.abs(action.dueAt - world.now)).to.be.lessThan(UNIT_MS / 2);
}

function effectOf({ id, token }: Attempt): RecordWrite {
  // Each attempt would change the record: what was written twice is seen.
  return { operation: "upsert", key: `action/${id}`, hash: token, record: { id }, alternateKeys: [] };
}

const ACTION_STEPS: readonly fc.Arbitrary<Step>[] = [
  fc.constant(
    step("add", async (world) => {
      const { id, dueAt } = await world.store.ledger.add({
        object: OBJECT,
        action: "create",
        inputJson: "{}",
      });
      const dueHere = world.timeOf(dueAt);
      world.actions.push({
        ...{ id, state: "queued", attempts: 0, dueAt: dueHere, leasedUntil: 0, current: undefined },
      });
    }),
  ),
  fc.constantFrom(-1, 1.5, 3.5).map((units) =>
    step(`take for ${units}`, async (world) => {
      await take(world, units * UNIT_MS);
      expect(await world.store.source.take({ leaseMs: UNIT_MS, actions: [OTHER] })).to.equal(undefined);
    }),
  ),
  nth.map((index) =>
    settling("extend", index, async (world, attempt, action) => {
      await world.store.source.extendLease(attempt, 2.5 * UNIT_MS);
      return () => Object.assign(action, { leasedUntil: world.now + 2.5 * UNIT_MS });
    }),
  ),
  nth.map((index) =>
    settling("note", index, async (world, attempt) => {
      await world.store.ledger.note(attempt, JSON.stringify(attempt.token));
      return async () =>
        expect(await world.store.ledger.get(attempt.id)).to.include({
          noteJson: JSON.stringify(attempt.token),
        });
    }),
  ),
  fc.tuple(fc.constantFrom("succeeded", "failed", "dead"), nth).map(([state, index]) =>
    settling(`close as ${state}`, index, async (world, attempt, action) => {
      const records = state === "succeeded" ? [effectOf(attempt)] : [];
      const changes = [{ object: OBJECT, records }];
      await world.store.ledger.close(attempt, { state, resultJson: "{}", changes });
      return () => {
        Object.assign(action, { state, current: undefined });
        world.write(records);
      };
    }),
  ),
  fc.tuple(nth, fc.constantFrom(0, 1.5), fc.boolean()).map(([index, units, isCounted]) =>
    settling(
      `retry after ${units}${isCounted ? "" : ", not counted"}`,
      index,
      async (world, attempt, action) => {
        const dueAt = world.now + units * UNIT_MS - 1;
        await world.store.source.retry(attempt, { dueAt: world.shown(dueAt), failureJson: "{}", isCounted });
        return () => {
          Object.assign(action, { state: "queued", current: undefined, dueAt });
          if (!isCounted) action.attempts--;
        };
      },
    ),
  ),
  nth.map((index) =>
    settling("give back", index, async (world, attempt, action) => {
      await world.store.source.giveBack(attempt);
      return () => {
        Object.assign(action, { state: "queued", current: undefined });
        action.attempts--;
        return seeDue(world, action);
      };
    }),
  ),
  nth.map((index) =>
    step(
      `cancel ${index}`,
      async (world) => {
        const action = chosen(world.actions, index);
        expect(await world.store.source.cancel(action.id)).to.equal(action.state === "queued");
        if (action.state === "queued") action.state = "cancelled";
      },
      ({ actions }) => actions.length > 0,
    ),
  ),
  nth.map((index) =>
    step(
      `requeue ${index}`,
      async (world) => {
        const action = chosen(world.actions, index);
        const mayBe = action.state !== "taken" && action.state !== "succeeded";
        expect(await world.store.source.requeue(action.id)).to.equal(mayBe);
        if (!mayBe) return;
        Object.assign(action, { state: "queued", attempts: 0 });
        await seeDue(world, action);
      },
      ({ actions }) => actions.length > 0,
    ),
  ),
  fc.constantFrom(1, 2, 3).map((units) =>
    step(`${units} pass`, async (world) => {
      await world.place.advance(units * UNIT_MS);
      world.passed += units * UNIT_MS;
    }),
  ),
];

async function start(world: World, resume: boolean): Promise<void> {
  const { runs } = world;
  const run = await world.store.runs.start({
    ...{ object: OBJECT, kind: "full", alternateKeysVersion: "1", schemaVersion: "1", resume },
    resumeWithinMs: Number.MAX_SAFE_INTEGER,
  });
  if (world.holder !== undefined) {
    expect(run).to.equal(undefined);
    return;
  }
  if (run === undefined) throw new Error("nobody holds the object");
  const last = runs.at(-1);
  const stalls = last?.resumePoint === last?.resumedFrom ? (last?.stalls ?? 0) + 1 : 0;
  const isInterrupted = last?.state === "running" || last?.state === "failed";
  let model = last;
  if (last !== undefined && resume && isInterrupted && last.resumePoint !== null && stalls < MAX_STALLS) {
    Object.assign(last, { state: "running", resumedFrom: last.resumePoint, stalls });
  } else {
    if (last?.state === "running") last.state = "abandoned";
    model = {
      ...{ id: runs.length + 1, startedAfter: world.changes.length, state: "running", stalls: 0 },
      ...{ resumePoint: null, resumedFrom: null, checkpoint: null, met: new Set() },
      counts: { unchanged: 0, inserted: 0, updated: 0, deleted: 0, rejected: 0 },
    };
    runs.push(model);
  }
  if (model === undefined) throw new Error("there is one");
  expect([run.id, run.resumePoint, run.checkpoint]).to.deep.equal([
    ...[model.id, model.resumePoint, world.checkpoint],
  ]);
  expect(run.counts).to.deep.equal(model.counts);
  world.holder = { run, model };
  world.holdings.push(world.holder);
}

/** Does what only the run may do that holds the object. */
function holding(
  name: string,
  index: number,
  call: (world: World, holding: Holding) => Promise<() => void>,
): Step {
  return step(
    `${name} of run ${index}`,
    async (world) => {
      const drawn = chosen([...world.holdings, world.holder ?? world.holdings.at(-1)], index);
      if (drawn === undefined) return;
      if (drawn !== world.holder) return expectSuperseded(call(world, drawn));
      (await call(world, drawn))();
      expect(drawn.run.counts).to.deep.equal(drawn.model.counts);
    },
    ({ holdings }) => holdings.length > 0,
  );
}

const write: fc.Arbitrary<RecordWrite> = fc
  .tuple(fc.nat(7), fc.constantFrom("a", "a", "b", "delete"))
  .map(([index, hash]) => {
    const key = `id/${index}`;
    if (hash === "delete") return { operation: "delete", key };
    return { operation: "upsert", key, hash, record: { hash }, alternateKeys: [] };
  });

const RUN_STEPS: readonly fc.Arbitrary<Step>[] = [
  fc.boolean().map((resume) => step(resume ? "resume" : "start", (world) => start(world, resume))),
  fc
    .tuple(nth, fc.array(write, { minLength: 1, maxLength: 6 }), fc.option(fc.constantFrom("p1", "p2")))
    .map(([index, records, point]) =>
      holding(`page (${point ?? ""}: ${JSON.stringify(records)})`, index, async (world, { run, model }) => {
        const resume = point === null ? {} : { resumePoint: point, checkpoint: `until ${point}` };
        await run.commit({ records, rejected: [], ...resume });
        return () => {
          world.write(records, model);
          if (point !== null) Object.assign(model, { resumePoint: point, checkpoint: `until ${point}` });
        };
      }),
    ),
  nth.map((index) =>
    step(
      `count of run ${index}`,
      async (world) => {
        const notRead = world.holder === undefined ? 0 : world.notMet(world.holder.model).length;
        const counted = { notRead, cached: world.records.size, unidentified: 0 };
        if (world.holder !== undefined) expect(await world.holder.run.countNotRead()).to.deep.equal(counted);
      },
      ({ holder }) => holder !== undefined,
    ),
  ),
  nth.map((index) =>
    step(
      `delete what run ${index} has not met`,
      async (world) => {
        const { run, model } = world.holder ?? chosen(world.holdings, index);
        const gone = world.notMet(model);
        await run.deleteNotRead();
        const made = (await all(world.store.changes.since(world.changes.length))).map(({ key }) => key);
        // In which order is the store's own.
        expect([...made].sort()).to.deep.equal(gone);
        world.write(made.map((key) => ({ operation: "delete", key })));
        model.counts.deleted += gone.length;
        expect(run.counts).to.deep.equal(model.counts);
      },
      ({ holder }) => holder !== undefined,
    ),
  ),
  fc.tuple(fc.constantFrom("succeeded", "failed", "needs-approval"), nth).map(([state, index]) =>
    holding(`end as ${state}`, index, async (world, { run, model }) => {
      await run.end(state);
      return () => {
        model.state = state;
        world.holder = undefined;
        if (state !== "failed") world.checkpoint = model.checkpoint ?? world.checkpoint;
      };
    }),
  ),
  fc.boolean().map((resume) =>
    step(
      `take over, ${resume ? "resume" : "start"}`,
      async (world) => {
        await world.place.freeze?.();
        world.holder = undefined;
        await start(world, resume);
      },
      ({ place, holder }) => place.freeze !== undefined && holder !== undefined,
    ),
  ),
  fc.constant(
    step(
      "kill",
      async (world) => {
        world.store = (await world.place.kill?.()) ?? world.store;
        world.holder = undefined;
      },
      ({ place }) => place.kill !== undefined,
    ),
  ),
];

/** Works off what is left, and compares all that a reader sees. */
async function check(world: World): Promise<void> {
  for (let look = 0; look < 3; look++) {
    await world.place.advance(10 * UNIT_MS);
    world.passed += 10 * UNIT_MS;
    for (let action = await take(world, UNIT_MS); action !== undefined; action = await take(world, UNIT_MS)) {
      const { current } = action;
      if (current === undefined) throw new Error("it was taken");
      const changes = [{ object: OBJECT, records: [effectOf(current)] }];
      await world.store.ledger.close(current, { state: "succeeded", resultJson: "{}", changes });
      Object.assign(action, { state: "succeeded", current: undefined });
      world.write([effectOf(current)]);
    }
  }
  const { store } = world;
  const entries = await all(store.ledger.list());
  expect(entries.map(({ id, state, attempts }) => ({ id, state, attempts }))).to.deep.equal(
    world.actions.map(({ id, state, attempts }) => ({ id, state, attempts })),
  );
  expect(entries.filter(({ state }) => state === "queued" || state === "taken")).to.deep.equal([]);
  const changes = await all(store.changes.since(0));
  expect(changes.map(({ sequence }) => sequence)).to.deep.equal(world.changes.map((_, index) => index + 1));
  expect(changes.map(({ key, operation }) => ({ key, operation }))).to.deep.equal(world.changes);
  for (const { id, state } of entries) {
    const effects = changes.filter(({ key }) => key === `action/${id}`);
    const made = effects.filter(({ operation }) => operation !== "delete");
    expect(made.length, `effects of ${id}`).to.equal(state === "succeeded" ? 1 : 0);
  }
  const records = await all(store.records.list(OBJECT));
  const expected = [...world.records].map(([key, { hash, sequence }]) => ({ key, hash, sequence }));
  expect(records.map(({ key, hash, sequence }) => ({ key, hash, sequence }))).to.deep.equal(
    expected.sort((left, right) => (left.key < right.key ? -1 : 1)),
  );
  const runs = await store.runs.list(OBJECT, 100);
  expect(
    runs.map(({ id, state, unchanged, inserted, updated, deleted, rejected }) => ({
      ...{ id, state, counts: { unchanged, inserted, updated, deleted, rejected } },
    })),
  ).to.deep.equal(world.runs.map(({ id, state, counts }) => ({ id, state, counts })).reverse());
  expect(await store.runs.checkpoint(OBJECT)).to.equal(world.checkpoint);
}

/** Tries so many sequences of what can happen. */
export async function storeIsAsItsModel(newPlace: () => Promise<ModelPlace>, numRuns: number): Promise<void> {
  const steps = fc.commands([...ACTION_STEPS, ...RUN_STEPS], { maxCommands: 60, size: "max" });
  await fc.assert(
    fc.asyncProperty(steps, async (commands) => {
      const place = await newPlace();
      try {
        const world = new World(place);
        await fc.asyncModelRun(() => ({ model: world, real: world }), commands);
        await check(world);
      } finally {
        await place.remove();
      }
    }),
    { numRuns },
  );
}
