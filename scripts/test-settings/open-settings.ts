/** The settings of a run while it is under way: read once, and kept up to date with what the connector changes. */
import { referenceTo } from "../../generators/test-settings/variable-references.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { ENVIRONMENT_PROPERTY } from "../../schemas/model/connection-members.js";
import { type LockedProperties, lockProperties } from "./property-lock.js";
import {
  connectionTestSettings,
  keyOf,
  type RunSettings,
  runSettings,
  type SettingsQuestion,
} from "./read-settings.js";
import { saveProperties } from "./save-properties.js";
import { settingsPath } from "./settings-file.js";

/** Properties of a connection by name in code. */
type Changed = Readonly<Record<string, string>>;

/** What a connector is run with, and the place that keeps the properties of its connection. */
export interface OpenSettings {
  readonly settings: RunSettings;
  /** What findings about the settings name: a file, if they stand in one. */
  readonly place: { readonly file?: string };
  /** Lends the properties as they are kept now, to one run at a time. */
  lockProperties(signal: AbortSignal): Promise<LockedProperties>;
  /** Keeps what the connector has changed. A warning names what could not be kept, and why. */
  saveProperties(properties: Changed): Promise<readonly Diagnostic[]>;
  /** Keeps what a user's sign-in gave. An error says that it must not be used either. */
  saveSignIn(properties: Changed): Promise<readonly Diagnostic[]>;
  /** The finding that a property is empty without which nobody can sign in, by its name in code. */
  emptyFinding(name: string): Diagnostic;
  close(): Promise<void>;
}

/** Whoever gets open settings closes them. */
export type OpenSettingsAnswer =
  | { readonly opened: OpenSettings; readonly diagnostics: readonly [] }
  | { readonly opened?: undefined; readonly diagnostics: readonly Diagnostic[] };

/** What is read: a connection test needs no settings of modules, which may be wrong. */
export type SettingsUse = "run" | "test";

/** The settings in the project's file; all that is wrong with them otherwise. */
export function openSettingsFile(question: SettingsQuestion, use: SettingsUse): OpenSettingsAnswer {
  const { settings, ...wrong } = use === "run" ? runSettings(question) : connectionTestSettings(question);
  if (settings === undefined) return wrong;
  const { root } = question;
  const { definition, properties: known } = settings.connection;
  const place = { file: settingsPath(root) };
  const save = async (properties: Changed) => saveProperties({ root, definition, properties });
  const opened: OpenSettings = {
    ...{ settings, place },
    lockProperties: (signal) => lockProperties({ ...question, key: definition.key, known }, signal),
    ...{ saveProperties: save, saveSignIn: save },
    emptyFinding: (name) => {
      const key = keyOf(definition, name);
      const variable = key.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toUpperCase();
      const kind = name === ENVIRONMENT_PROPERTY ? "1 for Production or 2 for Test" : "text";
      return diagnostic("settings-empty", place, {
        what: `connections.${definition.key}.${key}`,
        expected: `${kind}, for signing in`,
        reference: `"${referenceTo(variable)}"`,
      });
    },
    close: async () => {},
  };
  return { opened, diagnostics: [] };
}
