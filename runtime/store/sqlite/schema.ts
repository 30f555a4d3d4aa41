/** The tables of the store, version by version. A version that was released is never changed. */

import { StoreError } from "../store.js";
import type { Connection } from "./connection.js";
import { createStoreError } from "./errors.js";

/** Tells a store from any other SQLite file: "conn" in ASCII. */
const APPLICATION = 0x636f6e6e;

const VERSIONS: readonly string[] = [
  `
CREATE TABLE objects (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  checkpoint TEXT,
  alternate_keys_version TEXT
);
CREATE TABLE records (
  id INTEGER PRIMARY KEY,
  object INTEGER NOT NULL REFERENCES objects (id),
  key TEXT NOT NULL,
  hash TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  record TEXT NOT NULL,
  UNIQUE (object, key)
);
CREATE TABLE alternate_keys (
  object INTEGER NOT NULL,
  key TEXT NOT NULL,
  record INTEGER NOT NULL
);
CREATE INDEX alternate_keys_by_key ON alternate_keys (object, key, record);
CREATE INDEX alternate_keys_by_record ON alternate_keys (record);
CREATE TABLE changes (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  object INTEGER NOT NULL,
  key TEXT NOT NULL,
  operation TEXT NOT NULL,
  at TEXT NOT NULL,
  run INTEGER
);
CREATE TABLE rejected (
  id INTEGER PRIMARY KEY,
  object INTEGER NOT NULL,
  identity TEXT NOT NULL,
  operation TEXT NOT NULL,
  key TEXT,
  run INTEGER NOT NULL,
  at TEXT NOT NULL,
  findings TEXT NOT NULL,
  record TEXT,
  UNIQUE (object, identity)
);
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  object INTEGER NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  started_at TEXT NOT NULL,
  paged_at TEXT NOT NULL,
  ended_at TEXT,
  message TEXT,
  before INTEGER NOT NULL,
  resume_point TEXT,
  resumed_from TEXT,
  stalls INTEGER NOT NULL DEFAULT 0,
  checkpoint TEXT,
  written INTEGER NOT NULL DEFAULT 0,
  unchanged INTEGER NOT NULL DEFAULT 0,
  inserted INTEGER NOT NULL DEFAULT 0,
  updated INTEGER NOT NULL DEFAULT 0,
  deleted INTEGER NOT NULL DEFAULT 0,
  rejected INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX runs_by_object ON runs (object, id);
CREATE TABLE marks (
  run INTEGER NOT NULL,
  chunk INTEGER NOT NULL,
  bits BLOB NOT NULL,
  UNIQUE (run, chunk)
);
CREATE TABLE actions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  object TEXT NOT NULL,
  action TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  queued_at TEXT NOT NULL,
  due_at TEXT NOT NULL,
  leased_until TEXT,
  token TEXT,
  note TEXT,
  input TEXT NOT NULL,
  result TEXT
);
CREATE INDEX actions_by_state ON actions (state, due_at, id);
CREATE VIEW cache AS
  SELECT objects.path AS object, records.key, records.sequence, records.record
  FROM records JOIN objects ON objects.id = records.object;
`,
  // A file belongs to one tenant. Notes are JSON text already, and were encoded once more.
  `
CREATE TABLE tenant (name TEXT NOT NULL);
UPDATE actions SET note = json_extract(note, '$') WHERE note IS NOT NULL;
`,
  // The connection that a file is of, the clock as the queue saw it last, the schema that cached records fit.
  `
ALTER TABLE tenant ADD COLUMN connection TEXT;
ALTER TABLE tenant ADD COLUMN seen_at TEXT;
ALTER TABLE objects ADD COLUMN schema_version TEXT;
`,
  // When an object was last read in full. A store that forgot its older runs may say too early a time, or none.
  `
ALTER TABLE objects ADD COLUMN fully_read_at TEXT;
UPDATE objects SET fully_read_at =
  (SELECT max(started_at) FROM runs WHERE object = objects.id AND kind = 'full' AND state = 'succeeded');
`,
  // Who follows the feed, and how much of it was removed; the keys by which the store is sealed. A record of which
  // something is sealed is a list: the record as it is shown, and what is sealed.
  `
CREATE TABLE consumers (
  name TEXT PRIMARY KEY,
  position INTEGER NOT NULL,
  seen_at TEXT NOT NULL
);
ALTER TABLE tenant ADD COLUMN removed_to INTEGER NOT NULL DEFAULT 0;
CREATE TABLE data_keys (
  version INTEGER PRIMARY KEY,
  wrapped TEXT NOT NULL,
  wrapped_by TEXT NOT NULL
);
DROP VIEW cache;
CREATE VIEW cache AS
  SELECT objects.path AS object, records.key, records.sequence,
    CASE json_type(records.record) WHEN 'array' THEN records.record -> '$[0]' ELSE records.record END AS record
  FROM records JOIN objects ON objects.id = records.object;
`,
  // Records as they were before the latest changes, for whoever looks at what a change did.
  `
CREATE TABLE befores (
  sequence INTEGER PRIMARY KEY,
  record TEXT NOT NULL
);
`,
];

/** A file that noted no time yet was written last when its latest action was queued or its latest page was kept. */
const LAST_TIME = `UPDATE tenant SET seen_at = (SELECT max(at) FROM
  (SELECT max(queued_at) AS at FROM actions UNION ALL SELECT max(paged_at) FROM runs)) WHERE seen_at IS NULL`;

/**
 * Brings the file to the version of this package, and binds it to the tenant if it is not bound yet.
 * @throws StoreError if the file is of a newer version, is no store, or belongs to another tenant.
 */
export function prepareFile(connection: Connection, tenant: string): void {
  if (versionOf(connection) !== VERSIONS.length || tenantOf(connection) === undefined) {
    connection.transaction(() => {
      for (let version = versionOf(connection); version < VERSIONS.length; version++) {
        connection.execute(VERSIONS[version] ?? "");
        connection.execute(`PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${version + 1}`);
      }
      if (tenantOf(connection) === undefined) connection.run("INSERT INTO tenant (name) VALUES (?)", tenant);
      connection.run(LAST_TIME);
    });
  }
  const owner = tenantOf(connection);
  if (owner === tenant) return;
  const advice = "Open it for that tenant, or give each tenant a file of its own.";
  throw new StoreError(
    "other-tenant",
    `${connection.file} belongs to the tenant "${owner}", not to "${tenant}". ${advice}`,
  );
}

/** The tenant to which the file belongs; undefined if nobody has said so yet. */
export function tenantOfFile(connection: Connection): string | undefined {
  return versionOf(connection) < 2 ? undefined : tenantOf(connection);
}

function tenantOf(connection: Connection): string | undefined {
  const name = connection.row("SELECT name FROM tenant")?.[0];
  return typeof name === "string" ? name : undefined;
}

function versionOf(connection: Connection): number {
  const [application] = connection.row("PRAGMA application_id") ?? [];
  const [version] = connection.row("PRAGMA user_version") ?? [];
  if (application !== APPLICATION) {
    const [objects] = connection.row("SELECT COUNT(*) FROM sqlite_schema") ?? [];
    if (objects !== 0 || version !== 0 || application !== 0)
      throw createStoreError("corrupt", connection.file);
    return 0;
  }
  if (Number(version) > VERSIONS.length) throw createStoreError("newer", connection.file);
  return Number(version);
}
