/** Runs a worker: performs actions and reads data objects of all workspaces of a database, until it is told to stop. */
import type { LogDestination } from "../../runtime/host/index.js";
import type { Worker } from "../../runtime/worker/worker.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ProjectOptions } from "../author-project/load-project.js";
import type { Environment } from "../test-settings/filled-values.js";
import { type HealthServer, startHealthServer } from "../worker/health-server.js";
import { loadConnector } from "../worker/load-connector.js";
import { sealingOf } from "./database.js";
import { storeFindingOf } from "./store-file.js";

/** What a worker says of itself. */
export type ServeEvent =
  /** It works. */
  | {
      readonly kind: "serving";
      /** Where `/livez`, `/readyz` and `/metrics` are. */
      readonly address: string;
    }
  /** It was told to stop, and lets handlers end. */
  | { readonly kind: "draining" };

/** Which worker to run. */
export interface ServeOptions extends ProjectOptions {
  /** The module that `build` has made. @default the project in `folder` */
  readonly connectorFile?: string | undefined;
  /** Address of the database, such as `postgres://user@host:5432/connectors`. */
  readonly database: string;
  /** Text of the key that opens the settings of workspaces. @default none: workspaces with sealed settings are refused */
  readonly storeKey?: string | undefined;
  /** Where health and metrics are answered. @default "127.0.0.1" */
  readonly host?: string | undefined;
  /** The port of that; 0 for any. @default 9464 */
  readonly port?: number | undefined;
  /** In how many workspaces actions are performed at the same time. @default that of a worker: 10 */
  readonly actionSlots?: number | undefined;
  /** In how many workspaces objects are read at the same time. @default that of a worker: 4 */
  readonly readSlots?: number | undefined;
  /** How long one workspace is served while others wait, in milliseconds. @default that of a worker: 30,000 */
  readonly sliceMs?: number | undefined;
  /** How long handlers may go on after `signal` was aborted, in milliseconds. @default that of a worker: 30,000 */
  readonly drainMs?: number | undefined;
  /**
   * Of how many of the latest changes of each workspace the record as it was before is kept. What was deleted or
   * overwritten stays in the database that long. @default none
   */
  readonly keepBefore?: number | undefined;
  /** Variables that may name a proxy. */
  readonly environment: Environment;
  /** Takes the lines of the log. */
  readonly log: LogDestination;
  /** Tells the worker to stop. */
  readonly signal: AbortSignal;
  /** Called with every event, in order. */
  readonly onEvent?: ((event: ServeEvent) => void) | undefined;
}

/** How a worker ended. */
export interface ServeResult {
  /** Why it could not work; empty if it worked until it was told to stop. */
  readonly diagnostics: readonly Diagnostic[];
}

const HOST = "127.0.0.1";
/** Where programs that watch look for numbers by default. */
const PORT = 9_464;

/** Runs a worker until `signal` is aborted. */
export async function serve(options: ServeOptions): Promise<ServeResult> {
  const { database, storeKey, host = HOST, port = PORT, signal, onEvent = () => {} } = options;
  const { loaded, diagnostics } = await loadConnector(options);
  if (loaded === undefined) return { diagnostics };
  const { registration, host: functions, settings } = loaded;
  const { actionSlots, readSlots, sliceMs, drainMs, keepBefore, environment } = options;
  const { createLog, sensitiveTypes } = functions;
  const log = () => createLog({ schemas: sensitiveTypes(registration), destination: options.log });
  let worker: Worker;
  try {
    const { startPostgresWorker } = await import("../../runtime/entries/postgres.js");
    worker = await startPostgresWorker({
      ...settings,
      ...{ actionSlots, readSlots, sliceMs, drainMs, keepBefore, environment },
      ...{ url: database, registration, host: functions, log: log(), createConnectorLog: log },
      sealing: sealingOf(storeKey),
    });
  } catch (error) {
    return { diagnostics: [storeFindingOf(error)] };
  }
  let server: HealthServer;
  try {
    server = await startHealthServer(worker, { host, port });
  } catch (error) {
    await worker.stop();
    const reason = error instanceof Error ? error.message : String(error);
    return { diagnostics: [diagnostic("serve-port-unusable", {}, { address: `${host}:${port}`, reason })] };
  }
  onEvent({ kind: "serving", address: server.address });
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  onEvent({ kind: "draining" });
  await worker.stop();
  await server.close();
  return { diagnostics: [] };
}
