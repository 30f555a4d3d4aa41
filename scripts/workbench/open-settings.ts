/** Whose settings a run has: those of this machine, of a fake target system, or of a workspace. */
import path from "node:path";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import type { Environment } from "../test-settings/filled-values.js";
import {
  type OpenSettingsAnswer,
  openSettingsFile,
  type SettingsUse,
} from "../test-settings/open-settings.js";
import { openFakeSettings } from "./fake-settings.js";
import { openWorkspaceSettings } from "./workspace-settings.js";

/** The workspace of a database whose connection and settings are used. */
export interface WorkspaceChoice {
  /**
   * Address of a database, such as `postgres://user@host:5432/connectors`: the connection and the settings are those of a
   * workspace there, and so are properties that change meanwhile. @default those of the test settings
   */
  readonly database?: string | undefined;
  /** Name of the workspace of the database. @default the only one */
  readonly workspace?: string | undefined;
  /** Text of the key that opens the settings of the workspace. @default none: they can't be read */
  readonly storeKey?: string | undefined;
}

interface SettingsChoice extends WorkspaceChoice {
  readonly folder: string;
  readonly environment: Environment;
  /** Definition key. */
  readonly connection?: string | undefined;
  /** Address of a fake target system. */
  readonly fake?: string | undefined;
}

/** The settings that the options name, or what is wrong with them. */
export async function openSettings(
  options: SettingsChoice,
  model: ConnectorModel,
  use: SettingsUse,
): Promise<OpenSettingsAnswer> {
  const { folder, environment, connection: key, fake, database, workspace, storeKey } = options;
  if (fake !== undefined) return openFakeSettings(fake, model);
  if (database !== undefined) return openWorkspaceSettings({ database, storeKey }, { workspace, model });
  return openSettingsFile({ model, root: path.resolve(folder), key, environment }, use);
}
