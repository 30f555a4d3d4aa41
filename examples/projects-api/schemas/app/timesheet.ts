/** Timesheet: schema and keys of the data object, which is read from a checkpoint on. */
import { defineDataObject, Type } from "connectorcli";

export const Timesheet = defineDataObject("Timesheet", {
  description: "Hours that one worker spent on one project in one week.",
  primaryKey: ["projectId", "week", "worker"],
  readerType: "incremental",
  namingConvention: "snake_case",
  properties: {
    projectId: Type.String({ format: "uuid", description: "The project that was worked on." }),
    week: Type.String({ description: "The week, as in 2026-W07.", pattern: "^\\d{4}-W\\d{2}$" }),
    worker: Type.Integer({ description: "Personnel number of the worker.", minimum: 1 }),
    hours: Type.Number({ description: "Hours worked in the week.", minimum: 0, maximum: 168 }),
    changedOn: Type.String({ format: "date-time", description: "When the entry was last changed." }),
  },
});
