/** ProjectModule: its data objects and actions, in the platform's order. */
import { defineModule } from "connectorcli";
import { LastProjects } from "./last-projects.js";
import { Projects } from "./projects.js";

export const ProjectModule = defineModule("Project", {
  key: "project",
  version: 1,
  description: "What is built.",
  dataObjects: [LastProjects, Projects],
});
