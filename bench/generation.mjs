/** Whole processes that make code: `gen`, `extract`, `--help` and `gen --watch`, beside what peers take. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { CLI, schemasOf, workFolder, write, writeProject } from "./synthetic.mjs";
import { environment, medians, ms, node, printTable, row } from "./timing.mjs";

const PEERS = fileURLToPath(new URL("node_modules/", import.meta.url));
const OPENAPI = path.join(PEERS, "openapi-typescript/bin/cli.js");
const JSON2TS = path.join(PEERS, "json-schema-to-typescript/dist/src/cli.js");
const QUICKTYPE = path.join(PEERS, "quicktype/dist/index.js");
const TSX = path.join(PEERS, "tsx/dist/cli.mjs");

const folder = workFolder();
write(path.join(folder, "empty.js"), "");
write(
  path.join(folder, "bundle.mjs"),
  `import { createRequire } from "node:module";
const { build } = createRequire(${JSON.stringify(CLI)})("esbuild");
const external = ["connectorcli", "@sinclair/typebox"];
await build({ entryPoints: ["connector.ts"], bundle: true, format: "esm", external, write: false, tsconfigRaw: {} });
`,
);
try {
  const small = prepared(120);
  const large = prepared(1_200);
  await generation(small, large);
  await loading(small);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A project of `count` data objects, and the same schemas as the peers read them. */
function prepared(count) {
  const schemas = schemasOf(count);
  const project = path.join(folder, `project${count}`);
  const modules = writeProject(project, schemas);
  const named = Object.fromEntries(schemas.map((schema, index) => [`Item${index}`, schema]));
  const openapi = {
    openapi: "3.1.0",
    info: { title: "Synthetic", version: "1.0.0" },
    paths: Object.fromEntries(Object.keys(named).map((name) => [`/${name}`, { get: operationOf(name) }])),
    components: { schemas: named },
  };
  const bundle = {
    title: "Synthetic",
    type: "object",
    properties: Object.fromEntries(Object.keys(named).map((name) => [name, { $ref: `#/$defs/${name}` }])),
    $defs: named,
  };
  write(path.join(folder, `openapi${count}.json`), JSON.stringify(openapi));
  write(path.join(folder, `bundle${count}.json`), JSON.stringify(bundle));
  return { count, project, modules: modules.length };
}

/** The least that makes a peer write a type for a request. */
function operationOf(name) {
  const schema = { $ref: `#/components/schemas/${name}` };
  const response = { description: "The record.", content: { "application/json": { schema } } };
  return { operationId: `get${name}`, responses: { 200: response } };
}

function cold({ project }) {
  rmSync(path.join(project, "generated"), { recursive: true, force: true });
  rmSync(path.join(project, "node_modules", ".cache"), { recursive: true, force: true });
}

function gen({ project }) {
  return node([CLI, "gen"], { cwd: project });
}

async function generation(small, large) {
  const tasks = [small, large].flatMap((size) => {
    const { count, project } = size;
    const [openapi, bundle] = [`openapi${count}.json`, `bundle${count}.json`];
    const bundled = ["-i", bundle, "-o", `bundle${count}.ts`];
    const quicktyped = ["--src-lang", "schema", "--lang", "ts", "-o", `quicktype${count}.ts`, bundle];
    return [
      [`gen ${count}`, { prepare: () => cold(size), run: () => gen(size) }],
      [`unchanged ${count}`, { run: () => gen(size) }],
      [`openapi ${count}`, () => node([OPENAPI, openapi, "-o", `openapi${count}.ts`], { cwd: folder })],
      [`plain ${count}`, () => node([JSON2TS, ...bundled, "--no-format"], { cwd: folder })],
      [`formatted ${count}`, () => node([JSON2TS, ...bundled], { cwd: folder })],
      [`quicktype ${count}`, () => node([QUICKTYPE, ...quicktyped], { cwd: folder })],
      [`bundle ${count}`, () => node([path.join(folder, "bundle.mjs")], { cwd: project })],
    ];
  });
  const times = await medians(Object.fromEntries(tasks), { rounds: 3, warmUp: 0 });
  const before = stamps(small.project);
  gen(small);
  const writes = stamps(small.project) === before ? "no file" : "FILES WRITTEN";
  const peers = [
    ["openapi", "openapi-typescript"],
    ["plain", "json-schema-to-typescript, not formatted"],
    ["formatted", "json-schema-to-typescript, formatted"],
    ["quicktype", "quicktype"],
    ["bundle", "esbuild alone, on the modules that gen loads"],
  ];
  const rowsOf = ({ count }, limit) => {
    const of = (name) => times[`${name} ${count}`];
    return [
      row(`gen, cold, ${count}`, ms(of("gen")), of("gen") / of("openapi"), {
        of: "openapi-typescript",
        ...limit,
      }),
      row(`gen, unchanged, ${count}`, ms(of("unchanged")), of("unchanged") / of("gen"), {
        of: "cold",
        atMost: 1 / 3,
      }),
      ...peers.map(([name, words]) =>
        row(`${words}, ${count}`, ms(of(name)), of(name) / of("gen"), { of: "gen" }),
      ),
    ];
  };
  printTable(
    "Generation, whole process",
    [
      ...rowsOf(small, { atMost: 1 / 5 }),
      ...rowsOf(large),
      row("gen, cold, 1,200 beside 120", "", times["gen 1200"] / times["gen 120"], { atMost: 6 }),
      ["written by an unchanged gen", writes, "", "no file", writes === "no file" ? "reached" : "**missed**"],
    ],
    "Equal schemas, unequal work. `gen` bundles, loads and checks TypeScript modules first, then writes a file a data object with types, class, schema and validator. " +
      "The peers read one JSON file and write one file of types; openapi-typescript reads a trivial operation a schema beside them; quicktype writes its run-time checks too. " +
      "orval and hey-api need a newer Node. Cold: no cache, nothing generated. " +
      "Why cold is not 1/5: Node with esbuild alone takes a good part of that; the rest is a thread that starts, imports the modules, builds and checks the model, " +
      "and the first run of code that nothing has compiled yet, in the generators beside the checks.",
  );
}

