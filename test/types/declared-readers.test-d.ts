/** A declared reader is checked by the compiler: variables of the path, ways through the answer, the property of changes. */
import { type RecordMethods, typedRecord } from "../../runtime/codegen/index.js";
import {
  answer,
  type DeclaredReader,
  defineReader,
  exportJob,
  from,
  graphql,
  type RecordChange,
  setting,
} from "../../runtime/entries/runtime.js";

interface ProjectJson {
  readonly id: string;
  readonly name?: string | null;
  readonly changed_on: string;
}

class Project extends typedRecord<{ id: string }, ProjectJson, RecordMethods<ProjectJson>>({
  name: "Project",
  schema: () => ({}),
  check: () => true,
}) {}

interface Answer {
  readonly data: readonly ProjectJson[];
  readonly names: readonly string[];
  readonly total: number;
  readonly more?: boolean;
  readonly paging?: { readonly next?: { readonly after: string; readonly link: string } | null };
}

const one = { kind: "one" } as const;
const list = { answer: answer<Answer>(), items: "data", pages: one } as const;

// What can be declared.
export const full: DeclaredReader<ProjectJson> = defineReader(Project, { list: "GET /projects", ...list });
export const root = defineReader(Project, {
  list: "GET /projects",
  answer: answer<readonly ProjectJson[]>(),
  items: "$",
  pages: { kind: "linkHeader", size: { send: "per_page", value: 100 } },
});
export const untyped = defineReader(Project, {
  list: "POST /search",
  body: { filter: { team: setting("Team") } },
  items: "any.way",
  pages: { kind: "cursor", send: { body: "page.after" }, next: "any.other" },
});
export const changes: DeclaredReader<RecordChange<ProjectJson>> = defineReader(Project, {
  ...list,
  list: "GET /projects",
  since: { property: "changed_on", send: "since", format: "epochSeconds" },
  deletedWhen: { property: "deleted" },
});
export const twoLists: DeclaredReader<RecordChange<ProjectJson>> = defineReader(Project, {
  ...list,
  list: "GET /teams/{team}/projects",
  path: { team: setting("Team") },
  full: { every: "P7D" },
  deleted: {
    list: "GET /teams/{team}/deleted/{kind}",
    path: { team: setting("Team"), kind: "project" },
    answer: answer<{ readonly gone: readonly { readonly id: string }[]; readonly mark: string }>(),
    items: "gone",
    pages: one,
    since: { mark: "mark", send: "since" },
  },
});
export const deletedIds: DeclaredReader<RecordChange<ProjectJson>> = defineReader(Project, {
  ...list,
  list: "GET /projects",
  deleted: { list: "GET /deleted", items: "$", pages: one, each: (id: string) => ({ id }) },
});
export const child = defineReader(Project, {
  ...list,
  list: "GET /teams/{team}/projects/{state}",
  path: { team: from(full, "id"), state: "open" },
});
export const mapped: DeclaredReader<ProjectJson> = defineReader(Project, {
  list: "GET /projects",
  answer: answer<{ readonly names: readonly string[] }>(),
  items: "names",
  pages: one,
  each: (name: string) => ({ id: name, changed_on: "" }),
});

export const untypedPages = defineReader(Project, {
  list: "GET /projects",
  items: "data",
  pages: { kind: "page", send: "page", last: "last", total: "total" },
});

