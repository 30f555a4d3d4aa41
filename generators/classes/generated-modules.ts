/** Everything under `generated/`: classes, payloads, configurations and the wiring of a connector. */
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import type { SchemaDocument } from "../../schemas/model/schema-model.js";
import { isStandardFailure, standardFailure } from "../../schemas/model/standard-failure.js";
import type { GeneratedFile } from "../generated-file.js";
import {
  type ActionLayout,
  type DataObjectLayout,
  GENERATED_STANDARD_FAILURE_FILE,
  type Layout,
  type ModuleLayout,
  payloadNames,
  projectLayout,
  REGISTRATION_CONFIGURATION,
  relativeSpecifier,
} from "../layout.js";
import { type Code, call, object, ts, typeSymbol, valueSymbol } from "../typescript/code.js";
import { codegenType } from "../typescript/codegen-symbols.js";
import { commentText, stringLiteral } from "../typescript/literals.js";
import { ModulePrinter } from "../typescript/module-printer.js";
import { connectionClass } from "./connection-class.js";
import { contextsModules } from "./contexts-module.js";
import { emitClass } from "./emit-class.js";
import { registrationModule } from "./registration-module.js";

/** The generated files of a connector. The same model gives the same bytes. */
export function generatedModules(
  model: ConnectorModel,
  layout: Layout = projectLayout(model),
): readonly GeneratedFile[] {
  const { connections, modules } = layout;
  return [
    registrationModule(model, layout),
    ...contextsModules(layout),
    singleClass({
      identifier: layout.registrationConfigurationName,
      generatedFile: REGISTRATION_CONFIGURATION.generatedFile,
      document: model.registrationConfiguration,
      description: "Settings of a workspace.",
    }),
    ...(modules.some(hasStandardFailure) ? [standardFailureModule()] : []),
    ...connections.map(connectionClass),
    ...modules.flatMap((module) => [configurationModule(module), ...module.objects.map(objectModule)]),
  ];
}

function standardFailureModule(): GeneratedFile {
  return singleClass({
    identifier: "StandardFailure",
    generatedFile: GENERATED_STANDARD_FAILURE_FILE,
    document: standardFailure(),
    description: "Why an action failed.",
  });
}

function singleClass({
  identifier,
  generatedFile,
  document,
  description,
}: {
  readonly identifier: string;
  readonly generatedFile: string;
  readonly document: SchemaDocument;
  readonly description: string;
}): GeneratedFile {
  const module = new ModulePrinter(generatedFile, `${identifier} of the connector.`);
  emitClass({ identifier, name: identifier, document, description }, module);
  return module.generatedFile();
}

function configurationModule(layout: ModuleLayout): GeneratedFile {
  const { model, identifier, generatedConfigurationFile, configurationNames } = layout;
  const module = new ModulePrinter(
    generatedConfigurationFile,
    `The service configurations of ${identifier}.`,
  );
  for (const { type, name, configuration } of model.services) {
    const className = configurationNames[type];
    const description = `Configuration of ${name}.`;
    emitClass({ identifier: className, name: className, document: configuration, description }, module);
  }
  return module.generatedFile();
}

function objectModule(layout: DataObjectLayout): GeneratedFile {
  const { model, identifier, generatedFile, actions } = layout;
  const module = new ModulePrinter(generatedFile, `${identifier} and its actions.`);
  for (const name of [identifier, ...actions.map((action) => action.identifier)]) module.declared.add(name);
  const { name, schema: document, description, keys, unknownMembers } = model;
  emitClass({ identifier, name, document, description, keys, unknownMembers }, module);
  for (const action of actions) {
    const { input, output, failure } = action.model;
    const payloads = { Input: input, Output: output, Failure: failure };
    for (const [part, payload] of Object.entries(payloads)) {
      const className = `${action.identifier}${part}`;
      if (part === "Failure" && isStandardFailure(payload)) {
        module.print(standardFailureExport(className, generatedFile));
        continue;
      }
      const words = `${part} of ${action.model.title} of ${model.title}. ${action.model.description}`;
      emitClass({ identifier: className, name: className, document: payload, description: words }, module);
    }
    module.print(actionValue(layout, action));
  }
  return module.generatedFile();
}

/** The value by which code names an action, such as to `defineHandler`. */
function actionValue({ identifier: record, model }: DataObjectLayout, action: ActionLayout): Code {
  const { identifier } = action;
  const { title, description, failure: failureDocument } = action.model;
  const { input, output, failure } = payloadNames(identifier);
  const isStandard = isStandardFailure(failureDocument);
  const failureClass = isStandard ? valueSymbol(GENERATED_STANDARD_FAILURE_FILE, "StandardFailure") : failure;
  const failureJson = isStandard
    ? typeSymbol(GENERATED_STANDARD_FAILURE_FILE, "StandardFailureJson")
    : `${failure}Json`;
  const words = `${title} of ${model.title}, for \`defineHandler\`. ${description}`.trim();
  const value = object([
    { key: "name", value: stringLiteral(identifier) },
    { key: "input", value: input },
    { key: "output", value: output },
    { key: "failure", value: failureClass },
    { key: "dataObject", value: record },
  ]);
  return ts`/** ${commentText(words)} */
export const ${identifier}: ${codegenType("ActionClass")}<{
  input: ${input}Json;
  output: ${output}Json;
  failure: ${failureJson};
  dataObject: ${stringLiteral(model.name)};
  record: ${record}Json;
}> = ${call("Object.freeze", value)};`;
}

/** The statement that exports the standard failure under the name of an action's failure. */
function standardFailureExport(className: string, file: string): string {
  const specifier = stringLiteral(relativeSpecifier(file, GENERATED_STANDARD_FAILURE_FILE));
  return `export { StandardFailure as ${className}, type StandardFailureJson as ${className}Json } from ${specifier};`;
}

function hasStandardFailure({ objects }: ModuleLayout): boolean {
  return objects.some(({ actions }) => actions.some((action) => isStandardFailure(action.model.failure)));
}
