/** The entry `connectorcli/workbench`: what the command line does, as functions for other programs. */

export type {
  DecisionView,
  LeftOutView,
  ObjectView,
  PlanView,
} from "../../generators/openapi/inference/plan-view.js";
export type {
  AnswerChoice,
  ConfigChange,
  ImportQuestion,
} from "../../generators/openapi/questions/open-questions.js";
export type { ChangedThing, ImportChange } from "../../generators/openapi/reimport/compare-locks.js";
export type {
  NewAction,
  NewClient,
  NewConnector,
  NewDataObject,
  NewModule,
  SampleText,
  VariableSource,
  WantedList,
} from "../../generators/scaffolds/index.js";
export {
  type LoadOptions,
  loadProject,
  type ProjectOptions,
} from "../author-project/load-project.js";
export type { CodePlace, LoadedProject, Origins } from "../author-project/loaded-project.js";
export type {
  ActionTrial,
  FakeFacts,
  PlannedRequest,
  PreviewedObject,
  QueuedInput,
  RecordedAnswers,
  ReplayedRecording,
  SyncedObjectResult,
} from "../connector-run/run-protocol.js";
export { type MigrateOptions, type MigrationResult, migrateProject } from "../migration/migrate-project.js";
export type { ImportReport, KeptView } from "../openapi-import/reimport.js";
export {
  type ChangeResult,
  type Opened,
  type OpenOptions,
  type OpenProject,
  openProject,
} from "../scaffolding/change-project.js";
export {
  addAction,
  addClient,
  addDataObject,
  addModule,
  createConnector,
  type NewProject,
  type ScaffoldOptions,
  type ScaffoldResult,
} from "../scaffolding/scaffolds.js";
export { type BuildOptions, type BuildResult, buildConnector } from "./build.js";
export { type CheckOptions, type CheckResult, checkProject } from "./check.js";
export { AmbiguousActionError, type Choice, UnknownNameError } from "./choices.js";
export { type CompareOptions, type Comparison, compareProject } from "./compare.js";
export { type CopyStoreOptions, type CopyStoreResult, copyStore } from "./copy-store.js";
export type { DatabaseOptions } from "./database.js";
export { type DevelopEvent, type DevelopOptions, type DevelopResult, develop } from "./develop.js";
export { type Explanation, explain, explainableCodes } from "./explain.js";
export { type ExtractOptions, type ExtractResult, extractConnectorJson } from "./extract.js";
export {
  type GenerateOptions,
  type GenerateResult,
  generate,
  type WatchOptions,
  watchAndGenerate,
} from "./generate.js";
export {
  type ImportOptions,
  type ImportResult,
  importConnectorJson,
} from "./import-connector-json.js";
export {
  type ImportOpenApiOptions,
  type ImportOpenApiResult,
  importOpenApi,
  type OpenApiOptions,
  type OpenApiPlan,
  planOpenApi,
} from "./import-openapi.js";
export { type InitSettingsResult, initSettings } from "./init-settings.js";
export {
  advanceConsumer,
  type ConsumerOptions,
  forgetConsumer,
  type KeptStores,
  type KeptStoresOptions,
  listConsumers,
  type MigratedDatabase,
  migrateDatabase,
  pruneStores,
  rotateStoreKeys,
} from "./keep-stores.js";
export type { WorkspaceChoice } from "./open-settings.js";
export {
  type RecordAnswersOptions,
  type RecordAnswersResult,
  type RecordedFile,
  type ReplayEvent,
  type ReplayRecordingsOptions,
  type ReplayRecordingsResult,
  recordAnswers,
  replayRecordings,
} from "./recordings.js";
export { type ServeEvent, type ServeOptions, type ServeResult, serve } from "./serve.js";
export {
  type ActionsResult,
  type EnqueueActionOptions,
  enqueueAction,
  type PerformActionsOptions,
  type PreviewRecordsOptions,
  type PreviewRecordsResult,
  performActions,
  previewRecords,
  type ServiceEvent,
  type ServiceOptions,
  type SyncOptions,
  type SyncResult,
  sync,
  type TryActionOptions,
  type TryActionResult,
  tryAction,
  type WatchedOptions,
} from "./services.js";
export {
  type FakeEvent,
  type StartFakeOptions,
  type StartFakeResult,
  startFake,
} from "./start-fake.js";
export {
  type ActionView,
  type ChangeView,
  type FindRecordsOptions,
  KeyValuesError,
  type ListActionsOptions,
  type ListChangesOptions,
  type OpenStoreOptions,
  type OpenStoreResult,
  openProjectStore,
  type ProjectStore,
  type RecordView,
  type RejectedView,
  type RunView,
} from "./store.js";
export type { StoreFileOptions } from "./store-file.js";
export {
  type AcceptanceEvent,
  ProductionError,
  type TestAcceptanceOptions,
  type TestAcceptanceResult,
  type TestLiveAcceptanceOptions,
  testAcceptance,
  testLiveAcceptance,
} from "./test-acceptance.js";
export {
  type ConnectionTestEvent,
  type ConnectionTestRun,
  type SignInOptions,
  type TestConnectionOptions,
  testConnection,
} from "./test-connection.js";
export {
  listSchedules,
  listWorkers,
  listWorkspaces,
  pauseSchedule,
  type QueueActionOptions,
  queueAction,
  readSoon,
  removeWorkspace,
  type ScheduleOptions,
  type SetWorkspaceOptions,
  setWorkspace,
  type WorkspaceOptions,
  type WorkspaceResult,
  type WorkspaceView,
} from "./workspaces.js";