// A GraphQL query: ways lead through `data`.
interface Data {
  readonly projects: {
    readonly nodes: readonly ProjectJson[];
    readonly edges: readonly ({ readonly node: ProjectJson | null } | null)[];
    readonly names: readonly string[];
    readonly pageInfo: { readonly endCursor: string | null };
  };
}
const relay = {
  document: "query ($after: String) { … }",
  answer: answer<Data>(),
  pages: { kind: "relay" },
} as const;
export const nodes: DeclaredReader<ProjectJson> = defineReader(
  Project,
  graphql({
    ...relay,
    items: "projects.nodes",
    variables: { filter: { ids: [from(full, "id"), setting("Id")] } },
  }),
);
export const edges: DeclaredReader<ProjectJson> = defineReader(
  Project,
  graphql({ ...relay, items: "projects.edges" }),
);
export const untypedQuery: DeclaredReader<ProjectJson> = defineReader(
  Project,
  graphql({ document: "", items: "any.way", pages: { kind: "cursor", send: "after", next: "any.other" } }),
);
export const changedByQuery: DeclaredReader<RecordChange<ProjectJson>> = defineReader(
  Project,
  graphql({
    ...relay,
    items: "projects.nodes",
    since: { property: "changed_on", send: "since" },
    full: { every: "P7D" },
  }),
);
export const mappedNames: DeclaredReader<ProjectJson> = defineReader(
  Project,
  graphql({ ...relay, items: "projects.names", each: (name: string) => ({ id: name, changed_on: "" }) }),
);
// @ts-expect-error no list of records in data
defineReader(Project, graphql({ ...relay, items: "projects.names" }));
const noProperty = { ...relay, items: "projects.nodes" } as const;
// @ts-expect-error the record has no such property
defineReader(Project, graphql({ ...noProperty, since: { property: "changedOn", send: "since" } }));
const byHeader = { kind: "cursor", send: { header: "after" }, next: "projects.pageInfo.endCursor" } as const;
// @ts-expect-error what is sent goes into variables
defineReader(Project, graphql({ ...relay, items: "projects.nodes", pages: byHeader }));
const noCursor = { kind: "cursor", send: "after", next: "projects.pageInfo" } as const;
// @ts-expect-error a cursor is a text or a number
defineReader(Project, graphql({ ...relay, items: "projects.nodes", pages: noCursor }));
// @ts-expect-error an incremental reader is no full one
export const wrongQuery: DeclaredReader<ProjectJson> = defineReader(
  Project,
  graphql({ ...relay, items: "projects.nodes", since: { property: "changed_on", send: "since" } }),
);

// An export: the ways of each answer.
interface Started {
  readonly job: { readonly id: number };
}
interface Polled {
  readonly status: string;
  readonly rows: number;
  readonly file?: { readonly url: string } | null;
}
const start = { call: "POST /exports", answer: answer<Started>(), handle: "job.id" } as const;
const poll = {
  call: "GET /exports/{handle}",
  answer: answer<Polled>(),
  state: "status",
  ready: "done",
  total: "rows",
} as const;
const download = { address: "file.url", format: "csv" } as const;
export const exported: DeclaredReader<ProjectJson> = defineReader(
  Project,
  exportJob({
    start: { ...start, call: "POST /teams/{team}/exports", path: { team: setting("Team") } },
    poll: { ...poll, call: "GET /teams/{team}/exports/{handle}", path: { team: from(full, "id") } },
    download: { call: "GET /files/{handle}", format: "json", items: "data" },
  }),
);
export const changedExports: DeclaredReader<RecordChange<ProjectJson>> = defineReader(
  Project,
  exportJob({
    start,
    poll,
    download,
    since: { property: "changed_on", send: { body: "from" } },
    full: { every: "P1D" },
  }),
);
export const mappedLines: DeclaredReader<ProjectJson> = defineReader(
  Project,
  exportJob({
    start: { call: "POST /exports", handle: "any.way" },
    poll: { call: "GET /exports/{handle}", state: "any.other", ready: [1, 2] },
    download: { call: "GET /exports/{handle}/file", format: "jsonLines" },
    each: (line: { readonly key: string }) => ({ id: line.key, changed_on: "" }),
  }),
);
// @ts-expect-error a handle is a text or a number
defineReader(Project, exportJob({ start: { ...start, handle: "job" }, poll, download }));
// @ts-expect-error nothing is there
defineReader(Project, exportJob({ start, poll: { ...poll, state: "state" }, download }));
// @ts-expect-error an address is a text
defineReader(Project, exportJob({ start, poll, download: { ...download, address: "rows" } }));
// @ts-expect-error a variable that is not given
defineReader(Project, exportJob({ start, poll: { ...poll, call: "GET /{team}/{handle}" }, download }));
// @ts-expect-error one too many
defineReader(Project, exportJob({ start, poll: { ...poll, path: { team: 1 } }, download }));
// @ts-expect-error an unknown format
defineReader(Project, exportJob({ start, poll, download: { ...download, format: "xml" } }));
// @ts-expect-error an incremental reader is no full one
export const wrongExport: DeclaredReader<ProjectJson> = defineReader(
  Project,
  exportJob({ start, poll, download, deletedWhen: { property: "deleted" } }),
);

