/** What the page can ask for: each call is what a command does, by the same functions of the workbench. */
import path from "node:path";
import { type ActionState, StoreError } from "../../runtime/store/store.js";
import { withoutIndexes } from "../../runtime/validation/finding.js";
import { jsonPointer, pointerSteps, toPlain } from "../../schemas/json.js";
import type { ConnectorModel, DataObjectModel } from "../../schemas/model/connector-model.js";
import { renderDocument } from "../../schemas/model/render-schema.js";
import type { SchemaDocument } from "../../schemas/model/schema-model.js";
import { frameLines } from "../author-project/author-frames.js";
import type { AuthorFrame, CodePlace, LoadedProject } from "../author-project/loaded-project.js";
import { codeLocator } from "../comparison/locate-changes.js";
import { AmbiguousActionError, chosenObjects, UnknownNameError } from "../workbench/choices.js";
import type { WorkspaceChoice } from "../workbench/open-settings.js";
import {
  enqueueAction,
  performActions,
  previewRecords,
  type ServiceEvent,
  type ServiceOptions,
  sync,
  tryAction,
} from "../workbench/services.js";
import type { ProjectStore, RecordView, RejectedView } from "../workbench/store.js";
import { KeyValuesError } from "../workbench/store.js";
import { type SignInOptions, testConnection } from "../workbench/test-connection.js";
import {
  allowed,
  type Context,
  countIn,
  flagIn,
  type Handler,
  json,
  limitIn,
  MAX_ROWS,
  memberIn,
  numbersIn,
  optionalText,
  required,
  textsIn,
} from "./call.js";
import type { ConsoleOptions } from "./console-options.js";
import { DATABASE_READS, DATABASE_WRITES, queueForWorkers } from "./database-api.js";
import { type Api, type ApiAnswer, ApiError } from "./server.js";
import type { ConsoleSession, ConsoleView } from "./session.js";
import type { Target } from "./shown-connection.js";

/** Characters of a record in a list, of a value that is cut there, and members of such a record. */
const MAX_ROW_LENGTH = 4_000;
const MAX_CELL_LENGTH = 100;
const MAX_MEMBERS = 40;
/** Records that are looked through for a text before the page is asked whether to go on. */
const MAX_SEARCHED = 20_000;
/** Rejected records that are grouped; the rest is counted. */
const MAX_REJECTED = 10_000;
const EXAMPLES = 3;

/** @param say Called with what the terminal is told: what was revealed, and why. */
export function createApi(
  session: ConsoleSession,
  options: ConsoleOptions,
  say: (line: string) => void,
): Api {
  return async (call) => {
    const table = call.method === "POST" ? WRITES : READS;
    const handler = Object.hasOwn(table, call.name) ? table[call.name] : undefined;
    if (handler === undefined) return undefined;
    const workspace = call.query.get("workspace") ?? undefined;
    try {
      return await handler({ ...call, session: session.in(workspace), options, say });
    } catch (error) {
      if (isMisnamed(error)) throw new ApiError(400, error.message);
      if (error instanceof StoreError) throw new ApiError(422, error.message);
      throw error;
    }
  };
}

/** Whether the page has named something that is not there; the message says what is. */
function isMisnamed(error: unknown): error is Error {
  return (
    error instanceof UnknownNameError ||
    error instanceof KeyValuesError ||
    error instanceof AmbiguousActionError
  );
}

