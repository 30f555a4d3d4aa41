/** Lists every project, or the active ones only. What the list does not have any more is deleted from the cache. */
import { answer, defineReader, setting } from "connectorcli/runtime";
import { Project, type ProjectJson } from "../../../generated/app/project.js";

export const projectReader = defineReader(Project, {
  list: "GET /projects",
  // What the user of the connector chose for the workspace. Without a status the platform sends all projects.
  query: { status: setting("ProjectStatus", { as: { All: null }, default: null }) },
  answer: answer<readonly ProjectJson[]>(),
  items: "$",
  pages: { kind: "page", send: "page", size: { send: "pageSize", value: 100 } },
});
