/** The example's project with declared readers in place of those in code. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { platformProject } from "./projects-platform.js";

/** A reader of all projects, a hundred a page; `members` are more of its declaration. */
export function projectReader(members = ""): string {
  return `import { defineReader, setting } from "connectorcli/runtime";
import { Project } from "../../../generated/app/project.js";

export const readProject = defineReader(Project, {
  list: "GET /projects",
  query: { status: setting("ProjectStatus", { as: { All: null }, default: null }) },
  items: "$",
  pages: { kind: "page", send: "page", size: { send: "pageSize", value: 100 } },
  ${members}
});
`;
}

/** A reader of all timesheets that have changed, fifty a page. */
export const TIMESHEET_READER = `import { defineReader } from "connectorcli/runtime";
import { Timesheet } from "../../../generated/app/timesheet.js";

export const readTimesheet = defineReader(Timesheet, {
  list: "GET /timesheets",
  items: "items",
  pages: { kind: "cursor", send: "after", next: "next" },
  since: { mark: "until", send: "since" },
  deletedWhen: { property: "deleted" },
});
`;

/** Where the readers stand. */
export const PROJECT_READER_FILE = "modules/app/project/project-reader.ts";
export const TIMESHEET_READER_FILE = "modules/app/timesheet/timesheet-reader.ts";

/** A copy of the example that talks to `origin`, with filled settings. */
export async function declaredProject(origin: string, token: string): Promise<string> {
  const folder = await platformProject(origin, token);
  writeFileSync(path.join(folder, PROJECT_READER_FILE), projectReader());
  writeFileSync(path.join(folder, TIMESHEET_READER_FILE), TIMESHEET_READER);
  return folder;
}
