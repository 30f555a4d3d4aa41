/** Fake target systems that the command runs, ended after each test. */
import { connectorcliOn } from "./command-line.js";

/** A fake that a command runs, and what the command printed. */
export interface RunningFake {
  readonly address: string;
  readonly printed: () => string;
  end(): Promise<number | null>;
}

const running: RunningFake[] = [];

/** `connectorcli fake start` in a folder; waits until the address is printed. */
export async function startedFake(folder: string, ...args: readonly string[]): Promise<RunningFake> {
  const stop = new AbortController();
  let [address, said] = ["", ""];
  let isStarted = () => {};
  const hasStarted = new Promise<void>((resolve) => {
    isStarted = resolve;
  });
  const ended = connectorcliOn(
    {
      result: (text) => {
        address += text;
        isStarted();
      },
      say: (line) => {
        said += `${line}\n`;
      },
      interruptible: (use) => use(stop.signal),
    },
    folder,
    "fake",
    "start",
    ...args,
  );
  const fake: RunningFake = {
    get address() {
      return address.trim();
    },
    printed: () => said,
    end: async () => {
      stop.abort();
      return (await ended).status;
    },
  };
  running.push(fake);
  await Promise.race([hasStarted, ended.then(() => Promise.reject(new Error(said)))]);
  return fake;
}

/** For `afterEach`. */
export async function endFakes(): Promise<void> {
  await Promise.all(running.splice(0).map(({ end }) => end()));
}
