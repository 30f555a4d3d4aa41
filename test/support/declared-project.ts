/** The example's project with declared readers in place of those in code. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { platformProject } from "./projects-platform.js";

/** Where the readers stand. */
export const READER_FILES = {
  Project: "modules/app/project/project-reader.ts",
  Timesheet: "modules/app/timesheet/timesheet-reader.ts",
} as const;

/** Where the handler stands. */
export const HANDLER_FILE = "modules/app/project/create-project-handler.ts";

/** A reader of all projects, a hundred a page, without its name; `members` are more of its declaration. */
export function projectReader(members = ""): string {
  return `defineReader(Project, {
  list: "GET /projects",
  query: { status: setting("ProjectStatus", { as: { All: null }, default: null }) },
  items: "$",
  pages: { kind: "page", send: "page", size: { send: "pageSize", value: 100 } },
  ${members}
});`;
}

/** A reader of all timesheets that have changed, fifty a page. */
export const TIMESHEET_READER = `defineReader(Timesheet, {
  list: "GET /timesheets",
  items: "items",
  pages: { kind: "cursor", send: "after", next: "next" },
  since: { mark: "until", send: "since" },
  deletedWhen: { property: "deleted" },
});`;

/** A copy of the example that talks to `address`, with filled settings. */
export async function declaredProject(address: string, token: string): Promise<string> {
  const folder = await platformProject(address, token);
  writeReader(folder, "Project", projectReader());
  writeReader(folder, "Timesheet", TIMESHEET_READER);
  return folder;
}

/** Writes the module of the handler: `handler` under the name that the services know it by. */
export function writeHandler(folder: string, handler: string): void {
  const services = readFileSync(path.join(folder, "modules/app/services.ts"), "utf8");
  const [, name = ""] = /\bCreateProject: (\w+)/.exec(services) ?? [];
  const module = `import { answered, defineHandler, input, rest, setting } from "connectorcli/runtime";
import { CreateProject } from "../../../generated/app/project.js";

export const unused = [answered, input, rest, setting];
export const ${name} = ${handler}
`;
  writeFileSync(path.join(folder, HANDLER_FILE), module);
}

/** Writes the module of a reader: `reader` from its sixth line on, under the name that the services know it by. */
export function writeReader(folder: string, object: keyof typeof READER_FILES, reader: string): void {
  const services = readFileSync(path.join(folder, "modules/app/services.ts"), "utf8");
  const [, name = ""] = new RegExp(`\\b${object}: (\\w+)`).exec(services) ?? [];
  const module = `import { defineReader, from, setting } from "connectorcli/runtime";
import { Project } from "../../../generated/app/project.js";
import { Timesheet } from "../../../generated/app/timesheet.js";

export const unused = [from, setting, Project, Timesheet];
export const ${name} = ${reader}
`;
  writeFileSync(path.join(folder, READER_FILES[object]), module);
}
