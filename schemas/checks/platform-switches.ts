/** The switches of service configurations that the platform brings (spec §2.8): nobody writes words for these. */
import type { VisitedSchema } from "./visit-schemas.js";

/** Fields of `CacheWriterObjectConfig`, `DefaultActionHandlerConfig` and of incremental readers. */
const FLAGS = new Set(["uploadobject", "processqueuedevent", "enablemodifiedsince", "checkpoint"]);

/** Whether this is a flag of a switch, or a switch to which its author added nothing, no title either. */
export function isPlatformSwitch({ role, position, jsonName, view }: VisitedSchema): boolean {
  if (role !== "service" || position !== "property") return false;
  if (isFlag(jsonName)) return true;
  return (
    view.keywords.size === 0 &&
    view.properties.length > 0 &&
    view.properties.every((property) => isFlag(property.jsonName))
  );
}

/** Configurations may follow any naming convention. */
function isFlag(name: string): boolean {
  return FLAGS.has(name.replace(/[-_]/g, "").toLowerCase());
}
