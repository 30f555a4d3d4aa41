/** Rules of declared readers and handlers: they look at what was declared, once a process has loaded it (§2.6, §2.7). */
import { connectionDocument } from "../../../generators/classes/connection-class.js";
import type { CheckRules } from "../../../schemas/diagnostics/codes.js";
import { type Diagnostic, diagnosticsOf } from "../../../schemas/diagnostics/diagnostic.js";
import {
  declaredChangesExample,
  declaredHandlerExample,
  declaredListExample,
  declaredPagesExample,
  declaredReaderExample,
} from "../../../schemas/diagnostics/rules/example-code.js";
import { isJsonObject } from "../../../schemas/json.js";
import type { ConnectorModel, DataObjectModel } from "../../../schemas/model/connector-model.js";
import type { SchemaDocument } from "../../../schemas/model/schema-model.js";
import { classIdentifier } from "../../../schemas/naming/identifiers.js";
import { didYouMean } from "../../../schemas/naming/nearest.js";
import type { DeclaredService } from "../../connector-run/declared-services.js";
import { READER_RULES } from "./readers.js";

export const DECLARATION_RULES = {
  "declared-setting-unknown": {
    severity: "error",
    section: "§2.3",
    message:
      'The declared {kind} of {name} sends the setting "{setting}", which neither the registration configuration nor any connection has.{hint}',
    fix: "Name a setting by its serialized name, or define it in the registration configuration.",
    example: declaredReaderExample(
      'query: { status: setting("Status") },',
      'query: { status: setting("SiteStatus") },',
    ),
  },
  "declared-unread": {
    severity: "info",
    section: "§2.6",
    message:
      "Declared readers and handlers were not checked: generated/ is stale, and the connector can't be loaded.",
    fix: "Run: npx connectorcli gen; then check again.",
  },
  "reader-type-mismatch": {
    severity: "error",
    section: "§2.6",
    message: "The declared reader of {object} gives {given}, but the data object is {readerType}.",
    fix: 'Take since and deletedWhen with readerType: "incremental" in the data object, or take neither.',
    example: declaredReaderExample(
      `since: { property: "changedOn", send: "updated_after" },
  deletedWhen: { property: "deletedOn" },`,
      "",
    ),
  },
  "declared-property-unknown": {
    severity: "warning",
    section: "§2.6",
    message: 'The declared {kind} of {name} goes by "{property}", which is no property of {record}.{hint}',
    fix: "Write its serialized name, or add it to the schema of {record}.",
    example: declaredChangesExample(
      `since: { property: "changedOn", send: "updated_after" },
  deletedWhen: { property: "deleteOn" },`,
      `since: { property: "changedOn", send: "updated_after" },
  deletedWhen: { property: "deletedOn" },`,
    ),
  },
  "reader-deletes-missing": {
    severity: "warning",
    section: "§2.6",
    message:
      "The declared reader of {object} asks for what has changed, and nothing tells it what was deleted: deleted records stay in the cache.",
    fix: "Declare deletedWhen, a list of what was deleted (deleted), or a full read every so often (full).",
    example: declaredChangesExample(
      'since: { property: "changedOn", send: "updated_after" },',
      `since: { property: "changedOn", send: "updated_after" },
  deletedWhen: { property: "deletedOn" },`,
    ),
  },
  "reader-list-shared": {
    severity: "warning",
    section: "§2.6",
    message: "The declared readers of {object} and {other} ask for the same list, {list}.",
    fix: "Correct the path of one of them, or tell the two apart with query or items.",
    example: declaredListExample('"GET /sites"', '"GET /buildings"'),
  },
  "reader-size-missing": {
    severity: "info",
    section: "§2.6",
    message:
      "The declared reader of {object} asks for no page size: small pages make many calls, and a limit of calls is reached early.",
    fix: "If the target system takes a size, declare it as size of pages; otherwise there is nothing to do.",
    example: declaredPagesExample(
      '{ kind: "linkHeader" }',
      '{ kind: "linkHeader", size: { send: "limit", value: 100 } }',
    ),
  },
  "reader-each": {
    severity: "info",
    section: "§2.6",
    message:
      "The declared reader of {object} changes records by code (each): what that leaves out is deleted from the cache.",
    fix: "If a schema with the target system's names does without it, remove it; otherwise there is nothing to do.",
    example: declaredReaderExample("each: (site) => ({ ...site, id: String(site.id) }),", ""),
  },
  "handler-idempotency-missing": {
    severity: "info",
    section: "§2.7",
    message:
      "The declared handler of {action} calls by POST, and nothing keeps it from acting twice if an answer is lost.",
    fix: "If the target system takes a key or a reference of yours, declare idempotency; otherwise there is nothing to do.",
    example: declaredHandlerExample("", 'idempotency: { header: "Idempotency-Key" },'),
  },
} as const satisfies CheckRules;

