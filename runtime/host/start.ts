/** Starts a connector in a host, or says everything that stands in the way (spec §2.3, §2.8, §7). */
import { deepFreeze, isJsonObject, ownMember } from "../../schemas/json.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { isSecretName } from "../../schemas/naming/secret-names.js";
import { createLog } from "../log/log.js";
import { hideInLog } from "../log/redaction.js";
import { sensitiveValues } from "../records/masking.js";
import type { RecordType } from "../records/record-type.js";
import { typedRecord } from "../records/typed-record.js";
import type { Log } from "../registration/contracts.js";
import type {
  ConnectorRegistration,
  PayloadClass,
  RegisteredAction,
  RegisteredModule,
  RegisteredObject,
} from "../registration/registration.js";
import type {
  ServiceSettings,
  StartedAction,
  StartedConnector,
  StartedModule,
  StartedObject,
} from "../registration/started.js";
import { safeGet } from "../untrusted.js";
import { displayValue, type Finding, HIDDEN } from "../validation/finding.js";
import { validate } from "../validation/findings.js";
import type { Values } from "../validation/helpers.js";

/** What a connector is started with. */
export interface StartOptions {
  /** The registration configuration (§2.3), with serialized names. */
  readonly registrationConfiguration: unknown;
  /** The service configurations (§2.8) by module id, such as `app-1`; one entry for every module of the connector. */
  readonly services: Readonly<Record<string, ServiceConfigurations>>;
  /**
   * The log of the connector, which readers, handlers and the host write to.
   * @default a log on standard error that hides what the connector's schemas call sensitive
   */
  readonly log?: Log | undefined;
}

/** The two configurations of a module (§2.8), with serialized names. */
export interface ServiceConfigurations {
  /** Which actions are performed, and their settings. */
  readonly actionProcessor: unknown;
  /** Which data objects are read, and their settings. */
  readonly cacheWriter: unknown;
}

/** What is wrong with one value of the configurations, or with the registration. */
export interface StartFinding extends Finding {
  /** Where it is, such as `registrationConfiguration/ProjectStatus`, `app-1/cacheWriter/ProjectConfig` or `app-1/Project`. */
  readonly place: string;
}

/** A connector that did not start. The message has every finding; sensitive values are hidden. */
export class StartError extends Error {
  override readonly name = "StartError";
  /** The same configurations would not fit the next time either. */
  readonly retry = "never";

  constructor(
    /** Display name of the connector. */
    readonly connector: string,
    /** Everything that stood in the way. */
    readonly findings: readonly StartFinding[],
  ) {
    const count = findings.length === 1 ? "1 finding" : `${findings.length} findings`;
    const lines = findings.map(({ message }) => `  ${message}`);
    super(`${connector} does not start: ${count}\n${lines.join("\n")}`);
  }
}

/**
 * Checks all configurations and returns the connector with them, its readers and handlers, and whether each is switched
 * on. What it returns is frozen. Secrets of the configurations are hidden in the log.
 * @throws StartError with every finding in all configurations; nothing has started then.
 * @example
 * const connector = startConnector(registration, {
 *   registrationConfiguration: { ProjectStatus: "Active" },
 *   services: {
 *     "app-1": {
 *       actionProcessor: { CreateProjectConfig: { ProcessQueuedEvent: true } },
 *       cacheWriter: { ProjectConfig: { UploadObject: true } },
 *     },
 *   },
 * });
 */
export function startConnector<Client>(
  registration: ConnectorRegistration<Client>,
  { registrationConfiguration, services, log }: StartOptions,
): StartedConnector<Client> {
  const { name, key, connections, clientHelper, connectionTestHandler } = registration;
  const own = readRegistrationConfiguration(registration, registrationConfiguration);
  const starts = registration.modules.map((module) =>
    startModule(module, servicesOf(services, module.id), own.typed),
  );
  const ids = registration.modules.map(({ id }) => id);
  const findings = [
    ...own.findings,
    ...starts.flatMap((start) => start.findings),
    ...misplacedServices(services, ids),
  ];
  if (findings.length > 0) throw new StartError(name, findings);
  const usedLog = log ?? createLog({ schemas: sensitiveTypes(registration) });
  hideInLog(usedLog, [...own.secrets, ...starts.flatMap(({ secrets }) => secrets)]);
  return Object.freeze({
    ...{ name, key, clientHelper, connectionTestHandler },
    configuration: own.typed,
    connections: Object.freeze([...connections]),
    modules: Object.freeze(starts.map(({ module }) => module)),
    log: usedLog,
  });
}

