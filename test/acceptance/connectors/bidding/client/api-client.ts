/** The calls that readers make: one method for each list that others stand below. */
import {
  type ApiResponse,
  type CallOptions,
  cursors,
  type HttpClient,
  offsets,
  pageNumbers,
  path,
  ResponseError,
  resultOrThrow,
} from "connectorcli/client";
import type { StopSignal } from "connectorcli/runtime";
import type { ContractsJson } from "../generated/changeorder/contracts.js";
import type { DatabasesJson } from "../generated/database/databases.js";
import type { ProjectsJson } from "../generated/project/projects.js";

/** A page of a list whose next page is named by a text. */
export interface CursorPage<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** A page of a list that says how long it is. */
export interface CountedPage<Item> {
  readonly items: readonly Item[];
  readonly totalRows: number;
}

export class ApiClient {
  readonly http: HttpClient;

  /** @param baseUrl The base address of the connection; paths are below it. */
  constructor(http: HttpClient, baseUrl: string) {
    this.http = http.at(baseUrl);
  }

  get<Result>(address: string, options?: CallOptions): Promise<ApiResponse<Result>> {
    return this.http.get<Result>(address, options);
  }

  async databases(signal: StopSignal): Promise<readonly DatabasesJson[]> {
    const response = await this.get<{ databases: readonly DatabasesJson[] }>("databases", { signal });
    return resultOrThrow(response).databases;
  }

  async *projects(signal: StopSignal): AsyncGenerator<ProjectsJson> {
    for (const { token } of await this.databases(signal)) {
      const pages = pageNumbers({
        first: 0,
        read: (pageIndex) => {
          const options = { query: { pageIndex, pageSize: 50 }, signal };
          return this.get<CountedPage<ProjectsJson>>(path`databases/${token}/projects`, options);
        },
        itemsOf: ({ items }) => items,
      });
      for await (const { items } of untilGone(pages)) yield* items;
    }
  }

  async *contracts(signal: StopSignal): AsyncGenerator<ContractsJson> {
    for await (const { projectId } of this.projects(signal)) {
      const pages = offsets({
        read: (skip) => {
          const options = { query: { skip, take: 50 }, signal };
          return this.get<CountedPage<ContractsJson>>(path`projects/${projectId}/contracts`, options);
        },
        itemsOf: ({ items }) => items,
        totalOf: ({ totalRows }) => totalRows,
      });
      for await (const { items } of untilGone(pages)) yield* items;
    }
  }

  /** Every item of a list whose pages name the next one. */
  async *all<Item>(address: string, signal: StopSignal): AsyncGenerator<Item> {
    const pages = cursors({
      read: (after) => this.get<CursorPage<Item>>(address, { query: { after, limit: 50 }, signal }),
      cursorOf: ({ next }) => next,
    });
    for await (const { items } of pages) yield* items;
  }
}

/** The items of a list below a record that may go while the list is read: what has gone has no items. */
export async function* untilGone<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    if (!(error instanceof ResponseError && error.statusCode === 404)) throw error;
  }
}
