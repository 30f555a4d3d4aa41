/** How an object is read, as far as the cache writer configuration shows it. */
import { objectSwitchName } from "../../naming/service-names.js";
import type { ReaderType } from "../connector-model.js";
import type { SchemaDocument } from "../schema-model.js";

/** `incremental` where the object's switch has a checkpoint; `full` otherwise. */
export function readerTypeOf(className: string, configuration: SchemaDocument): ReaderType {
  const { root } = configuration;
  const name = objectSwitchName(className);
  const entry =
    root.kind === "object" ? root.properties.find(({ jsonName }) => jsonName === name) : undefined;
  if (entry?.schema.kind !== "object") return "full";
  return entry.schema.properties.some(({ jsonName }) => jsonName === "Checkpoint") ? "incremental" : "full";
}