// Variables of the path.
// @ts-expect-error a variable that is not given
defineReader(Project, { ...list, list: "GET /teams/{team}/projects" });
// @ts-expect-error one of two
defineReader(Project, { ...list, list: "GET /teams/{team}/{state}", path: { team: 1 } });
// @ts-expect-error one too many
defineReader(Project, { ...list, list: "GET /teams/{team}", path: { team: 1, state: 2 } });
// @ts-expect-error where there is none
defineReader(Project, { ...list, list: "GET /projects", path: { team: 1 } });
// @ts-expect-error a parent has no such member
from(full, "key");

// Ways through the answer.
// @ts-expect-error no list of records
defineReader(Project, { ...list, list: "GET /projects", items: "names" });
// @ts-expect-error nothing is there
defineReader(Project, { ...list, list: "GET /projects", items: "items" });
// @ts-expect-error the answer is no list
defineReader(Project, { ...list, list: "GET /projects", items: "$" });
const cursor = { kind: "cursor", send: "after" } as const;
// @ts-expect-error a cursor is a text or a number
defineReader(Project, { ...list, list: "GET /projects", pages: { ...cursor, next: "paging.next" } });
// @ts-expect-error a link is a text
defineReader(Project, { ...list, list: "GET /projects", pages: { kind: "link", next: "total" } });
const offset = { kind: "offset", send: "skip" } as const;
// @ts-expect-error a total is a number
defineReader(Project, { ...list, list: "GET /projects", pages: { ...offset, total: "more" } });
const after = { ...cursor, next: "paging.next.after" } as const;
// @ts-expect-error a total is a number for any kind
defineReader(Project, { ...list, list: "GET /projects", pages: { ...after, total: "data" } });
// @ts-expect-error an unknown kind
defineReader(Project, { ...list, list: "GET /projects", pages: { kind: "pages", send: "page" } });
defineReader(Project, { ...list, list: "GET /projects", pages: { ...after, total: "total" } });
defineReader(Project, { ...list, list: "GET /projects", pages: { kind: "link", next: "paging.next.link" } });

defineReader(Project, {
  ...list,
  list: "GET /projects",
  pages: { kind: "page", send: "page", total: "total" },
});
defineReader(Project, {
  ...list,
  list: "GET /projects",
  pages: { kind: "linkHeader", total: { header: "X-Total" } },
});

// Changes.
// @ts-expect-error the record has no such property
defineReader(Project, { ...list, list: "GET /projects", since: { property: "changedOn", send: "since" } });
const gone = { answer: answer<Answer>(), items: "data", pages: one } as const;
// @ts-expect-error a variable that is not given in the second list
defineReader(Project, { ...list, list: "GET /projects", deleted: { ...gone, list: "GET /deleted/{team}" } });
const names = { ...gone, list: "GET /deleted", items: "names" } as const;
// @ts-expect-error no list of records in the second list
defineReader(Project, { ...list, list: "GET /projects", deleted: names });
// @ts-expect-error an incremental reader is no full one
export const second: DeclaredReader<ProjectJson> = defineReader(Project, {
  ...list,
  list: "GET /projects",
  deleted: { ...gone, list: "GET /deleted" },
});
// @ts-expect-error an incremental reader is no full one
export const wrong: DeclaredReader<ProjectJson> = defineReader(Project, {
  ...list,
  list: "GET /projects",
  since: { property: "changed_on", send: "since" },
});
