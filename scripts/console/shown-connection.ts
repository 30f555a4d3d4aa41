/** Connections as people may see them: which of their properties have a value, and never which value. */
import { connectionProperties } from "../../schemas/model/connection-members.js";
import type { ConnectionModel } from "../../schemas/model/connector-model.js";

/** Whether a property of a connection has a value. */
export interface ShownProperty {
  readonly name: string;
  readonly title: string;
  readonly isSensitive: boolean;
  readonly isSet: boolean;
}

/** @param values By serialized name. */
export function shownProperties(
  definition: ConnectionModel,
  values: Readonly<Record<string, unknown>>,
): readonly ShownProperty[] {
  const isSet = (value: unknown) => value !== undefined && value !== null && value !== "";
  return connectionProperties(definition).map(({ key, name, title, isSensitive }) => ({
    ...{ name, title, isSensitive },
    isSet: isSet(Object.hasOwn(values, key) ? values[key] : undefined),
  }));
}
