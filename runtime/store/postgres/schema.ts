/** The tables of the store, version by version. A version that was released is never changed. */
import { setTimeout as sleep } from "node:timers/promises";
import { StoreError } from "../store.js";
import type { Database, Queries, Transaction } from "./database.js";
import { createStoreError } from "./errors.js";

const PARTITIONS = 64;

/** Text compares by code point, as the ports promise; JSON is text, for `jsonb` refuses texts that JSON allows. */
const VERSIONS: readonly string[] = [
  `
CREATE TABLE connectorcli.workspaces (
  id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  name text COLLATE "C" NOT NULL UNIQUE,
  connection text,
  seen_at timestamptz,
  position bigint NOT NULL DEFAULT 0,
  last_run bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE TABLE connectorcli.objects (
  id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  workspace int NOT NULL REFERENCES connectorcli.workspaces (id),
  path text COLLATE "C" NOT NULL,
  checkpoint text,
  alternate_keys_version text,
  schema_version text,
  fully_read_at timestamptz,
  next_row int NOT NULL DEFAULT 0,
  run_token uuid,
  leased_until timestamptz,
  holder_pid int,
  holder_start timestamptz,
  UNIQUE (workspace, path)
) WITH (fillfactor = 50);
CREATE TABLE connectorcli.records (
  object int NOT NULL,
  key text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  row int NOT NULL,
  position bigint NOT NULL,
  record text NOT NULL,
  PRIMARY KEY (object, key) INCLUDE (hash, row, position)
) PARTITION BY HASH (object);
CREATE TABLE connectorcli.alternate_keys (
  object int NOT NULL,
  key text COLLATE "C" NOT NULL,
  record_key text COLLATE "C" NOT NULL
) PARTITION BY HASH (object);
CREATE INDEX ON connectorcli.alternate_keys (object, key, record_key);
CREATE INDEX ON connectorcli.alternate_keys (object, record_key);
CREATE TABLE connectorcli.changes (
  workspace int NOT NULL,
  last bigint NOT NULL,
  first bigint NOT NULL,
  object int NOT NULL,
  run bigint,
  at timestamptz NOT NULL,
  operations text COLLATE "C" NOT NULL,
  keys text[] COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace, last)
) PARTITION BY HASH (workspace);
CREATE INDEX ON connectorcli.changes (workspace, object, last);
CREATE TABLE connectorcli.rejected (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  object int NOT NULL,
  identity text COLLATE "C" NOT NULL,
  operation text NOT NULL,
  key text COLLATE "C",
  run bigint NOT NULL,
  at timestamptz NOT NULL,
  findings text NOT NULL,
  record text,
  UNIQUE (object, identity)
);
CREATE INDEX ON connectorcli.rejected (object, id);
CREATE TABLE connectorcli.runs (
  workspace int NOT NULL,
  id bigint NOT NULL,
  object int NOT NULL,
  kind text NOT NULL,
  state text NOT NULL,
  started_at timestamptz NOT NULL,
  paged_at timestamptz NOT NULL,
  ended_at timestamptz,
  message text,
  before bigint NOT NULL,
  resume_point text,
  resumed_from text,
  stalls int NOT NULL DEFAULT 0,
  checkpoint text,
  written bigint NOT NULL DEFAULT 0,
  unchanged bigint NOT NULL DEFAULT 0,
  inserted bigint NOT NULL DEFAULT 0,
  updated bigint NOT NULL DEFAULT 0,
  deleted bigint NOT NULL DEFAULT 0,
  rejected bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace, id)
) WITH (fillfactor = 50);
CREATE INDEX ON connectorcli.runs (object, id);
CREATE TABLE connectorcli.marks (
  workspace int NOT NULL,
  run bigint NOT NULL,
  chunk int NOT NULL,
  bits bytea NOT NULL,
  PRIMARY KEY (workspace, run, chunk)
);
CREATE TABLE connectorcli.actions (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  workspace int NOT NULL REFERENCES connectorcli.workspaces (id),
  object text COLLATE "C" NOT NULL,
  action text COLLATE "C" NOT NULL,
  state text NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  queued_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  leased_until timestamptz,
  token uuid,
  note text,
  input text NOT NULL,
  result text
);
CREATE INDEX ON connectorcli.actions (workspace, id);
CREATE INDEX ON connectorcli.actions (workspace, due_at, id) WHERE state IN ('queued', 'taken');
DO $$ BEGIN FOR part IN 0..${PARTITIONS - 1} LOOP
  EXECUTE format('CREATE TABLE connectorcli.records_%s PARTITION OF connectorcli.records
    FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER %s)', part, part);
  EXECUTE format('CREATE TABLE connectorcli.alternate_keys_%s PARTITION OF connectorcli.alternate_keys
    FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER %s)', part, part);
  EXECUTE format('CREATE TABLE connectorcli.changes_%s PARTITION OF connectorcli.changes
    FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER %s)', part, part);
END LOOP; END $$;
CREATE VIEW connectorcli.cache AS
  SELECT w.name AS workspace, o.path AS object, r.key, r.position, r.record::json AS record
  FROM connectorcli.records r
  JOIN connectorcli.objects o ON o.id = r.object JOIN connectorcli.workspaces w ON w.id = o.workspace;
`,
  // Who follows a feed, and how much of it was removed; the keys by which a workspace is sealed. A consumer can move in a
  // transaction of its own, in any language. A record of which something is sealed is a list: the record as it is shown,
  // and what is sealed.
  `
ALTER TABLE connectorcli.workspaces ADD COLUMN removed_to bigint NOT NULL DEFAULT 0;
CREATE TABLE connectorcli.consumers (
  workspace int NOT NULL REFERENCES connectorcli.workspaces (id),
  name text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (workspace, name)
);
CREATE TABLE connectorcli.data_keys (
  workspace int NOT NULL REFERENCES connectorcli.workspaces (id),
  version int NOT NULL,
  wrapped text NOT NULL,
  wrapped_by text NOT NULL,
  PRIMARY KEY (workspace, version)
);
CREATE OR REPLACE VIEW connectorcli.cache AS
  SELECT w.name AS workspace, o.path AS object, r.key, r.position,
    CASE WHEN r.record LIKE '[%' THEN r.record::json -> 0 ELSE r.record::json END AS record
  FROM connectorcli.records r
  JOIN connectorcli.objects o ON o.id = r.object JOIN connectorcli.workspaces w ON w.id = o.workspace;
CREATE FUNCTION connectorcli.advance_consumer(workspace text, consumer text, sequence bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE place connectorcli.workspaces;
BEGIN
  SELECT * INTO place FROM connectorcli.workspaces w WHERE w.name = advance_consumer.workspace;
  IF place.id IS NULL THEN
    RAISE EXCEPTION 'There is no workspace "%".', advance_consumer.workspace;
  ELSIF sequence < place.removed_to OR sequence > place.position THEN
    RAISE EXCEPTION 'The feed of "%" has changes behind % up to %, so nobody can stand at %.',
      place.name, place.removed_to, place.position, sequence;
  END IF;
  INSERT INTO connectorcli.consumers AS c (workspace, name, position, seen_at)
    VALUES (place.id, consumer, sequence, now())
    ON CONFLICT ON CONSTRAINT consumers_pkey
    DO UPDATE SET position = greatest(c.position, excluded.position), seen_at = now();
END $$;
CREATE TABLE connectorcli.rate_limits (
  target text COLLATE "C" PRIMARY KEY,
  next_at timestamptz NOT NULL,
  blocked_until timestamptz
) WITH (fillfactor = 50);
CREATE TABLE connectorcli.readers (
  role text COLLATE "C" NOT NULL,
  workspace int NOT NULL REFERENCES connectorcli.workspaces (id),
  PRIMARY KEY (role, workspace)
);
CREATE FUNCTION connectorcli.readable_workspaces() RETURNS SETOF int
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
AS 'SELECT r.workspace FROM connectorcli.readers r WHERE r.role = session_user';
CREATE POLICY reader ON connectorcli.workspaces FOR SELECT
  USING (id IN (SELECT connectorcli.readable_workspaces()));
CREATE POLICY reader ON connectorcli.objects FOR SELECT
  USING (workspace IN (SELECT connectorcli.readable_workspaces()));
CREATE POLICY reader ON connectorcli.changes FOR SELECT
  USING (workspace IN (SELECT connectorcli.readable_workspaces()));
CREATE POLICY reader ON connectorcli.records FOR SELECT USING (object IN (SELECT id FROM connectorcli.objects));
CREATE POLICY reader ON connectorcli.alternate_keys FOR SELECT
  USING (object IN (SELECT id FROM connectorcli.objects));
ALTER VIEW connectorcli.cache SET (security_invoker = true);
DO $$ DECLARE name text; BEGIN
  FOREACH name IN ARRAY ARRAY['workspaces', 'objects', 'records', 'alternate_keys', 'changes', 'rejected', 'runs', 'marks',
    'actions', 'consumers', 'data_keys', 'rate_limits', 'readers'] LOOP
    EXECUTE format('ALTER TABLE connectorcli.%I ENABLE ROW LEVEL SECURITY', name);
  END LOOP;
END $$;
CREATE FUNCTION connectorcli.grant_reader(role text, workspace text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO connectorcli.readers (role, workspace)
    SELECT grant_reader.role, w.id FROM connectorcli.workspaces w WHERE w.name = grant_reader.workspace
    ON CONFLICT DO NOTHING;
  IF NOT EXISTS (SELECT 1 FROM connectorcli.workspaces w WHERE w.name = grant_reader.workspace) THEN
    RAISE EXCEPTION 'There is no workspace "%".', grant_reader.workspace;
  END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA connectorcli TO %I', role);
  EXECUTE format('GRANT SELECT ON connectorcli.objects, connectorcli.records, connectorcli.alternate_keys,
    connectorcli.changes, connectorcli.cache TO %I', role);
  EXECUTE format('GRANT SELECT (id, name, position, removed_to) ON connectorcli.workspaces TO %I', role);
END $$;
CREATE FUNCTION connectorcli.revoke_reader(role text, workspace text) RETURNS void
LANGUAGE sql AS $$
  DELETE FROM connectorcli.readers r WHERE r.role = revoke_reader.role
    AND r.workspace = (SELECT w.id FROM connectorcli.workspaces w WHERE w.name = revoke_reader.workspace)
$$;
`,
  `
ALTER TABLE connectorcli.workspaces ADD COLUMN settings text, ADD COLUMN settings_version bigint NOT NULL DEFAULT 0,
  ADD COLUMN is_paused boolean NOT NULL DEFAULT false;
CREATE TABLE connectorcli.schedules (
  workspace int NOT NULL REFERENCES connectorcli.workspaces (id),
  object text COLLATE "C" NOT NULL,
  schedule text NOT NULL,
  is_paused boolean NOT NULL DEFAULT false,
  next_due timestamptz,
  asked_at timestamptz,
  ended_at timestamptz,
  outcome text,
  PRIMARY KEY (workspace, object)
) WITH (fillfactor = 70);
CREATE INDEX ON connectorcli.schedules (next_due) WHERE NOT is_paused;
CREATE INDEX ON connectorcli.schedules (workspace, asked_at) WHERE asked_at IS NOT NULL;
CREATE TABLE connectorcli.workers (
  id uuid PRIMARY KEY,
  backend int NOT NULL,
  backend_start timestamptz NOT NULL,
  beat_at timestamptz NOT NULL
);
CREATE TABLE connectorcli.turns (
  workspace int NOT NULL,
  kind text NOT NULL,
  worker uuid NOT NULL,
  token uuid NOT NULL UNIQUE,
  is_woken boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace, kind)
);
CREATE FUNCTION connectorcli.is_alive(worker uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM connectorcli.workers w
    JOIN pg_stat_activity a ON a.pid = w.backend AND a.backend_start = w.backend_start
    WHERE w.id = worker AND w.beat_at > now() - interval '20 seconds')
$$;
-- Wake-ups are jobs of graphile-worker, if that was ever started here. The key of a job that waits is the connection's own:
-- two transactions never wait for each other.
CREATE FUNCTION connectorcli.wake(kind text, workspaces int[], run_at timestamptz DEFAULT NULL) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  suffix text := CASE WHEN run_at IS NULL THEN pg_backend_pid()::text ELSE 'later' END;
  added text[];
BEGIN
  IF to_regnamespace('graphile_worker') IS NULL THEN RETURN; END IF;
  -- A job that is taken at this very moment is neither replaced nor added to: it is not among those that come back.
  FOR try IN 1..5 LOOP
    EXIT WHEN cardinality(workspaces) = 0;
    SELECT array_agg(job.key) INTO added FROM graphile_worker.add_jobs((SELECT array_agg(
      ('connectorcli_' || kind, json_build_object('workspace', id), NULL, run_at, NULL, concat_ws('/', kind, id, suffix),
        NULL, NULL)::graphile_worker.job_spec ORDER BY id) FROM unnest(workspaces) AS id)) AS job;
    workspaces := ARRAY(SELECT id FROM unnest(workspaces) AS id
      WHERE concat_ws('/', kind, id, suffix) <> ALL (coalesce(added, '{}')));
  END LOOP;
END $$;
CREATE FUNCTION connectorcli.wake(kind text, workspace int, run_at timestamptz DEFAULT NULL) RETURNS void
LANGUAGE sql AS 'SELECT connectorcli.wake(kind, ARRAY[workspace], run_at)';
CREATE FUNCTION connectorcli.wake_for_new_actions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM connectorcli.wake('act', ARRAY(SELECT DISTINCT workspace FROM added WHERE state = 'queued'));
  RETURN NULL;
END $$;
CREATE TRIGGER wake_for_new_actions AFTER INSERT ON connectorcli.actions REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION connectorcli.wake_for_new_actions();
CREATE FUNCTION connectorcli.wake_for_action() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM connectorcli.wake('act', NEW.workspace);
  RETURN NULL;
END $$;
CREATE TRIGGER wake_for_action AFTER UPDATE OF state, due_at ON connectorcli.actions FOR EACH ROW
  WHEN (NEW.state = 'queued' AND NEW.due_at <= clock_timestamp()
    AND (OLD.state <> 'queued' OR OLD.due_at > clock_timestamp()))
  EXECUTE FUNCTION connectorcli.wake_for_action();
`,
  // The read that was asked for at this time may delete what it does not meet; a later one may not.
  `
ALTER TABLE connectorcli.schedules ADD COLUMN approved_at timestamptz;
`,
  // For whoever looks back: records as they were before the latest changes, and what runs and actions have asked. To pack
  // the keys of a page takes longer than to write them. How many records an object had at a position of the feed.
  `
CREATE TABLE connectorcli.befores (
  workspace int NOT NULL,
  position bigint NOT NULL,
  record text NOT NULL,
  PRIMARY KEY (workspace, position)
);
CREATE TABLE connectorcli.history (
  workspace int NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  subject text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  texts text NOT NULL,
  size int GENERATED ALWAYS AS (octet_length(texts)) STORED,
  PRIMARY KEY (workspace, id) INCLUDE (size)
);
CREATE INDEX ON connectorcli.history (workspace, subject, id);
ALTER TABLE connectorcli.changes ALTER keys SET STORAGE EXTERNAL;
ALTER TABLE connectorcli.objects ADD COLUMN counted bigint, ADD COLUMN counted_at bigint;
ALTER TABLE connectorcli.befores ENABLE ROW LEVEL SECURITY;
ALTER TABLE connectorcli.history ENABLE ROW LEVEL SECURITY;
`,
];

