/** One module of a connector that is started: its configurations, its readers, its handlers. */
import type { ActionHandler, FullReader, IncrementalReader } from "../registration/contracts.js";
import type { RegisteredAction, RegisteredModule, RegisteredObject } from "../registration/registration.js";
import { shown } from "../validation/finding.js";
import { isObject, type Values } from "../validation/values.js";
import { readConfiguration } from "./read-configuration.js";
import { type StartFinding, startFinding } from "./start-error.js";
import type { StartedAction, StartedModule, StartedObject } from "./started-connector.js";
import { memberOf } from "./unsure.js";

/** A module that may be started when there are no findings. */
export interface ModuleStart<Client> {
  readonly module: StartedModule<Client>;
  readonly findings: readonly StartFinding[];
  /** What must not be shown of its configurations. */
  readonly secrets: readonly string[];
}

/** @param given The two configurations in serialized form, as the host has them. */
export function startModule<Client>(module: RegisteredModule, given: unknown): ModuleStart<Client> {
  const { id } = module;
  const cacheWriter = readConfiguration(module.cacheWriterConfiguration, {
    place: `${id}/cacheWriter`,
    value: memberOf(given, "cacheWriter"),
  });
  const actionProcessor = readConfiguration(module.actionProcessorConfiguration, {
    place: `${id}/actionProcessor`,
    value: memberOf(given, "actionProcessor"),
  });
  const dataObjects = module.dataObjects.map((one) => startedObject<Client>(one, cacheWriter.json));
  const actions = module.actions.map((one) => startedAction<Client>(one, actionProcessor.json));
  return {
    module: Object.freeze({
      id,
      cacheWriter: Object.freeze({
        configuration: cacheWriter.typed,
        dataObjects: Object.freeze(dataObjects),
      }),
      actionProcessor: Object.freeze({
        configuration: actionProcessor.typed,
        actions: Object.freeze(actions),
      }),
    }),
    findings: [...cacheWriter.findings, ...actionProcessor.findings, ...unimplemented(module)],
    secrets: [...cacheWriter.secrets, ...actionProcessor.secrets],
  };
}

function startedObject<Client>(object: RegisteredObject, configuration: Values): StartedObject<Client> {
  const { name, urlPart, dataPath, readerType, record, switchName, reader } = object;
  const settings = settingsOf(configuration, switchName);
  const facts = {
    name,
    urlPart,
    dataPath,
    record,
    settings,
    uploadObject: settings["UploadObject"] === true,
  };
  return readerType === "full"
    ? Object.freeze({ ...facts, readerType, reader: reader as FullReader<unknown, Client> })
    : Object.freeze({ ...facts, readerType, reader: reader as IncrementalReader<unknown, Client> });
}

function startedAction<Client>(action: RegisteredAction, configuration: Values): StartedAction<Client> {
  const { name, urlPart, dataObject, input, inputClass, output, failure, switchName, handler } = action;
  const settings = settingsOf(configuration, switchName);
  return Object.freeze({
    ...{ name, urlPart, dataObject, input, inputClass, output, failure, settings },
    processQueuedEvent: settings["ProcessQueuedEvent"] === true,
    handler: handler as ActionHandler<unknown, unknown, unknown, Client>,
  });
}

function settingsOf(configuration: Values, switchName: string): Values {
  const settings = Object.hasOwn(configuration, switchName) ? configuration[switchName] : undefined;
  return Object.freeze(isObject(settings) ? settings : {});
}

/** Readers and handlers that are no functions: the compiler refuses them, but not every project is compiled. */
function unimplemented({ id, dataObjects, actions }: RegisteredModule): readonly StartFinding[] {
  const missing = (place: string, expected: string, value: unknown) =>
    typeof value === "function"
      ? []
      : [startFinding(place, { instancePath: "", keyword: "function", expected, actual: shown(value) })];
  return [
    ...dataObjects.flatMap(({ name, reader }) => missing(`${id}/${name}`, "a reader", reader)),
    ...actions.flatMap(({ name, dataObject, handler }) =>
      missing(`${id}/${dataObject}/${name}`, "a handler", handler),
    ),
  ];
}
