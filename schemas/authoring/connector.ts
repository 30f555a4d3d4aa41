/** The connector: what the root module of an author's project exports (spec §1). */

import type { Silence } from "../diagnostics/silences.js";
import type { NamingConvention } from "../naming/conventions.js";
import type { RegistrationConfigurationDefinition } from "./configuration.js";
import type { ConnectionDefinition } from "./connection.js";
import { createDefinition, type Definition } from "./definition.js";
import type { ModuleDefinition } from "./module.js";
import { namedOptions } from "./old-calls.js";

/** Options of {@link defineConnector}. */
export interface ConnectorOptions {
  /** Display name. @default the name of the connector in words */
  readonly title?: string;
  /** Part of every address of the connector; it never changes once submitted. */
  readonly key: string;
  /** The connector's part of an address. @default the key */
  readonly urlPart?: string;
  /** What the connector is for. */
  readonly description: string;
  /** How names in code become serialized names (§2.9). @default "camelCase" */
  readonly namingConvention?: NamingConvention;
  /** Settings of a workspace; never credentials or addresses (§1.3). @default no settings */
  readonly registrationConfiguration?: RegistrationConfigurationDefinition;
  /** The ways in which a user can connect to the target system. */
  readonly connections: readonly ConnectionDefinition[];
  /** In the order in which the platform lists them. */
  readonly modules: readonly ModuleDefinition[];
  /** Findings of this definition that may stand, each with the reason. */
  readonly silence?: Silence;
}

/** What {@link defineConnector} returns. */
export interface ConnectorDefinition extends Definition<"connector", ConnectorOptions> {
  /** Name of the connector in code. */
  readonly name: string;
}

/**
 * Defines the connector. Export it from `connector.ts`, once.
 *
 * @param name The name of the connector in code, such as `Personnel`.
 * @example
 * export const Personnel = defineConnector("Personnel", {
 *   key: "personnel",
 *   description: "Reads and hires employees.",
 *   connections: [ApiKeyAuth],
 *   modules: [AppModule],
 * });
 */
export function defineConnector(name: string, options: ConnectorOptions): ConnectorDefinition;
export function defineConnector(name: unknown, options?: ConnectorOptions): ConnectorDefinition {
  if (options !== undefined || typeof name !== "object")
    return createDefinition({ kind: "connector", name, options } as ConnectorDefinition);
  return createDefinition({ kind: "connector", ...namedOptions(name) } as ConnectorDefinition, {
    isOldCall: true,
  });
}
