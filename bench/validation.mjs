/** Emitted validators beside ajv: verdicts a second, code size, and the time to load. Run after a build. */
import { createRequire } from "node:module";
import { performance } from "node:perf_hooks";
import { transformSync } from "esbuild";
import { checksOf, moduleOf } from "../dist/test/validation/emitted.js";
import { randomFrom } from "../dist/test/validation/random.js";

const require = createRequire(import.meta.url);
const { Ajv } = require("ajv");
const standalone = require("ajv/dist/standalone").default;
const addFormats = require("ajv-formats");

const ROUNDS = 15;
const RECORDS = 12_000;
const random = randomFrom(1);
const schemas = Object.fromEntries(
  Array.from({ length: 120 }, (_, index) => [`check${index}`, schemaOf(index)]),
);
const names = Object.keys(schemas);
const records = Array.from({ length: RECORDS }, (_, index) => {
  const name = names[index % names.length];
  const record = recordOf(schemas[name]);
  if (random() < 0.01) record[Object.keys(record)[0]] = { wrong: true };
  return [name, JSON.parse(JSON.stringify(record))];
});

const checks = checksOf(schemas);
const peers = compiled({});
const peersAll = compiled({ allErrors: true });
const engines = { emitted: checks, "ajv compiled": peers, "ajv allErrors": peersAll };
const times = Object.fromEntries(Object.keys(engines).map((name) => [name, []]));
for (let round = 0; round < ROUNDS + 5; round++) {
  for (const [name, engine] of Object.entries(engines)) {
    const start = performance.now();
    let valid = 0;
    for (const [schema, record] of records) if (engine[schema](record)) valid++;
    if (round >= 5) times[name].push(performance.now() - start);
    if (valid === 0) throw new Error("nothing was valid");
  }
}
const base = median(times["ajv compiled"]);
for (const [name, list] of Object.entries(times)) {
  const time = median(list);
  print(name, `${Math.round(RECORDS / time)}k records/s`, `${(base / time).toFixed(2)} x ajv compiled`);
}

const code = moduleOf(schemas, "connectorcli/runtime");
const script = transformSync(code, { loader: "ts" }).code;
const ajv = newAjv({
  code: { source: true, esm: true },
  schemas: names.map((name) => ({ $id: name, ...schemas[name] })),
});
const peerCode = standalone(ajv, Object.fromEntries(names.map((name) => [name, name])));
print(
  "code",
  `${code.length} characters (${script.length} without types)`,
  `1/${(peerCode.length / code.length).toFixed(1)} of ajv standalone (${peerCode.length})`,
);
print(
  "compile at start",
  `ajv ${time(() => compiled({})).toFixed(0)} ms`,
  `emitted ${time(() => checksOf(schemas)).toFixed(0)} ms with generation`,
);

function newAjv(options) {
  const ajv = new Ajv({ strict: false, strictNumbers: true, ...options });
  addFormats(ajv);
  return ajv;
}

function compiled(options) {
  const ajv = newAjv(options);
  return Object.fromEntries(names.map((name) => [name, ajv.compile(schemas[name])]));
}

function schemaOf(index) {
  const properties = { id: { type: "string", format: "uuid" }, number: { type: "integer", minimum: 1 } };
  const count = 6 + (index % 12);
  for (let at = 0; at < count; at++) properties[`member${index}x${at}`] = memberOf(at + index);
  return { type: "object", properties, required: ["id", "number"] };
}

function memberOf(kind) {
  const kinds = [
    { type: "string", description: "A text." },
    { type: ["string", "null"], maxLength: 200 },
    { type: "string", format: "date-time" },
    { type: ["string", "null"], enum: ["open", "closed", "waiting", null] },
    { type: "number", minimum: 0 },
    { type: "boolean" },
    { type: "array", items: { type: "string", minLength: 1 } },
    {
      type: "object",
      properties: { street: { type: "string" }, zip: { type: "string", pattern: "^[0-9]{5}$" } },
      required: ["street"],
    },
    { type: "string", minLength: 1, maxLength: 50 },
  ];
  return kinds[kind % kinds.length];
}

function recordOf({ properties, required }) {
  const kept = Object.entries(properties).filter(([name]) => required.includes(name) || random() < 0.9);
  return Object.fromEntries(kept.map(([name, schema]) => [name, sampleOf(schema)]));
}

function sampleOf({ type, format, enum: members, pattern, properties }) {
  const kind = Array.isArray(type) ? (random() < 0.2 ? "null" : type[0]) : type;
  if (members !== undefined) return members[Math.floor(random() * members.length)];
  if (format === "uuid") return crypto.randomUUID();
  if (format === "date-time") return new Date(random() * 2e12).toISOString();
  if (pattern !== undefined) return "12345";
  if (properties !== undefined) return recordOf({ properties, required: Object.keys(properties) });
  return {
    string: `text ${random()}`,
    integer: 7,
    number: random(),
    boolean: true,
    null: null,
    array: ["a", "bc"],
  }[kind];
}

function time(task) {
  return median(
    Array.from({ length: 3 }, () => {
      const start = performance.now();
      task();
      return performance.now() - start;
    }),
  );
}

function median(list) {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
}

function print(...columns) {
  process.stdout.write(`${columns.map((column) => column.padEnd(34)).join("")}\n`);
}
