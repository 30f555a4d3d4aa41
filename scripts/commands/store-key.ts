/** The key of a sealed store: from the file that `--key-file` names, or from a variable. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { KeyError, localKeys } from "../../runtime/store/sealing/key-wrapper.js";
import { stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { KEY_VARIABLE } from "../system/key-variable.js";
import { SystemError } from "../system/system-error.js";

/**
 * The text of the key; undefined if none is given.
 * @throws SystemError if it can't be read or holds no key. Nothing of it is in the message.
 */
export function storeKeyOf(args: Arguments, shell: Shell): string | undefined {
  const name = stringOf(args["key-file"]);
  const place = name === undefined ? `The variable ${KEY_VARIABLE}` : `The key file ${name}`;
  const text =
    name === undefined ? shell.environment[KEY_VARIABLE] : textOf(path.resolve(shell.cwd, name), place);
  if (text === undefined) return undefined;
  try {
    localKeys(text);
    return text;
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    throw new SystemError(`${place} can't be used. ${error.message}`);
  }
}

function textOf(file: string, place: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new SystemError(
      `${place} can't be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
