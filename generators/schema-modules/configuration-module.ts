/** The service configurations of a module and the registration configuration, where they say more than is usual. */

import type { ModuleModel, ServiceModel } from "../../schemas/model/connector-model.js";
import {
  EMPTY_OBJECT,
  type Keywords,
  type ObjectSchema,
  type PropertyModel,
  type SchemaDocument,
} from "../../schemas/model/schema-model.js";
import { SWITCH_SCHEMAS, switchesOf } from "../../schemas/model/switches.js";
import type { NamingConvention } from "../../schemas/naming/conventions.js";
import {
  configurationDescription,
  configurationTitle,
  modulePath,
  serviceName,
} from "../../schemas/naming/service-names.js";
import { type Code, call, type Entry, layOut } from "../typescript/code.js";
import { stringLiteral } from "../typescript/literals.js";
import { areRootOptions, documentCode, documentContext } from "./document-code.js";
import { fittingConvention } from "./naming-convention.js";
import {
  keywordEntries,
  optionsCode,
  propertiesCode,
  schemaCode,
  use,
  type WriteSchema,
} from "./schema-expression.js";
import type { SourceModule } from "./source-module.js";

/** What a service's configuration adds to the switches that stand there by themselves. */
interface OwnPart {
  readonly properties: readonly PropertyModel[];
  readonly keywords: Keywords;
  readonly complete: boolean;
}

/** States the configuration of `service` as `identifier`; false where nothing needs to be said. */
export function stateService(
  service: ServiceModel,
  module: ModuleModel,
  connectorKey: string,
  identifier: string,
  source: SourceModule,
): boolean {
  const path = modulePath(connectorKey, module.key, module.version);
  const renamed =
    service.name === serviceName(path, service.type)
      ? []
      : [{ key: "serviceName", value: stringLiteral(service.name) }];
  const { root } = service.configuration;
  if (root.kind !== "object" || root.nullable) {
    const options: Entry[] = [{ key: "complete", value: "true" }, ...renamed];
    state(
      source,
      identifier,
      documentCode(service.configuration, place(source, "PascalCase", identifier)),
      options,
    );
    return true;
  }
  const own = ownPart(service, root, module);
  if (own.properties.length + own.keywords.length + renamed.length === 0 && !own.complete) return false;
  const document = {
    root: { ...root, properties: own.properties, keywords: own.keywords },
    definitions: service.configuration.definitions,
  };
  stateDocument(document, source, identifier, [
    ...(own.complete ? [{ key: "complete", value: "true" }] : []),
    ...renamed,
  ]);
  return true;
}

/** States the registration configuration; false where it is empty. */
export function stateRegistration(
  document: SchemaDocument,
  identifier: string,
  source: SourceModule,
): boolean {
  if (JSON.stringify(document) === JSON.stringify(EMPTY_OBJECT)) return false;
  stateDocument(document, source, identifier, []);
  return true;
}

function stateDocument(
  document: SchemaDocument,
  source: SourceModule,
  identifier: string,
  more: readonly Entry[],
): void {
  const convention = fittingConvention([document], "PascalCase");
  const naming =
    convention === "PascalCase" ? [] : [{ key: "namingConvention", value: stringLiteral(convention) }];
  const { root } = document;
  if (root.kind !== "object" || root.nullable || !areRootOptions(root.keywords)) {
    state(source, identifier, documentCode(document, place(source, convention, identifier)), [
      ...naming,
      ...more,
    ]);
    return;
  }
  const context = documentContext(document, place(source, convention, identifier));
  state(source, identifier, propertiesCode(root.properties, context, switchCode), [
    ...naming,
    ...keywordEntries(root.keywords),
    ...more,
  ]);
}

function state(source: SourceModule, identifier: string, shape: Code, options: readonly Entry[]): void {
  source.uses.add("defineConfiguration");
  source.state(
    `${layOut(call(`export const ${identifier} = defineConfiguration`, shape, optionsCode(options)))};`,
  );
}

function place(source: SourceModule, convention: NamingConvention, name: string) {
  return { source, convention, taken: new Set<string>(), name };
}

/** The least that, added to the switches, gives the configuration; everything where that can't be. */
function ownPart(service: ServiceModel, root: ObjectSchema, module: ModuleModel): OwnPart {
  const switches = switchesOf(service.type, module.dataObjects);
  const added = root.properties.filter((property) => !switches.some((entry) => same(entry, property)));
  const names = [
    ...switches,
    ...added.filter(({ jsonName }) => !switches.some((entry) => entry.jsonName === jsonName)),
  ];
  const complete =
    names.map(({ jsonName }) => jsonName).join("\n") !==
    root.properties.map(({ jsonName }) => jsonName).join("\n");
  const usual = new Map([
    ["title", configurationTitle(module.name, module.version, service.type)],
    ["description", configurationDescription(service.type)],
  ]);
  const [first, second] = root.keywords;
  if (complete || first?.name !== "title" || second?.name !== "description") {
    return { properties: root.properties, keywords: root.keywords, complete: true };
  }
  const keywords = root.keywords.filter(({ name, value }) => usual.get(name) !== value);
  return { properties: added, keywords, complete: false };
}

function same(a: PropertyModel, b: PropertyModel): boolean {
  return JSON.stringify({ ...a, name: "" }) === JSON.stringify({ ...b, name: "" });
}

/** A schema of the shape of a switch, written by the switch's own name; any other as usual. */
const switchCode: WriteSchema = (schema, context, options = []) => {
  if (schema.kind !== "object" || schema.nullable || context.convention !== "PascalCase") {
    return schemaCode(schema, context, options);
  }
  const shape = JSON.stringify(schema.properties);
  const known = Object.entries(SWITCH_SCHEMAS).find(
    ([, entry]) => entry.kind === "object" && JSON.stringify(entry.properties) === shape,
  );
  if (known === undefined) return schemaCode(schema, context, options);
  return use(context, known[0], optionsCode([...options, ...keywordEntries(schema.keywords)]));
};
