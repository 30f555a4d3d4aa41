/**
 * The files of a connector that is made from an OpenAPI document: a base under `imported/`, which is the tool's, and the
 * author's modules, which spread it. What the document says and what the author changes stand in different files.
 */
import type { OpenApiImportOptions } from "../../../schemas/authoring/openapi-import.js";
import { fromPlain } from "../../../schemas/json.js";
import type { ConnectorModel } from "../../../schemas/model/connector-model.js";
import type { SchemaDocument } from "../../../schemas/model/schema-model.js";
import { variablesIn } from "../../../schemas/naming/path-variables.js";
import type { GeneratedFile } from "../../generated-file.js";
import {
  type ActionLayout,
  API_CLIENT_FILE,
  type DataObjectLayout,
  GENERATED_REGISTRATION_FILE,
  type ModuleLayout,
  projectLayout,
} from "../../layout.js";
import type { HandlerFacts } from "../../scaffolds/auth-types.js";
import {
  type ClientNames,
  clientFiles,
  clientNames,
  editForClient,
  registrationFile,
  type TestCall,
} from "../../scaffolds/client-scaffold.js";
import { authorProject } from "../../scaffolds/project-files.js";
import { runtimeCall } from "../../scaffolds/scaffold.js";
import { fittingConvention } from "../../schema-modules/naming-convention.js";
import { documentContext, propertiesCode, schemaCode } from "../../schema-modules/schema-expression.js";
import { schemaModules } from "../../schema-modules/schema-modules.js";
import { SourceFiles } from "../../source-edits/index.js";
import {
  type Code,
  call,
  type Entry,
  list,
  object,
  ts,
  typeSymbol,
  valueSymbol,
} from "../../typescript/code.js";
import { jsonLiteral, propertyKey, stringLiteral, wholeCommentText } from "../../typescript/literals.js";
import { ModulePrinter } from "../../typescript/module-printer.js";
import type {
  ImportPlan,
  NewItem,
  PlannedConnection,
  PlannedObject,
  PlannedValue,
  PlannedWrite,
  SentName,
  WriteRecord,
} from "../inference/plan.js";
import { isDecided, valueName } from "../inference/plan.js";
import { placesText } from "../inference/plan-table.js";
import { type DecisionView, type ObjectView, type PlaceOf, planView } from "../inference/plan-view.js";
import type { ApiDescription, ApiOperation } from "../reading/api-description.js";
import { writesTaken } from "./imported-actions.js";
import type { ImportedConnector } from "./imported-connector.js";

/** What is imported. */
export interface ImportSource {
  readonly description: ApiDescription;
  readonly plan: ImportPlan;
  readonly placeOf: PlaceOf;
  /** The connector that the plan gives. */
  readonly imported: ImportedConnector;
  /** Name or address of the document, for people. */
  readonly name: string;
  /** What `openapi.config.ts` says. */
  readonly config: OpenApiImportOptions;
  /** The version of this package. */
  readonly version: string;
}

/** The folder of the tool's files that say what the document says. */
export const IMPORTED = "imported";

/** All files of the project, but for the lock. */
export function importFiles(source: ImportSource): readonly GeneratedFile[] {
  const { description, plan, imported, version } = source;
  const { model } = imported;
  const places = objectPlaces(source);
  const objectFiles = new Set(places.map(({ names }) => names.file));
  return [
    ...schemaModules(model).filter(({ path }) => !objectFiles.has(path)),
    ...places.flatMap(objectFilesOf),
    ...projectLayout(model).modules.map(servicesOf),
    ...clientsOf(model, plan, imported.settings),
    registrationFile(model),
    operationsModule(description),
    configModule(source.config),
    leftOutPage(source),
    ...authorProject(model, version),
  ];
}

