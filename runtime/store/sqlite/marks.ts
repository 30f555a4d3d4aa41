/** Which rows a full read has found unchanged: a bit each, kept in the store once the run can be resumed. */
import type { Connection } from "./connection.js";

const ROWS_A_CHUNK = 32_768;

const BYTES = ROWS_A_CHUNK / 8;

export class Marks {
  readonly #chunks = new Map<number, Uint8Array>();
  readonly #unsaved = new Set<number>();
  /** How many rows are marked. */
  count = 0;

  mark(row: number): void {
    const [bits, index, mask] = this.#place(row);
    if (((bits[index] ?? 0) & mask) !== 0) return;
    bits[index] = (bits[index] ?? 0) | mask;
    this.count++;
  }

  unmark(row: number): void {
    if (!this.has(row)) return;
    const [bits, index, mask] = this.#place(row);
    bits[index] = (bits[index] ?? 0) & ~mask;
    this.count--;
  }

  has(row: number): boolean {
    const bits = this.#chunks.get(Math.floor(row / ROWS_A_CHUNK));
    const place = row % ROWS_A_CHUNK;
    return bits !== undefined && ((bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }

  /** Reads what an interrupted run has kept. */
  load(connection: Connection, run: number): void {
    for (const [chunk, bits] of connection.rows("SELECT chunk, bits FROM marks WHERE run = ?", run)) {
      if (!(bits instanceof Uint8Array)) continue;
      this.#chunks.set(Number(chunk), Uint8Array.from(bits));
      for (const byte of bits) this.count += ones(byte);
    }
  }

  /** Keeps what is not kept yet, as a part of the transaction that is open. */
  save(connection: Connection, run: number): void {
    for (const chunk of this.#unsaved) {
      const bits = this.#chunks.get(chunk);
      if (bits === undefined) continue;
      const sql = `INSERT INTO marks (run, chunk, bits) VALUES (?, ?, ?)
        ON CONFLICT (run, chunk) DO UPDATE SET bits = excluded.bits`;
      connection.run(sql, run, chunk, Buffer.from(bits));
    }
    this.#unsaved.clear();
  }

  #place(row: number): [Uint8Array, number, number] {
    const chunk = Math.floor(row / ROWS_A_CHUNK);
    let bits = this.#chunks.get(chunk);
    if (bits === undefined) {
      bits = new Uint8Array(BYTES);
      this.#chunks.set(chunk, bits);
    }
    this.#unsaved.add(chunk);
    const place = row % ROWS_A_CHUNK;
    return [bits, place >> 3, 1 << (place & 7)];
  }
}

function ones(byte: number): number {
  let count = 0;
  for (let rest = byte; rest !== 0; rest &= rest - 1) count++;
  return count;
}
