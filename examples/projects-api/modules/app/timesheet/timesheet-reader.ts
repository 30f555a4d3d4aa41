/** Lists every timesheet that has changed since the last run. */
import { answer, defineReader } from "connectorcli/runtime";
import { Timesheet, type TimesheetJson } from "../../../generated/app/timesheet.js";

/** What the platform answers: timesheets that were changed or deleted, and what to ask by the next time. */
interface Answer {
  readonly items: readonly TimesheetJson[];
  /** Of the next page. */
  readonly next: string | null;
  /** Of the next run. */
  readonly until: string;
}

export const timesheetReader = defineReader(Timesheet, {
  list: "GET /timesheets",
  answer: answer<Answer>(),
  items: "items",
  pages: { kind: "cursor", send: "after", next: "next", size: { send: "limit", value: 50 } },
  since: { mark: "until", send: "since" },
  deletedWhen: { property: "deleted" },
});
