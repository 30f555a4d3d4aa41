/** The registration configuration and the service configurations of a module (spec §2.3, §2.8). */
import type { SchemaOptions, TSchema } from "@sinclair/typebox";
import {
  CacheWriterObjectConfig,
  DefaultActionHandlerConfig,
  IncrementalObjectConfig,
} from "../../authoring/configuration.js";
import { propertyIdentifier, unique } from "../../naming/identifiers.js";
import {
  actionSwitchName,
  configurationDescription,
  configurationTitle,
  objectSwitchName,
  type ServiceType,
  serviceName,
} from "../../naming/service-names.js";
import type { ServiceModel } from "../connector-model.js";
import {
  EMPTY_OBJECT,
  type Keyword,
  type Keywords,
  type PropertyModel,
  type SchemaDocument,
} from "../schema-model.js";
import { buildDocument } from "./build-schema.js";
import { foundAt } from "./definition-lists.js";
import { inside, isRecord, nameOf, Options, report, type Scope } from "./scope.js";

const OPTIONS = [
  "title",
  "description",
  "additionalProperties",
  "minProperties",
  "maxProperties",
  "namingConvention",
  "complete",
  "serviceName",
] as const;

interface ReadConfiguration {
  readonly document: SchemaDocument;
  readonly options: Options;
}

/** The document of a configuration, or an empty object where the author wrote none. */
export function buildConfiguration(value: unknown, scope: Scope): SchemaDocument {
  return read(value, scope)?.document ?? EMPTY_OBJECT;
}

/** What a module's service is made of: the members that get a switch, and the author's own configuration. */
export interface ServiceParts {
  readonly type: ServiceType;
  readonly moduleName: string;
  readonly version: number;
  /** The module's path, as service names begin with. */
  readonly path: string;
  readonly switches: readonly PropertyModel[];
}

/** The model of one service of a module. */
export function buildService(value: unknown, parts: ServiceParts, scope: Scope): ServiceModel {
  const below = inside(scope, { what: `the configuration of service ${parts.type} of ${scope.what}` });
  const own = read(value, inside(below, { pointer: ["configSchema"] }));
  const root = own?.document.root ?? EMPTY_OBJECT.root;
  const complete = own?.options.boolean("complete") === true;
  const heading: Keywords = [
    { name: "title", value: configurationTitle(parts.moduleName, parts.version, parts.type) },
    { name: "description", value: configurationDescription(parts.type) },
  ];
  const document: SchemaDocument =
    root.kind === "object"
      ? {
          root: {
            ...root,
            properties: complete ? root.properties : extend(parts.switches, root.properties),
            keywords: complete ? root.keywords : withHeading(heading, root.keywords),
          },
          definitions: own?.document.definitions ?? [],
        }
      : (own?.document ?? EMPTY_OBJECT);
  const name = own?.options.text("serviceName") ?? serviceName(parts.path, parts.type);
  return { kind: "service", type: parts.type, name, configuration: document };
}

/** The switch of a data object, as a member of the cache writer configuration. */
export function objectSwitch(objectName: string, incremental: boolean): PropertyModel {
  const create = incremental ? IncrementalObjectConfig : CacheWriterObjectConfig;
  return switchProperty(objectSwitchName(objectName), create);
}

/** The switch of an action, as a member of the action processor configuration. */
export function actionSwitch(actionName: string, objectName: string): PropertyModel {
  return switchProperty(actionSwitchName(actionName, objectName), DefaultActionHandlerConfig);
}

function switchProperty(jsonName: string, create: (options?: SchemaOptions) => TSchema): PropertyModel {
  const scope: Scope = {
    what: jsonName,
    pointer: [],
    path: [],
    convention: "PascalCase",
    findings: [],
    origins: new Map(),
  };
  const schema = buildDocument(create(), scope).root;
  return { name: propertyIdentifier(jsonName), jsonName, required: false, schema };
}

function read(value: unknown, scope: Scope): ReadConfiguration | undefined {
  if (value === undefined) return undefined;
  if (!isRecord(value) || value["kind"] !== "configuration") {
    report(scope, "definition-invalid", {
      what: scope.what,
      expected: "a value that defineConfiguration made",
      actual: nameOf(value),
    });
    return undefined;
  }
  const place = {
    ...foundAt({ ...value, name: "" }, "configuration", scope).scope,
    what: scope.what,
    path: [],
  };
  const options = new Options(value["options"], { ...place, convention: "PascalCase" }, OPTIONS);
  const document = buildDocument(
    value["schema"],
    inside(place, { convention: options.convention(), path: ["schema"] }),
  );
  return { document, options };
}

/** The switches, each replaced by what the author wrote under its name; then what the author added. */
function extend(switches: readonly PropertyModel[], own: readonly PropertyModel[]): readonly PropertyModel[] {
  const kept = switches.map((entry) => own.find(({ jsonName }) => jsonName === entry.jsonName) ?? entry);
  const added = own.filter(({ jsonName }) => !switches.some((entry) => entry.jsonName === jsonName));
  const taken = new Set<string>();
  return [...kept, ...added].map((property) => ({ ...property, name: unique(property.name, taken) }));
}

/** Title and description stand first; what the author says of them wins. */
function withHeading(heading: Keywords, own: Keywords): Keywords {
  const given = (name: string): Keyword | undefined => own.find((keyword) => keyword.name === name);
  if (heading.every(({ name }) => given(name) !== undefined)) return own;
  const first = heading.map((keyword) => given(keyword.name) ?? keyword);
  return [...first, ...own.filter(({ name }) => !heading.some((keyword) => keyword.name === name))];
}
