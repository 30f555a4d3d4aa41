/** `connectorcli/testing`: a target system that is made from a connector alone, and recordings of the real one. */

export type {
  AcceptanceFinding,
  AcceptanceOptions,
  AcceptanceResult,
  AcceptanceSubject,
  AcceptanceSurroundings,
  AcceptanceTried,
  AcceptanceTrying,
  FlawCode,
} from "../testing/acceptance/acceptance-options.js";
export type { LiveAcceptanceOptions } from "../testing/acceptance/live/live-options.js";
export { runLiveAcceptance } from "../testing/acceptance/live/run-live-acceptance.js";
export { type ObservableProcess, observedProcess } from "../testing/acceptance/observed-process.js";
export { runAcceptance } from "../testing/acceptance/run-acceptance.js";
export {
  ACCEPTANCE_SCENARIOS,
  LIVE_SCENARIOS,
  type LiveScenarioName,
  type ScenarioName,
} from "../testing/acceptance/scenario-names.js";
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
export { answerChanges } from "../testing/recordings/answer-forms.js";
export { type FakeDifferencesOptions, fakeDifferences } from "../testing/recordings/fake-differences.js";
export { RecordingRefusedError, type RecordOptions, record } from "../testing/recordings/record.js";
export {
  type RecordedCache,
  type RecordedExchange,
  type RecordedRequest,
  type RecordedResponse,
  type RecordedRun,
  type RecordedSubject,
  type Recording,
  RecordingError,
  readRecording,
  recordingText,
} from "../testing/recordings/recording.js";
export { type ReplayOptions, type ReplayResult, replay } from "../testing/recordings/replay.js";
export { startFake } from "../testing/start-fake.js";
