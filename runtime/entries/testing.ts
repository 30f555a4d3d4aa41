/** `connectorcli/testing`: a target system that is made from a connector alone, for its tests. */
export {
  type FakeRecord,
  FakeRecordError,
  type FakeRecords,
  type FakeRecordsOptions,
  type FakeValues,
  fakeRecords,
} from "../testing/fake-records.js";
