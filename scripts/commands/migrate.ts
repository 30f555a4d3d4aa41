/** `connectorcli migrate`: an older connector gets structured connections, as far as a tool can do it (spec §5.2). */
import path from "node:path";
import {
  type Migration,
  type MigrationOptions,
  planMigration,
  unintendedChange,
} from "../../generators/migration/index.js";
import { planFiles } from "../../generators/writer/plan.js";
import { recoverWrites } from "../../generators/writer/recover.js";
import { type Diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { AUTH_TYPES, type ConnectorModel } from "../../schemas/model/connector-model.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { loadProject } from "../author-project/load-project.js";
import type { LoadedProject } from "../author-project/loaded-project.js";
import type { Arguments } from "../command-spec.js";
import { authorModules } from "../migration/author-modules.js";
import { reportMigration } from "../migration/report-migration.js";
import type { Output } from "../output.js";
import { packageVersion } from "../package-files.js";
import { projectOf } from "../project-arguments.js";
import { placed, projectSources } from "../scaffolding/project-sources.js";
import { newErrors, unconfirmed, writeConfirmed } from "../scaffolding/write-confirmed.js";
import { WRITING } from "../this-process.js";

const WRONG_USAGE = 2;

export async function migrate(args: Arguments, output: Output): Promise<number> {
  const refused = (words: string) => {
    output.say(words);
    return WRONG_USAGE;
  };
  const wanted = wantedOf(args);
  if (typeof wanted === "string") return refused(wanted);
  const { folder, timeoutSeconds } = projectOf(args);
  const root = path.resolve(folder);
  const isDry = args["dry-run"] === true;
  const report = (
    diagnostics: readonly Diagnostic[],
    done: Partial<Parameters<typeof reportMigration>[1]> = {},
  ) =>
    reportMigration(
      { args, output, root },
      { files: [], moved: [], connection: undefined, isDry, ...done, diagnostics },
    );
  const unsettled = isDry ? [] : recoverWrites(root, WRITING);
  if (hasErrors(unsettled)) return report(unsettled);
  const before = await loadProject(folder, { timeoutSeconds });
  if (before.model === undefined) return report(before.diagnostics);
  const options = { wanted, modules: authorModules(root), version: packageVersion() };
  const migration = planMigration({ model: before.model, files: projectSources(root) }, options);
  if (typeof migration === "string") return refused(migration);
  const { diagnostics } = placed(root, migration);
  if (hasErrors(diagnostics)) return report(diagnostics);
  const { moved } = migration;
  const connection = migration.names?.className;
  if (isDry) {
    const { files } = planFiles(root, migration.files, { existingScaffold: "keep" });
    return report(diagnostics, { files, moved, connection });
  }
  if (migration.files.length === 0) return report(diagnostics, { connection });
  const confirm = async () =>
    wrongWith(root, { before, after: await loadProject(folder, { timeoutSeconds }), migration });
  const result = await writeConfirmed(root, migration.files, confirm);
  return report([...diagnostics, ...result.diagnostics], { files: result.written, moved, connection });
}

function wantedOf({ "auth-type": given, name }: Arguments): MigrationOptions["wanted"] | string {
  const authType = AUTH_TYPES.find((type) => type === given);
  if (typeof given === "string" && authType === undefined) {
    return `There is no auth type "${given}".${didYouMean(given, AUTH_TYPES)} Use one of: ${AUTH_TYPES.join(", ")}.`;
  }
  return { authType, name: typeof name === "string" ? name : undefined };
}

interface Result {
  readonly before: LoadedProject;
  readonly after: LoadedProject;
  readonly migration: Migration;
}

/** What is not as it was meant; a new connection has placeholders, which are errors until they are replaced. */
function wrongWith(root: string, { before, after, migration }: Result): readonly Diagnostic[] {
  const errors = newErrors(before.diagnostics, after.diagnostics).filter(
    ({ code }) => code !== "connection-address-placeholder",
  );
  if (errors.length > 0) return [unconfirmed(root, errors[0]?.message ?? ""), ...errors];
  const change = changeOf(before.model, after.model, migration);
  return change === undefined ? [] : [unconfirmed(root, change)];
}

function changeOf(
  before: ConnectorModel | undefined,
  after: ConnectorModel | undefined,
  migration: Migration,
): string | undefined {
  if (before === undefined || after === undefined) return "it can't be loaded";
  return unintendedChange(before, after, migration);
}