const report = diagnosticsOf(DECLARATION_RULES);
const reportHandler = diagnosticsOf(READER_RULES);

/** That the declarations of a project could not be read, because what they import is not there. */
export function unreadDeclarations(file: string): Diagnostic {
  return report("declared-unread", { file }, {});
}

/** Whether a finding with this code may need declarations that were read. */
export function isOfDeclarations(code: string): boolean {
  return Object.hasOwn(DECLARATION_RULES, code) || code === "handler-cache-untouched";
}

/**
 * What is wrong with declared readers and handlers. The place of a finding is the call that declares one, and its `path` the
 * member of the declaration.
 */
export function checkDeclarations(
  declared: readonly DeclaredService[],
  model: ConnectorModel,
): readonly Diagnostic[] {
  const settings = settingNames(model);
  return declared.flatMap((one) => [
    ...(one.kind === "reader" ? READER_CHECKS : HANDLER_CHECKS).flatMap((check) =>
      check(one, { declared, model }),
    ),
    ...unknownSettings(one, settings),
  ]);
}

interface Project {
  readonly declared: readonly DeclaredService[];
  readonly model: ConnectorModel;
}

const READER_CHECKS = [checkReaderType, checkListProperties, checkDeletes, checkShared, checkSize, checkEach];

const HANDLER_CHECKS = [checkActionProperties, checkIdempotency, checkChange];

function placeOf({ place }: DeclaredService, ...path: readonly string[]) {
  return { ...place, path };
}

/** The data object of a list: the one that is registered with it, or the only one of its name. */
function objectOf(
  { name, objects }: DeclaredService,
  { modules }: ConnectorModel,
): DataObjectModel | undefined {
  const all = modules.flatMap(({ dataObjects }) => dataObjects);
  const named = all.filter((object) =>
    objects.length > 0 ? objects.includes(object.dataPath) : object.name === name,
  );
  return named.length === 1 || objects.length > 0 ? named[0] : undefined;
}

function checkReaderType(list: DeclaredService, { model }: Project): readonly Diagnostic[] {
  const readerType = objectOf(list, model)?.readerType;
  const given = list.isIncremental ? "incremental" : "full";
  if (readerType === undefined || readerType === given) return [];
  const member = list.isIncremental ? [memberOf(list, ["since", "deletedWhen"])] : [];
  const words = {
    object: list.name,
    given: list.isIncremental ? "what has changed" : "every record",
    readerType,
  };
  return [report("reader-type-mismatch", placeOf(list, ...member), words)];
}

function memberOf({ declaration }: DeclaredService, names: readonly string[]): string {
  return names.find((name) => declaration[name] !== undefined) ?? "";
}

/** The properties of a record or of an input. */
interface Properties {
  /** What has them, for messages. */
  readonly of: string;
  /** Serialized names. */
  readonly names: readonly string[];
}

/** A way that a declaration goes by. */
interface DeclaredWay {
  readonly way: unknown;
  /** What the way begins with one of; undefined if that is not known. */
  readonly properties: Properties | undefined;
  /** Where it stands in the declaration. */
  readonly path: readonly string[];
  /** Whether the target system may send it beside the record: only what looks misspelt is told then. */
  readonly isLoose?: boolean;
}

function unknownProperties(declared: DeclaredService, ways: readonly DeclaredWay[]): readonly Diagnostic[] {
  return ways.flatMap(({ way, properties, path, isLoose = false }) => {
    if (properties === undefined || typeof way !== "string") return [];
    const { of: record, names } = properties;
    if (names.length === 0 || isWayIn(way, names)) return [];
    const hint = didYouMean(way, names);
    if (isLoose && hint === "") return [];
    const { kind, name } = declared;
    const words = { kind, name, property: way, record, hint };
    return [report("declared-property-unknown", placeOf(declared, ...path), words)];
  });
}

