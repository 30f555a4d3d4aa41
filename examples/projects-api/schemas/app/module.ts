/** AppModule: its data objects and actions, in the platform's order. */
import { defineModule } from "connectorcli";
import { CreateProject, Project } from "./project.js";
import { Timesheet } from "./timesheet.js";

export const AppModule = defineModule("App", {
  key: "app",
  version: 1,
  description: "Projects and the hours worked on them.",
  dataObjects: [Project, Timesheet],
  actions: [CreateProject],
});
