/** Commands that go on until they are interrupted, in this process. */
import { connectorcliOn } from "./command-line.js";
import type { CommandResult } from "./processes.js";

export interface WatchedCommand {
  /** Waits for words that were not there when it was last called, and returns all that was said since then. */
  hears(words: string): Promise<string>;
  /** Interrupts it. */
  end(): Promise<CommandResult & { readonly text: string }>;
}

const running: WatchedCommand[] = [];

/** `connectorcli …args` in `folder`, with the texts of both streams in the order in which they came. */
export function watchedCommand(folder: string, ...args: readonly string[]): WatchedCommand {
  const stop = new AbortController();
  let text = "";
  let heard = 0;
  let onText = () => {};
  const hear = (more: string) => {
    text += more;
    onText();
  };
  const ended = connectorcliOn(
    { result: hear, say: (line) => hear(`${line}\n`), interruptible: (use) => use(stop.signal) },
    folder,
    ...args,
  );
  const command: WatchedCommand = {
    hears: (words) =>
      new Promise((resolve, reject) => {
        onText = () => {
          const at = text.indexOf(words, heard);
          if (at === -1) return;
          const said = text.slice(heard, at + words.length);
          heard = at + words.length;
          onText = () => {};
          resolve(said);
        };
        onText();
        ended.then(() => reject(new Error(`it ended without "${words}":\n${text}`)), reject);
      }),
    end: async () => {
      stop.abort();
      return { ...(await ended), text };
    },
  };
  running.push(command);
  return command;
}

/** For `afterEach`. */
export async function endWatched(): Promise<void> {
  await Promise.all(running.splice(0).map((command) => command.end()));
}