/** Times of the last write of everything generated. */
function stamps(project) {
  const generated = path.join(project, "generated");
  const names = readdirSync(generated, { recursive: true });
  return names.map((name) => `${name} ${statSync(path.join(generated, name)).mtimeMs}`).join("\n");
}

async function loading(small) {
  const { project, modules } = small;
  const extract = () => node([CLI, "extract"], { cwd: project });
  const load = (env) => () => node([TSX, "connector.ts"], { cwd: project, env });
  const times = await medians(
    {
      empty: () => node([path.join(folder, "empty.js")]),
      help: () => node([CLI, "--help"]),
      version: () => node([CLI, "--version"]),
      cold: {
        prepare: () => {
          cold(small);
          rmSync(path.join(project, "connector.json"), { force: true });
        },
        run: extract,
      },
      warm: extract,
      tsx: load({ TSX_DISABLE_CACHE: "1" }),
      "tsx cached": load({}),
    },
    { rounds: 9 },
  );
  const saved = await saveToOutput(small);
  const overEmpty = (name, words, limit) =>
    row(words, ms(times[name]), times[name] / times.empty, { of: "empty Node", ...limit });
  printTable(
    "Start, extract and watch, 120 data objects",
    [
      ["an empty Node", ms(times.empty), "", "", ""],
      overEmpty("help", "`connectorcli --help`", { atMost: 1.5 }),
      overEmpty("version", "`connectorcli --version`", { atMost: 1.5 }),
      row("extract, cold", ms(times.cold), times.cold / times.tsx, { of: "tsx", atMost: 0.5 }),
      overEmpty("warm", "extract, warm", { atMost: 3 }),
      row("tsx, its cache off", ms(times.tsx)),
      row("tsx, its cache filled", ms(times["tsx cached"]), times["tsx cached"] / times.cold, {
        of: "extract, cold",
      }),
      [
        "gen --watch, save to fresh output",
        ms(saved),
        "",
        "≤ 300 ms",
        saved <= 300 ? "reached" : "**missed**",
      ],
    ],
    `extract bundles and loads the ${modules} modules of the project, builds and checks the model and writes connector.json; tsx only loads the same modules. ` +
      "Fresh output: the generated file of the saved module holds what was saved.",
  );
}

/** The median time from saving a module of the project, while `gen --watch` runs, to its generated file. */
async function saveToOutput({ project }) {
  const [source, output] = fileOfItem(project);
  const text = readFileSync(source, "utf8");
  const watching = spawn(process.execPath, [CLI, "gen", "--watch"], {
    cwd: project,
    env: environment(),
    stdio: "ignore",
  });
  let round = 0;
  const save = () => {
    const marker = `Saved for the time ${++round}.`;
    writeFileSync(source, text.replace(/Records of kind \d+\./, marker));
    return holds(output, marker);
  };
  try {
    await holds(output, "Records of kind");
    await sleep(1_000);
    const { time } = await medians(
      {
        time: save,
        // Saves of a person do not come in one burst.
        pause: () => sleep(200),
      },
      { rounds: 9 },
    );
    return time;
  } finally {
    watching.kill();
    writeFileSync(source, text);
  }
}

function fileOfItem(project) {
  const name = readdirSync(path.join(project, "schemas"), { recursive: true }).find((file) =>
    /item-?7\.ts$/.test(file),
  );
  return [path.join(project, "schemas", name), path.join(project, "generated", name)];
}

async function holds(file, words) {
  const end = performance.now() + 10_000;
  while (performance.now() < end) {
    try {
      if (readFileSync(file, "utf8").includes(words)) return;
    } catch {
      // Not there yet.
    }
    await sleep(2);
  }
  throw new Error(`${file} never held: ${words}`);
}