/** Each data object that is taken, with its names. */
export function objectPlaces({ plan, imported, placeOf }: ImportSource): readonly ObjectPlace[] {
  const views = new Map(planView(plan, placeOf).objects.map((view) => [view.name, view]));
  return projectLayout(imported.model).modules.flatMap((module) =>
    module.objects.flatMap((names) => {
      const object = imported.objects.get(names.model.name);
      const view = views.get(names.model.name);
      return object === undefined || view === undefined
        ? []
        : [{ names, module, object, view, settings: imported.settings, placeOf }];
    }),
  );
}

/** What the files of one object are made from. */
export interface ObjectPlace {
  readonly names: DataObjectLayout;
  readonly module: ModuleLayout;
  readonly object: PlannedObject;
  readonly view: ObjectView;
  readonly settings: ReadonlyMap<string, string>;
  readonly placeOf: PlaceOf;
}

function objectFilesOf(place: ObjectPlace): readonly GeneratedFile[] {
  const shared = [schemaBase(place), schemaModule(place)];
  if (!isDecided(place.object)) return [...shared, undecidedReader(place)];
  const writes = writesTaken(place.object);
  const handlers = place.names.actions.flatMap((action) => {
    const write = writes.find(({ name }) => name === action.model.name);
    return write === undefined
      ? []
      : [actionBase(place, action), handlerBase(place, action, write), handlerModule(place, action)];
  });
  return [...shared, readerBase(place), readerModule(place), ...handlers];
}

