/** How a fake target system exports a list: a job that is asked whether it is done, and its file. */
import type { ExportPages } from "../declared/declaration.js";
import type { FileFormat } from "../declared/downloaded-items.js";
import { valueAt, withValueAt } from "../declared/ways.js";
import { propertiesOf } from "./held-objects.js";
import {
  type AskedList,
  type BodyMember,
  bodyWith,
  type FakeAnswer,
  type FakeList,
  type FakePage,
  saidByAll,
} from "./list-answers.js";

/** What an export answers. */
export interface FakeExport {
  /** Starts a job with the records of a page. */
  readonly start: (list: FakeList, asked: AskedList, page: FakePage) => FakeAnswer;
  /** Method and path of the calls for a job and for its file, below the base address, with what they answer. */
  readonly calls: readonly (readonly [call: string, answer: (asked: AskedList) => FakeAnswer])[];
}

/** A job that was started. */
interface Job {
  readonly items: readonly unknown[];
  /** How often it was asked whether it is done. */
  polls: number;
}

/** Where jobs and files are whose addresses the target system chooses itself. */
const JOBS = "/exports-of";
const GONE: FakeAnswer = { status: 404, headers: {}, body: { error: { message: "There is no such job." } } };

/** The calls of an export. A job goes on when it is asked for the first time, and is done the second time. */
export function createExport(
  { object, declaration }: FakeList,
  pages: ExportPages,
  basePath: string,
): FakeExport {
  const { poll, download } = pages;
  const jobs = new Map<string, Job>();
  const own = `${JOBS}${declaration.list.replace(/^\w+ /, "").replace(/[^/\w]/g, "")}`;
  const place = (asked: AskedList, id: string) => `${new URL(asked.address).origin}${basePath}${own}/${id}`;
  const ofJob = (answer: (job: Job, asked: AskedList, id: string) => FakeAnswer) => (asked: AskedList) => {
    const { handle: id = "" } = asked.variables;
    const job = jobs.get(id);
    return job === undefined ? GONE : answer(job, asked, id);
  };
  const isOwn = (call: string | undefined) => call === undefined || isAddress(call);
  return {
    start: (list, asked, { items }) => {
      const id = `${object.type.name}-${jobs.size + 1}`;
      jobs.set(id, { items, polls: 0 });
      const handle = isAddress(poll.call) ? place(asked, id) : id;
      const inBody: readonly BodyMember[] = typeof pages.handle === "string" ? [[pages.handle, handle]] : [];
      const headers = typeof pages.handle === "string" ? {} : { [pages.handle.header.toLowerCase()]: handle };
      return { status: 200, headers, body: bodyWith([...inBody, ...saidByAll(list)]) };
    },
    calls: [
      [
        isOwn(poll.call) ? `GET ${own}/{handle}` : poll.call,
        ofJob((job, asked, id) => {
          const isDone = job.polls++ > 0;
          // It wants to be asked again at once.
          const headers: FakeAnswer["headers"] = isDone ? {} : { "retry-after": "0" };
          const status = isDone || poll.state !== undefined ? 200 : 202;
          return {
            status,
            headers,
            body: bodyWith(stateOf(pages, { job, isDone, file: `${place(asked, id)}/file` })),
          };
        }),
      ],
      [
        isOwn(download.call) || download.call === undefined ? `GET ${own}/{handle}/file` : download.call,
        ofJob(({ items }) => ({
          ...{ status: 200, headers: {}, body: undefined },
          file: fileOf(download, items, [...propertiesOf(object.type)]),
        })),
      ],
    ],
  };
}

/** Whether the handle of a job is the address that is called. */
function isAddress(call: string): boolean {
  return /^\w+ \{handle\}$/.test(call);
}

/** What the answer says of a job. */
function stateOf(
  { poll, download }: ExportPages,
  { job, isDone, file }: { readonly job: Job; readonly isDone: boolean; readonly file: string },
): readonly BodyMember[] {
  const [ready = "done"] = [poll.ready].flat();
  return [
    ...(poll.state === undefined ? [] : [[poll.state, isDone ? ready : "running"] as const]),
    ...(poll.total === undefined ? [] : [[poll.total, job.items.length] as const]),
    ...(download.address === undefined || !isDone ? [] : [[download.address, file] as const]),
  ];
}

function fileOf(
  format: FileFormat,
  items: readonly unknown[],
  names: readonly string[],
): NonNullable<FakeAnswer["file"]> {
  switch (format.format) {
    case "jsonLines":
      return {
        type: "application/x-ndjson",
        text: items.map((item) => `${JSON.stringify(item)}\n`).join(""),
      };
    case "json": {
      const body = format.items === "$" ? items : withValueAt({}, format.items, items);
      return { type: "application/json", text: JSON.stringify(body) };
    }
    case "csv":
      return { type: "text/csv", text: csvOf(format, items, names) };
    default:
      return format satisfies never;
  }
}

function csvOf(
  { delimiter = ",", columns = {} }: Extract<FileFormat, { readonly format: "csv" }>,
  items: readonly unknown[],
  names: readonly string[],
): string {
  const columnOf = (name: string) =>
    Object.entries(columns).find(([, property]) => property === name)?.[0] ?? name;
  const cell = (value: unknown) => {
    const text = typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
    return /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const rows = [names.map(columnOf), ...items.map((item) => names.map((name) => valueAt(item, name)))];
  return rows.map((row) => `${row.map(cell).join(delimiter)}\n`).join("");
}
