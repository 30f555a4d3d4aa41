/** Brings an older connector to structured connections, as far as a tool can do it (§5.2). */
import type { MovedMember } from "../../generators/migration/move-members.js";
import {
  type MigrationOptions,
  planMigration,
  unintendedChange,
} from "../../generators/migration/plan-migration.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ProjectOptions } from "../author-project/load-project.js";
import { type ChangeResult, changeProject, openProject } from "../scaffolding/change-project.js";
import { packageVersion } from "../system/package-files.js";
import { authorModules } from "./author-modules.js";

/** Which project to migrate, and how. */
export interface MigrateOptions extends ProjectOptions {
  /** The connection that takes what moves. It may be left out if the project leaves no choice. */
  readonly wanted: MigrationOptions["wanted"];
  /** Whether to plan only, and write nothing. @default false */
  readonly dryRun?: boolean;
  /** Undoes the migration if it is aborted before the migration is confirmed. */
  readonly signal?: AbortSignal | undefined;
}

/** What a migration did. */
export interface MigrationResult extends ChangeResult {
  /** Settings that moved, or would move, from the registration configuration to the connection. */
  readonly moved: readonly MovedMember[];
  /** Name of the connection's class; undefined if none is needed. */
  readonly connection: string | undefined;
}

/** Migrates a project. Returns a sentence if it is not clear which connection is meant. */
export async function migrateProject({
  wanted,
  dryRun = false,
  signal,
  ...options
}: MigrateOptions): Promise<MigrationResult | string> {
  const opened = await openProject({ ...options, dryRun });
  if (opened.project === undefined) return unchangedResult(opened.diagnostics);
  const { project } = opened;
  const { model, root } = project;
  const migration = planMigration(project, {
    wanted,
    modules: authorModules(root),
    version: packageVersion(),
  });
  if (typeof migration === "string") return migration;
  const result = await changeProject(project, migration, {
    dryRun,
    signal,
    confirm: (after) =>
      after === undefined ? "it can't be loaded" : unintendedChange(model, after, migration),
  });
  return { ...result, moved: migration.moved, connection: migration.names?.className };
}

function unchangedResult(diagnostics: readonly Diagnostic[]): MigrationResult {
  return { files: [], diagnostics, moved: [], connection: undefined };
}
