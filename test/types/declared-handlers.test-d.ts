/** A declared handler is checked by the compiler: variables of the path, ways through input and answer, the record. */
import {
  type ActionClass,
  type ActionContext,
  type CacheChange,
  type Failed,
  type RecordMethods,
  type Succeeded,
  typedRecord,
} from "../../runtime/codegen/index.js";
import {
  actionKey,
  answer,
  answered,
  defineHandler,
  input,
  rest,
  setting,
} from "../../runtime/entries/runtime.js";

interface ProjectJson {
  readonly id: string;
  readonly name?: string | null;
}

interface TaskJson {
  readonly key: number;
}

type InputJson = {
  readonly team: string;
  readonly count?: number | null;
  readonly tags?: readonly string[];
  readonly address?: { readonly city: string };
};

interface FailureJson {
  readonly code?: string;
  readonly errors?: { readonly text?: string }[];
}

class Project extends typedRecord<{ id: string }, ProjectJson, RecordMethods<ProjectJson>>({
  name: "Project",
  schema: () => ({}),
  check: () => true,
}) {}
class Task extends typedRecord<{ key: number }, TaskJson, RecordMethods<TaskJson>>({
  name: "Task",
  schema: () => ({}),
  check: () => true,
}) {}
class Input extends typedRecord<InputJson, InputJson, RecordMethods<InputJson>>({
  name: "Input",
  schema: () => ({}),
  check: () => true,
}) {}
class Output extends typedRecord<{ id: string }, { id: string }, RecordMethods<{ id: string }>>({
  name: "Output",
  schema: () => ({}),
  check: () => true,
}) {}
class Failure extends typedRecord<FailureJson, FailureJson, RecordMethods<FailureJson>>({
  name: "Failure",
  schema: () => ({}),
  check: () => true,
}) {}

declare const CreateProject: ActionClass<{
  input: InputJson;
  output: { id: string };
  failure: FailureJson;
  dataObject: "Project";
  record: ProjectJson;
}>;
declare const CheckProject: ActionClass<{
  input: InputJson;
  output: { id: string };
  failure: { readonly reason: string };
  dataObject: "Project";
  record: ProjectJson;
}>;
export const generated: typeof CreateProject = {
  name: "CreateProject",
  input: Input,
  output: Output,
  failure: Failure,
  dataObject: Project,
};

interface Answer {
  readonly data: ProjectJson;
  readonly task?: TaskJson;
  readonly id: string;
  readonly total: number;
}

/** What generated code asks for. */
type Handler = (
  input: Input,
  context: ActionContext<
    { readonly http: never },
    { connection: 1; registrationConfiguration: 1; serviceConfiguration: 1; settings: 1 }
  >,
) => Promise<
  | Succeeded<
      Output | { id: string },
      | CacheChange<"Project", "upsert", Project | ProjectJson>
      | CacheChange<"Project", "delete", Project | ProjectJson | Pick<ProjectJson, "id">>
      | CacheChange<"Task", "upsert", Task | TaskJson>
    >
  | Failed<FailureJson>
>;

const create = { call: "POST /projects" } as const;
const typed = { ...create, answer: answer<Answer>() };

// What can be declared.
export const plain: Handler = defineHandler(CreateProject, create);
export const whole: Handler = defineHandler(CreateProject, {
  call: "POST /teams/{team}/projects",
  path: { team: input("team") },
  query: { count: input("count"), tags: input("tags"), fixed: true, key: actionKey, none: null },
  headers: { "X-Region": setting("Region") },
  body: { data: rest, nested: [{ ...rest, city: input("address.city"), all: input("$") }] },
  encoding: "json",
  answer: answer<Answer>(),
  record: "data",
  reread: "GET /projects/{id}",
  output: { id: answered("data.id") },
  change: "upsert",
  idempotency: { header: "Idempotency-Key" },
  failures: {
    404: { code: "none" },
    409: { code: answered("error.code"), text: answered("error.message") },
    422: { code: "invalid", errors: [{ text: answered("message") }] },
  },
  refused: { at: "total", is: 0 },
});
export const deleted: Handler = defineHandler(CreateProject, {
  call: "DELETE /projects/{id}",
  path: { id: input("team") },
  change: "delete",
  key: { id: input("team") },
  absent: [404],
});
export const other: Handler = defineHandler(CreateProject, {
  ...typed,
  record: "task",
  change: { upsert: Task },
});
export const looked: Handler = defineHandler(CreateProject, {
  ...create,
  record: "$",
  change: "upsert",
  reread: "Location",
  idempotency: {
    lookUp: {
      call: "GET /projects",
      query: { team: input("team") },
      items: "data",
      where: { team: input("team"), reference: actionKey },
    },
  },
});
export const coded: Handler = defineHandler(CreateProject, {
  ...typed,
  record: "data",
  toOutput: ({ input: { team }, answer: given, record }) => ({ id: record?.id ?? given?.data.id ?? team }),
});
export const own = defineHandler(CheckProject, { ...create, failures: { 409: { reason: answered("why") } } });

