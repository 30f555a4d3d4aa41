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
  const before = made(type);
  const withSwitch = (
    configuration: FakeRecord,
    { switchName, flagName = flag }: Switches["parts"][number],
  ) => {
    const on = toSerializedNames({ [switchName]: { [flagName]: true } }, type.names) as FakeRecord;
    const merged = Object.entries(on).map(([name, part]) => {
      const known = configuration[name];
      return [name, isJsonObject(known) && isJsonObject(part) ? { ...known, ...part } : part];
    });
    return { ...configuration, ...Object.fromEntries(merged) };
  };
  const whole = parts.reduce(withSwitch, before);
  if (type.check(whole)) return whole;
  // A connector without generated code may know no such switch.
  return parts.reduce((configuration, part) => {
    const on = withSwitch(configuration, part);
    return type.check(on) ? on : configuration;
  }, before);
}
