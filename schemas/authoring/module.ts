/** Modules: a group of data objects with one action processor and one cache writer (spec §2.8). */

import type { Silence } from "../diagnostics/silences.js";
import type { NamingConvention } from "../naming/conventions.js";
import type { ActionDefinition } from "./action.js";
import type { ServiceConfigurationDefinition } from "./configuration.js";
import type { DataObjectDefinition } from "./data-object.js";
import { createDefinition, type Definition } from "./definition.js";
import { namedOptions } from "./old-calls.js";

/** Options of {@link defineModule}. */
export interface ModuleOptions {
  /** Display name. @default the name of the module in words */
  readonly title?: string;
  /** Part of every address of the module; with the version it makes the module's id, `app-1`. */
  readonly key: string;
  /** A whole number from 1; it rises when a change would break flows built with the version before. */
  readonly version: number;
  /** The module's part of an address. @default the key */
  readonly urlPart?: string;
  /** What the module is for. */
  readonly description: string;
  /** In the order in which the platform lists them. */
  readonly dataObjects: readonly DataObjectDefinition[];
  /** Actions of these data objects. @default none */
  readonly actions?: readonly ActionDefinition[];
  /** How names in code become serialized names in the module's objects. @default the convention of the connector */
  readonly namingConvention?: NamingConvention;
  /** Extends the switches of the actions. @default the switches alone */
  readonly actionProcessor?: ServiceConfigurationDefinition;
  /** Extends the switches of the data objects. @default the switches alone */
  readonly cacheWriter?: ServiceConfigurationDefinition;
  /** Findings of this definition that may stand, each with the reason. */
  readonly silence?: Silence;
}

/** What {@link defineModule} returns. */
export interface ModuleDefinition extends Definition<"module", ModuleOptions> {
  /** Name of the module in code. */
  readonly name: string;
}

/**
 * Defines a module. List it under `modules` of the connector.
 *
 * @param name The name of the module in code, such as `App`.
 * @example
 * export const App = defineModule("App", {
 *   key: "app",
 *   version: 1,
 *   description: "Employees and their teams.",
 *   dataObjects: [Employee],
 *   actions: [CreateEmployee],
 * });
 */
export function defineModule(name: string, options: ModuleOptions): ModuleDefinition;
export function defineModule(name: unknown, options?: ModuleOptions): ModuleDefinition {
  if (options !== undefined || typeof name !== "object")
    return createDefinition({ kind: "module", name, options } as ModuleDefinition);
  return createDefinition({ kind: "module", ...namedOptions(name) } as ModuleDefinition, { isOldCall: true });
}
