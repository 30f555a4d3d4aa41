/** `connectorcli store copy`: moves the store of this machine into a database. */
import path from "node:path";
import { projectOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { findingsJson, findingsText } from "../findings/findings-text.js";
import { copyStore } from "../workbench/copy-store.js";
import { storeKeyOf } from "./store-key.js";

export async function storeCopy(args: Arguments, shell: Shell): Promise<number> {
  const { folder } = projectOf(args, shell);
  const from = stringOf(args["from"]);
  const workspace = stringOf(args["workspace"]) ?? "";
  const { moved, diagnostics } = await copyStore({
    folder,
    ...(from === undefined ? {} : { storeFile: path.resolve(shell.cwd, from) }),
    url: stringOf(args["to"]) ?? "",
    storeKey: storeKeyOf(args, shell),
    workspace,
  });
  if (args["json"] === true) {
    const result = { moved: moved ?? null, diagnostics: findingsJson(diagnostics, folder) };
    shell.result(`${JSON.stringify(result, undefined, 2)}\n`);
  } else if (moved === undefined) {
    shell.say(findingsText(diagnostics, { cwd: shell.cwd }).trimEnd());
    shell.say("nothing copied");
  } else {
    const counts = Object.entries(moved).map(([what, count]) => `${count} ${what}`);
    shell.say(`copied to ${workspace}: ${counts.join(", ")}`);
  }
  return moved === undefined ? 1 : 0;
}
