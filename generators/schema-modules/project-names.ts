/** Names and places of everything in an author's project, decided before a line is written. */
import type {
  ActionModel,
  ConnectorModel,
  DataObjectModel,
  ModuleModel,
} from "../../schemas/model/connector-model.js";
import { classIdentifier, fileName, unique } from "../../schemas/naming/identifiers.js";

/** What the vocabulary exports: no value of the author's may hide it. */
const VOCABULARY = [
  "CacheWriterObjectConfig",
  "ConnectionEnvironment",
  "DefaultActionHandlerConfig",
  "ExactJson",
  "IncrementalObjectConfig",
  "Nullable",
  "OptionSet",
  "StandardFailure",
  "StringEnum",
  "Type",
];

export interface ObjectNames {
  readonly model: DataObjectModel;
  readonly identifier: string;
  readonly file: string;
  readonly actions: readonly { readonly model: ActionModel; readonly identifier: string }[];
}

export interface ModuleNames {
  readonly model: ModuleModel;
  readonly identifier: string;
  readonly file: string;
  readonly configurationFile: string;
  readonly sharedFile: string;
  readonly objects: readonly ObjectNames[];
  /** Every identifier of the module; names that are found later are added to it. */
  readonly taken: Set<string>;
}

/** The identifier of the registration configuration. */
export const REGISTRATION = "RegistrationConfiguration";

/** Identifiers that the root module holds; names that are found later are added to it. */
export function rootNames(): Set<string> {
  return new Set([...VOCABULARY, REGISTRATION]);
}

/** Names for the modules of a connector. Folders are `schemas/{module}`, files are one an object. */
export function moduleNames(model: ConnectorModel, identifiers: Set<string>): readonly ModuleNames[] {
  const folders = new Set<string>(["registration-configuration"]);
  return model.modules.map((module) => {
    const folder = `schemas/${unique(fileName(module.key || module.name), folders)}`;
    const identifier = unique(`${classIdentifier(module.name)}Module`, identifiers);
    const taken = new Set([
      ...VOCABULARY,
      identifier,
      "ActionProcessorConfiguration",
      "CacheWriterConfiguration",
    ]);
    const files = new Set(["module", "configuration", "shared"]);
    return {
      model: module,
      identifier,
      file: `${folder}/module.ts`,
      configurationFile: `${folder}/configuration.ts`,
      sharedFile: `${folder}/shared.ts`,
      objects: module.dataObjects.map((object) => objectNames(object, folder, files, taken)),
      taken,
    };
  });
}

function objectNames(
  model: DataObjectModel,
  folder: string,
  files: Set<string>,
  taken: Set<string>,
): ObjectNames {
  const identifier = unique(classIdentifier(model.className), taken);
  return {
    model,
    identifier,
    file: `${folder}/${unique(fileName(model.className), files)}.ts`,
    actions: model.actions.map((action) => ({
      model: action,
      identifier: unique(classIdentifier(`${action.className}${identifier}`), taken),
    })),
  };
}

/** Names for the connections, each in a file of its own. */
export function connectionNames(model: ConnectorModel, identifiers: Set<string>) {
  const files = new Set<string>();
  return model.connections.map((connection) => ({
    model: connection,
    identifier: unique(classIdentifier(connection.className), identifiers),
    file: `connections/${unique(fileName(connection.className), files)}.ts`,
  }));
}
