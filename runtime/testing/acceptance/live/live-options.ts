/** What the part of the acceptance suite is given that only reads, at a real target system. */
import type { SyncSettings } from "../../../cache-writer/sync-options.js";
import type { ClientHost, ConnectionContainer } from "../../../registration/connection-contracts.js";
import type { FakeOptions } from "../../fake-options.js";
import type { FakeSettings } from "../../fake-settings.js";
import type { AcceptanceOptions } from "../acceptance-options.js";

/** What is tried at a real target system, and with what. */
export interface LiveAcceptanceOptions
  extends Pick<
    AcceptanceOptions,
    "objects" | "onTried" | "onTrying" | "scenarios" | "seed" | "signal" | "stuckSeconds" | "surroundings"
  > {
  /** The connection that is tried; what changes in it, such as a refresh token, goes to `host.saveProperties`. */
  readonly connection: ConnectionContainer;
  /** The configurations that belong to it, with serialized names. */
  readonly settings: FakeSettings;
  /** What `fake.ts` of the project says of lists that code reads: a POST that is named there only reads. @default {} */
  readonly lists?: FakeOptions["lists"] | undefined;
  /** The most records of a data object: of one that has more, nothing but that is found out. @default 2000 */
  readonly records?: number | undefined;
  /** How the cache of a data object is written, by its data path. @default as by `runCacheWriter` */
  readonly sync?: Readonly<Record<string, SyncSettings>> | undefined;
  /** What the host does for the client. @default nothing */
  readonly host?:
    | Pick<ClientHost, "environment" | "lockProperties" | "saveProperties" | "transport">
    | undefined;
}
