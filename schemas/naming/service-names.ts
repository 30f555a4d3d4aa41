/** Names that the platform derives from others: module ids, services, their configurations, the fields of these. */

/** The kinds of service, in the order of `connector.json`. */
export const SERVICE_TYPES = ["ActionProcessor", "CacheWriter"] as const;
export type ServiceType = (typeof SERVICE_TYPES)[number];

const SERVICE_WORDS: Record<ServiceType, { label: string; content: string }> = {
  ActionProcessor: { label: "Action Processor", content: "data object actions" },
  CacheWriter: { label: "Cache Writer", content: "data object caches" },
};

/** The id of a module, as the command line takes it: `app-1`. */
export function moduleId(moduleKey: string, version: number): string {
  return `${moduleKey}-${version}`;
}

/** The path that a connector's modules and data objects hang under: `{connectorKey}/{moduleKey}/{version}`. */
export function modulePath(connectorKey: string, moduleKey: string, version: number): string {
  return `${connectorKey}/${moduleKey}/${version}`;
}

/** `power-bi/groups/1 Cache Writer`. */
export function serviceName(path: string, type: ServiceType): string {
  return `${path} ${SERVICE_WORDS[type].label}`;
}

/** `PushDatasets V1 Action Processor Configuration`, for the module named `Push Datasets`. */
export function configurationTitle(moduleName: string, version: number, type: ServiceType): string {
  return `${moduleName.replace(/\s+/g, "")} V${version} ${SERVICE_WORDS[type].label} Configuration`;
}

/** The description of a service configuration whose author wrote none. */
export function configurationDescription(type: ServiceType): string {
  return `Configuration of the ${SERVICE_WORDS[type].content} for the module.`;
}

/** The field of a cache writer configuration that switches one data object: `EmployeesConfig`. */
export function objectSwitchName(objectName: string): string {
  return `${objectName}Config`;
}

/** The field of an action processor configuration that switches one action: `CreateEmployeesConfig`. */
export function actionSwitchName(actionName: string, objectName: string): string {
  return `${actionName}${objectName}Config`;
}
