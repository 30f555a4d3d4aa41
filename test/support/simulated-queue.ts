/**
 * A queue of actions in a world whose time is set, beside a model of what must become of each: what its handler is to
 * do at every call is planned, and what happened against the rules is in `violations`.
 */
import type { ActionContext } from "../../runtime/codegen/index.js";
import type { ActionState, Store } from "../../runtime/host/index.js";
import { openSqliteStore } from "../../runtime/store/sqlite/open-store.js";
import { callByPlan, type Handler, MOST, queueAction, run } from "./action-processor.js";
import { item } from "./item-cache.js";

export const DAY_MS = 24 * 60 * 60 * 1_000;
const LEASE_MS = 60_000;
const RETRY = {
  maxAttempts: MOST.transient,
  maxUnknownAttempts: MOST.unknown,
  firstDelayMs: 1_000,
  random: () => 0,
};

interface SimulatedAction {
  readonly id: number;
  readonly plans: string[];
  state: ActionState;
  /** Attempts that count, since it was queued. */
  attempts: number;
  /** When it may be taken, or taken again. */
  from: number;
  key: string | undefined;
  noted: string | null;
  /** The name of the record that its success has put into the cache. */
  record: string | undefined;
}

export class SimulatedQueue {
  readonly violations: string[] = [];
  readonly actions: SimulatedAction[] = [];
  readonly #file: string;
  #now = Date.UTC(2026, 0, 1);
  /** When the queue was looked at last. */
  #seenAt: number | undefined;
  #isCut = false;
  #called = new Set<number>();
  #stamp = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Lets time pass, or the clock jump: by more than a day nobody can tell, and back it goes by itself. */
  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** What waits keeps the time that it has waited, and what is held the time for which it is held. */
  #look(): void {
    const seenAt = this.#seenAt ?? this.#now;
    const elapsed = this.#now - seenAt;
    if (this.#seenAt !== undefined && Math.abs(elapsed) <= 60_000) return;
    for (const action of this.actions) {
      const isOver = action.from < this.#now;
      if (elapsed > DAY_MS && action.state === "queued" && isOver)
        action.from = Math.min(action.from + elapsed - DAY_MS, this.#now);
      else if (elapsed > DAY_MS && action.state === "taken" && action.from > seenAt) action.from += elapsed;
      else if (elapsed < 0 && (action.state === "queued" || action.state === "taken") && !isOver)
        action.from = Math.max(action.from + elapsed, this.#now);
    }
    this.#seenAt = this.#now;
  }

  /** Does `work` with a store that was just opened, at the time of this world. */
  async at<Result>(work: (store: Store) => Promise<Result>): Promise<Result> {
    const real = Date.now;
    const store = await openSqliteStore({ file: this.#file });
    Date.now = () => this.#now;
    try {
      return await work(store);
    } finally {
      Date.now = real;
      await store.close();
    }
  }

  async queue(plans: readonly string[]): Promise<void> {
    const name = String(this.actions.length);
    this.#look();
    const { id } = await this.at((store) => queueAction(store, { name }));
    const facts = { key: undefined, noted: null, record: undefined };
    this.actions.push({ id, plans: [...plans], state: "queued", attempts: 0, from: this.#now, ...facts });
  }

  /** Queues an action again, where that may be. */
  async retry(index: number): Promise<void> {
    const action = this.actions[index % this.actions.length];
    if (action === undefined) return;
    this.#look();
    const mayBe = action.state !== "taken" && action.state !== "succeeded";
    const done = await this.at((store) => store.source.requeue(action.id));
    this.#rule(done === mayBe, action, `requeued: ${done}`);
    if (mayBe) Object.assign(action, { state: "queued", attempts: 0, from: this.#now });
  }

  /** One run of a worker, until nothing is due or it is killed or stopped. */
  async run(): Promise<void> {
    this.#isCut = false;
    this.#called = new Set();
    this.#look();
    for (const action of this.actions) {
      const isOld = action.state === "queued" && action.from < this.#now - 14 * DAY_MS;
      if (isOld) action.state = "cancelled";
    }
    const due = this.actions.filter((action) => this.#isDue(action));
    await this.at((store) => this.#worker(store));
    const states = await this.at(async (store) =>
      Promise.all(this.actions.map(({ id }) => store.ledger.get(id))),
    );
    for (const [index, action] of this.actions.entries()) {
      const { state, dueAt } = states[index] ?? {};
      const isGivenUp =
        action.attempts === MOST.transient && due.includes(action) && !this.#called.has(index);
      if (isGivenUp && (state === "dead" || !this.#isCut)) action.state = "dead";
      else if (due.includes(action) && !this.#isCut)
        this.#rule(this.#called.has(index), action, "not called");
      this.#rule(state === action.state, action, `state ${state}`);
      if (state === "queued")
        this.#rule(dueAt === iso(action.from), action, `due ${dueAt}, not ${iso(action.from)}`);
    }
  }

  #isDue({ state, from }: SimulatedAction): boolean {
    return (state === "queued" || state === "taken") && from <= this.#now;
  }

  async #worker(store: Store): Promise<void> {
    const controller = new AbortController();
    const stop = () => controller.abort();
    const handler = (input: unknown, context: ActionContext) => this.#handle(input, context, { store, stop });
    const bounds = { timeoutMs: 10, graceMs: 2, leaseMs: LEASE_MS };
    try {
      await run(store, handler, { retry: RETRY, ...bounds, signal: controller.signal });
    } catch (error) {
      if (!this.#isCut) throw error;
    }
  }

  async #handle(
    input: unknown,
    { idempotency, signal }: ActionContext,
    { store, stop }: { readonly store: Store; readonly stop: () => void },
  ): ReturnType<Handler> {
    const index = Number(Reflect.get(input as object, "name"));
    const action = this.actions[index];
    if (action === undefined) throw new Error("nobody queued it");
    this.#begin(index, action, idempotency);
    const plan = action.plans.shift() ?? "succeeds";
    const die = async (when: string) => {
      if (plan !== when) return;
      this.#isCut = true;
      await store.close();
    };
    const note = async (stage: "intent" | "sent") => {
      await idempotency.note(stage, plan);
      action.noted = `${stage} ${plan}`;
    };
    await die("killed");
    await note("intent");
    await die("killed after intent");
    await note("sent");
    await die("killed after sent");
    const record = `n${this.#stamp++}`;
    this.#end(action, plan, record);
    await die("killed at its end");
    if (plan === "stopped") stop();
    if (plan === "stopped") this.#isCut = true;
    return callByPlan(plan, item(action.id, { name: record }), signal);
  }

  /** The call may be made, counts, and finds in its ledger what the one before it noted. */
  #begin(index: number, action: SimulatedAction, { key, previous }: ActionContext["idempotency"]): void {
    this.#rule(this.#isDue(action), action, `called at ${iso(this.#now)}`);
    this.#rule(!this.#called.has(index), action, "called twice in a run");
    const noted = previous === null ? null : `${previous.stage} ${previous.detail}`;
    this.#rule(noted === action.noted, action, `found "${noted}" in its ledger`);
    this.#rule((action.key ?? key) === key, action, `has another key ${key}`);
    const others = this.actions.filter((other) => other !== action && other.key === key);
    this.#rule(others.length === 0, action, "shares its key");
    this.#called.add(index);
    action.key = key;
    action.attempts++;
    this.#rule(action.attempts <= MOST.transient, action, "called once more");
    action.state = "taken";
    action.from = this.#now + LEASE_MS;
  }

  /** What is to become of an action whose handler ends as planned. */
  #end(action: SimulatedAction, plan: string, record: string): void {
    const closed = { succeeds: "succeeded", fails: "failed", misfits: "dead" } as const;
    if (plan.startsWith("killed")) return;
    if (plan === "stopped") {
      action.attempts--;
      Object.assign(action, { state: "queued", from: this.#now });
    } else if (plan in closed) action.state = closed[plan as keyof typeof closed];
    else {
      const most = plan === "hangs" ? MOST.transient : MOST[plan as keyof typeof MOST];
      const wait = 500 * 2 ** (action.attempts - 1);
      if (action.attempts >= most) action.state = "dead";
      else Object.assign(action, { state: "queued", from: this.#now + wait });
    }
    if (plan !== "succeeds") return;
    this.#rule(action.record === undefined, action, "succeeded twice");
    action.record = record;
  }

  #rule(holds: boolean, action: SimulatedAction, what: string): void {
    if (!holds) this.violations.push(`${JSON.stringify(action)}: ${what}`);
  }
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
