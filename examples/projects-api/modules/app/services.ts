/** The readers and handlers of AppModule. */
import type { ApiClient } from "../../client/api-client.js";
import type { AppModuleServices } from "../../generated/registration.js";
import { createProjectHandler } from "./project/create-project-handler.js";
import { projectReader } from "./project/project-reader.js";
import { timesheetReader } from "./timesheet/timesheet-reader.js";

export const appModuleServices: AppModuleServices<ApiClient> = {
  readers: {
    // data-object new adds a line.
    Project: projectReader,
    Timesheet: timesheetReader,
  },
  handlers: {
    // action new adds a line.
    CreateProject: createProjectHandler,
  },
};
