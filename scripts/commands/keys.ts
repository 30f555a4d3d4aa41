/** `connectorcli key …`: the keys by which stores are sealed. */
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { SystemError } from "../system/system-error.js";
import { rotateStoreKeys } from "../workbench/keep-stores.js";
import { keptStoresOf, printKept } from "./kept-stores.js";
import { storeKeyOf } from "./store-key.js";

const KEY_BYTES = 32;

/** `key new <file>`: writes a new key into a file that only its owner can read. */
export async function keyNew(args: Arguments, shell: Shell): Promise<number> {
  const name = stringOf(args["file"]) ?? "";
  try {
    const key = randomBytes(KEY_BYTES).toString("base64");
    writeFileSync(path.resolve(shell.cwd, name), `${key}\n`, { flag: "wx", mode: 0o600 });
  } catch (error) {
    throw new SystemError(
      `${name} can't be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  shell.result(`Wrote a new key into ${name}.\n`);
  shell.say("Keep it out of git and of the backups of the store, and keep a copy: nobody can replace it.");
  return 0;
}

/** `key rotate`: wraps the data keys of stores with the first key that is given. */
export async function keyRotate(args: Arguments, shell: Shell): Promise<number> {
  const storeKey = storeKeyOf(args, shell);
  if (storeKey === undefined) {
    shell.say("Give the new key and behind it the old one: --key-file, or the variable CONNECTORCLI_KEY.");
    return 2;
  }
  const newDataKey = args["new-data-key"] === true;
  const rotated = await rotateStoreKeys({ ...keptStoresOf(args, shell), storeKey, newDataKey });
  return printKept(rotated, {
    ...{ args, shell },
    words: ({ rewrapped, dataKeys }) =>
      dataKeys === 0 ? "is not sealed" : `${rewrapped} of ${dataKeys} data keys wrapped anew`,
  });
}
