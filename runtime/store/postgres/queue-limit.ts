/** How many actions of a workspace may wait: one client that queues without end does not fill the table. */
import { StoreError } from "../store.js";
import type { Queries } from "./database.js";

/** How long is gone by what was counted. */
const COUNTED_MS = 10_000;
/** How long is refused without counting again. */
const REFUSED_MS = 1_000;
/** The part of the room that one process uses before it counts again, for others may use it as well. */
const USED_AT_ONCE = 1 / 10;

const ADVICE =
  "No more are queued until some were performed or cancelled. maxQueuedActions (--max-queued) says how many may wait.";

const COUNT = `SELECT count(*) FROM (SELECT 1 FROM connectorcli.actions
  WHERE workspace = $1 AND state IN ('queued', 'taken') LIMIT $2) AS waiting`;

/** What is left of a queue for this process. */
interface Room {
  left: number;
  readonly until: number;
}

/**
 * Counts now and then, so that queueing does not cost more the more actions wait. So a few more than the limit can wait
 * where several processes queue actions at the same moment.
 */
export class QueueLimit {
  readonly #most: number;
  readonly #rooms = new Map<number, Room>();

  /** @param most Actions that wait or are under way, for each workspace. */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Takes the room of one action.
   * @param queries Sees also what its own transaction has added.
   * @param name What messages call the workspace.
   * @throws StoreError `queue-full` if there is none.
   */
  async takeRoom(queries: Pick<Queries, "row">, workspace: number, name: string): Promise<void> {
    const known = this.#rooms.get(workspace);
    const isKnown = known !== undefined && performance.now() < known.until;
    const room = isKnown ? known : await this.#count(queries, workspace);
    if (room.left === 0) throw new StoreError("queue-full", `${name}: ${this.#most} actions wait. ${ADVICE}`);
    room.left--;
    // What is left is counted anew, and not refused.
    if (room.left === 0) this.#rooms.delete(workspace);
  }

  async #count(queries: Pick<Queries, "row">, workspace: number): Promise<Room> {
    const [waiting] = (await queries.row(COUNT, workspace, this.#most)) ?? [];
    const free = this.#most - Number(waiting);
    const room = {
      left: Math.ceil(free * USED_AT_ONCE),
      until: performance.now() + (free === 0 ? REFUSED_MS : COUNTED_MS),
    };
    this.#rooms.set(workspace, room);
    return room;
  }
}
