/** `connectorcli cache changes`: the change feed, for whoever follows it. */

import { numberOf } from "../argument-values.js";
import type { Arguments } from "../command-spec.js";
import type { Output } from "../output.js";
import { shownObjects } from "../running/stored-types.js";
import { withStore } from "../running/with-store.js";

export function cacheChanges(args: Arguments, output: Output): Promise<number> {
  return withStore(args, output, async ({ model, store }) => {
    const shownOf = shownObjects(model, args["reveal"] === true);
    const limit = numberOf(args["limit"]);
    const since = numberOf(args["since"]) ?? 0;
    for await (const change of store.changes.since(since, { limit: limit === 0 ? undefined : limit })) {
      const shown = shownOf(change.object);
      const { sequence, object, operation, at } = change;
      const key = shown.key(change.key);
      const record = change.record === null ? null : shown.record(change.record);
      output.result(
        args["json"] === true
          ? `${JSON.stringify({ sequence, object, key, operation, at, record })}\n`
          : `${sequence}  ${at}  ${operation}  ${object}  ${key}\n`,
      );
    }
    return 0;
  });
}
