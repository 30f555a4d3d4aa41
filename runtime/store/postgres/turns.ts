/** The turns at a target system that all processes on a database take: a row a target, and the clock of the server. */
import type { SharedTurns, Turn } from "../../registration/connection-contracts.js";
import type { Database } from "./database.js";

/** A request may start so much later than its turn, as a part of the window; turns are further apart by as much. */
const LATENESS = 1 / 10;
const MIN_LATENESS_MS = 50;
/** A process takes the turns of so many milliseconds at once, if it has requests for them. */
const TAKEN_AHEAD_MS = 1_000;
/** How old the news of a pause may be where there is no budget to ask for. */
const PAUSE_KNOWN_MS = 1_000;

// A clock of the server that was set back would leave a turn in the far future.
const TAKE = `INSERT INTO connectorcli.rate_limits AS r (target, next_at)
    VALUES ($1, clock_timestamp() + $2 * interval '1 millisecond')
  ON CONFLICT (target) DO UPDATE SET next_at = $2 * interval '1 millisecond' + greatest(clock_timestamp(), r.blocked_until,
    CASE WHEN r.next_at < clock_timestamp() + interval '1 hour' THEN r.next_at END)
  RETURNING extract(epoch FROM r.next_at - clock_timestamp()) * 1000 - $2::float8`;
const BLOCKED = `SELECT extract(epoch FROM blocked_until - clock_timestamp()) * 1000 FROM connectorcli.rate_limits
  WHERE target = $1`;
const BLOCK = `INSERT INTO connectorcli.rate_limits AS r (target, next_at, blocked_until)
    VALUES ($1, clock_timestamp(), clock_timestamp() + $2 * interval '1 millisecond')
  ON CONFLICT (target) DO UPDATE SET blocked_until = greatest(r.blocked_until, excluded.blocked_until)`;

type Budget = NonNullable<Parameters<SharedTurns["take"]>[0]>;

/** A request that waits for its turn to be told. */
interface Asking {
  readonly budget: Budget;
  readonly resolve: (turn: Turn) => void;
  readonly reject: (error: unknown) => void;
}

/** How far turns are apart, so that even if each request starts as late as it may, no window has more than `requests`. */
function spacing({ requests, windowMs }: Budget): {
  readonly intervalMs: number;
  readonly latenessMs: number;
} {
  const latenessMs = Math.max(MIN_LATENESS_MS, windowMs * LATENESS);
  return { intervalMs: (windowMs + latenessMs) / requests, latenessMs };
}

/** The turns at `target`, which names a target system and the account there. */
export function postgresTurns(database: Database, target: string): SharedTurns {
  const asking: Asking[] = [];
  let isTaking = false;
  let pause: { readonly readAt: number; readonly endsAt: number } | undefined;

  async function takeAll(): Promise<void> {
    if (isTaking) return;
    isTaking = true;
    while (asking.length > 0) await takeSome();
    isTaking = false;
  }

  /** Takes the turns of those who ask now with one budget, in one statement. */
  async function takeSome(): Promise<void> {
    const { intervalMs, latenessMs } = spacing(asking[0]?.budget ?? { requests: 1, windowMs: 0 });
    const most = Math.max(1, Math.floor(TAKEN_AHEAD_MS / intervalMs));
    const others = asking.findIndex(({ budget }) => spacing(budget).intervalMs !== intervalMs);
    const taken = asking.splice(0, Math.min(most, others === -1 ? asking.length : others));
    try {
      const asked = performance.now();
      const row = await database.row(TAKE, target, taken.length * intervalMs);
      const answered = performance.now() - asked;
      const firstMs = Math.max(0, Number(row?.[0] ?? 0));
      for (const [index, { resolve }] of taken.entries()) {
        const waitMs = firstMs + index * intervalMs;
        resolve({ waitMs, holdsMs: latenessMs - answered });
      }
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  }

  async function pauseMs(): Promise<number> {
    const now = performance.now();
    if (pause === undefined || now - pause.readAt > PAUSE_KNOWN_MS) {
      const left = Number((await database.row(BLOCKED, target))?.[0] ?? 0);
      pause = { readAt: now, endsAt: performance.now() + left };
    }
    return Math.max(0, pause.endsAt - performance.now());
  }

  return {
    take: async (budget) => {
      if (budget === undefined) return { waitMs: await pauseMs(), holdsMs: Number.POSITIVE_INFINITY };
      return new Promise((resolve, reject) => {
        asking.push({ budget, resolve, reject });
        void takeAll();
      });
    },
    pause: async (milliseconds) => {
      pause = undefined;
      await database.run(BLOCK, target, milliseconds);
    },
  };
}