/** `imported/app/project.ts`, beside `schemas/app/project.ts`. */
function baseFile({ file }: DataObjectLayout): string {
  return file.replace(/^schemas\//, `${IMPORTED}/`);
}

/** `imported/app/readers/project.ts`: schema modules must not load what readers need. */
function readerBaseFile(names: DataObjectLayout): string {
  return baseFile(names).replace(/\/([^/]+)$/, "/readers/$1");
}

/** `projectBase`: it holds no capital that a class of the module begins with. */
function schemaBaseName({ declaredReaderName }: DataObjectLayout): string {
  return `${declaredReaderName.slice(0, -"Reader".length)}Base`;
}

/** `createProjectBase`. */
function actionBaseName({ declaredHandlerName }: ActionLayout): string {
  return `${declaredHandlerName.slice(0, -"Handler".length)}Base`;
}

/** `imported/app/handlers/create-project.ts`. */
function handlerBaseFile(names: DataObjectLayout, action: ActionLayout): string {
  return fileOfAction(names, action, "handlers");
}

/** `imported/app/actions/create-project.ts`. */
function actionBaseFile(names: DataObjectLayout, action: ActionLayout): string {
  return fileOfAction(names, action, "actions");
}

function fileOfAction(
  names: DataObjectLayout,
  { handlerFile }: ActionLayout,
  kind: "actions" | "handlers",
): string {
  const folder = baseFile(names).replace(/\/[^/]+$/, "");
  return `${folder}/${kind}/${handlerFile.replace(/^.*\/|-handler\.ts$/g, "")}.ts`;
}

/** The tool's files of an object. */
export function baseFiles(names: DataObjectLayout, object: PlannedObject): readonly string[] {
  return [baseFile(names), ...(isDecided(object) ? [readerBaseFile(names)] : [])];
}

/** The tool's files of an action. */
export function baseFilesOfAction(names: DataObjectLayout, action: ActionLayout): readonly string[] {
  return [actionBaseFile(names, action), handlerBaseFile(names, action)];
}

function readerBaseName({ declaredReaderName }: DataObjectLayout): string {
  return `${declaredReaderName}Base`;
}

function schemaBase({ names, object: { record, list: operation }, view }: ObjectPlace): GeneratedFile {
  const { model, identifier } = names;
  const { root } = model.schema;
  const printer = new ModulePrinter(baseFile(names), `What the document says of ${identifier}.`);
  const convention = conventionOf(names);
  const properties = root.kind === "object" ? root.properties : [];
  const context = documentContext(model.schema, {
    printer,
    convention,
    taken: new Set(),
    name: identifier,
  });
  const [key] = model.keys;
  const inCode = (jsonName: string) =>
    properties.find((property) => property.jsonName === jsonName)?.name ?? jsonName;
  const names_ = (key?.propertyNames ?? []).map((name) => stringLiteral(inCode(name)));
  const [only, another] = names_;
  const entries: readonly Entry[] = [
    { key: "description", value: stringLiteral(model.description) },
    {
      key: "primaryKey",
      value: another === undefined ? (only ?? '""') : list(names_),
      comment: `${commentOf(decisionOf(view, "key"))} Required here, whatever the document says.`,
    },
    ...(model.readerType === "full" ? [] : [{ key: "readerType", value: stringLiteral(model.readerType) }]),
    ...(convention === "camelCase" ? [] : [{ key: "namingConvention", value: stringLiteral(convention) }]),
    { key: "properties", value: propertiesCode(properties, context) },
  ];
  printer.print(
    ts`/** Records of ${wholeCommentText(operation.id)}${wholeCommentText(record.ref === undefined ? "" : `, ${record.ref} in the document`)}. */
export const ${schemaBaseName(names)} = ${object(entries)} as const;`,
  );
  return printer.importedFile();
}

/** In a file of its own: it stays where the document loses the operation, as long as the author uses it. */
function actionBase({ names, object: { writes } }: ObjectPlace, action: ActionLayout): GeneratedFile {
  const { model, identifier } = names;
  const { description, input, output } = action.model;
  const printer = new ModulePrinter(
    actionBaseFile(names, action),
    `What the document says of ${action.identifier}.`,
  );
  const context = documentContext(model.schema, {
    printer,
    convention: conventionOf(names),
    taken: new Set(),
    name: identifier,
  });
  const payload = (document: SchemaDocument) => schemaCode(document.root, context);
  const options = object([
    { key: "description", value: stringLiteral(description) },
    { key: "input", value: payload(input) },
    { key: "output", value: payload(output) },
  ]);
  const call = writes.find(({ name }) => name === action.model.name)?.operation.id ?? "";
  printer.print(
    ts`/** ${wholeCommentText(call)}. */
export const ${actionBaseName(action)} = ${options} as const;`,
  );
  return printer.importedFile();
}

function conventionOf({ model }: DataObjectLayout) {
  const payloads = model.actions.flatMap(({ input, output }) => [input, output]);
  return fittingConvention([model.schema, ...payloads], "camelCase");
}

function schemaModule({ names }: ObjectPlace): GeneratedFile {
  const { file, identifier, model } = names;
  const printer = new ModulePrinter(
    file,
    `${identifier}: what the document says, and what you change. Write it behind the base.`,
  );
  const base = valueSymbol(baseFile(names), schemaBaseName(names));
  const define = call(
    valueSymbol("connectorcli", "defineDataObject"),
    stringLiteral(model.name),
    object([{ value: ts`...${base}` }]),
  );
  printer.print(ts`export const ${identifier} = ${define};`);
  for (const action of names.actions) {
    printer.print(actionCode(names, action));
  }
  return printer.scaffoldFile();
}

/** `export const CreateProject = defineAction("Create", { dataObject: Project, ...createProjectBase });` */
export function actionCode(names: DataObjectLayout, action: ActionLayout): Code {
  const own = valueSymbol(actionBaseFile(names, action), actionBaseName(action));
  const options = object([{ key: "dataObject", value: names.identifier }, { value: ts`...${own}` }]);
  const code = call(valueSymbol("connectorcli", "defineAction"), stringLiteral(action.model.name), options);
  return ts`export const ${action.identifier} = ${code};`;
}

function readerBase(place: ObjectPlace): GeneratedFile {
  const { names, object: planned, view } = place;
  const printer = new ModulePrinter(
    readerBaseFile(names),
    `How the document says that ${names.identifier} is listed.`,
  );
  const { list: operation, items, pages, since, others } = planned;
  const isSent = (where: PlannedValue["in"]) => planned.values.filter(({ value }) => value.in === where);
  const sentEntries = (where: PlannedValue["in"], key: string): readonly Entry[] => {
    const values = isSent(where).filter(({ value }) => value.source.kind !== "parent");
    if (values.length === 0 || (where === "path" && hasParent(planned))) return [];
    return [{ key, value: object(values.map(({ value }) => valueEntry(value, place))) }];
  };
  const entries: readonly Entry[] = [
    {
      key: "list",
      value: stringLiteral(operation.id),
      ...(others.length > 0 && {
        comment: wholeCommentText(
          `Some of the same records are listed by ${others.map(({ id }) => id).join(", ")}.`,
        ),
      }),
    },
    ...sentEntries("path", "path"),
    ...sentEntries("query", "query"),
    ...sentEntries("header", "headers"),
    ...sentEntries("body", "body"),
    { key: "items", value: stringLiteral(items.value), comment: commentOf(decisionOf(view, "items")) },
    {
      key: "pages",
      value: jsonLiteral(fromPlain(pages.value)),
      comment: commentOf(decisionOf(view, "pages")),
    },
    ...(since.value === undefined
      ? []
      : [
          {
            key: "since",
            value: jsonLiteral(fromPlain(since.value)),
            comment: commentOf(decisionOf(view, "since")),
          },
          {
            key: "full",
            value: object([{ key: "every", value: stringLiteral("P7D") }]),
            comment: "Nothing in the document tells what was deleted: a full read finds it.",
          },
        ]),
  ];
  printer.print(ts`export const ${readerBaseName(names)} = ${object(entries)} as const;`);
  return printer.importedFile();
}

function hasParent({ values }: PlannedObject): boolean {
  return values.some(({ value }) => value.source.kind === "parent");
}

function valueEntry(value: PlannedValue, place: ObjectPlace): Entry {
  return {
    key: propertyKey(value.name),
    value: sourceCode(value, place),
    comment: commentOf(decisionOf(place.view, valueName(value))),
  };
}

function sourceCode({ name, source }: PlannedValue, { module, settings }: ObjectPlace): Code {
  switch (source.kind) {
    case "value":
      return jsonLiteral(fromPlain(source.value));
    case "setting":
      return runtimeCall("setting", stringLiteral(settings.get(name) ?? name));
    case "parent": {
      const parent = module.objects.find(({ model }) => model.name === source.object);
      if (parent === undefined) throw new Error(`${source.object} is no object of the module.`);
      const reader = valueSymbol(parent.readerFile, parent.declaredReaderName);
      return runtimeCall("from", reader, stringLiteral(source.property));
    }
    default:
      return source satisfies never;
  }
}

function readerModule(place: ObjectPlace): GeneratedFile {
  const { identifier, readerFile, declaredReaderName } = place.names;
  const printer = new ModulePrinter(
    readerFile,
    `Lists ${identifier}: what the document says, and what you change. Write it behind the base.`,
  );
  printer.declared.add(declaredReaderName);
  printer.print(ts`export const ${declaredReaderName} = ${readerCode(place)};`);
  return printer.scaffoldFile();
}

/** `defineReader(Project, { ...projectReaderBase })` */
export function readerCode(place: ObjectPlace): Code {
  const { names, object: planned } = place;
  const variables = planned.values.filter(({ value }) => value.in === "path");
  const entries: readonly Entry[] = [
    { value: ts`...${valueSymbol(readerBaseFile(names), readerBaseName(names))}` },
    ...(hasParent(planned)
      ? [{ key: "path", value: object(variables.map(({ value }) => valueEntry(value, place))) }]
      : []),
  ];
  const { generatedFile, identifier } = names;
  return runtimeCall("defineReader", valueSymbol(generatedFile, identifier), object(entries));
}

function handlerBase(place: ObjectPlace, action: ActionLayout, write: PlannedWrite): GeneratedFile {
  const { names, object: planned, placeOf } = place;
  const { operation, sent, record, idempotencyHeader, name } = write;
  const printer = new ModulePrinter(
    handlerBaseFile(names, action),
    `How the document says that ${action.identifier} is performed.`,
  );
  const sentEntries = (where: SentName["in"], key: string): readonly Entry[] => {
    const values = sent.filter((one) => one.in === where);
    if (values.length === 0) return [];
    return [
      {
        key,
        value: object(values.map((one) => ({ key: propertyKey(one.name), value: sentCode(one, place) }))),
      },
    ];
  };
  const { file, line } = placeOf(operation.at);
  const replaces = operation.method === "PUT" ? " PUT replaces the whole record: send all of it." : "";
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(operation.body?.mediaType ?? "");
  const hasBody = operation.body !== undefined && name !== "Delete";
  const entries: readonly Entry[] = [
    {
      key: "call",
      value: stringLiteral(operation.id),
      comment: wholeCommentText(`${operation.operationId || operation.id} (${file}:${line}).${replaces}`),
    },
    ...sentEntries("path", "path"),
    ...sentEntries("query", "query"),
    ...sentEntries("header", "headers"),
    ...(hasBody || operation.method === "DELETE" ? [] : [{ key: "body", value: "null" }]),
    ...(isForm ? [{ key: "encoding", value: '"form"' }] : []),
    ...(record === undefined ? [] : recordEntries(record, write, place)),
    ...changeEntries(write, action, planned),
    ...(idempotencyHeader === undefined
      ? []
      : [
          { key: "idempotency", value: object([{ key: "header", value: stringLiteral(idempotencyHeader) }]) },
        ]),
  ];
  printer.print(ts`export const ${handlerBaseName(action)} = ${object(entries)} as const;`);
  return printer.importedFile();
}

/** `createProjectHandlerBase`. */
function handlerBaseName({ declaredHandlerName }: ActionLayout): string {
  return `${declaredHandlerName}Base`;
}

function sentCode({ name, source, in: where }: SentName, place: ObjectPlace): Code {
  if (source.kind === "input") return runtimeCall("input", stringLiteral(source.property));
  return sourceCode({ name, in: where, source }, place);
}

function recordEntries(record: WriteRecord, { sent }: PlannedWrite, place: ObjectPlace): readonly Entry[] {
  if (record.kind === "answer") return [{ key: "record", value: stringLiteral(record.way) }];
  const { operation, way, item } = record;
  const comment = "The answer has no record that the document describes.";
  if (item?.kind === "location")
    return [
      ...(way === "$" ? [] : [{ key: "record", value: stringLiteral(way) }]),
      { key: "reread", value: stringLiteral("Location"), comment },
    ];
  const headers = sent
    .filter((one) => one.in === "header")
    .map((one) => ({ key: propertyKey(one.name), value: sentCode(one, place) }));
  const path = pathOfItem(record, sent, place);
  const read = object([
    { key: "call", value: stringLiteral(operation.id) },
    ...(path.length === 0 ? [] : [{ key: "path", value: object(path) }]),
    ...(headers.length === 0 ? [] : [{ key: "headers", value: object(headers) }]),
    { key: "record", value: stringLiteral(way) },
  ]);
  const output = item?.kind === "answered" ? [{ key: propertyKey(item.property), value: keyCode(item) }] : [];
  return [
    { key: "reread", value: read, comment },
    ...(output.length === 0 ? [] : [{ key: "output", value: object(output) }]),
  ];
}

/** What stands in the path of the call stands in that of the item, under the names of the latter. */
function pathOfItem(
  { operation, item }: RereadRecord,
  sent: readonly SentName[],
  place: ObjectPlace,
): readonly Entry[] {
  const known = sent.filter((one) => one.in === "path");
  return variablesIn(operation.path).flatMap((name, index): Entry[] => {
    const one = known[index];
    if (one !== undefined) return [{ key: propertyKey(name), value: sentCode(one, place) }];
    return item === undefined ? [] : [{ key: propertyKey(name), value: keyCode(item) }];
  });
}

type RereadRecord = Extract<WriteRecord, { readonly kind: "reread" }>;

function keyCode(item: NewItem): Code {
  if (item.kind === "answered") return runtimeCall("answered", stringLiteral(item.way));
  if (item.kind === "input") return runtimeCall("input", stringLiteral(item.property));
  throw new Error("The header Location has the whole address.");
}

/** What the cache takes over, as far as the record or its key is known after the call. */
function changeEntries(
  write: PlannedWrite,
  { model }: ActionLayout,
  { key }: PlannedObject,
): readonly Entry[] {
  const { root } = model.input;
  const names = root.kind === "object" ? root.properties.map(({ jsonName }) => jsonName) : [];
  const change = cacheChange(write, names, key.value);
  if (change !== "none") return [{ key: "change", value: stringLiteral(change) }];
  return [{ key: "change", value: stringLiteral(change), comment: LEFT_TO_SYNC }];
}

const LEFT_TO_SYNC =
  "Nothing in the document tells which record the cache would take over: the next sync brings the change.";

function cacheChange(
  { name, record }: PlannedWrite,
  input: readonly string[],
  key: readonly string[],
): "upsert" | "delete" | "none" {
  if (name !== "Delete") return record === undefined ? "none" : "upsert";
  return key.every((property) => input.includes(property)) ? "delete" : "none";
}

function handlerModule({ names }: ObjectPlace, action: ActionLayout): GeneratedFile {
  const { identifier, declaredHandlerName, handlerFile } = action;
  const printer = new ModulePrinter(
    handlerFile,
    `Performs ${identifier}: what the document says, and what you change. Write it behind the base.`,
  );
  printer.declared.add(declaredHandlerName);
  const base = valueSymbol(handlerBaseFile(names, action), handlerBaseName(action));
  const define = runtimeCall(
    "defineHandler",
    valueSymbol(names.generatedFile, identifier),
    object([{ value: ts`...${base}` }]),
  );
  printer.print(ts`export const ${declaredHandlerName} = ${define};`);
  return printer.scaffoldFile();
}

/** The questions stand above the call, each with its evidence. */
function undecidedReader({ names, view }: ObjectPlace): GeneratedFile {
  const { readerFile, declaredReaderName, identifier } = names;
  const printer = new ModulePrinter(
    readerFile,
    `How ${identifier} is listed: the document does not decide it.`,
  );
  printer.declared.add(declaredReaderName);
  const open = view.decisions.filter(({ state }) => state === "ask");
  const lines = view.decisions.map(
    (decision) => `// ${decision.state === "ask" ? "? " : ""}${commentOf(decision)}`,
  );
  const question = `${view.list}: ${open.map(({ about, evidence }) => `${about}: ${evidence}`).join("; ")}`;
  const value = runtimeCall("undecided", stringLiteral(`${question}.`));
  printer.print(ts`${lines.join("\n")}
export const ${declaredReaderName} = ${value};`);
  return printer.scaffoldFile();
}

function decisionOf({ decisions }: ObjectView, about: string): DecisionView | undefined {
  return decisions.find((decision) => decision.about === about);
}

/** `key: "id": a property (openapi.yaml:12).` */
function commentOf(decision: DecisionView | undefined): string {
  if (decision === undefined) return "";
  const { about, state, evidence, places } = decision;
  const doubt = state === "middle" ? " The first answer shows whether it is so." : "";
  return wholeCommentText(`${about}: ${evidence}${placesText(places)}.${doubt}`);
}

/** Printed as a whole: an edit for each of hundreds of readers would parse the file as often. */
function servicesOf({ identifier, servicesName, servicesFile, objects }: ModuleLayout): GeneratedFile {
  const printer = new ModulePrinter(servicesFile, `The readers and handlers of ${identifier}.`);
  const readers = objects.map((names) => ({
    key: propertyKey(names.identifier),
    value: valueSymbol(names.readerFile, names.declaredReaderName),
  }));
  const handlers = objects
    .flatMap(({ actions }) => actions)
    .map((action) => ({
      key: propertyKey(action.identifier),
      value: valueSymbol(action.handlerFile, action.declaredHandlerName),
    }));
  const type = typeSymbol(GENERATED_REGISTRATION_FILE, `${identifier}Services`);
  const services = object([
    { key: "readers", value: object(readers) },
    { key: "handlers", value: object(handlers) },
  ]);
  printer.print(
    ts`export const ${servicesName}: ${type}<${typeSymbol(API_CLIENT_FILE, "ApiClient")}> = ${services};`,
  );
  return printer.scaffoldFile();
}

/** All that reaches the target system, once for each connection. */
function clientsOf(
  model: ConnectorModel,
  plan: ImportPlan,
  settings: ImportedConnector["settings"],
): readonly GeneratedFile[] {
  const testCall = testCallOf(plan, settings);
  const names = plan.connections.map((connection): ClientNames => {
    const signs = signsOf(connection);
    return {
      ...clientNames(model, connection.auth.value.authType, connection.name),
      ...(signs !== undefined && { signs }),
      ...(testCall !== undefined && { testCall }),
    };
  });
  const [first, ...others] = names;
  if (first === undefined) return [];
  const made = new Map(names.flatMap(clientFiles).map((file) => [file.path, file]));
  const files = new SourceFiles((path) => clientFiles(first).find((file) => file.path === path)?.content);
  for (const other of others) editForClient(files, other);
  for (const { path, after } of files.changes())
    made.set(path, { path, content: after, ownership: "scaffold" });
  const own = clientFiles(first).filter(
    ({ path }) => !files.changes().some((change) => change.path === path),
  );
  for (const file of own) made.set(file.path, file);
  return [...made.values()];
}

/** The first list that is asked for with nothing but what is known of the connection: it tells whether that is right. */
function testCallOf({ objects }: ImportPlan, settings: ImportedConnector["settings"]): TestCall | undefined {
  const isKnown = ({ source, name }: PlannedValue) =>
    source.kind === "value" || (source.kind === "setting" && settings.has(name));
  const object = objects.find(
    (one) => one.list.method === "GET" && isDecided(one) && one.values.every(({ value }) => isKnown(value)),
  );
  if (object === undefined) return undefined;
  const codeOf = ({ source, name }: PlannedValue) =>
    source.kind === "value" ? stringLiteral(String(source.value)) : `connection.${settings.get(name)}`;
  const values = object.values.map(({ value }) => value);
  const members = (place: PlannedValue["in"]) => {
    const list = values.filter((value) => value.in === place);
    return list.map((value) => `${propertyKey(value.name)}: ${codeOf(value)}`).join(", ");
  };
  // Strings and values in turn, because a path may hold anything.
  const path = object.list.path
    .slice(1)
    .split(/\{([^{}]+)\}/)
    .flatMap((text, index) => {
      const value = values.find((one) => index % 2 === 1 && one.in === "path" && one.name === text);
      if (value !== undefined) return [`encodeURIComponent(${codeOf(value)})`];
      return text === "" ? [] : [stringLiteral(text)];
    });
  const [query, headers] = [members("query"), members("header")];
  return {
    path: path.length === 0 ? stringLiteral("") : path.join(" + "),
    options: `${query === "" ? "" : `query: { ${query} }, `}${headers === "" ? "" : `headers: { ${headers} }, `}`,
  };
}

/** How an API key is sent, if not as is usual. */
function signsOf({ auth: { value } }: PlannedConnection): HandlerFacts | undefined {
  if (value.authType !== "ApiKey") return undefined;
  const { parameter, prefix, in: place } = value;
  const name = stringLiteral(parameter);
  const where = place === "query" ? `the parameter ${parameter}` : `the header ${parameter}`;
  if (prefix !== "")
    return {
      maker: "headerHandler",
      does: wholeCommentText(`the key goes into ${where}, behind ${prefix.trim()}`),
      host: false,
      lines: ({ secret }) => [
        `return headerHandler({ name: ${name}, value: () => \`${prefix}\${${secret}}\` });`,
      ],
    };
  const options = place === "query" ? `, name: ${name}, in: "query"` : `, name: ${name}`;
  return {
    maker: "apiKeyHandler",
    does: wholeCommentText(`the key goes into ${where}`),
    host: false,
    lines: ({ secret }) => [`return apiKeyHandler({ key: ${secret}${options} });`],
  };
}

/** The module that says where the document is, and what its author has answered. */
export const CONFIG_FILE = "openapi.config.ts";
const OPERATIONS_FILE = `${IMPORTED}/operations.ts`;

/** `type Operation`: a typo in an answer does not compile. */
function operationsModule({ operations }: ApiDescription): GeneratedFile {
  const printer = new ModulePrinter(OPERATIONS_FILE, "What openapi.config.ts can answer to.");
  const ids = operations.map(({ id }) => `\n  | ${stringLiteral(id)}`);
  printer.print(
    `/** Every operation of the document. */\nexport type Operation =${ids.join("") || " never"};`,
  );
  return printer.importedFile();
}

function configModule(options: OpenApiImportOptions): GeneratedFile {
  const { source, overlays, select, settings, answers, sharedAnswers } = options;
  const printer = new ModulePrinter(
    CONFIG_FILE,
    "Where the OpenAPI document is, and what you decide of it. Then run npx connectorcli import openapi.",
  );
  const members = Object.entries({ source, overlays, select, settings, answers, sharedAnswers }).flatMap(
    ([key, value]): Entry[] => (value === undefined ? [] : [{ key, value: jsonLiteral(fromPlain(value)) }]),
  );
  const define = valueSymbol("connectorcli", "defineOpenApiImport");
  printer.print(
    ts`export default ${define}<${typeSymbol(OPERATIONS_FILE, "Operation")}>(${object(members)});`,
  );
  return printer.scaffoldFile();
}

/** What is not in the connector, and why. */
function leftOutPage({ imported: { leftOut }, plan, name, placeOf }: ImportSource): GeneratedFile {
  const line = (operation: ApiOperation, reason: string) => {
    const place = placeOf(operation.at);
    return `- \`${cell(operation.id)}\`: ${cell(reason)} (${cell(place.file)}:${place.line})`;
  };
  const lists = leftOut.map(({ operation, reason }) => line(operation, reason));
  const writes = plan.objects.flatMap((object) =>
    object.writes.flatMap((write) => {
      const problem = write.problem ?? (isDecided(object) ? undefined : `${object.list.id} is undecided`);
      const reason = `no ${write.name} of ${object.name}: ${problem}`;
      return problem === undefined ? [] : [line(write.operation, reason)];
    }),
  );
  const others = plan.otherWrites.map(({ operation, reason }) => line(operation, reason));
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? "" : `\n## ${title}\n\n${lines.join("\n")}\n`;
  const text = `${part("Lists", lists)}${part("Actions", [...writes, ...others])}`;
  return {
    path: `${IMPORTED}/left-out.md`,
    content: `# Left out\n\nWhat of ${cell(name)} is not in the connector, each with the reason.\n${text === "" ? "\nNothing.\n" : text}`,
    ownership: "generated",
  };
}

/** One line of Markdown, whatever a document holds. */
function cell(text: string): string {
  return wholeCommentText(text).replace(/[<>`|\\]/g, (character) =>
    character === "`" ? "'" : `\\${character}`,
  );
}
