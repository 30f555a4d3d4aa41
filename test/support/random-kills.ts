/** Kills processes at random moments of their work, whose length is measured: no speed of a machine is taken for granted. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { startedProcess } from "./processes.js";
import { inRepository } from "./repository.js";

/** A program of `dist/test/support/programs` that says "go" when its work begins, and one more word when it is done. */
export function program(name: string, ...args: readonly string[]) {
  return started([inRepository(`dist/test/support/programs/${name}.js`), ...args]);
}

/** The same, on a machine whose clock is set to another time again and again. */
export function programWithMovedClock(name: string, ...args: readonly string[]) {
  const clock = pathToFileURL(inRepository("dist/test/support/programs/moved-clock.js")).href;
  return started(["--import", clock, inRepository(`dist/test/support/programs/${name}.js`), ...args]);
}

function started(args: readonly string[]) {
  const child = startedProcess(spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] }));
  return { child, closed: once(child, "close") };
}

/** Random kills within the shortest time that a work took. The first work is not disturbed, to measure it. */
export class RandomKills {
  #shortest: number | undefined;

  /** Kills a program at the next moment; false where it was done before, which takes the measure anew. */
  async kill({ child, closed }: { child: ChildProcess; closed: Promise<unknown[]> }): Promise<boolean> {
    let start: number | undefined;
    let isDone = false;
    let timer: NodeJS.Timeout | undefined;
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      if (start === undefined) {
        start = performance.now();
        if (this.#shortest !== undefined)
          timer = setTimeout(() => child.kill("SIGKILL"), Math.random() * this.#shortest);
        if (text === "go") return;
      }
      isDone = true;
      const took = performance.now() - start;
      this.#shortest = Math.min(this.#shortest ?? took, took);
    });
    const [status, signal] = await closed;
    clearTimeout(timer);
    if (signal === null && status !== 0) throw new Error(`it ended with status ${status}`);
    return !isDone;
  }
}
