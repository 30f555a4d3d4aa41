/** The readers of ProjectModule. */
import type { ApiClient } from "../../client/api-client.js";
import type { ProjectModuleServices } from "../../generated/registration.js";
import { lastProjectsReader } from "./last-projects-reader.js";
import { projectsReader } from "./projects-reader.js";

export const projectModuleServices: ProjectModuleServices<ApiClient> = {
  readers: {
    LastProjects: lastProjectsReader,
    Projects: projectsReader,
  },
  handlers: {},
};
