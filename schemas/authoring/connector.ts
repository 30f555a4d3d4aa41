/** The connector: what the root module of an author's project exports (spec §1). */
import type { NamingConvention } from "../naming/conventions.js";
import type { ConfigurationDefinition } from "./configuration.js";
import type { AnyConnection } from "./connection.js";
import { type Definition, defined } from "./definition.js";
import type { ModuleDefinition } from "./module.js";
import type { Silence } from "./silence.js";

export interface ConnectorOptions {
  /** Display name. */
  readonly name: string;
  /** Part of every address of the connector; it never changes once submitted. */
  readonly key: string;
  readonly urlPart?: string;
  readonly description: string;
  /** How names in code become serialized names; camelCase where it is left out (§2.9). */
  readonly namingConvention?: NamingConvention;
  /** Settings of a workspace; never credentials or addresses (§1.3). Empty where it is left out. */
  readonly registrationConfiguration?: ConfigurationDefinition;
  readonly connections: readonly AnyConnection[];
  readonly modules: readonly ModuleDefinition[];
  /** Findings of this definition that may stand, each with the reason. */
  readonly silence?: Silence;
}

export type ConnectorDefinition = Definition<"connector", ConnectorOptions>;

/** Defines the connector. Export it from `connector.ts`, once. */
export function defineConnector(options: ConnectorOptions): ConnectorDefinition {
  return defined({ kind: "connector", options });
}
