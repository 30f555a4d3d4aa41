/**
 * What of a large connector is tried with every scenario. Declared readers of one form are one code, which differs in names
 * only, and so are declared handlers: some of each form show what all of them do.
 */
import type { ConnectorRegistration } from "../../registration/registration.js";
import { safeGet } from "../../untrusted.js";
import type { FakeOptions } from "../fake-options.js";
import { isDeclaredHandler, listedObjects } from "../routes.js";

/** A connector with no more data objects is tried as a whole. */
export const MOST_OBJECTS = 50;
/** How many of one form are tried with every scenario. */
const OF_A_FORM = 2;

/** What is tried with every scenario: names of data objects, and of actions behind that of their data object. */
export interface Sample {
  readonly objects: ReadonlySet<string>;
  readonly actions: ReadonlySet<string>;
  /** How many data objects and actions there are. */
  readonly of: { readonly objects: number; readonly actions: number };
}

/** The name of an action in a sample. */
export function actionName({
  dataObject,
  name,
}: {
  readonly dataObject: string;
  readonly name: string;
}): string {
  return `${dataObject} ${name}`;
}

/** The sample of a connector, another one for each seed; undefined for one that is tried as a whole. */
export function sampleOf(
  registration: ConnectorRegistration,
  { lists = {}, seed }: { readonly lists?: FakeOptions["lists"]; readonly seed: number },
): Sample | undefined {
  const objects = registration.modules.flatMap(({ dataObjects }) => dataObjects);
  if (objects.length <= MOST_OBJECTS) return undefined;
  const actions = registration.modules.flatMap((module) => module.actions);
  const { sources } = listedObjects(registration, lists);
  const formsOfObjects = objects.map(({ name, record, readerType, reader }): Formed => {
    const own = sources.filter(({ type }) => type === record).map(({ declaration }) => declaration);
    const isCode = own.length === 0 || !("declaration" in reader);
    return [name, isCode ? undefined : JSON.stringify([readerType, own.map(formOf)])];
  });
  const formsOfActions = actions.map(
    (action): Formed => [
      actionName(action),
      isDeclaredHandler(action.handler) ? JSON.stringify(formOf(action.handler.declaration)) : undefined,
    ],
  );
  return {
    objects: chosen(formsOfObjects, seed),
    actions: chosen(formsOfActions, seed),
    of: { objects: objects.length, actions: actions.length },
  };
}

/** A name, and a form; undefined for code, which may do anything. */
type Formed = readonly [name: string, form: string | undefined];

function chosen(all: readonly Formed[], seed: number): ReadonlySet<string> {
  const groups = new Map<string, string[]>();
  for (const [name, form = `code ${name}`] of all) groups.set(form, [...(groups.get(form) ?? []), name]);
  return new Set(
    [...groups.values()].flatMap((names) =>
      names.length <= OF_A_FORM
        ? names
        : Array.from(
            { length: OF_A_FORM },
            (_, turn) => names[(seed * OF_A_FORM + turn) % names.length] ?? "",
          ),
    ),
  );
}

/** Members whose own members are names of the target system. */
const NAMED_PLACES = ["path", "query", "headers", "body", "output", "failures", "key"];

/** A declaration without the names and values of the target system. */
function formOf(declaration: object): unknown {
  return Object.entries(declaration)
    .map(([name, value]) => [name, NAMED_PLACES.includes(name) ? sourcesIn(value) : valueForm(name, value)])
    .sort();
}

/** The kinds of values in an object, each once. */
function sourcesIn(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return typeof value;
  return [
    ...new Set(Object.values(value).map((each) => String(safeGet(each, "kind") ?? typeof each))),
  ].sort();
}

function valueForm(name: string, value: unknown): unknown {
  if (name === "kind" || name === "encoding" || name === "change" || name === "format") return String(value);
  if (name === "call" || name === "list") return String(value).split(" ")[0];
  if (typeof value === "string") return value === "$" || value === "Location" ? value : "name";
  if (typeof value !== "object" || value === null) return typeof value;
  return Array.isArray(value) ? "list" : formOf(value);
}
