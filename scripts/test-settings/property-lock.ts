/** Connection properties of the test settings for one run at a time: others wait until it has changed them. */
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { realFileSystem } from "../../generators/writer/file-system.js";
import { acquireLock, releaseLock } from "../../generators/writer/lock.js";
import { connectionProperties } from "../../schemas/model/connection-members.js";
import type { ConnectionModel } from "../../schemas/model/connector-model.js";
import { makeCacheFolder } from "../system/cache-folder.js";
import { PROCESS_IDENTITY } from "../system/process-identity.js";
import { connectionSettings, type SettingsQuestion } from "./read-settings.js";

/** Whose properties are locked. */
export interface LockQuestion extends SettingsQuestion {
  /** The properties as the run has read them from the settings, by serialized name. */
  readonly known: Readonly<Record<string, unknown>>;
}

/** Properties that no other run changes until they are released. */
export interface LockedProperties {
  /**
   * What has changed in the settings since the run read them, by name in code: the run itself may have newer values
   * than the settings, which a variable or a refusal has kept from being saved. Empty if they can't be read.
   */
  readonly properties: Readonly<Record<string, unknown>>;
  /** The texts among them that nothing may show. */
  readonly secrets: readonly string[];
  release(): void;
}

/** Milliseconds to wait for others, each of which has a token request to make. */
const TIMEOUT_MS = 120_000;
const PAUSE_MS = 25;

/**
 * Waits until no other run has them. The lock of a process that has ended counts for nothing.
 * @throws Error if that takes too long, or if there can be no lock; the reason of `signal` if it is aborted.
 */
export async function lockProperties(question: LockQuestion, signal: AbortSignal): Promise<LockedProperties> {
  const file = path.join(makeCacheFolder(question.root), "properties.lock");
  const options = { identity: PROCESS_IDENTITY, fs: realFileSystem, timeoutMs: 0 };
  for (const end = Date.now() + TIMEOUT_MS; ; ) {
    signal.throwIfAborted();
    const lock = acquireLock(file, options);
    if (lock !== undefined)
      return { ...keptProperties(question), release: () => releaseLock(lock, realFileSystem) };
    if (Date.now() >= end) throw new Error("another run has locked the connection properties for too long");
    await sleep(PAUSE_MS);
  }
}

/** What was given by hand meanwhile may be wrong: then the run goes on with what it has. */
function keptProperties(question: LockQuestion): Omit<LockedProperties, "release"> {
  const { settings } = connectionSettings(question);
  if (settings === undefined) return { properties: {}, secrets: [] };
  const { definition, properties, secrets } = settings;
  return { properties: changedProperties(definition, { known: question.known, properties }), secrets };
}

/** Those of `properties` that are others than the known ones, by name in code. */
export function changedProperties(
  definition: ConnectionModel,
  { known, properties }: Readonly<Record<"known" | "properties", Readonly<Record<string, unknown>>>>,
): Readonly<Record<string, unknown>> {
  const named = connectionProperties(definition)
    .filter(({ key }) => Object.hasOwn(properties, key) && properties[key] !== known[key])
    .map(({ name, key }) => [name, properties[key]] as const);
  return Object.fromEntries(named);
}