/**
 * The registration configuration with these values, for what is done without a start.
 * @throws StartError with every finding if they do not fit its schema.
 */
export function registrationConfigurationOf<Client>(
  registration: ConnectorRegistration<Client>,
  value: unknown = {},
): Pick<ReadConfiguration, "typed" | "secrets"> {
  const own = readRegistrationConfiguration(registration, value);
  if (own.findings.length > 0) throw new StartError(registration.name, own.findings);
  return own;
}

function readRegistrationConfiguration<Client>(
  { configuration, configurationClass }: ConnectorRegistration<Client>,
  value: unknown,
): ReadConfiguration {
  const place = "registrationConfiguration";
  return readConfiguration(configuration, { place, value, class: configurationClass });
}

/**
 * The types of a connector whose write-only members a log has to hide.
 * @example
 * const log = createLog({ level: "debug", schemas: sensitiveTypes(registration) });
 */
export function sensitiveTypes<Client>(registration: ConnectorRegistration<Client>): readonly RecordType[] {
  const { configuration, connections, modules } = registration;
  return [
    configuration,
    ...connections.map(({ properties }) => properties),
    ...modules.flatMap((module) => [
      module.cacheWriterConfiguration,
      module.actionProcessorConfiguration,
      ...module.dataObjects.map(({ record }) => record),
      ...module.actions.flatMap(({ input, output, failure }) => [input, output, failure]),
    ]),
  ];
}

/** A module, to be used if there are no findings. */
interface ModuleStart<Client> {
  readonly module: StartedModule<Client>;
  readonly findings: readonly StartFinding[];
  /** The sensitive values of its configurations. */
  readonly secrets: readonly string[];
}

/**
 * @param configurations The two configurations of the module, as the host has them.
 * @param registrationConfiguration The settings of the workspace, as a typed instance.
 */
function startModule<Client>(
  module: RegisteredModule<Client>,
  configurations: unknown,
  registrationConfiguration: object,
): ModuleStart<Client> {
  const { id } = module;
  const cacheWriter = readConfiguration(module.cacheWriterConfiguration, {
    place: `${id}/cacheWriter`,
    value: safeGet(configurations, "cacheWriter"),
    class: module.cacheWriterClass,
  });
  const actionProcessor = readConfiguration(module.actionProcessorConfiguration, {
    place: `${id}/actionProcessor`,
    value: safeGet(configurations, "actionProcessor"),
    class: module.actionProcessorClass,
  });
  const dataObjects = module.dataObjects.map((object) =>
    startObject(object, { registrationConfiguration, serviceConfiguration: cacheWriter.typed }),
  );
  const actions = module.actions.map((action) =>
    startAction(action, module, { registrationConfiguration, serviceConfiguration: actionProcessor.typed }),
  );
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
    findings: [...cacheWriter.findings, ...actionProcessor.findings, ...notFunctions(module)],
    secrets: [...cacheWriter.secrets, ...actionProcessor.secrets],
  };
}

type Configurations = Pick<ServiceSettings, "registrationConfiguration" | "serviceConfiguration">;

function startObject<Client>(
  object: RegisteredObject<Client>,
  configurations: Configurations,
): StartedObject<Client> {
  const settings = settingsOf(configurations.serviceConfiguration, object.switchName);
  const uploadObject = isOn(settings, object.flagName ?? "uploadObject");
  return Object.freeze({ ...object, ...configurations, settings, uploadObject });
}

/** @throws Error if the action is of a data object that is not in its module: the registration was not generated. */
function startAction<Client>(
  action: RegisteredAction<Client>,
  { id, dataObjects }: RegisteredModule<Client>,
  configurations: Configurations,
): StartedAction<Client> {
  const object = dataObjects.find(({ name }) => name === action.dataObject);
  if (object === undefined) throw new Error(`${action.dataObject} is no data object of the module ${id}.`);
  const settings = settingsOf(configurations.serviceConfiguration, action.switchName);
  const processQueuedEvent = isOn(settings, action.flagName ?? "processQueuedEvent");
  return Object.freeze({
    ...action,
    ...configurations,
    dataPath: object.dataPath,
    settings,
    processQueuedEvent,
  });
}

function settingsOf(configuration: object, switchName: string): Values {
  const settings = ownMember(configuration as Values, switchName);
  return isJsonObject(settings) ? settings : Object.freeze({});
}

function isOn(settings: Values, flagName: string): boolean {
  return ownMember(settings, flagName) === true;
}

