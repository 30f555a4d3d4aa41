/** The migration of older connectors to structured connections, as values: nothing here touches a file. */
export { unintendedChange } from "./expected-model.js";
export type { Moved } from "./move-members.js";
export { type Migration, type MigrationOptions, planMigration } from "./plan-migration.js";
