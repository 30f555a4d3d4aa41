/** What a start pays until every schema has judged one record: validators made ahead, beside ajv compiling them. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { transformSync } from "esbuild";
import { moduleOf } from "../dist/test/validation/emitted.js";
import { CLI, recordOf, schemasOf, workFolder, write, writeProject } from "./synthetic.mjs";
import { medians, ms, node, printTable, row } from "./timing.mjs";

const require = createRequire(import.meta.url);
const standalone = require("ajv/dist/standalone").default;

const HEAD = `import { readFileSync } from "node:fs";
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const must = (valid) => { if (!valid) throw new Error("not valid"); };
`;

const folder = workFolder(["ajv", "ajv-formats"]);
write(path.join(folder, "package.json"), '{ "type": "module" }');
write(path.join(folder, "empty.js"), "");
try {
  const rows = [];
  for (const [count, rounds] of [
    [120, 9],
    [1_000, 3],
  ])
    rows.push(...(await measure(count, rounds)));
  printTable(
    "Cold start of validation, over an empty Node",
    rows,
    "A process that loads what is named and judges one record a schema, less an empty Node. " +
      "The validators are plain modules without types that import `connectorcli/codegen` as installed. " +
      "Generated classes are the whole folder that `gen` writes, a file a data object, with types, schemas and keys beside the validators: " +
      "more than what ajv is given here, and what a connector really loads. " +
      "The built connector is one module that `build` makes of them, with its client and the runtime for a host. " +
      "As many modules: files with one import and one constant each. That alone is above 1/15: Node finds, reads and links a file a data object; " +
      "a connector that is bundled for its host pays what one module pays. Of the built connector's start, about 8 ms are Node compiling a module of 0.6 MB, half of which are packages that only the first call needs; the rest is what is built into Node, and the running of the module itself.",
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(count, rounds) {
  const scripts = { empty: "empty.js", ...writeScripts(count) };
  const runs = Object.entries(scripts).map(([name, file]) => [name, () => node([path.join(folder, file)])]);
  const times = await medians(Object.fromEntries(runs), { rounds });
  const over = (name) => times[name] - times.empty;
  const rowOf = (name, limit) =>
    row(`${name}, ${count} schemas`, ms(over(name)), over(name) / over("ajv compiled"), {
      of: "ajv",
      ...limit,
    });
  return [
    rowOf("validators in one module", { atMost: 1 / 15 }),
    rowOf("generated classes", { atMost: 1 / 15 }),
    rowOf("built connector", { atMost: 1 / 15 }),
    row(
      `built connector beside its validators, ${count} schemas`,
      "",
      over("built connector") / over("validators in one module"),
      { of: "validators", atMost: 2 },
    ),
    rowOf("as many modules"),
    rowOf("ajv standalone"),
    [`ajv compiled, ${count} schemas`, ms(over("ajv compiled")), "", "", ""],
    [`an empty Node, beside ${count} schemas`, ms(times.empty), "", "", ""],
  ];
}

/** Writes a program an engine; gives their files. */
function writeScripts(count) {
  const schemas = schemasOf(count);
  const files = { schemas: `schemas${count}.json`, records: `records${count}.json` };
  write(path.join(folder, files.schemas), JSON.stringify(schemas));
  write(path.join(folder, files.records), JSON.stringify(schemas.map((schema) => recordOf(schema))));
  const programs = {
    "validators in one module": emitted(schemas, count),
    "generated classes": classes(schemas, count),
    "built connector": builtConnector(count),
    "as many modules": modules(count),
    "ajv standalone": ajvStandalone(schemas, count),
    "ajv compiled": `import { Ajv } from "ajv"; import addFormats from "ajv-formats";
const ajv = new Ajv({ strict: false, strictNumbers: true }); addFormats.default(ajv);
const checks = read("./${files.schemas}").map((schema) => ajv.compile(schema));`,
  };
  return Object.fromEntries(
    Object.entries(programs).map(([name, program], index) => {
      const file = `run${count}-${index}.js`;
      const judge = `read("./${files.records}").forEach((record, index) => must(checks[index](record)));\n`;
      write(path.join(folder, file), `${HEAD}${program}\n${judge}`);
      return [name, file];
    }),
  );
}