// Variables of the path.
// @ts-expect-error a variable that is not given
defineHandler(CreateProject, { call: "POST /teams/{team}" });
// @ts-expect-error one too many
defineHandler(CreateProject, { call: "POST /teams/{team}", path: { team: "a", other: "b" } });
// @ts-expect-error where there is none
defineHandler(CreateProject, { call: "POST /teams", path: { team: "a" } });
// @ts-expect-error the input has no such member
defineHandler(CreateProject, { call: "POST /teams/{team}", path: { team: input("teams") } });
// @ts-expect-error the input has no text there
defineHandler(CreateProject, { call: "POST /teams/{team}", path: { team: input("address") } });

// Ways through the input.
// @ts-expect-error in a query
defineHandler(CreateProject, { ...create, query: { team: input("teams") } });
// @ts-expect-error an object in a query
defineHandler(CreateProject, { ...create, query: { team: input("address") } });
// @ts-expect-error in a body
defineHandler(CreateProject, { ...create, body: { team: input("teams") } });
// @ts-expect-error deep in a body
defineHandler(CreateProject, { ...create, body: { team: [{ name: input("address.town") }] } });

// Ways through the answer.
// @ts-expect-error nothing is there
defineHandler(CreateProject, { ...typed, record: "project", change: "upsert" });
// @ts-expect-error no record of a project
defineHandler(CreateProject, { ...typed, record: "task", change: "upsert" });
// @ts-expect-error no record of a task
defineHandler(CreateProject, { ...typed, record: "data", change: { upsert: Task } });
// @ts-expect-error a number is no id
defineHandler(CreateProject, { ...typed, output: { id: answered("total") } });
// @ts-expect-error the output has no such member
defineHandler(CreateProject, { ...typed, output: { key: answered("id") } });
// @ts-expect-error nobody has such a member
defineHandler(CreateProject, { ...typed, record: "data", reread: "GET /projects/{key}" });
// @ts-expect-error not the object's own
defineHandler(CreateProject, { ...create, change: "delete", key: { key: "a" } });

// What nothing else tells.
interface Receipt {
  readonly receipt: string;
}
declare const CloseProject: ActionClass<{
  input: InputJson;
  output: { readonly number: string; readonly note?: string };
  failure: FailureJson;
  dataObject: "Project";
  record: ProjectJson;
}>;
const receipt = { ...create, answer: answer<Receipt>() };
defineHandler(CloseProject, { ...receipt, output: { number: answered("receipt") } });
defineHandler(CloseProject, { ...receipt, output: { number: input("team") } });
defineHandler(CloseProject, { ...receipt, toOutput: () => ({ number: "1" }) });
defineHandler(CloseProject, create);
defineHandler(CloseProject, { ...create, record: "$", change: "upsert" });
defineHandler(CloseProject, { ...create, record: "any.way", output: { number: answered("any.other") } });
// @ts-expect-error neither the record nor the answer nor the input has a number
defineHandler(CloseProject, receipt);
// @ts-expect-error the number is still missing
defineHandler(CloseProject, { ...receipt, output: { note: "x" } });
// @ts-expect-error a change needs the record
defineHandler(CreateProject, { ...create, change: "upsert" });
// @ts-expect-error of another data object too
defineHandler(CreateProject, { ...create, change: { upsert: Task } });

// Failures.
// @ts-expect-error this action has a failure of its own
defineHandler(CheckProject, { ...create, failures: { 409: { code: "a", text: "b" } } });
// @ts-expect-error the standard failure has no such member
defineHandler(CreateProject, { ...create, failures: { 409: { reason: "a" } } });

// @ts-expect-error the record does not fit any data object of the module
export const foreign: Handler = defineHandler(CreateProject, {
  ...create,
  record: "$",
  change: { delete: Task },
});
