/**
 * The types of what the author's code is called with, and of what its handlers return. The connection, the configurations
 * and the records in them are those of this connector, so that a wrong name or shape does not compile.
 */
import { serviceSwitches } from "../../schemas/model/switches.js";
import type { ServiceType } from "../../schemas/naming/service-names.js";
import type { GeneratedFile } from "../generated-file.js";
import {
  type ActionLayout,
  contextNames,
  type DataObjectLayout,
  GENERATED_CONTEXTS_FILE,
  type Layout,
  type ModuleLayout,
  REGISTRATION_CONFIGURATION,
} from "../layout.js";
import { type Code, type ImportSymbol, ts, typeSymbol, valueSymbol } from "../typescript/code.js";
import { codegenType } from "../typescript/codegen-symbols.js";
import { stringLiteral } from "../typescript/literals.js";
import { ModulePrinter } from "../typescript/module-printer.js";

/** The types that the contexts of all modules share. */
export const CONTEXT_TYPES = {
  connection: typeSymbol(GENERATED_CONTEXTS_FILE, "ConnectorConnection"),
} as const;

/** `generated/contexts.ts`, and one file of the same name for each module. */
export function contextsModules(layout: Layout): readonly GeneratedFile[] {
  return [connectorContexts(layout), ...layout.modules.map((module) => moduleContexts(layout, module))];
}

function connectorContexts({ connections, registrationConfigurationName }: Layout): GeneratedFile {
  const module = new ModulePrinter(
    GENERATED_CONTEXTS_FILE,
    "What the client helper, auth handlers and the connection test are called with.",
  );
  for (const name of ["ConnectorConnection", "ConnectorClientContext", "ConnectorTestHandler"]) {
    module.declared.add(name);
  }
  const configuration = typeSymbol(REGISTRATION_CONFIGURATION.generatedFile, registrationConfigurationName);
  const classes = connections.map(({ identifier, generatedFile }) => typeSymbol(generatedFile, identifier));
  module.print(ts`/** The active connection: an instance of one of the connector's classes. */
export type ConnectorConnection = ${classes.length === 0 ? "object" : unionOf(classes)};`);
  module.print(ts`/** What auth handlers and \`createClient\` are called with, beside the connection. */
export type ConnectorClientContext = ${codegenType("ClientContext")}<${configuration}>;`);
  module.print(ts`/** Tests a connection of the connector (§4.3). */
export type ConnectorTestHandler<Client> = ${codegenType("ConnectionTestHandler")}<Client, ConnectorConnection, ${configuration}>;`);
  return module.generatedFile();
}

function moduleContexts(connector: Layout, layout: ModuleLayout): GeneratedFile {
  const { identifier, objects, generatedContextsFile } = layout;
  const module = new ModulePrinter(
    generatedContextsFile,
    `What readers and handlers of ${identifier} are called with, and what handlers return.`,
  );
  const actions = objects.flatMap((object) => object.actions.map((action) => ({ object, action })));
  const changeName = `${identifier}Change`;
  for (const name of [
    "ReaderTypes",
    "ActionTypes",
    changeName,
    ...objects.map(contextNames.reader),
    ...actions.flatMap(({ action }) => [contextNames.action(action), contextNames.result(action)]),
  ]) {
    module.declared.add(name);
  }
  const switchNames = switchNamesOf(layout);
  if (objects.length > 0) {
    module.print(typesInterface("ReaderTypes", "a reader", { connector, layout, type: "CacheWriter" }));
  }
  if (actions.length > 0) {
    const source = { connector, layout, type: "ActionProcessor" } as const;
    module.print(typesInterface("ActionTypes", "a handler", source));
  }
  for (const object of objects) {
    const switchName = switchNames.get(object.model);
    module.print(ts`/** What the reader of ${object.identifier} is called with. */
export type ${contextNames.reader(object)}<Client> = ${codegenType("ReaderContext")}<Client, ReaderTypes<${nameType(switchName)}>>;`);
  }
  if (actions.length > 0) module.print(changeType(changeName, layout));
  for (const { object, action } of actions) {
    const payloads = payloadSymbols(layout, object, action);
    const { outputJson, failureJson } = payloads;
    const [output, failure] = [asType(payloads.output), asType(payloads.failure)];
    const switchName = switchNames.get(action.model);
    module.print(ts`/** What the handler of ${action.identifier} is called with. */
export type ${contextNames.action(action)}<Client> = ${codegenType("ActionContext")}<Client, ActionTypes<${nameType(switchName)}>>;`);
    module.print(ts`/** What the handler of ${action.identifier} returns. */
export type ${contextNames.result(action)} =
  | ${codegenType("Succeeded")}<${output} | ${outputJson}, ${changeName}>
  | ${codegenType("Failed")}<${failure} | ${failureJson}>;`);
  }
  // A module without data objects has nothing to call.
  if (objects.length === 0) module.print("export {};");
  return module.generatedFile();
}