const READS: Readonly<Record<string, Handler>> = {
  ...DATABASE_READS,
  overview: json(async ({ session, options }) => {
    const { title, key, modules } = await session.model();
    return {
      ...{ title, key, version: session.version, folder: path.resolve(options.folder) },
      isWritable: options.isWritable === true,
      connection: await session.connection(),
      ...(await session.place()),
      objects: await session.withStore(
        (store) => store.summaries(),
        () => undefined,
      ),
      modules: modules.map(({ id, title, dataObjects }) => ({
        ...{ id, title },
        objects: dataObjects.map(({ name, title, dataPath, readerType, keys, actions }) => ({
          ...{ name, title, dataPath, readerType },
          keys: keys.map(({ name, isPrimary, propertyNames }) => ({ name, isPrimary, propertyNames })),
          actions: actions.map(({ name, title, urlPart }) => ({ name, title, urlPart })),
        })),
      })),
    };
  }),
  /** The schema of a data object and of its actions, as `connector.json` has them. */
  schema: json(async ({ session, query }) => {
    const { schema, actions } = await chosenObject(session, query);
    return {
      schema: plain(schema),
      actions: actions.map(({ name, title, description, urlPart, input }) => ({
        ...{ name, title, description, urlPart },
        input: plain(input),
      })),
    };
  }),
  records: json(async ({ session, query }) => {
    const object = required(query, "object");
    const by = query.get("by");
    const values = query.getAll("value");
    const text = query.get("text");
    return session.withStore(
      async (store) => {
        if (values.length > 0) {
          const found = await store.findRecords({ object, values, by: by ?? undefined });
          return { total: found.length, rows: found.map(inList), isWhole: true };
        }
        const offset = countIn(query, "offset");
        if (text !== null && text !== "") return search(store.listRecords({ object, offset }), text);
        // One more than is shown says whether there are more.
        const limit = limitIn(query);
        const { rows, isWhole } = await rowsOf(
          store.listRecords({ object, offset, limit: limit + 1 }),
          limit,
        );
        return { total: await store.countRecords({ object }), rows: rows.map(inList), isWhole };
      },
      () => ({ total: 0, rows: [], isWhole: true }),
    );
  }),
  /** One record, whole. */
  record: json(async ({ session, query }) => {
    const wanted = { object: required(query, "object"), key: required(query, "key") };
    return kept(session, (store) => store.getRecord(wanted), "The cache has no such record any more.");
  }),
  changes: json(async ({ session, query }) =>
    session.withStore(
      async (store) => {
        const object = query.get("object") ?? undefined;
        const listed = store.listChanges({ object, tail: limitIn(query) });
        const { rows } = await rowsOf(listed, limitIn(query));
        // The record is asked for when it is looked at.
        return {
          rows: rows.map(({ record, before, ...change }) => ({ ...change, isThere: record !== null })),
        };
      },
      () => ({ rows: [] }),
    ),
  ),
  rejected: json(async ({ session, query }) => {
    const object = query.get("object") ?? undefined;
    const found: RejectedGroups = await session.withStore(
      async (store) => groupsOf(store.listRejected({ object })),
      () => ({ groups: [], count: 0, isWhole: true }),
    );
    const project = found.groups.length === 0 ? await session.project() : await session.locatedProject();
    const placeOf = codeLocator(project);
    const groups = found.groups.map((group) => ({ ...group, place: placeOfGroup(group, project, placeOf) }));
    return { ...found, groups };
  }),
  /** A change with the record before it and after it. */
  change: json(async ({ session, query }) => {
    const sequence = countIn(query, "sequence");
    return kept(session, (store) => store.getChange(sequence), "The feed has no such change any more.");
  }),
  runs: json(async ({ session, query }) =>
    session.withStore(
      async (store) => ({
        rows: await store.listRuns({
          object: query.get("object") ?? undefined,
          isFailed: query.get("failed") === "true",
          tail: limitIn(query),
        }),
      }),
      () => ({ rows: [] }),
    ),
  ),
  /** What a run has asked, and the pages that came of it. */
  run: json(async ({ session, query }) => {
    const id = countIn(query, "id");
    const history = async (store: ProjectStore) => {
      const run = await store.getRun(id);
      return run && latest(await store.historyOfRun(run));
    };
    return kept(session, history, "The store has no such run any more.");
  }),
  /** The attempts of an action, and what they have asked. */
  action: json(async ({ session, query }) => {
    const id = countIn(query, "id");
    const history = async (store: ProjectStore) => {
      const action = await store.getAction(id);
      return action && latest(await store.historyOfAction(action));
    };
    return kept(session, history, "The queue has no such action.");
  }),
  actions: json(async ({ session, query }) =>
    session.withStore(
      async (store) => {
        const state = STATES.find((name) => name === query.get("state"));
        const object = query.get("object") ?? undefined;
        const listed = store.listActions({ state, object, tail: limitIn(query) });
        const { rows, isWhole } = await rowsOf(listed, limitIn(query));
        return { rows: rows.toReversed(), isWhole };
      },
      () => ({ rows: [], isWhole: true }),
    ),
  ),
};

