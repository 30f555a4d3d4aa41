/** The API of the projects platform, as far as this connector needs it. */
import type { ApiResponse, HttpClient } from "connectorcli/client";
import type { CreateProjectInput, ProjectJson } from "../generated/app/project.js";
import type { TimesheetJson } from "../generated/app/timesheet.js";

/** What `GET timesheets` answers: entries that were changed or deleted, and where the next page is. */
export interface TimesheetPage {
  readonly items: readonly (TimesheetJson & { readonly deleted?: boolean })[];
  readonly next: string | null;
  /** To ask from the next time. */
  readonly until: string;
}

export class ApiClient {
  readonly #http: HttpClient;

  constructor(http: HttpClient, baseUrl: string) {
    this.#http = http.at(baseUrl);
  }

  getProjects(page: number, pageSize: number, signal?: AbortSignal): Promise<ApiResponse<ProjectJson[]>> {
    return this.#http.get("projects", { query: { page, pageSize }, signal });
  }

  /** The key makes the platform answer a repeated call as the first one. */
  createProject(
    input: CreateProjectInput,
    idempotencyKey: string,
    signal?: AbortSignal,
  ): Promise<ApiResponse<ProjectJson>> {
    const headers = { "Idempotency-Key": idempotencyKey };
    return this.#http.post("projects", { json: input, headers, signal });
  }

  getTimesheets(
    query: { readonly since?: string; readonly after?: string },
    signal?: AbortSignal,
  ): Promise<ApiResponse<TimesheetPage>> {
    return this.#http.get("timesheets", { query, signal });
  }
}
