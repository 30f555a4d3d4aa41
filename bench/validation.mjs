/** Emitted validators beside ajv: verdicts a second, and the size of the code. */
import { createRequire } from "node:module";
import { transformSync } from "esbuild";
import { checksOf, moduleOf } from "../dist/test/validation/emitted.js";
import { recordOf, schemasOf } from "./synthetic.mjs";
import { medians, printTable, row } from "./timing.mjs";

const require = createRequire(import.meta.url);
const { Ajv } = require("ajv");
const standalone = require("ajv/dist/standalone").default;
const addFormats = require("ajv-formats");

const RECORDS = 12_000;
const schemas = Object.fromEntries(schemasOf(120).map((schema, index) => [`check${index}`, schema]));
const names = Object.keys(schemas);
const records = Array.from({ length: RECORDS }, (_, index) => {
  const name = names[index % names.length];
  return [name, recordOf(schemas[name], index % 100 === 0)];
});
const bytes = records.reduce((sum, [, record]) => sum + JSON.stringify(record).length, 0) / RECORDS;

const engines = {
  emitted: checksOf(schemas),
  ajv: compiled({}),
  "ajv, allErrors": compiled({ allErrors: true }),
};
const tasks = Object.entries(engines).map(([name, engine]) => [name, () => verdicts(engine)]);
const times = await medians(Object.fromEntries(tasks), { rounds: 15, warmUp: 5 });

const code = moduleOf(schemas, "connectorcli/codegen");
const script = transformSync(code, { loader: "ts" }).code;
const peerCode = standalone(
  newAjv({
    code: { source: true, esm: true },
    schemas: names.map((name) => ({ $id: name, ...schemas[name] })),
  }),
  Object.fromEntries(names.map((name) => [name, name])),
);

printTable(
  "Validation: steady speed and size",
  [
    row("emitted validators", speed("emitted"), times.ajv / times.emitted, { of: "ajv", atLeast: 1.5 }),
    row("ajv compiled at start", speed("ajv")),
    row("ajv, allErrors", speed("ajv, allErrors"), times.ajv / times["ajv, allErrors"], { of: "ajv" }),
    row("emitted code", size(code), code.length / peerCode.length, { of: "standalone", atMost: 1 / 8 }),
    row("emitted code, types off", size(script), script.length / peerCode.length, { of: "standalone" }),
    row("ajv standalone code", size(peerCode)),
  ],
  `120 schemas, ${RECORDS} records of ${Math.round(bytes)} bytes on average, 1 % of them invalid; both sides give a verdict only (ajv its first error as well), with full formats and \`strictNumbers\`.`,
);

function verdicts(engine) {
  let valid = 0;
  for (const [schema, record] of records) if (engine[schema](record)) valid++;
  if (valid !== RECORDS * 0.99) throw new Error(`${valid} were valid`);
}

function newAjv(options) {
  const ajv = new Ajv({ strict: false, strictNumbers: true, ...options });
  addFormats(ajv);
  return ajv;
}

function compiled(options) {
  const ajv = newAjv(options);
  return Object.fromEntries(names.map((name) => [name, ajv.compile(schemas[name])]));
}

function speed(name) {
  return `${Math.round(RECORDS / times[name])}k records/s`;
}

function size(text) {
  return `${Math.round(text.length / 1000)} KB`;
}
