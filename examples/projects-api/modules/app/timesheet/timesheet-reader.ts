/** Reads the timesheets that changed since the checkpoint. It throws where it can't go on: the checkpoint then stays. */
import { orThrow } from "connectorcli/client";
import type { ReaderContext, RecordChange } from "connectorcli/runtime";
import type { ApiClient } from "../../../client/api-client.js";
import type { TimesheetJson } from "../../../generated/app/timesheet.js";

export async function* timesheetReader(
  context: ReaderContext<ApiClient>,
): AsyncGenerator<RecordChange<TimesheetJson>> {
  const { client, checkpoint, signal } = context;
  const since = checkpoint === null ? {} : { since: checkpoint };
  for (let after = context.resumePoint; ; ) {
    const query = after === null ? since : { ...since, after };
    const { items, next, until } = orThrow(await client.getTimesheets(query, signal));
    for (const { deleted, ...record } of items)
      yield { operation: deleted === true ? "delete" : "upsert", record };
    if (next === null) {
      context.saveCheckpoint(until);
      return;
    }
    after = next;
    context.saveResumePoint(after);
  }
}
