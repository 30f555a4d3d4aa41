/** Configurations that a connector starts with: made from their schemas, with every switch on. */
import { isJsonObject } from "../../schemas/json.js";
import { toSerializedNames } from "../records/name-mapping.js";
import type { RecordType } from "../records/record-type.js";
import type { ConnectorRegistration } from "../registration/registration.js";
import { createRecordMaker, type FakeRecord, type GenerateValue } from "./fake-records.js";

/** What `startConnector` takes. */
export interface FakeSettings {
  /** The registration configuration (§2.3), with serialized names. */
  readonly registrationConfiguration: unknown;
  /** The service configurations (§2.8) by module id. Every data object is read, and every action performed. */
  readonly services: Readonly<
    Record<
      string,
      {
        /** Which actions are performed, and their settings. */
        readonly actionProcessor: unknown;
        /** Which data objects are read, and their settings. */
        readonly cacheWriter: unknown;
      }
    >
  >;
}

export interface FakeSettingsOptions {
  readonly generate: GenerateValue;
  readonly seed: number;
}

/** The service configurations of all modules. */
export function fakeServices(
  { modules }: ConnectorRegistration,
  { generate, seed }: FakeSettingsOptions,
): FakeSettings["services"] {
  const made = (type: RecordType) => createRecordMaker(generate, type, { seed }).next() ?? {};
  return Object.fromEntries(
    modules.map(({ id, actionProcessorConfiguration, cacheWriterConfiguration, actions, dataObjects }) => [
      id,
      {
        actionProcessor: switchedOn(actionProcessorConfiguration, made, {
          parts: actions,
          flag: "processQueuedEvent",
        }),
        cacheWriter: switchedOn(cacheWriterConfiguration, made, { parts: dataObjects, flag: "uploadObject" }),
      },
    ]),
  );
}

interface Switches {
  readonly parts: readonly { readonly switchName: string; readonly flagName?: string | undefined }[];
  /** The name of the flag, as in code, where a part says none. */
  readonly flag: string;
}

function switchedOn(
  type: RecordType,
  made: (type: RecordType) => FakeRecord,
  { parts, flag }: Switches,
): FakeRecord {
  const configuration: Record<string, unknown> = { ...made(type) };
  for (const { switchName, flagName = flag } of parts) {
    const on = toSerializedNames({ [switchName]: { [flagName]: true } }, type.names);
    for (const [name, part] of Object.entries(on as FakeRecord)) {
      const before = configuration[name];
      const merged = isJsonObject(before) && isJsonObject(part) ? { ...before, ...part } : part;
      // A connector without generated code may know no such switch.
      if (type.check({ ...configuration, [name]: merged })) configuration[name] = merged;
    }
  }
  return configuration;
}
