/** What is made once for all attempts at the actions of a connector. */
import { sensitiveValues } from "../records/masking.js";
import type { RecordType } from "../records/record-type.js";
import type { RegisteredAction } from "../registration/registration.js";
import type { ServiceSettings, StartedAction, StartedModule } from "../registration/started.js";
import type { ActionAddress } from "../store/store.js";
import { type ChangePreparer, changePreparer, type VolatileMembers } from "./cache-changes.js";

/** An action of the connector, and what is made once for all its attempts. */
export interface PreparedAction<Client = unknown> {
  readonly action: RegisteredAction<Client> & Partial<ServiceSettings>;
  /** Prepares changes of the data objects of its module. */
  readonly changes: ChangePreparer;
  /** The types of the connector: their write-only members are hidden wherever a handler names them. */
  readonly types: readonly RecordType[];
}

/** The actions, by their address. */
export function prepareActions<Client>(
  modules: readonly StartedModule<Client>[],
  volatile?: VolatileMembers,
): ReadonlyMap<string, PreparedAction<Client> & { readonly action: StartedAction<Client> }> {
  const types = modules.flatMap(({ cacheWriter, actionProcessor }) => [
    ...cacheWriter.dataObjects.map(({ record }) => record),
    ...actionProcessor.actions.flatMap(({ input, output, failure }) => [input, output, failure]),
  ]);
  const entries = modules.flatMap(({ cacheWriter, actionProcessor }) => {
    const changes = changePreparer(cacheWriter.dataObjects, volatile);
    return actionProcessor.actions.map(
      (action) => [addressKey(addressOf(action)), { action, changes, types }] as const,
    );
  });
  return new Map(entries);
}

/** The address of an action. */
export function addressOf<Client>({ dataPath, urlPart }: StartedAction<Client>): ActionAddress {
  return { object: dataPath, action: urlPart };
}

/** The address as one text. */
export function addressKey({ object, action }: ActionAddress): string {
  return `${object}/${action}`;
}

/** Values of the connection and of the configurations that must not be shown. */
export function secretsOf<Client>(
  modules: readonly StartedModule<Client>[],
  connection: object,
): readonly string[] {
  const configurations = modules.flatMap(({ cacheWriter, actionProcessor }) => [
    cacheWriter.configuration,
    actionProcessor.configuration,
  ]);
  const workspace = modules.flatMap(({ actionProcessor }) =>
    actionProcessor.actions.map(({ registrationConfiguration }) => registrationConfiguration),
  );
  const settings = new Set([connection, ...configurations, ...workspace]);
  return [...settings].flatMap((instance) => sensitiveValues(instance, true));
}
