/** `connectorcli cache show`: the cached records of a data object. */

import { numberOf, textOf } from "../argument-values.js";
import type { Arguments } from "../command-spec.js";
import type { Output } from "../output.js";
import { chosenObjects } from "../running/chosen-parts.js";
import { recordText } from "../running/record-text.js";
import { shownObject } from "../running/stored-types.js";
import { withStore } from "../running/with-store.js";

const LIMIT = 20;

export function cacheShow(args: Arguments, output: Output): Promise<number> {
  return withStore(args, output, async ({ model, store }) => {
    const limit = numberOf(args["limit"]) ?? LIMIT;
    for (const object of chosenObjects(model, { object: textOf(args["object"]) })) {
      const shown = shownObject(object, args["reveal"] === true);
      let count = 0;
      for await (const record of store.records.list(object.dataPath, {
        limit: limit === 0 ? undefined : limit,
      })) {
        output.result(recordText(record, shown, args));
        count++;
      }
      const more = (await store.records.count(object.dataPath)) - count;
      if (more > 0) output.say(`${more} more: --limit shows them.`);
      if (count === 0) output.say(`The cache has no records of ${object.className}.`);
    }
    return 0;
  });
}
