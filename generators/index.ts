/** What can be made from a model: for tools that others write. */
export { authorProject } from "./author-project.js";
export { generatedModules } from "./classes/generated-modules.js";
export { connectorJson, connectorTree } from "./connector-json.js";
export type { GeneratedFile, Ownership } from "./generated-file.js";
export { schemaModules } from "./schema-modules/schema-modules.js";
export { recoverWrites } from "./writer/journal.js";
export { type Plan, type PlannedFile, type PlanOptions, planFiles, type Step } from "./writer/plan.js";
export { writePlan } from "./writer/write-files.js";