/** What the store has of one thing. @throws ApiError with these words if it has none */
async function kept<Found>(
  session: ConsoleView,
  find: (store: ProjectStore) => Promise<Found | undefined>,
  missing: string,
): Promise<Found> {
  const found = await session.withStore(find, () => undefined);
  if (found === undefined) throw new ApiError(404, missing);
  return found;
}

/** Of each list its end, with how much there is. */
function latest<History extends { readonly calls: readonly unknown[] }>(history: History) {
  const lists = Object.entries(history).map(([name, list]) => [name, list.slice(-MAX_ROWS)]);
  return { ...(Object.fromEntries(lists) as History), callCount: history.calls.length };
}

const STATES: readonly ActionState[] = ["queued", "taken", "succeeded", "failed", "dead", "cancelled"];

const WRITES: Readonly<Record<string, Handler>> = {
  ...DATABASE_WRITES,
  /** Shows one value, which the terminal is told with the reason. */
  reveal: json(async ({ session, body, say }) => {
    const { object, key, pointer, reason } = textsIn(body, ["object", "key", "pointer", "reason"]);
    if (reason.trim() === "")
      throw new ApiError(400, "Say why the value is needed: the terminal keeps the reason.");
    const value = await kept(
      session,
      (store) => store.revealValue({ object, key, pointer }),
      "There is no such value any more.",
    );
    say(`revealed ${pointer} of ${object} ${key}: ${reason.trim()}`);
    return { value };
  }),
  "queue/retry": json(async (context) => {
    await allowed(context);
    const id = idIn(context.body);
    const isDone = await context.session.withStore(
      (store) => store.retryAction(id),
      () => false,
    );
    return refusedUnless(isDone, `Action ${id} is in a state in which it is not queued again.`);
  }),
  "queue/retry-all": json(async (context) => {
    await allowed(context);
    const { state: name } = textsIn(context.body, ["state"]);
    const state = STATES.find((known) => known === name);
    if (state === undefined) throw new ApiError(400, "Say which state.");
    const count = await context.session.withStore(
      (store) => store.retryActions(state),
      () => 0,
    );
    return { count };
  }),
  "queue/cancel": json(async (context) => {
    await allowed(context);
    const id = idIn(context.body);
    const isDone = await context.session.withStore(
      (store) => store.cancelAction(id),
      () => false,
    );
    return refusedUnless(isDone, `Action ${id} can't be cancelled: only one that is queued can.`);
  }),
  /** Tries a reader without the store. */
  read: async ({ body, ...context }) => {
    const { object } = textsIn(body, ["object"]);
    const { limit, page } = numbersIn(body, ["limit", "page"]);
    return running(context, async (options) => {
      const { objects, diagnostics } = await previewRecords({
        ...options,
        object,
        limit: limit || undefined,
        page: page || undefined,
      });
      return { objects: objects?.map(withFrames(context.options)), diagnostics };
    });
  },
  /** Tries an action without the queue and the cache; dry, it changes nothing. */
  act: async ({ body, ...context }) => {
    const { object, action } = textsIn(body, ["object", "action"]);
    const isDry = flagIn(body, "dryRun");
    if (!isDry) await allowed({ ...context, body }, () => calledTarget(context));
    return running(context, async (options) => {
      const { trial, diagnostics } = await tryAction({
        ...options,
        object,
        action,
        input: inputIn(body),
        dryRun: isDry,
      });
      return { trial: trial && withFrames(context.options)(trial), diagnostics };
    });
  },
  connection: async (context) => connectionTest(context, false),
  /** Lets a user sign in, keeps the refresh token in the settings, and tests the connection with it. */
  "connection/sign-in": async (context) => {
    await allowed(context, () => calledTarget(context));
    return connectionTest(context, { isForced: true, port: context.options.signInPort });
  },
  sync: async ({ body, ...context }) => {
    await allowed({ ...context, body });
    onThisMachine(context, "Workers read for a workspace: npx connectorcli schedule run");
    const approveDeletes = flagIn(body, "approveDeletes");
    const object = optionalText(body, "object");
    return running(context, async (options) => {
      const { objects, diagnostics } = await sync({ ...options, object, approveDeletes });
      return { objects: objects?.map(withFrames(context.options)), diagnostics };
    });
  },
  "queue/add": async ({ body, ...context }) => {
    await allowed({ ...context, body });
    const { object, action } = textsIn(body, ["object", "action"]);
    if (context.session.database !== undefined)
      return queueForWorkers({ ...context, body }, { object, action, input: inputIn(body) });
    return running(context, (options) => enqueueAction({ ...options, object, action, input: inputIn(body) }));
  },
  "queue/perform": async ({ body, ...context }) => {
    await allowed({ ...context, body });
    onThisMachine(context, "Workers perform what is queued for a workspace: npx connectorcli serve");
    return running(context, (options) => performActions(options));
  },
};

