/** What a console is started with. */
import type { ProjectOptions } from "../author-project/load-project.js";
import type { Environment } from "../test-settings/filled-values.js";
import type { StoreFileOptions } from "../workbench/store-file.js";

/** Which project to show, and what its page may do. */
export interface ConsoleOptions extends ProjectOptions, StoreFileOptions {
  /**
   * Address of a database, such as `postgres://user@host:5432/connectors`, whose workspaces are shown.
   * @default the embedded store of the project is shown
   */
  readonly database?: string | undefined;
  /** Name of the workspace of the database that is shown first, and whose connection is used. @default the first one */
  readonly workspace?: string | undefined;
  /** The definition key of the connection; a workspace has its own. @default the active one of the test settings */
  readonly connection?: string | undefined;
  /**
   * The address of a fake target system that is called in place of the real one, with its own connection, settings and
   * store. @default none
   */
  readonly fake?: string | undefined;
  /**
   * Whether the page may change something: read into the cache, queue, perform, retry and cancel actions, sign in; pause
   * and resume workspaces and schedules, ask for reads, run a worker.
   * @default false
   */
  readonly isWritable?: boolean | undefined;
  /** Port on this machine. @default any that is free */
  readonly port?: number | undefined;
  /** Port that the browser comes back to after a sign-in. @default any that is free */
  readonly signInPort?: number | undefined;
  /** Minutes after which a console that nobody looks at ends. @default 60 */
  readonly idleMinutes?: number | undefined;
  /** Variables for the test settings and for the processes that run the connector, such as `process.env`. */
  readonly environment: Environment;
}