interface TypesSource {
  readonly connector: Layout;
  readonly layout: ModuleLayout;
  readonly type: ServiceType;
}

/** The types in the contexts of a service. The parameter is the name of a part of the service's configuration. */
function typesInterface(name: string, who: string, { connector, layout, type }: TypesSource): Code {
  const { identifier, generatedConfigurationFile, configurationNames } = layout;
  const { registrationConfigurationName } = connector;
  const registration = typeSymbol(REGISTRATION_CONFIGURATION.generatedFile, registrationConfigurationName);
  const alias = `${identifier}${type}Configuration`;
  const service = typeSymbol(generatedConfigurationFile, configurationNames[type], alias);
  return ts`/** The types in the context of ${who} whose settings are called \`Name\`. */
interface ${name}<Name extends keyof ${service}> {
  readonly connection: ${CONTEXT_TYPES.connection};
  readonly registrationConfiguration: ${registration};
  readonly serviceConfiguration: ${service};
  readonly settings: Readonly<NonNullable<${service}[Name]>>;
}`;
}

/** The names, as in code, of the parts of the service configurations; a part that is not there is switched off. */
function switchNamesOf({ model }: ModuleLayout): ReadonlyMap<object, string> {
  const found = model.services.flatMap((service) => serviceSwitches(service, model.dataObjects));
  return new Map(
    found.flatMap(({ object, action, property }) =>
      property === undefined ? [] : [[action ?? object, property.name] as const],
    ),
  );
}

function nameType(switchName: string | undefined): string {
  return switchName === undefined ? "never" : stringLiteral(switchName);
}

/** The union of what handlers of a module can change in the cache. */
function changeType(name: string, layout: ModuleLayout): Code {
  const change = codegenType("CacheChange");
  const changes = layout.objects.map((object) => {
    const { record: recordClass, recordJson } = recordSymbols(layout, object);
    const record = asType(recordClass);
    const className = stringLiteral(object.model.name);
    const keys = keyNames(object);
    const key = keys.length === 0 ? ts`` : ts` | Pick<${recordJson}, ${keys.map(stringLiteral).join(" | ")}>`;
    return ts`
  | ${change}<${className}, "upsert", ${record} | ${recordJson}>
  | ${change}<${className}, "delete", ${record} | ${recordJson}${key}>`;
  });
  return ts`/** What a handler of ${layout.identifier} can change in the cache. For a delete the primary key is enough. */
export type ${name} =${changes};`;
}

/** The serialized names of the primary key's properties; none if the schema does not say that they are required. */
function keyNames({ model: { keys, schema } }: DataObjectLayout): readonly string[] {
  const { root } = schema;
  const primary = keys.find(({ isPrimary }) => isPrimary);
  if (root.kind !== "object" || root.nullable || primary === undefined) return [];
  const required = new Set(root.properties.filter((each) => each.required).map(({ jsonName }) => jsonName));
  return primary.propertyNames.every((name) => required.has(name)) ? primary.propertyNames : [];
}

function unionOf(symbols: readonly ImportSymbol[]): Code {
  return ts`${symbols.flatMap((symbol, index) => (index === 0 ? [symbol] : [" | ", symbol]))}`;
}

function asType(symbol: ImportSymbol): ImportSymbol {
  return { ...symbol, isType: true };
}

/** The classes of an object, imported under the module's name: two modules may have objects of one name. */
export function recordSymbols(
  { identifier: prefix }: ModuleLayout,
  { identifier, generatedFile }: DataObjectLayout,
) {
  return {
    record: valueSymbol(generatedFile, identifier, `${prefix}_${identifier}`),
    recordJson: typeSymbol(generatedFile, `${identifier}Json`, `${prefix}_${identifier}Json`),
  };
}

/** The classes of an action's payloads, imported in the same way. */
export function payloadSymbols(
  { identifier: prefix }: ModuleLayout,
  { generatedFile }: DataObjectLayout,
  { identifier }: ActionLayout,
) {
  const value = (part: string): ImportSymbol =>
    valueSymbol(generatedFile, `${identifier}${part}`, `${prefix}_${identifier}${part}`);
  const type = (part: string): ImportSymbol =>
    typeSymbol(generatedFile, `${identifier}${part}`, `${prefix}_${identifier}${part}`);
  return {
    input: value("Input"),
    output: value("Output"),
    outputJson: type("OutputJson"),
    failure: value("Failure"),
    failureJson: type("FailureJson"),
  };
}