/** Readers and handlers that are no functions: the compiler refuses them, but not every project is compiled. */
function notFunctions<Client>({
  id,
  dataObjects,
  actions,
}: RegisteredModule<Client>): readonly StartFinding[] {
  const services = [
    ...dataObjects.map(({ name, reader }) => ({
      place: `${id}/${name}`,
      expected: "a reader",
      value: reader,
    })),
    ...actions.map(({ name, dataObject, handler }) => ({
      place: `${id}/${dataObject}/${name}`,
      expected: "a handler",
      value: handler,
    })),
  ];
  return services
    .filter(({ value }) => typeof value !== "function")
    .map(({ place, expected, value }) =>
      createStartFinding(place, { keyword: "function", expected, actual: displayValue(value) }),
    );
}

function servicesOf(services: unknown, id: string): unknown {
  return Object.hasOwn(Object(services), id) ? safeGet(services, id) : undefined;
}

const SERVICE_NAMES = ["actionProcessor", "cacheWriter"];

/** What was given under the name of no module or of no service; each names the nearest right one. */
function misplacedServices(services: unknown, ids: readonly string[]): readonly StartFinding[] {
  if (!isJsonObject(services)) return [notAnObject("services", services)];
  return Object.keys(services).flatMap((id) => {
    if (!ids.includes(id)) return [unknownName(id, id, { what: "the id of a module", names: ids })];
    const configurations = safeGet(services, id);
    if (!isJsonObject(configurations)) return [notAnObject(id, configurations)];
    return Object.keys(configurations)
      .filter((name) => !SERVICE_NAMES.includes(name))
      .map((name) =>
        unknownName(`${id}/${name}`, name, { what: "the name of a service", names: SERVICE_NAMES }),
      );
  });
}

function unknownName(
  place: string,
  name: string,
  { what, names }: { readonly what: string; readonly names: readonly string[] },
): StartFinding {
  const expected = `${what} (${names.length === 0 ? "there is none" : names.join(", ")})`;
  const hint = didYouMean(name, names);
  const finding = { keyword: "additionalProperties", expected, actual: displayValue(name) };
  return createStartFinding(place, finding, hint === "" ? "" : `.${hint}`);
}

function notAnObject(place: string, value: unknown): StartFinding {
  return createStartFinding(place, { keyword: "type", expected: "object", actual: displayValue(value) });
}

/** A configuration; it is empty if it does not fit its schema. */
interface ReadConfiguration {
  readonly findings: readonly StartFinding[];
  /** With names as in code; what it shows of itself is without sensitive values. */
  readonly typed: object;
  readonly secrets: readonly string[];
}

/** A configuration as a host has it. */
interface GivenConfiguration {
  /** What findings call it. */
  readonly place: string;
  /** With serialized names. */
  readonly value: unknown;
  /** The generated class; an anonymous one is made from the type if there is none. */
  readonly class: PayloadClass | undefined;
}

/** Checks a configuration against the type that was generated for it. */
function readConfiguration(type: RecordType, given: GivenConfiguration): ReadConfiguration {
  const { place, value } = given;
  const copy = copyAsJson(value);
  const findings =
    copy === undefined
      ? [createStartFinding(place, NOT_JSON)]
      : validate(type, copy.json).map((finding) => configurationFinding(place, finding));
  if (findings.length > 0 || !isJsonObject(copy?.json)) {
    return { findings, typed: Object.freeze({}), secrets: [] };
  }
  const { json } = copy;
  const configurationClass = given.class ?? typedRecord<object, object, object>(type);
  const typed = deepFreeze(configurationClass.from(json) as object);
  return { findings, typed, secrets: sensitiveValues(json, type.schema) };
}

/** A copy, so that nobody changes a configuration that was checked. Returns undefined if it can't be written as JSON. */
function copyAsJson(value: unknown): { readonly json: unknown } | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return { json: text === undefined ? undefined : JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const NOT_JSON = {
  keyword: "json",
  expected: "JSON",
  actual: "a value that can't be written as such",
};

function configurationFinding(place: string, finding: Finding): StartFinding {
  const { instancePath, keyword, expected } = finding;
  const isSecret = isSecretName(instancePath) && keyword !== "required";
  const actual = isSecret ? HIDDEN : finding.actual;
  return createStartFinding(`${place}${instancePath}`, { instancePath, keyword, expected, actual });
}

/** @param hint A sentence that follows the message. */
function createStartFinding(
  place: string,
  finding: Pick<Finding, "keyword" | "expected" | "actual"> & { readonly instancePath?: string },
  hint = "",
): StartFinding {
  const message = `${place}: expected ${finding.expected}, found ${finding.actual}${hint}`;
  return { instancePath: "", ...finding, place, message };
}
