/** How many actions may wait in a queue: one client that queues without end does not fill the table. */
import { StoreError } from "./store.js";

/** How long is gone by what was counted. */
const COUNTED_MS = 10_000;
/** How long is refused without counting again. */
const REFUSED_MS = 1_000;
/** The part of the room that one process uses before it counts again, for others may use it as well. */
const USED_AT_ONCE = 1 / 10;

const ADVICE =
  "No more are queued until some were performed or cancelled. maxQueuedActions (--max-queued) says how many may wait.";

/** What is left of a queue for this process. */
interface Room {
  left: number;
  readonly until: number;
}

/** A queue of actions. */
export interface Queue {
  /** What messages call it. */
  readonly name: string;
  /** Counts the actions that wait or are under way; not beyond `most`. Sees also what its own transaction has added. */
  countWaiting(most: number): Promise<number>;
}

/**
 * Counts now and then, so that queueing does not cost more the more actions wait. So a few more than the limit can wait
 * where several processes queue actions at the same moment.
 */
export class QueueLimit {
  readonly #most: number;
  /** By the names of queues. */
  readonly #rooms = new Map<string, Room>();

  /**
   * @param maxQueuedActions Actions that wait or are under way, in each queue.
   * @throws RangeError if it is no whole number.
   */
  constructor(maxQueuedActions: number) {
    if (!Number.isSafeInteger(maxQueuedActions) || maxQueuedActions < 0)
      throw new RangeError(`maxQueuedActions: expected a whole number from 0 on, found ${maxQueuedActions}`);
    this.#most = maxQueuedActions;
  }

  /** Takes the room of one action. @throws StoreError `queue-full` if there is none. */
  async takeRoom(queue: Queue): Promise<void> {
    const { name } = queue;
    const known = this.#rooms.get(name);
    const isKnown = known !== undefined && performance.now() < known.until;
    const room = isKnown ? known : await this.#count(queue);
    if (room.left === 0) throw new StoreError("queue-full", `${name}: ${this.#most} actions wait. ${ADVICE}`);
    room.left--;
    // What is left is counted anew, and not refused.
    if (room.left === 0) this.#rooms.delete(name);
  }

  async #count({ name, countWaiting }: Queue): Promise<Room> {
    const free = Math.max(0, this.#most - (await countWaiting(this.#most)));
    const room = {
      left: Math.ceil(free * USED_AT_ONCE),
      until: performance.now() + (free === 0 ? REFUSED_MS : COUNTED_MS),
    };
    this.#rooms.set(name, room);
    return room;
  }
}
