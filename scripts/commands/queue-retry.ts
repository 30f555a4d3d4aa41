/** `connectorcli queue retry`: queues an action again that failed or was given up. */

import { textOf } from "../argument-values.js";
import type { Arguments } from "../command-spec.js";
import type { Output } from "../output.js";
import { withStore } from "../running/with-store.js";

export async function queueRetry(args: Arguments, output: Output): Promise<number> {
  const given = textOf(args["id"]);
  const id = actionId(given);
  if (id === undefined) {
    output.say(`"${given}" is no number of an action.`);
    return 2;
  }
  return withStore(args, output, async ({ store }) => {
    if (await store.queue.requeue(id)) {
      output.result(`Action ${id} is queued again. Run: connectorcli run action-processor\n`);
      return 0;
    }
    const action = await store.queue.get(id);
    output.say(
      action === undefined
        ? `The queue has no action ${id}. connectorcli queue show lists them.`
        : `Action ${id} is ${action.state}: only one that failed or was given up is queued again.`,
    );
    return 1;
  });
}

/** The number of an action. */
export function actionId(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