/**
 * The oldest version whose workers can go on with the tables as they are now: workers of the version before run beside those
 * of this one while machines are updated. Raised where a script takes something away or gives rows another meaning.
 */
const WORKS_FROM = 2;

/** Tells our lock from those of other programs in the database: "conn" in ASCII. */
const MIGRATION_LOCK = 0x636f6e6e;
/** A migration waits this long for a table that others use, and lets them go on before it tries again. */
const LOCK_TIMEOUT = "3s";
const TRIES = 10;

/** The versions that a database can be brought to. */
export interface Versions {
  /** SQL of each version, in their order. */
  readonly scripts: readonly string[];
  readonly worksFrom: number;
}

/** The tables of this package. */
export const TABLES: Versions = { scripts: VERSIONS, worksFrom: WORKS_FROM };

/**
 * Looks whether workers of this package can work with the tables; makes them if there are none.
 * @throws StoreError `newer` or `older` if they are of a version with which they can't.
 */
export async function prepareDatabase(
  database: Database,
  { scripts, worksFrom }: Versions = TABLES,
): Promise<void> {
  const found = await versionOf(database);
  if (found.number === 0) await migrate(database, { scripts, worksFrom });
  else refuseVersion(database, found, scripts.length);
}

function refuseVersion(database: Database, { number, worksFrom }: DatabaseVersion, ours: number): void {
  if (worksFrom > ours) throw createStoreError("newer", database.name);
  if (number < ours) throw createStoreError("older", database.name);
}