/** What is changed where nothing is done to the store: whatever the connection leads to. */
async function calledTarget({ session }: Pick<Context, "session">): Promise<Target> {
  return (await session.connection()).target;
}

function connectionTest(context: Context, signIn: SignInOptions | false): ApiAnswer {
  return running(context, async (options, say) => {
    const { result, diagnostics } = await testConnection({
      ...options,
      signIn,
      // Values of the connection are in the provider's address: the page has one that leads there.
      onEvent: (event) =>
        say(
          event.kind === "sign-in"
            ? {
                ...{ kind: event.kind, redirectUri: event.redirectUri },
                ...{ address: event.startAddress, provider: new URL(event.address).origin },
              }
            : event,
        ),
    });
    return { result, diagnostics };
  });
}

/** Long work: its events, then what came of it. */
function running(
  { options, signal, session }: Omit<Context, "body">,
  work: (options: ServiceOptions & WorkspaceChoice, say: (event: object) => void) => Promise<object>,
): ApiAnswer {
  return {
    run: async (say) => {
      const onEvent = (event: ServiceEvent) => {
        // Records come with the result, with the findings of all.
        if (event.kind !== "previewed") say(event);
      };
      const { folder, storeFile, storeKey, connection, fake, environment, timeoutSeconds } = options;
      const given = {
        ...{ folder, storeFile, storeKey, connection, fake, environment, timeoutSeconds },
        ...{ database: options.database, workspace: await session.workspace() },
      };
      try {
        const result = await work({ ...given, isTraced: true, signal, onEvent }, say);
        say({ kind: "ended", ...result, version: session.version });
      } catch (error) {
        if (!isMisnamed(error)) throw error;
        say({ kind: "refused", message: error.message });
      }
    },
  };
}

/** @throws ApiError with `words` if the page shows a workspace of a database. */
function onThisMachine({ session }: Pick<Context, "session">, words: string): void {
  if (session.database !== undefined) throw new ApiError(409, words);
}

function refusedUnless(isDone: boolean, message: string): object {
  if (!isDone) throw new ApiError(409, message);
  return {};
}

async function chosenObject(session: ConsoleView, query: URLSearchParams): Promise<DataObjectModel> {
  const [object] = chosenObjects(await session.model(), { object: required(query, "object") });
  if (object === undefined) throw new ApiError(404, "There is no such data object.");
  return object;
}

/** The first rows, as many as one answer may have. */
async function rowsOf<Row>(
  listed: AsyncIterable<Row>,
  limit: number,
): Promise<{ readonly rows: readonly Row[]; readonly isWhole: boolean }> {
  const rows: Row[] = [];
  for await (const row of listed) {
    if (rows.length >= limit) return { rows, isWhole: false };
    rows.push(row);
  }
  return { rows, isWhole: true };
}

/** A record as a list shows it: what is long is cut, so that a page of any records is small. */
function inList(view: RecordView): RecordView & { readonly isCut: boolean } {
  const record = withoutLength(view.record);
  return { ...view, record, isCut: record !== view.record };
}