/** The properties of the records of a list; undefined if it is not known what they are. */
function recordProperties(list: DeclaredService | undefined, model: ConnectorModel): Properties | undefined {
  const object = list === undefined ? undefined : objectOf(list, model);
  return object && { of: object.name, names: propertyNames(object.schema) };
}

/** The list of what is there, and that of what was deleted if there is one. */
function partsOf({ declaration }: DeclaredService): readonly ListPart[] {
  const { deleted } = declaration;
  return [
    { declaration, path: [] },
    ...(isJsonObject(deleted) ? [{ declaration: deleted, path: ["deleted"] }] : []),
  ];
}

interface ListPart {
  readonly declaration: Readonly<Record<string, unknown>>;
  /** Where it stands in the declaration. */
  readonly path: readonly string[];
}

/** The first member of each way has to be a property. What code has made of an item is known to nobody. */
function checkListProperties(list: DeclaredService, { declared, model }: Project): readonly Diagnostic[] {
  const own = recordProperties(list, model);
  const parents = sourcesIn(list, "parent").map(({ source, path }) => ({
    way: source["way"],
    properties: recordProperties(declared[Number(source["reader"] ?? -1)], model),
    path,
  }));
  const items = partsOf(list).flatMap((part) =>
    waysIn(part, part.declaration["each"] === undefined ? own : undefined),
  );
  return unknownProperties(list, [...items, ...parents]);
}

/** The ways into the items of a list. What tells of deletes need not be part of a record. */
function waysIn({ declaration, path }: ListPart, properties: Properties | undefined): readonly DeclaredWay[] {
  const { since, deletedWhen, pages } = declaration;
  const lastItem = memberIn(memberIn(pages, "next"), "lastItem");
  const isLoose = path.length > 0;
  const at = (...names: readonly string[]) => ({ properties, path: [...path, ...names] });
  return [
    { way: memberIn(since, "property"), ...at("since", "property"), isLoose },
    { way: memberIn(deletedWhen, "property"), ...at("deletedWhen", "property"), isLoose: true },
    { way: lastItem, ...at("pages", "next", "lastItem"), isLoose },
  ];
}

/** What a handler takes of its input, and by what it knows a record. */
function checkActionProperties(handler: DeclaredService, { model }: Project): readonly Diagnostic[] {
  const chosen = actionNamed(handler.name, model);
  if (chosen === undefined) return [];
  const input = { of: `the input of ${handler.name}`, names: propertyNames(chosen.action.input) };
  const record = { of: chosen.object.name, names: propertyNames(chosen.object.schema) };
  const { change, key, idempotency } = handler.declaration;
  const where = memberIn(memberIn(idempotency, "lookUp"), "where");
  return unknownProperties(handler, [
    ...sourcesIn(handler, "input")
      .filter(({ source }) => source["way"] !== "$")
      .map(({ source, path }) => ({ way: source["way"], properties: input, path })),
    ...(change === "delete" ? namesIn(key) : []).map((way) => ({
      way,
      properties: record,
      path: ["key", way],
    })),
    ...namesIn(where).map((way) => ({
      ...{ way, properties: record, path: ["idempotency", "lookUp", "where", way] },
      isLoose: true,
    })),
  ]);
}

function namesIn(value: unknown): readonly string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

/** The only action whose generated class has this name. */
function actionNamed(name: string, { modules }: ConnectorModel) {
  const named = modules
    .flatMap(({ dataObjects }) => dataObjects)
    .flatMap((object) => object.actions.map((action) => ({ object, action })))
    .filter(({ object, action }) => classIdentifier(`${action.name}${object.name}`) === name);
  return named.length === 1 ? named[0] : undefined;
}

/** Whether a way begins with one of the names, which may have dots in them. */
function isWayIn(way: string, names: readonly string[]): boolean {
  return names.some((name) => way === name || way.startsWith(`${name}.`));
}

