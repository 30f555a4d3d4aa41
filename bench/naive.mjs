/** What one writes first to keep records in SQLite: canonical JSON, SHA-256, one upsert a record. */
import { hash } from "node:crypto";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import Database from "libsql";
import { workFolder } from "./synthetic.mjs";

const require = createRequire(import.meta.url);

export const UPSERT = `INSERT INTO records (key, hash, record) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE
  SET hash = excluded.hash, record = excluded.record WHERE hash <> excluded.hash`;

export function ajvCheck(of) {
  const { Ajv } = require("ajv");
  const ajv = new Ajv({ strict: false, strictNumbers: true });
  require("ajv-formats")(ajv);
  return ajv.compile(of);
}

export function tuned(name) {
  const database = new Database(name);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS records (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, hash TEXT NOT NULL, record TEXT NOT NULL)`);
  return database;
}

export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`;
}

/** Keeps all items of the pages, a transaction a page. */
export async function keepPages(pages, { file, schema }) {
  const valid = ajvCheck(schema);
  const database = tuned(file);
  const upsert = database.prepare(UPSERT);
  for await (const items of pages) {
    database.exec("BEGIN IMMEDIATE");
    for (const record of items) {
      if (!valid(record)) throw new Error("not valid");
      const text = canonical(record);
      upsert.run([`id/${record.company}/${record.id}`, hash("sha256", text), text]);
    }
    database.exec("COMMIT");
  }
  database.close();
}

export async function inWorkFolder(work) {
  const folder = workFolder();
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
