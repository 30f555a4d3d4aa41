/** What can be made from a model, and how it is written: for tools that others write. */

export { connectorJson, connectorTree } from "../connector-json.js";
export type { EditedFile, FilledFile, GeneratedFile, Ownership, WholeFile } from "../generated-file.js";
export {
  type ActionLayout,
  type ConnectionLayout,
  type DataObjectLayout,
  type Layout,
  type ModuleLayout,
  projectLayout,
} from "../layout.js";
export { authorProject } from "../scaffolds/project-files.js";
export { schemaModules } from "../schema-modules/schema-modules.js";
export type { ProcessIdentity } from "../writer/lock.js";
export type { PlannedFile, PlanOptions, Step } from "../writer/plan.js";
export {
  type WriteFilesOptions,
  type WriteFilesResult,
  type WriteOptions,
  writeFiles,
} from "../writer/transaction.js";
export {
  classEmitter,
  connectorJsonEmitter,
  type Emitter,
  emitFiles,
  GEN_EMITTERS,
} from "./emitters.js";