/** What a migration has found and left. */
export interface MigrationResult {
  /** Version before; 0 if there were no tables. */
  readonly from: number;
  /** Version now. */
  readonly to: number;
}

/**
 * Brings the tables to the version of this package; whoever comes at the same time waits for the first one. Tables of a
 * newer version with which this package can work are left as they are.
 * @throws StoreError `newer` if they are of a version with which it can't.
 */
export async function migrate(
  database: Database,
  { scripts, worksFrom }: Versions = TABLES,
): Promise<MigrationResult> {
  for (let tries = 1; ; tries++) {
    try {
      return await database.transaction(async (transaction) => {
        await transaction.run(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
        await transaction.run(`SET LOCAL statement_timeout = 0`);
        await transaction.rows("SELECT pg_advisory_xact_lock($1)", MIGRATION_LOCK);
        return migrateWithin(transaction, database, { scripts, worksFrom });
      });
    } catch (error) {
      if (!(error instanceof StoreError) || error.problem !== "locked" || tries === TRIES) throw error;
      await sleep(Math.random() * 1_000);
    }
  }
}

async function migrateWithin(
  transaction: Transaction,
  database: Database,
  { scripts, worksFrom }: Versions,
): Promise<MigrationResult> {
  const found = await versionOf(transaction);
  const from = found.number;
  if (from >= scripts.length) {
    refuseVersion(database, found, scripts.length);
    return { from, to: from };
  }
  if (from === 0) {
    await transaction.run("CREATE SCHEMA IF NOT EXISTS connectorcli");
    await transaction.run("CREATE TABLE connectorcli.version (number int NOT NULL, works_from int NOT NULL)");
    await transaction.run("INSERT INTO connectorcli.version VALUES (0, 0)");
  }
  for (const sql of scripts.slice(from)) await transaction.script(sql);
  const sql = "UPDATE connectorcli.version SET number = $1, works_from = $2";
  await transaction.run(sql, scripts.length, worksFrom);
  return { from, to: scripts.length };
}

interface DatabaseVersion {
  /** 0 if nothing was made yet. */
  readonly number: number;
  /** The oldest version whose workers can work with the tables. */
  readonly worksFrom: number;
}

async function versionOf(queries: Queries): Promise<DatabaseVersion> {
  const [table] = (await queries.row("SELECT to_regclass('connectorcli.version')::text")) ?? [];
  if (table === null) return { number: 0, worksFrom: 0 };
  const row = await queries.row("SELECT number, works_from FROM connectorcli.version");
  return { number: Number(row?.[0] ?? 0), worksFrom: Number(row?.[1] ?? 0) };
}

/** Row of the workspace; undefined if there is none. */
export async function findWorkspace(database: Database, name: string): Promise<number | undefined> {
  const row = await database.row("SELECT id FROM connectorcli.workspaces WHERE name = $1", name);
  return row === undefined ? undefined : Number(row[0]);
}

/** Row of the workspace, which is inserted if there is none. */
export async function findOrInsertWorkspace(database: Database, name: string): Promise<number> {
  const known = await findWorkspace(database, name);
  if (known !== undefined) return known;
  await database.run("INSERT INTO connectorcli.workspaces (name) VALUES ($1) ON CONFLICT DO NOTHING", name);
  return Number(await findWorkspace(database, name));
}
