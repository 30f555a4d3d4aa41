/** The one way from an author's values to the model. Total: a wrong connector still gives a model, and findings. */
import { definedAt } from "../../authoring/definition.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { SilencePlace } from "../../diagnostics/silence-place.js";
import { type ConnectorModel, deepFreeze } from "../connector-model.js";
import { buildConfiguration } from "./build-configuration.js";
import { buildConnection } from "./build-connection.js";
import { buildModule } from "./build-module.js";
import { definitionsIn } from "./definition-lists.js";
import { inside, isRecord, nameOf, newScope, Options, report } from "./scope.js";
import { noteDefinitionSilences } from "./silences.js";

export interface BuildResult {
  readonly model: ConnectorModel;
  readonly diagnostics: readonly Diagnostic[];
  /** Where each definition was called, by its pointer: the error of the call, whose stack names file and line. */
  readonly origins: ReadonlyMap<string, Error>;
  /** What the author says of single findings. */
  readonly silences: readonly SilencePlace[];
}

const OPTIONS = [
  "name",
  "key",
  "urlPart",
  "description",
  "namingConvention",
  "registrationConfiguration",
  "connections",
  "modules",
] as const;

/** The model of what `defineConnector` returned. */
export function buildConnectorModel(connector: unknown): BuildResult {
  const scope = newScope("the connector", "camelCase");
  const origin = isRecord(connector) ? definedAt(connector) : undefined;
  if (origin !== undefined) scope.origins.set("", origin);
  const value = isRecord(connector) && connector["kind"] === "connector" ? connector["options"] : undefined;
  if (value === undefined) {
    report(scope, "definition-invalid", {
      what: "The connector",
      expected: "a value that defineConnector made",
      actual: nameOf(connector),
    });
  }
  const options = new Options(value ?? {}, scope, OPTIONS);
  noteDefinitionSilences(options.get("silence"), scope);
  const key = options.text("key") ?? "";
  const conventional = inside(scope, { convention: options.convention() });
  const model: ConnectorModel = {
    kind: "connector",
    name: options.text("name") ?? "",
    urlPart: options.text("urlPart") ?? key,
    key,
    description: options.text("description") ?? "",
    connections: definitionsIn(
      options,
      "connections",
      "connection",
      "connectionDefinitions",
      conventional,
    ).map(buildConnection),
    registrationConfiguration: buildConfiguration(
      options.get("registrationConfiguration"),
      inside(scope, {
        what: "the registration configuration",
        pointer: ["configSchema"],
        path: ["registrationConfiguration"],
      }),
    ),
    modules: definitionsIn(options, "modules", "module", "modules", conventional).map((found) =>
      buildModule(found, key),
    ),
  };
  return {
    model: deepFreeze(model),
    diagnostics: scope.findings,
    origins: scope.origins,
    silences: scope.silences,
  };
}
