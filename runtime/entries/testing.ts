/** `connectorcli/testing`: a target system that is made from a connector alone, for its tests. */

export {
  defineFake,
  type FakeCall,
  type FakeObject,
  type FakeOptions,
  type FakeReply,
  type FakeRequest,
  type FakeRoute,
  type FakeTarget,
} from "../testing/fake-options.js";
export {
  type FakeRecord,
  FakeRecordError,
  type FakeRecords,
  type FakeRecordsOptions,
  type FakeValues,
  fakeRecords,
} from "../testing/fake-records.js";
export type { FakeSettings } from "../testing/fake-settings.js";
export { FAULTS, type FaultName, type FaultPlan } from "../testing/fault-names.js";
export { TakenKeyError } from "../testing/held-objects.js";
export type { FakeRate } from "../testing/rate-window.js";
export { startFake } from "../testing/start-fake.js";
