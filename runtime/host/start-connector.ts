/** Starts a connector in a host, or says everything that stands in the way (spec §2.3, §2.8, §7). */
import type { RecordType } from "../records/record-type.js";
import type { Log } from "../registration/contracts.js";
import type { ConnectorRegistration } from "../registration/registration.js";
import { type ServiceConfigurations, strayServices } from "./given-services.js";
import { createLog } from "./log/create-log.js";
import { readConfiguration } from "./read-configuration.js";
import { StartError } from "./start-error.js";
import { startModule } from "./start-module.js";
import type { StartedConnector } from "./started-connector.js";
import { hideIn, memberOf } from "./unsure.js";

export interface StartOptions {
  /** In serialized form. */
  readonly registrationConfiguration: unknown;
  /** By module id, such as `app-1`: one for every module of the connector. */
  readonly services: Readonly<Record<string, ServiceConfigurations>>;
  /** By default one that writes to standard error and hides what the connector's schemas call sensitive. */
  readonly log?: Log | undefined;
}

/**
 * The connector with its typed configurations, its readers and handlers, and whether each is switched on.
 * @throws StartError with every finding in all configurations; nothing has started then.
 */
export function startConnector<Client>(
  registration: ConnectorRegistration<Client>,
  { registrationConfiguration, services, log }: StartOptions,
): StartedConnector<Client> {
  const { name, key, connections, clientHelper, connectionTestHandler } = registration;
  const place = "registrationConfiguration";
  const own = readConfiguration(registration.configuration, { place, value: registrationConfiguration });
  const starts = registration.modules.map((module) =>
    startModule<Client>(module, Object.hasOwn(Object(services), module.id) && memberOf(services, module.id)),
  );
  const ids = registration.modules.map(({ id }) => id);
  const findings = [
    ...own.findings,
    ...starts.flatMap((start) => start.findings),
    ...strayServices(services, ids),
  ];
  if (findings.length > 0) throw new StartError(name, findings);
  const used = log ?? createLog({ schemas: sensitiveTypes(registration) });
  hideIn(used, [...own.secrets, ...starts.flatMap(({ secrets }) => secrets)]);
  return Object.freeze({
    ...{ name, key, clientHelper, connectionTestHandler },
    configuration: own.typed,
    connections: Object.freeze([...connections]),
    modules: Object.freeze(starts.map(({ module }) => module)),
    log: used,
  });
}

/** The types of a connector whose write-only members a log has to hide: `createLog({ schemas })`. */
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
