/** The migration to structured connections, as edits and findings (spec §5.2, §9). */
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import {
  CLIENT_HELPER_FILE,
  type ClientNames,
  CONNECTION_TEST_FILE,
  changedFiles,
  clientScaffold,
  namesOfClient,
  REGISTRATION_FILE,
  type Scaffold,
  type ScaffoldSource,
} from "../scaffolds/index.js";
import { chooseConnection, type WantedConnection } from "./choose-connection.js";
import { leftToDo } from "./left-to-do.js";
import { type Moved, moveMembers } from "./move-members.js";
import { registrationMembers } from "./registration-members.js";
import { raiseSdk } from "./sdk-version.js";

export interface Migration extends Scaffold {
  /** The connection that takes what moves; undefined where nothing needs one. */
  readonly names: ClientNames | undefined;
  readonly moved: readonly Moved[];
}

export interface MigrationOptions {
  readonly wanted: WantedConnection;
  /** The author's modules, without what is generated. */
  readonly modules: readonly string[];
  /** Version of this package. */
  readonly version: string;
}

/** Plans the migration of the project; a sentence where it can't be told which connection is meant. */
export function planMigration(source: ScaffoldSource, options: MigrationOptions): Migration | string {
  const { model, files } = source;
  const { wanted, modules, version } = options;
  const members = registrationMembers(model);
  const isNeeded = members.length > 0 || model.connections.length === 0;
  const chosen = isNeeded ? chooseConnection(model, members, wanted) : undefined;
  if (typeof chosen === "string") return chosen;
  const sdk = raiseSdk(files, version);
  const problems = addClients(source, chosen);
  const { moved, diagnostics } =
    chosen === undefined || problems.length > 0
      ? { moved: [], diagnostics: [] }
      : moveMembers(files, { members, names: chosen, modules });
  const left = leftToDo(files, modules);
  return {
    names: chosen,
    moved,
    files: changedFiles(files.changes()),
    diagnostics: [...sdk, ...problems, ...diagnostics, ...left],
  };
}

/** What `client new` writes, for the connection that is chosen and for those that are there (spec §5.2 rules 2, 3, 8). */
function addClients(source: ScaffoldSource, chosen: ClientNames | undefined): readonly Diagnostic[] {
  const { model, files } = source;
  const parts = [CLIENT_HELPER_FILE, CONNECTION_TEST_FILE, REGISTRATION_FILE];
  const isWhole = parts.every((file) => files.text(file) !== undefined);
  const isNew = chosen !== undefined && chosen.definition === undefined;
  const present = isWhole ? [] : presentClients(model).map((one) => (one.key === chosen?.key ? chosen : one));
  return [...present, ...(isNew ? [chosen] : [])].flatMap((names) => {
    const scaffold = clientScaffold(names, source);
    for (const { path, content } of scaffold.files) {
      if (files.text(path) === undefined) files.set(path, content);
    }
    return scaffold.diagnostics;
  });
}

function presentClients(model: ConnectorModel): readonly ClientNames[] {
  return model.connections
    .map(({ authType, className }) => namesOfClient(model, { authType, name: className }))
    .filter((names) => typeof names !== "string");
}
