/** A new connector's project. */
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { authorProject } from "../author-project.js";
import { render } from "../render.js";
import { stringLiteral } from "../typescript/literals.js";
import { displayNameProblems, keyProblems } from "./name-checks.js";
import { type Scaffold, scaffoldFile } from "./scaffold.js";

export interface NewConnector {
  /** Display name. */
  readonly name: string;
  readonly key: string;
  /** The version of this package. */
  readonly version: string;
}

export function connectorScaffold({ name, key, version }: NewConnector): Scaffold {
  const diagnostics: readonly Diagnostic[] = [
    ...displayNameProblems("name of a connector", name),
    ...keyProblems("key of a connector", key),
  ];
  const view = {
    name: stringLiteral(name),
    key: stringLiteral(key),
    description: stringLiteral(`Data objects and actions of ${name}.`),
  };
  return {
    files: [
      scaffoldFile("connector.ts", render("connector.ts", view)),
      scaffoldFile("schemas/registration-configuration.ts", render("registration-configuration.ts", {})),
      ...authorProject({ name, key }, version),
    ],
    diagnostics,
  };
}
