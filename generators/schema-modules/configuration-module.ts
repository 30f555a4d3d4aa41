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
import type { Entry } from "../typescript/code.js";
import { stringLiteral } from "../typescript/literals.js";
import type { ModulePrinter } from "../typescript/module-printer.js";
import { fittingConvention } from "./naming-convention.js";
import {
  areRootOptions,
  type DocumentPlace,
  documentCode,
  documentContext,
  formEntries,
  keywordEntries,
  optionsCode,
  printDefinition,
  propertiesCode,
  schemaCode,
  vocabularyCall,
  type WriteSchema,
} from "./schema-expression.js";

const SERVICE = "defineServiceConfiguration";
const REGISTRATION = "defineRegistrationConfiguration";

/** What a service's configuration adds to the switches that stand there by themselves. */
interface OwnPart {
  readonly properties: readonly PropertyModel[];
  readonly keywords: Keywords;
  readonly complete: boolean;
}

/** Prints the configuration of `service` as `identifier`; false where nothing needs to be said. */
export function printService(
  service: ServiceModel,
  module: ModuleModel,
  connectorKey: string,
  identifier: string,
  printer: ModulePrinter,
): boolean {
  const path = modulePath(connectorKey, module.key, module.version);
  const renamed =
    service.name === serviceName(path, service.type)
      ? []
      : [{ key: "serviceName", value: stringLiteral(service.name) }];
  const { root } = service.configuration;
  if (root.kind !== "object" || root.nullable || root.form !== undefined) {
    printDefinition(printer, identifier, SERVICE, identifier, [
      ...renamed,
      { key: "complete", value: "true" },
      {
        key: "properties",
        value: documentCode(service.configuration, place(printer, "PascalCase", identifier)),
      },
    ]);
    return true;
  }
  const own = ownPart(service, root, module);
  if (own.properties.length + own.keywords.length + renamed.length === 0 && !own.complete) return false;
  const document = {
    root: { ...root, properties: own.properties, keywords: own.keywords },
    definitions: service.configuration.definitions,
  };
  printDocument(document, printer, SERVICE, identifier, [
    ...renamed,
    ...(own.complete ? [{ key: "complete", value: "true" }] : []),
  ]);
  return true;
}

/** Prints the registration configuration; false where it is empty. */
export function printRegistration(
  document: SchemaDocument,
  identifier: string,
  printer: ModulePrinter,
): boolean {
  if (JSON.stringify(document) === JSON.stringify(EMPTY_OBJECT)) return false;
  printDocument(document, printer, REGISTRATION, identifier, []);
  return true;
}

function printDocument(
  document: SchemaDocument,
  printer: ModulePrinter,
  callee: string,
  identifier: string,
  more: readonly Entry[],
): void {
  const convention = fittingConvention([document], "PascalCase");
  const naming =
    convention === "PascalCase" ? [] : [{ key: "namingConvention", value: stringLiteral(convention) }];
  const { root } = document;
  const isProperties =
    root.kind === "object" && !root.nullable && root.form === undefined && areRootOptions(root.keywords);
  const properties = isProperties
    ? propertiesCode(
        root.properties,
        documentContext(document, place(printer, convention, identifier)),
        switchCode,
      )
    : documentCode(document, place(printer, convention, identifier));
  printDefinition(printer, identifier, callee, identifier, [
    ...(isProperties ? keywordEntries(root.keywords) : []),
    ...more,
    ...naming,
    { key: "properties", value: properties },
  ]);
}

function place(printer: ModulePrinter, convention: NamingConvention, name: string): DocumentPlace {
  return { printer, convention, taken: new Set<string>(), name };
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
    ["title", configurationTitle(module.title, module.version, service.type)],
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
  return vocabularyCall(
    known[0],
    optionsCode([...options, ...keywordEntries(schema.keywords), ...formEntries(schema.form)]),
  );
};
