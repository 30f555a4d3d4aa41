/** Schemas, records and whole connectors of any size, the same in every run. */
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { authorProject } from "../dist/generators/scaffolds/project-files.js";
import { schemaModules } from "../dist/generators/schema-modules/schema-modules.js";
import { readConnectorJson } from "../dist/schemas/model/from-connector-json/read-connector.js";
import { randomFrom } from "../dist/test/validation/random.js";

export const ROOT = fileURLToPath(new URL("../", import.meta.url));
export const CLI = path.join(ROOT, "dist", "bundled", "connectorcli.js");

const OBJECTS_A_MODULE = 60;
const MEMBERS = [
  { type: "string", description: "A text." },
  { type: ["string", "null"], maxLength: 200 },
  { type: "string", format: "date-time" },
  { type: ["string", "null"], enum: ["open", "closed", "waiting", null] },
  { type: "number", minimum: 0 },
  { type: "boolean" },
  { type: "array", items: { type: "string", minLength: 1 } },
  {
    type: "object",
    properties: { place: { type: "string" }, code: { type: "string", pattern: "^[0-9]{5}$" } },
    required: ["place"],
  },
  { type: "string", minLength: 1, maxLength: 50 },
];

const random = randomFrom(1);

/** Schemas of data objects: 8 to 19 properties each, no two the same. */
export function schemasOf(count) {
  return Array.from({ length: count }, (_, index) => {
    const members = Array.from({ length: 6 + (index % 12) }, (_, at) => [
      `member${index}x${at}`,
      MEMBERS[(at + index) % MEMBERS.length],
    ]);
    const properties = {
      id: { type: "string", format: "uuid" },
      number: { type: "integer", minimum: 1 },
      ...Object.fromEntries(members),
    };
    return {
      ...described({ type: "object", properties, required: ["id", "number"] }),
      description: "An object.",
    };
  });
}

/** The schema with a sentence on every property, as a tidy author writes it; a list says the same of its items. */
function described(schema) {
  if (schema.properties === undefined) return schema;
  const properties = Object.entries(schema.properties).map(([name, inner]) => {
    const description = `What ${name} tells of the object.`;
    const items = inner.items && { items: { ...inner.items, description } };
    return [name, { ...described(inner), ...items, description }];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** A record that fits; with `wrong`, one that does not. */
export function recordOf({ properties, required }, wrong = false) {
  const kept = Object.entries(properties).filter(([name]) => required.includes(name) || random() < 0.9);
  const record = Object.fromEntries(kept.map(([name, schema]) => [name, sampleOf(schema)]));
  // As from a server's answer: V8 lays out parsed objects in its own way.
  return JSON.parse(JSON.stringify(wrong ? { ...record, id: { wrong: true } } : record));
}

function sampleOf({ type, format, enum: members, pattern, properties }) {
  const kind = Array.isArray(type) ? (random() < 0.2 ? "null" : type[0]) : type;
  if (members !== undefined) return members[Math.floor(random() * members.length)];
  if (format === "uuid") return crypto.randomUUID();
  if (format === "date-time") return new Date(random() * 2e12).toISOString();
  if (pattern !== undefined) return "12345";
  if (properties !== undefined) return recordOf({ properties, required: Object.keys(properties) });
  const samples = { string: `text ${random()}`, integer: 7, number: random(), boolean: true, null: null };
  return kind === "array" ? ["a", "bc"] : samples[kind];
}

/** A folder to work in, where this package is found as an installed one would be; `packages` come beside it. */
export function workFolder(packages = []) {
  const folder = mkdtempSync(path.join(tmpdir(), "connectorcli-bench-"));
  install(folder, packages);
  return folder;
}

function install(folder, packages) {
  mkdirSync(path.join(folder, "node_modules"), { recursive: true });
  symlinkSync(ROOT, path.join(folder, "node_modules", "connectorcli"), "junction");
  for (const name of packages)
    symlinkSync(path.join(ROOT, "node_modules", name), path.join(folder, "node_modules", name), "junction");
}

/** Writes the project of an author with a data object for every schema; gives the paths of their modules. */
export function writeProject(folder, schemas) {
  const text = JSON.stringify(connectorJsonOf(schemas));
  const { model, diagnostics } = readConnectorJson(text, "connector.json");
  if (model === undefined) throw new Error(JSON.stringify(diagnostics, undefined, 2));
  const files = [...schemaModules(model), ...authorProject(model, "1.0.0")];
  for (const { path: name, content } of files) write(path.join(folder, name), content);
  install(folder, []);
  return files.map(({ path: name }) => name).filter((name) => name.endsWith(".ts"));
}

export function write(file, content) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function connectorJsonOf(schemas) {
  const modules = Array.from({ length: Math.ceil(schemas.length / OBJECTS_A_MODULE) }, (_, index) => {
    const start = index * OBJECTS_A_MODULE;
    const objects = schemas.slice(start, start + OBJECTS_A_MODULE);
    return moduleOf(
      index,
      objects.map((schema, at) => dataObjectOf(start + at, schema)),
    );
  });
  return {
    name: "Synthetic",
    urlPart: "synthetic-api",
    key: "synthetic-api",
    description: "A connector of many data objects.",
    connectionDefinitions: [],
    configSchema: { type: "object" },
    modules,
  };
}

function moduleOf(index, dataObjects) {
  const upload = { type: "object", properties: { UploadObject: { type: "boolean" } } };
  const switches = Object.fromEntries(dataObjects.map(({ name }) => [`${name}Config`, upload]));
  const services = [
    ["Action Processor", "ActionProcessor", "actions", {}],
    ["Cache Writer", "CacheWriter", "caches", { properties: switches }],
  ].map(([words, type, content, properties]) => ({
    name: `synthetic-api/part${index}/1 ${words}`,
    type,
    configSchema: {
      type: "object",
      ...properties,
      title: `Part${index} V1 ${words} Configuration`,
      description: `Configuration of the data object ${content} for the module.`,
    },
  }));
  return {
    name: `Part${index}`,
    urlPart: `part${index}`,
    key: `part${index}`,
    description: "A part of the connector.",
    version: 1,
    services,
    dataObjects,
  };
}

function dataObjectOf(index, schema) {
  return {
    name: `Item${index}`,
    urlPart: `item${index}`,
    key: `item${index}`,
    description: `Records of kind ${index}.`,
    createEndpoint: true,
    schema: { ...schema, description: `Records of kind ${index}.` },
    keys: [{ urlPart: "id", propertyNames: ["id"], isPrimary: true }],
    actions: [],
  };
}
