/** The two services of a module, and the configuration of each: switches first, then what the author adds (spec §2.8). */
import { unique } from "../../naming/identifiers.js";
import {
  configurationDescription,
  configurationTitle,
  type ServiceType,
  serviceName,
} from "../../naming/service-names.js";
import type { ServiceModel } from "../connector-model.js";
import { EMPTY_OBJECT, type Keywords, type PropertyModel, type SchemaDocument } from "../schema-model.js";
import { readConfiguration } from "./build-configuration.js";
import { inside, type Scope } from "./scope.js";

/** What a service is made of, beside the author's own configuration. */
export interface ServiceParts {
  readonly type: ServiceType;
  readonly moduleName: string;
  readonly version: number;
  /** The module's path, as service names begin with. */
  readonly path: string;
  readonly switches: readonly PropertyModel[];
}

/** The model of one service; `value` is the author's configuration, or undefined. */
export function buildService(value: unknown, parts: ServiceParts, scope: Scope): ServiceModel {
  const what = `the configuration of service ${parts.type} of ${scope.what}`;
  const own = readConfiguration(value, inside(scope, { what, pointer: ["configSchema"] }));
  const document = own?.document ?? EMPTY_OBJECT;
  const complete = own?.options.boolean("complete") === true;
  return {
    kind: "service",
    type: parts.type,
    name: own?.options.text("serviceName") ?? serviceName(parts.path, parts.type),
    configuration: complete ? document : extended(document, parts),
  };
}

/** The document with the switches and the usual heading. One that is no object is left as it is. */
function extended({ root, definitions }: SchemaDocument, parts: ServiceParts): SchemaDocument {
  if (root.kind !== "object") return { root, definitions };
  const heading: Keywords = [
    { name: "title", value: configurationTitle(parts.moduleName, parts.version, parts.type) },
    { name: "description", value: configurationDescription(parts.type) },
  ];
  const properties = withSwitches(parts.switches, root.properties);
  return { root: { ...root, properties, keywords: withHeading(heading, root.keywords) }, definitions };
}

/** The switches, each replaced by what the author wrote under its name; then what the author added. */
function withSwitches(
  switches: readonly PropertyModel[],
  own: readonly PropertyModel[],
): readonly PropertyModel[] {
  const kept = switches.map((entry) => own.find(({ jsonName }) => jsonName === entry.jsonName) ?? entry);
  const added = own.filter(({ jsonName }) => !switches.some((entry) => entry.jsonName === jsonName));
  const taken = new Set<string>();
  return [...kept, ...added].map((property) => ({ ...property, name: unique(property.name, taken) }));
}

/** Title and description stand first; what the author says of them wins. */
function withHeading(heading: Keywords, own: Keywords): Keywords {
  const given = (name: string) => own.find((keyword) => keyword.name === name);
  if (heading.every(({ name }) => given(name) !== undefined)) return own;
  const first = heading.map((keyword) => given(keyword.name) ?? keyword);
  return [...first, ...own.filter(({ name }) => !heading.some((keyword) => keyword.name === name))];
}
