/** What an example of a rule is: code that triggers it, and the same code as it should be. */
import type { DiagnosticCode } from "../catalogue.js";

export interface RuleExample {
  /**
   * What the code is in a small connector: properties of its data object `Site`, or the statements that define its
   * object, action, connection, configuration, module or the connector itself; else the file of the project.
   */
  readonly part: ExamplePart;
  readonly bad: string;
  readonly good: string;
}

export type ExamplePart =
  | "properties"
  | "object"
  | "action"
  | "connection"
  | "registration configuration"
  | "cache writer configuration"
  | "module"
  | "connector"
  | "modules/app/site/site-reader.ts"
  | "modules/app/site/create-site-handler.ts"
  | "client/api-client.ts"
  | "package.json";

/** Examples by the code that the bad one triggers. */
export type Examples = { readonly [Code in DiagnosticCode]?: RuleExample };