function memberIn(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

interface FoundSource {
  readonly source: Readonly<Record<PropertyKey, unknown>>;
  /** Names that lead to it. */
  readonly path: readonly string[];
}

/** What stands for values from elsewhere, wherever it is in a declaration. */
function sourcesIn(
  { declaration }: DeclaredService,
  kind: "setting" | "parent" | "input",
): readonly FoundSource[] {
  const found: FoundSource[] = [];
  const look = (value: unknown, path: readonly string[]): void => {
    if (Array.isArray(value)) for (const item of value) look(item, path);
    if (!isJsonObject(value)) return;
    if (value["kind"] === kind && ("name" in value || "way" in value)) found.push({ source: value, path });
    else for (const [name, member] of Object.entries(value)) look(member, [...path, name]);
  };
  look(declaration, []);
  return found;
}

/** Members that tell what was deleted; a full read every so often finds it too. */
const TELLING_DELETES = ["deletedWhen", "deleted", "full"];

function checkDeletes(list: DeclaredService): readonly Diagnostic[] {
  if (!list.isIncremental || TELLING_DELETES.some((name) => list.declaration[name] !== undefined)) return [];
  return [report("reader-deletes-missing", placeOf(list, "since"), { object: list.name })];
}

/** Only lists that fill a data object count: the same parents may well be read for several children. */
function checkShared(list: DeclaredService, { declared, model }: Project): readonly Diagnostic[] {
  const own = objectOf(list, model);
  const other = declared
    .slice(0, declared.indexOf(list))
    .find((before) => objectOf(before, model) !== own && requestOf(before) === requestOf(list));
  if (other === undefined || own === undefined || list.declaration["list"] === undefined) return [];
  const words = { object: other.name, other: list.name, list: String(list.declaration["list"]) };
  return [report("reader-list-shared", placeOf(list, "list"), words)];
}

/** What two lists have in common that give the same records. */
function requestOf({ declaration }: DeclaredService): string {
  const { list, path, query, headers, body, items } = declaration;
  return JSON.stringify([list, path, query, headers, body, items]);
}

/** One answer, or a file. */
const WITHOUT_SIZE = ["undefined", "one", "export"];

function checkSize(list: DeclaredService): readonly Diagnostic[] {
  return partsOf(list).flatMap(({ declaration: { pages }, path }) => {
    const kind = String(memberIn(pages, "kind"));
    if (WITHOUT_SIZE.includes(kind) || memberIn(pages, "size") !== undefined) return [];
    return [report("reader-size-missing", placeOf(list, ...path, "pages"), { object: list.name })];
  });
}

function checkEach(list: DeclaredService): readonly Diagnostic[] {
  return partsOf(list)
    .filter(({ declaration }) => declaration["each"] !== undefined)
    .map(({ path }) => report("reader-each", placeOf(list, ...path, "each"), { object: list.name }));
}

/** What is sent by PUT, PATCH or DELETE may be sent again. */
function checkIdempotency(handler: DeclaredService): readonly Diagnostic[] {
  const { call, idempotency } = handler.declaration;
  if (idempotency !== undefined || !String(call).startsWith("POST ")) return [];
  return [report("handler-idempotency-missing", placeOf(handler, "call"), { action: handler.name })];
}

/** Whoever writes `change: "none"` has thought of it. */
function checkChange(handler: DeclaredService): readonly Diagnostic[] {
  if (handler.declaration["change"] !== undefined) return [];
  return [reportHandler("handler-cache-untouched", placeOf(handler, "call"), { handler: handler.name })];
}

function unknownSettings(declared: DeclaredService, names: readonly string[]): readonly Diagnostic[] {
  return sourcesIn(declared, "setting").flatMap(({ source, path }) => {
    const setting = String(source["name"]);
    if (isWayIn(setting, names)) return [];
    const { kind, name } = declared;
    const words = { kind, name, setting, hint: didYouMean(setting, names) };
    return [report("declared-setting-unknown", placeOf(declared, ...path), words)];
  });
}

/** What can be sent of a user's settings. */
function settingNames({ registrationConfiguration, connections }: ConnectorModel): readonly string[] {
  return [registrationConfiguration, ...connections.map(connectionDocument)].flatMap(propertyNames);
}

/** Serialized names; none if the schema is no object with names of its own. */
function propertyNames({ root }: SchemaDocument): readonly string[] {
  return root.kind === "object" ? root.properties.map(({ jsonName }) => jsonName) : [];
}
