/** Reads every timesheet that changed since the checkpoint. It throws where it can't go on: the checkpoint then stays. */
import { orThrow } from "connectorcli/client";
import type { ReaderContext, RecordChange } from "connectorcli/runtime";
import type { ApiClient } from "../../../client/api-client.js";
import type { TimesheetJson } from "../../../generated/app/timesheet.js";

/** What the platform answers: timesheets that were changed or deleted, and where the next page is. */
interface TimesheetPage {
  readonly items: readonly (TimesheetJson & { readonly deleted?: boolean })[];
  readonly next: string | null;
  /** To ask from the next time. */
  readonly until: string;
}

export async function* readTimesheet(
  context: ReaderContext<ApiClient>,
): AsyncGenerator<RecordChange<TimesheetJson>> {
  const { client, checkpoint, signal } = context;
  for (let after = context.resumePoint; ; ) {
    const query = { since: checkpoint, after };
    const { items, next, until } = orThrow(await client.get<TimesheetPage>("timesheets", { query, signal }));
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
