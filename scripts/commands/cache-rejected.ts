/** `connectorcli cache rejected`: records that were kept aside, and why. */
import type { RejectedRecord } from "../../runtime/store/rejected.js";
import { textOf } from "../argument-values.js";
import type { Arguments } from "../command-spec.js";
import type { Output } from "../output.js";
import { chosenObjects } from "../running/chosen-parts.js";
import { type ShownObject, shownObject } from "../running/stored-types.js";
import { withStore } from "../running/with-store.js";

export function cacheRejected(args: Arguments, output: Output): Promise<number> {
  return withStore(args, output, async ({ model, store }) => {
    let count = 0;
    for (const object of chosenObjects(model, { object: textOf(args["object"]) })) {
      const shown = shownObject(object, args["reveal"] === true);
      for await (const rejected of store.rejected.list(object.dataPath)) {
        output.result(`${rejectedText(rejected, shown, args)}\n`);
        count++;
      }
    }
    if (count === 0) output.say("No record is rejected.");
    return 0;
  });
}

function rejectedText(rejected: RejectedRecord, shown: ShownObject, args: Arguments): string {
  const { object, operation, at, findings } = rejected;
  const key = rejected.key === undefined ? null : shown.key(rejected.key);
  const record = rejected.record === null ? null : shown.record(JSON.parse(rejected.record));
  if (args["json"] === true) return JSON.stringify({ object, operation, key, at, findings, record });
  const reasons = findings.map(({ message }) => `  ${message}`);
  return [`${object}  ${key ?? "without key"}  ${at}`, ...reasons, `  ${JSON.stringify(record)}`].join("\n");
}
