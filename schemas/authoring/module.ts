/** Modules: a group of data objects with one action processor and one cache writer (spec §2.8). */
import type { NamingConvention } from "../naming/conventions.js";
import type { ActionDefinition } from "./action.js";
import type { ConfigurationDefinition } from "./configuration.js";
import type { AnyDataObject } from "./data-object.js";
import { type Definition, defined } from "./definition.js";
import type { Silence } from "./silence.js";

export interface ModuleOptions {
  /** Display name. */
  readonly name: string;
  /** Part of every address of the module; with the version it makes the module's id, `app-1`. */
  readonly key: string;
  readonly urlPart?: string;
  readonly description: string;
  readonly version: number;
  /** In the order in which the platform lists them. */
  readonly dataObjects: readonly AnyDataObject[];
  readonly actions?: readonly ActionDefinition[];
  /** How names in code become serialized names in the module's objects; otherwise as in the connector. */
  readonly namingConvention?: NamingConvention;
  /** Extends the switches of the actions. */
  readonly actionProcessor?: ConfigurationDefinition;
  /** Extends the switches of the data objects. */
  readonly cacheWriter?: ConfigurationDefinition;
  /** Findings of this definition that may stand, each with the reason. */
  readonly silence?: Silence;
}

export type ModuleDefinition = Definition<"module", ModuleOptions>;

/** Defines a module. */
export function defineModule(options: ModuleOptions): ModuleDefinition {
  return defined({ kind: "module", options });
}
