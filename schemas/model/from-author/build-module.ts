/** Modules, and the registration of actions with their data objects (spec §2.7, §2.8). */
import { moduleId, modulePath, type ServiceType } from "../../naming/service-names.js";
import type { ModuleModel } from "../connector-model.js";
import { switchesOf } from "../switches.js";
import { buildDataObject } from "./build-data-object.js";
import { buildService } from "./build-service.js";
import { definitionsIn, type Found, foundAt, valuesIn } from "./definition-lists.js";
import { inside, isRecord, Options, report, type Scope, textFrom } from "./scope.js";

const OPTIONS = [
  "name",
  "key",
  "urlPart",
  "description",
  "version",
  "dataObjects",
  "actions",
  "namingConvention",
  "actionProcessor",
  "cacheWriter",
] as const;

/** The model of one module of the connector with `connectorKey`. */
export function buildModule({ value, name, scope }: Found, connectorKey: string): ModuleModel {
  const options = new Options(value["options"], scope, OPTIONS);
  const key = options.text("key") ?? "";
  const version = options.integer("version") ?? 1;
  const path = modulePath(connectorKey, key, version);
  const conventional = inside(scope, { convention: options.convention() });
  const objects = definitionsIn(options, "dataObjects", "data object", "dataObjects", conventional);
  const actions = actionsByObject(options, objects, conventional, name);
  const dataObjects = objects.map((found) => buildDataObject(found, path, actions.get(found.value) ?? []));
  const service = (type: ServiceType, index: number, option: string) =>
    buildService(
      options.get(option),
      { type, moduleName: name, version, path, switches: switchesOf(type, dataObjects) },
      inside(scope, { pointer: ["services", index], path: [option] }),
    );
  return {
    kind: "module",
    id: moduleId(key, version),
    name,
    urlPart: options.text("urlPart") ?? key,
    key,
    description: options.text("description") ?? "",
    version,
    services: [service("ActionProcessor", 0, "actionProcessor"), service("CacheWriter", 1, "cacheWriter")],
    dataObjects,
  };
}

/** The actions of the module, under the definition of the object that each belongs to. */
function actionsByObject(
  options: Options,
  objects: readonly Found[],
  scope: Scope,
  module: string,
): ReadonlyMap<unknown, readonly Found[]> {
  const byObject = new Map<unknown, Found[]>(objects.map(({ value }) => [value, []]));
  for (const value of valuesIn(options, "actions", "action", scope)) {
    const owner = objects.find((object) => object.value === value["dataObject"]);
    if (owner === undefined) {
      const object = isRecord(value["dataObject"]) ? textFrom(value["dataObject"]["name"]) : "nothing";
      const place = inside(scope, { path: ["actions"] });
      report(place, "definition-action-unplaced", { action: textFrom(value["name"]), object, module });
      continue;
    }
    const list = byObject.get(owner.value) ?? [];
    list.push(foundAt(value, "action", inside(owner.scope, { pointer: ["actions", list.length] })));
  }
  return byObject;
}
