/** The names that generated code will have for what is not there yet: those of a model that holds it. */
import type {
  ActionModel,
  ConnectorModel,
  DataObjectModel,
  ModuleModel,
} from "../../schemas/model/connector-model.js";
import { EMPTY_OBJECT } from "../../schemas/model/schema-model.js";
import { moduleId, SERVICE_TYPES } from "../../schemas/naming/service-names.js";
import { urlPartOf } from "../../schemas/naming/words.js";
import {
  connectionNames,
  type ModuleNames,
  moduleNames,
  type ObjectNames,
  rootNames,
} from "../schema-modules/project-names.js";

/** The names of a module, which may be one that is only planned. */
export function namesOfModule(model: ConnectorModel, module: ModuleModel): ModuleNames {
  const identifiers = rootNames();
  connectionNames(model, identifiers);
  const isThere = model.modules.some(({ id }) => id === module.id);
  const modules = isThere
    ? model.modules.map((one) => (one.id === module.id ? module : one))
    : [...model.modules, module];
  const names = moduleNames({ ...model, modules }, identifiers).find((one) => one.model === module);
  return found(names);
}

/** The names of an object of the module. */
export function namesOfObject(names: ModuleNames, className: string): ObjectNames {
  return found(names.objects.find(({ model }) => model.className === className));
}

export function plannedModule({
  name,
  key,
  version,
}: Pick<ModuleModel, "name" | "key" | "version">): ModuleModel {
  const [first, second] = SERVICE_TYPES.map(
    (type) => ({ kind: "service", type, name: type, configuration: EMPTY_OBJECT }) as const,
  );
  return {
    ...{ kind: "module", id: moduleId(key, version), name, key, urlPart: key, version, description: "" },
    services: [found(first), found(second)],
    dataObjects: [],
  };
}

/** The module with one more object. */
export function withObject(module: ModuleModel, className: string): ModuleModel {
  const urlPart = urlPartOf(className);
  const object: DataObjectModel = {
    ...{ kind: "dataObject", className, name: className, urlPart, key: urlPart, description: "" },
    ...{ dataPath: "", createEndpoint: true, readerType: "full", schema: EMPTY_OBJECT },
    keys: [],
    actions: [],
  };
  return { ...module, dataObjects: [...module.dataObjects, object] };
}

/** The module with one more action of its object `className`. */
export function withAction(module: ModuleModel, className: string, actionName: string): ModuleModel {
  const urlPart = urlPartOf(actionName);
  const action: ActionModel = {
    ...{ kind: "action", className: actionName, name: actionName, urlPart, key: urlPart, description: "" },
    ...{ createRtap: true, input: EMPTY_OBJECT, output: EMPTY_OBJECT, failure: EMPTY_OBJECT },
  };
  const dataObjects = module.dataObjects.map((object) =>
    object.className === className ? { ...object, actions: [...object.actions, action] } : object,
  );
  return { ...module, dataObjects };
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("What was planned is not in its own plan.");
  return value;
}
