/** Hints that something is new, by LISTEN: who waits looks earlier. Nothing rests on them; a hint that is lost costs time only. */

/** A connection that listens. */
interface Listening {
  end(): Promise<void>;
}

/** How long is waited for a hint. */
export interface HintOptions {
  readonly ms: number;
  readonly signal?: AbortSignal | undefined;
}

/** How hints are received: a connection of its own that listens, and tells of its end. */
export type Listen = (onHint: (what: string) => void, onLost: () => void) => Promise<Listening>;

/** The hints of one database, for all who wait in this process. The first one opens the connection. */
export class Hints {
  readonly #listen: Listen;
  readonly #waiting = new Map<string, Set<() => void>>();
  #connection: Promise<Listening> | undefined;
  #isClosed = false;

  constructor(listen: Listen) {
    this.#listen = listen;
  }

  /** Fulfilled by the next hint on `what`, by the signal, and after `ms` milliseconds. */
  pause(what: string, { ms, signal }: HintOptions): Promise<void> {
    this.#connect();
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(what) ?? new Set();
      this.#waiting.set(what, waiting);
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        waiting.delete(end);
        if (waiting.size === 0) this.#waiting.delete(what);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener("abort", end);
      waiting.add(end);
      if (signal?.aborted === true) end();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endAll();
    await (await this.#connection?.catch(() => undefined))?.end();
  }

  /** Connects unless it is connected. If that fails, whoever waits next tries again. */
  #connect(): void {
    if (this.#isClosed || this.#connection !== undefined) return;
    const forget = () => {
      // Of one connection both its error and its end may be told.
      if (this.#connection === connection) this.#connection = undefined;
    };
    const connection = this.#listen(
      (what) => {
        for (const end of [...(this.#waiting.get(what) ?? [])]) end();
      },
      () => {
        forget();
        // What came while nobody listened is looked for now.
        this.#endAll();
      },
    );
    this.#connection = connection;
    connection.catch(forget);
  }

  #endAll(): void {
    for (const waiting of [...this.#waiting.values()]) for (const end of [...waiting]) end();
  }
}