/** The same value if it is short. */
function withoutLength(record: unknown): unknown {
  const whole = JSON.stringify(record) ?? "";
  if (whole.length <= MAX_ROW_LENGTH) return record;
  if (!isPlainObject(record)) return cut(whole);
  const members = Object.entries(record).slice(0, MAX_MEMBERS);
  return Object.fromEntries(
    members.map(([name, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return [name, text.length > MAX_CELL_LENGTH ? cut(text) : value];
    }),
  );
}

function cut(text: string): string {
  return `${text.slice(0, MAX_CELL_LENGTH)}…`;
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Records that have `text` in any value that is shown: what is hidden is not found either. */
async function search(listed: AsyncIterable<RecordView>, text: string) {
  const rows: RecordView[] = [];
  const wanted = text.toLowerCase();
  let searched = 0;
  for await (const row of listed) {
    searched++;
    if (JSON.stringify(row.record).toLowerCase().includes(wanted)) rows.push(inList(row));
    if (searched >= MAX_SEARCHED || rows.length >= MAX_ROWS) return { rows, searched, isWhole: false };
  }
  return { rows, searched, isWhole: true };
}

interface RejectedGroup {
  readonly object: string;
  /** What all of the group have in common: the place in the record and the rule. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly expected: string;
  count: number;
  readonly examples: RejectedView[];
}

/** Rejected records by what is wrong with them; a record with two mistakes is in two groups. */
interface RejectedGroups {
  readonly groups: readonly RejectedGroup[];
  /** How many records were looked at. */
  readonly count: number;
  readonly isWhole: boolean;
}

async function groupsOf(listed: AsyncIterable<RejectedView>): Promise<RejectedGroups> {
  const groups = new Map<string, RejectedGroup>();
  let count = 0;
  for await (const rejected of listed) {
    if (count >= MAX_REJECTED) return { groups: bySize(groups), count, isWhole: false };
    count++;
    for (const { instancePath, keyword, expected } of rejected.findings) {
      const place = withoutIndexes(instancePath);
      const id = JSON.stringify([rejected.object, place, keyword, expected]);
      const group = groups.get(id) ?? {
        ...{ object: rejected.object, instancePath: place, keyword, expected },
        ...{ count: 0, examples: [] },
      };
      group.count++;
      if (group.examples.length < EXAMPLES)
        group.examples.push({ ...rejected, record: withoutLength(rejected.record) });
      groups.set(id, group);
    }
  }
  return { groups: bySize(groups), count, isWhole: true };
}

/** `schemas/app/project.ts:12`: where the author's code says what the records do not fit; undefined if that is not known. */
function placeOfGroup(
  { object, instancePath }: RejectedGroup,
  { model }: LoadedProject,
  placeOf: ReturnType<typeof codeLocator>,
): CodePlace | undefined {
  const schema = model && schemaPointer(model, object);
  if (schema === undefined) return undefined;
  const steps = pointerSteps(instancePath).flatMap((step) =>
    step === "*" ? ["items"] : ["properties", step],
  );
  return placeOf(schema + jsonPointer(steps));
}

/** The pointer of a data object's schema in `connector.json`. */
function schemaPointer({ modules }: ConnectorModel, dataPath: string): string | undefined {
  for (const [index, { dataObjects }] of modules.entries()) {
    const place = dataObjects.findIndex((object) => object.dataPath === dataPath);
    if (place !== -1) return jsonPointer(["modules", index, "dataObjects", place, "schema"]);
  }
  return undefined;
}

function bySize(groups: ReadonlyMap<string, RejectedGroup>): readonly RejectedGroup[] {
  return [...groups.values()].sort((left, right) => right.count - left.count);
}

function withFrames({ folder }: ConsoleOptions) {
  return <Ended extends { readonly frames: readonly AuthorFrame[] }>(ended: Ended) => ({
    ...ended,
    frames: frameLines(ended.frames, path.resolve(folder)),
  });
}

function plain(document: SchemaDocument): unknown {
  return toPlain(renderDocument(document));
}

function inputIn(body: unknown): unknown {
  return memberIn(body, "input");
}

function idIn(body: unknown): number {
  const { id } = numbersIn(body, ["id"]);
  if (id === 0) throw new ApiError(400, "Say which action.");
  return id;
}
