/** Declared handlers: what was declared is checked once, and performed by the one interpreter. */
import { deepFreeze } from "../../schemas/json.js";
import type { ActionClass, ActionTypes } from "../registration/action-class.js";
import { callAction } from "./call-action.js";
import { checkPath, type Refuse } from "./calls.js";
import { noteDeclaration } from "./collected.js";
import type { AnswerOf } from "./declaration.js";
import type {
  AnyHandlerDeclaration,
  ChangeOf,
  DeclaredActionContext,
  DeclaredChange,
  DeclaredHandler,
  HandlerDeclaration,
} from "./handler-declaration.js";

/**
 * Declares how an action is performed: a handler without code, which stands wherever a handler in code stands.
 * @param action The generated value of the action.
 * @throws TypeError, which names the member, for a declaration that can't be performed.
 * @example
 * export const createProjectHandler = defineHandler(CreateProject, {
 *   call: "POST /workspaces/{workspaceId}/projects",
 *   path: { workspaceId: setting("WorkspaceId") },
 *   body: { data: rest },
 *   answer: answer<{ data: ProjectJson }>(),
 *   record: "data",
 *   change: "upsert",
 *   idempotency: { header: "Idempotency-Key" },
 *   failures: { 409: { code: "duplicate", text: answered("error.message") } },
 * });
 */
export function defineHandler<
  const Call extends string,
  Types extends ActionTypes,
  Answer,
  const Change extends DeclaredChange | undefined = undefined,
  const Reread extends string = string,
>(
  action: ActionClass<Types>,
  // A way says nothing of the type of the answer: without this the compiler takes "$" for a member of it.
  declaration: HandlerDeclaration<Call, Types, NoInfer<Answer>, Change, Reread> & {
    readonly answer?: AnswerOf<Answer>;
  },
): DeclaredHandler<Types, ChangeOf<Types, Change>> {
  const declared = deepFreeze(declaration) as unknown as AnyHandlerDeclaration;
  checkDeclaration(action.name, declared);
  const perform = (given: unknown, context: DeclaredActionContext) =>
    callAction({ action, declaration: declared }, given, context);
  const handler = Object.freeze(Object.assign(perform, { declaration: declared })) as DeclaredHandler<
    Types,
    ChangeOf<Types, Change>
  >;
  noteDeclaration({ kind: "handler", declared: handler, name: action.name });
  return handler;
}

const CALL = /^(GET|POST|PUT|PATCH|DELETE) \S/;

/** The compiler says most of it, but not every project is compiled. */
function checkDeclaration(name: string, declaration: AnyHandlerDeclaration): void {
  const refuse: Refuse = (member, expected) => {
    throw new TypeError(`The handler of ${name} can't be declared so: ${member} ${expected}.`);
  };
  const { call, path, body, encoding = "json", record, failures = {} } = declaration;
  const [, method] = CALL.exec(String(call)) ?? [];
  if (method === undefined) refuse("call", 'is a method and a path, such as "POST /projects"');
  checkPath(call, path, { refuse });
  if (method === "GET" && body !== undefined && body !== null) refuse("body", "can't be sent by GET");
  if (encoding !== "json" && encoding !== "form") refuse("encoding", 'is "json" or "form"');
  if (record !== undefined && !isText(record))
    refuse("record", 'is a way to the record, such as "data", or "$"');
  for (const status of Object.keys(failures))
    if (!/^[1-5]\d\d$/.test(status))
      refuse(`failures.${status}`, "has no HTTP status for its name, such as 409");
  checkChange(declaration, refuse);
  checkReread(declaration, refuse);
  checkIdempotency(declaration, refuse);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function checkChange({ change = "none", record, reread }: AnyHandlerDeclaration, refuse: Refuse): void {
  const operation = typeof change === "string" ? change : Object.keys(change)[0];
  if (operation === undefined || !["upsert", "delete", "none"].includes(operation))
    refuse("change", 'is "upsert", "delete", "none", or the class of a data object: { upsert: Task }');
  if (operation === "upsert" && record === undefined && reread === undefined)
    refuse("change", 'of "upsert" needs record, where the record stands in the answer, or reread');
}

function checkReread({ reread }: AnyHandlerDeclaration, refuse: Refuse): void {
  if (reread === undefined || reread === "Location") return;
  const call = typeof reread === "string" ? reread : reread?.call;
  if (!/^GET \S/.test(String(call)))
    refuse("reread", 'is "GET" and a path, such as "GET /projects/{id}", or "Location"');
  if (typeof reread === "object") checkPath(reread.call, reread.path, { refuse, member: "reread.path" });
}

function checkIdempotency({ idempotency, call }: AnyHandlerDeclaration, refuse: Refuse): void {
  if (idempotency === undefined) return;
  if ("header" in idempotency && isText(idempotency.header)) return;
  if ("body" in idempotency && isText(idempotency.body) && !/^(?:GET|DELETE) /.test(call)) return;
  if (!("lookUp" in idempotency) || typeof idempotency.lookUp !== "object")
    refuse("idempotency", 'is { header: "<name>" }, { body: "<way>" } in a call with a body, or { lookUp }');
  const { lookUp } = idempotency as {
    lookUp: { call: string; path?: object; items: unknown; where: object };
  };
  if (!/^(?:GET|POST) \S/.test(String(lookUp.call)))
    refuse("idempotency.lookUp.call", 'is a method and a path, such as "GET /projects"');
  checkPath(lookUp.call, lookUp.path as Readonly<Record<string, unknown>>, {
    refuse,
    member: "idempotency.lookUp.path",
  });
  if (!isText(lookUp.items))
    refuse("idempotency.lookUp.items", 'is a way to the list, such as "data", or "$"');
  if (Object.keys(lookUp.where ?? {}).length === 0)
    refuse("idempotency.lookUp.where", "describes the one record that the action has made");
}
