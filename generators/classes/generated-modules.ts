/** Everything under `generated/`: classes, payloads, configurations and the wiring of a connector. */
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import type { SchemaDocument } from "../../schemas/model/schema-model.js";
import { standardFailure } from "../../schemas/model/standard-failure.js";
import type { GeneratedFile } from "../generated-file.js";
import {
  connectionNames,
  type ModuleNames,
  moduleNames,
  type ObjectNames,
  rootNames,
} from "../schema-modules/project-names.js";
import { stateClass } from "./class-statement.js";
import { connectionClass } from "./connection-class.js";
import { GeneratedModule } from "./generated-module.js";
import { registrationModule } from "./registration-module.js";

/** The generated files of a connector. The same model gives the same bytes. */
export function generatedModules(model: ConnectorModel): readonly GeneratedFile[] {
  const identifiers = rootNames();
  const connections = connectionNames(model, identifiers);
  const modules = moduleNames(model, identifiers);
  return [
    registrationModule(model, {
      connections: connections.map(({ model: { key }, identifier, file }) => ({
        identifier,
        key,
        specifier: `./${file.replace(/\.ts$/, ".js")}`,
      })),
      modules: modules.map((names) => ({
        names,
        configuration: specifier(names.configurationFile),
        specifierOf: (object) => specifier(object.file),
      })),
    }),
    singleClass(
      "RegistrationConfiguration",
      "registration-configuration",
      model.registrationConfiguration,
      "Settings of a workspace.",
    ),
    ...(modules.some(hasStandardFailure)
      ? [singleClass("StandardFailure", "standard-failure", standardFailure(), "Why an action failed.")]
      : []),
    ...connections.map((connection) =>
      connectionClass(connection.model, connection.identifier, `generated/${connection.file}`),
    ),
    ...modules.flatMap((names) => [configurationModule(names), ...names.objects.map(objectModule)]),
  ];
}

/** `schemas/app/employee.ts` is the source of `generated/app/employee.ts`. */
function generatedPath(sourceFile: string): string {
  return `generated/${sourceFile.slice("schemas/".length)}`;
}

function specifier(sourceFile: string): string {
  return `./${sourceFile.slice("schemas/".length).replace(/\.ts$/, ".js")}`;
}

function singleClass(
  identifier: string,
  file: string,
  document: SchemaDocument,
  description: string,
): GeneratedFile {
  const module = new GeneratedModule(`generated/${file}.ts`, `${identifier} of the connector.`);
  stateClass({ identifier, name: identifier, document, description }, module);
  return module.file();
}

function configurationModule({ model, identifier, configurationFile }: ModuleNames): GeneratedFile {
  const module = new GeneratedModule(
    generatedPath(configurationFile),
    `The service configurations of ${identifier}.`,
  );
  for (const { type, name, configuration } of model.services) {
    const description = `Configuration of ${name}.`;
    stateClass(
      {
        identifier: `${type}Configuration`,
        name: `${type}Configuration`,
        document: configuration,
        description,
      },
      module,
    );
  }
  return module.file();
}

function objectModule(object: ObjectNames): GeneratedFile {
  const { model, identifier, file, actions } = object;
  const module = new GeneratedModule(generatedPath(file), `${identifier} and its actions.`);
  for (const name of [identifier, ...actions.map((action) => action.identifier)]) module.taken.add(name);
  const { className: name, schema: document, description, keys } = model;
  stateClass({ identifier, name, document, description, keys }, module);
  for (const action of actions) {
    for (const part of ["Input", "Output", "Failure"] as const) {
      const own = `${action.identifier}${part}`;
      const payload = {
        Input: action.model.input,
        Output: action.model.output,
        Failure: action.model.failure,
      }[part];
      if (part === "Failure" && isStandard(payload)) {
        module.state(
          `export { StandardFailure as ${own}, type StandardFailureJson as ${own}Json } from "../standard-failure.js";`,
        );
        continue;
      }
      const what = `${part} of ${action.model.name} of ${model.name}. ${action.model.description}`;
      stateClass({ identifier: own, name: own, document: payload, description: what }, module);
    }
  }
  return module.file();
}

function hasStandardFailure({ objects }: ModuleNames): boolean {
  return objects.some(({ actions }) => actions.some((action) => isStandard(action.model.failure)));
}

function isStandard(document: SchemaDocument): boolean {
  return JSON.stringify(document) === JSON.stringify(standardFailure());
}