function emitted(schemas, count) {
  const named = Object.fromEntries(schemas.map((schema, index) => [`check${index}`, schema]));
  const { code } = transformSync(moduleOf(named, "connectorcli/codegen"), { loader: "ts" });
  write(path.join(folder, `validators${count}.js`), code);
  return `import * as all from "./validators${count}.js";
const checks = Array.from({ length: ${count} }, (_, index) => all[\`check\${index}\`]);`;
}

/** What a file a data object costs Node by itself: modules that import one name of the runtime, and nothing else. */
function modules(count) {
  const names = Array.from({ length: count }, (_, index) => `module${index}`);
  for (const name of names)
    write(
      path.join(folder, `modules${count}`, `${name}.js`),
      `import { isJsonObject } from "connectorcli/codegen";\nexport const ${name} = isJsonObject;\n`,
    );
  const imports = names.map((name) => `import { ${name} } from "./modules${count}/${name}.js";\n`);
  return `${imports.join("")}const checks = [${names}];`;
}

/** The generated folder of a connector with these schemas, as a compiler leaves it: without types, file by file. */
function classes(schemas, count) {
  const project = path.join(folder, `project${count}`);
  writeProject(project, schemas);
  node([CLI, "gen"], { cwd: project });
  const files = readdirSync(path.join(project, "generated"), { recursive: true })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => path.join(project, "generated", name));
  const imports = files.map((file) => {
    const source = readFileSync(file, "utf8");
    const script = file.replace(/\.ts$/, ".js");
    writeFileSync(script, transformSync(source, { loader: "ts" }).code);
    const [, name] = /^export class (Item\d+) /m.exec(source) ?? [];
    const specifier = path.relative(folder, script).split(path.sep).join("/");
    return name === undefined ? "" : `import { ${name} } from "./${specifier}";\n`;
  });
  return `import "./project${count}/generated/registration.js";
${imports.join("")}const checks = [${schemas.map((_, index) => `Item${index}`)}].map((item) => (record) => item.from(record));`;
}

/** The same connector as `connectorcli build` makes it for a host, with client, log and the runtime. */
function builtConnector(count) {
  const project = path.join(folder, `project${count}`);
  write(
    path.join(project, "registration.ts"),
    `import { createClientHelper } from "connectorcli/client";
import { registerConnector } from "./generated/registration.js";
const any = (value) => new Proxy({}, { get: () => value });
const services = any({ readers: any(async function* () {}), handlers: any(async () => {}) });
const clientHelper = createClientHelper({ definitions: {}, createClient: (http) => http });
export const registration = registerConnector(services, { clientHelper, connectionTestHandler: async () => undefined });
`,
  );
  node([CLI, "build"], { cwd: project });
  return `import { registration } from "./project${count}/dist/connector.mjs";
const checks = registration.modules.flatMap(({ dataObjects }) => dataObjects).map(({ record }) => (json) => record.check(json));`;
}

function ajvStandalone(schemas, count) {
  const { Ajv } = require("ajv");
  const ajv = new Ajv({
    strict: false,
    strictNumbers: true,
    code: { source: true },
    schemas: schemas.map((schema, index) => ({ $id: `check${index}`, ...schema })),
  });
  require("ajv-formats")(ajv);
  const code = standalone(
    ajv,
    Object.fromEntries(schemas.map((_, index) => [`check${index}`, `check${index}`])),
  );
  write(path.join(folder, `standalone${count}.cjs`), code);
  return `import all from "./standalone${count}.cjs";
const checks = Array.from({ length: ${count} }, (_, index) => all[\`check\${index}\`]);`;
}
