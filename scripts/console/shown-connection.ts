/** Connections as people may see them: which of their properties have a value, and never which value. */
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { connectionProperties } from "../../schemas/model/connection-members.js";
import type { ConnectionModel } from "../../schemas/model/connector-model.js";

/** What would be changed, by the name that whoever changes it types if it is production. */
export interface Target {
  readonly isProduction: boolean;
  readonly title: string;
}

/** The connection that runs use, without any of its values. */
export interface ShownConnection {
  /** The definition key; undefined if the settings name none. */
  readonly key: string | undefined;
  readonly title: string;
  readonly authType: string | undefined;
  /** What is changed by what is performed with it; production is the real system, on which people work. */
  readonly target: Target;
  readonly isFake: boolean;
  /** Whether each property has a value, and never which. */
  readonly properties: readonly ShownProperty[];
  /** What is wrong with the settings. */
  readonly diagnostics: readonly Diagnostic[];
  /** A sentence that says why nothing can be called with it; absent if something can. */
  readonly problem?: string | undefined;
}

/** Whether a property of a connection has a value. */
export interface ShownProperty {
  readonly name: string;
  readonly title: string;
  readonly isSensitive: boolean;
  readonly isSet: boolean;
}

/** @param values By serialized name. */
function shownProperties(
  definition: ConnectionModel,
  values: Readonly<Record<string, unknown>>,
): readonly ShownProperty[] {
  const isSet = (value: unknown) => value !== undefined && value !== null && value !== "";
  return connectionProperties(definition).map(({ key, name, title, isSensitive }) => ({
    ...{ name, title, isSensitive },
    isSet: isSet(Object.hasOwn(values, key) ? values[key] : undefined),
  }));
}

/** The connection of `definition` with the properties `values`. */
export function shownConnection(
  definition: ConnectionModel,
  values: Readonly<Record<string, unknown>>,
  target: Target,
): ShownConnection {
  const { key, title, authType } = definition;
  const properties = shownProperties(definition, values);
  return { key, title, authType, target, isFake: false, properties, diagnostics: [] };
}

/** One that nothing can be called with; `known` says why, and what is known of it all the same. */
export function noConnection(known: Partial<ShownConnection>): ShownConnection {
  const target = { isProduction: false, title: "" };
  return {
    ...{ key: undefined, title: "", authType: undefined, target, isFake: false },
    ...{ properties: [], diagnostics: [], ...known },
  };
}
