/** Loaded before a program: sets its clock to another time again and again, up to a day and a half ahead or back. */

const RealDate = Date;
const MOST_MS = 36 * 60 * 60 * 1_000;
let movedMs = 0;

class MovedDate extends RealDate {
  constructor(...values: readonly unknown[]) {
    super(...((values.length === 0 ? [MovedDate.now()] : values) as [number]));
  }

  static override now(): number {
    return RealDate.now() + movedMs;
  }
}

function move(): void {
  movedMs = Math.round((2 * Math.random() - 1) * MOST_MS);
}

globalThis.Date = MovedDate as DateConstructor;
move();
setInterval(move, 150).unref();
