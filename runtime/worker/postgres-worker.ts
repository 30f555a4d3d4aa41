/** A worker on PostgreSQL, with everything that it needs of a database. */
import { postgresEngine } from "../engine/postgres-engine.js";
import * as ownHost from "../host/index.js";
import type { Log } from "../registration/contracts.js";
import type { ConnectorRegistration } from "../registration/registration.js";
import { openForWork, type PostgresOptions } from "../store/postgres/open-store.js";
import { openTelemetryTracer } from "./tracer.js";
import { startWorker, type Worker, type WorkerHost, type WorkerSettings } from "./worker.js";

/** What a worker on PostgreSQL is started with. */
export interface PostgresWorkerOptions<Client> extends PostgresOptions, WorkerSettings {
  /** The connector that it runs for all workspaces. */
  readonly registration: ConnectorRegistration<Client>;
  /**
   * The functions that run it: those of a built connector's own module, which exports them.
   * @default those of this package
   */
  readonly host?: WorkerHost | undefined;
  /**
   * Where it says what it does.
   * @default a log on standard error, without secrets
   */
  readonly log?: Log | undefined;
}

/**
 * Starts a worker: it performs actions and reads data objects of all workspaces of a database, together with other workers
 * on any machines. It needs the packages `pg`, `pg-copy-streams` and `graphile-worker`.
 * @throws StoreError if the database can't be used, or if a package is missing.
 * @example
 * const worker = await startPostgresWorker({ url: "postgres://localhost/connectors", registration });
 * signal.addEventListener("abort", () => void worker.stop());
 */
export async function startPostgresWorker<Client>({
  url,
  maxConnections,
  sealing,
  keepBefore,
  registration,
  host = ownHost,
  log = ownHost.createLog({ schemas: ownHost.sensitiveTypes(registration) }),
  ...settings
}: PostgresWorkerOptions<Client>): Promise<Worker> {
  const stores = await openForWork({ url, maxConnections, sealing, keepBefore });
  const { database, work } = stores;
  try {
    const engine = postgresEngine(database, url);
    const tracer = await openTelemetryTracer();
    const worker = await startWorker({ ...settings, registration, host, engine, work, log, tracer });
    return {
      ...worker,
      stop: async () => {
        await worker.stop();
        await stores.close();
      },
    };
  } catch (error) {
    await stores.close();
    throw error;
  }
}
