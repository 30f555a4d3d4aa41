/** What can be made from a model: for tools that others write. */
export { authorProject } from "./author-project.js";
export { generatedModules } from "./classes/generated-modules.js";
export { connectorJson, connectorTree } from "./connector-json.js";
export type { EditedFile, FilledFile, GeneratedFile, Ownership, WholeFile } from "./generated-file.js";
export { schemaModules } from "./schema-modules/schema-modules.js";
export type { Runner } from "./writer/lock.js";
export { type Plan, type PlannedFile, type PlanOptions, planFiles, type Step } from "./writer/plan.js";
export { recoverWrites, unfinishedWrites, type WriteOptions } from "./writer/recover.js";
export { writePlan } from "./writer/write-files.js";
