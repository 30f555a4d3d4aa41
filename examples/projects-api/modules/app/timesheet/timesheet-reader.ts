/** Reads every timesheet that changed since the checkpoint. It throws if it can't go on: the checkpoint then stays. */
import { resultOrThrow } from "connectorcli/client";
import type { RecordChange } from "connectorcli/runtime";
import type { ApiClient } from "../../../client/api-client.js";
import type { TimesheetReaderContext } from "../../../generated/app/contexts.js";
import type { TimesheetJson } from "../../../generated/app/timesheet.js";

/** What the platform answers: timesheets that were changed or deleted, and where the next page is. */
interface TimesheetPage {
  readonly items: readonly (TimesheetJson & { readonly deleted?: boolean })[];
  readonly next: string | null;
  /** To ask from the next time. */
  readonly until: string;
}

export async function* readTimesheet(
  context: TimesheetReaderContext<ApiClient>,
): AsyncGenerator<RecordChange<TimesheetJson>> {
  const { client, checkpoint, signal } = context;
  for (let after = context.resumePoint; ; ) {
    const query = { since: checkpoint, after };
    const { items, next, until } = resultOrThrow(
      await client.get<TimesheetPage>("timesheets", { query, signal }),
    );
    // The time of the first page: what changes while this run reads is read by the next.
    if (after === null) context.saveCheckpoint(until);
    for (const { deleted, ...record } of items)
      yield { operation: deleted === true ? "delete" : "upsert", record };
    if (next === null) return;
    after = next;
    context.saveResumePoint(after);
  }
}
