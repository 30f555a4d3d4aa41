/** What the compiler leaves to do: templates as functions, and the programs that users start in few files. */
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import Handlebars from "handlebars";

const dist = new URL("../dist/", import.meta.url);

removeOrphans();
precompileTemplates();
rmSync(new URL("bundled/", dist), { recursive: true, force: true });
// Node spends most of a command's time on finding modules, 300 of them TypeBox's; in few files they load ten times faster.
// One build of all: every module is in the package once, and the entries share the classes and symbols by which they
// know each other's values.
const { metafile } = await bundle({
  connectorcli: "scripts/connectorcli.js",
  "evaluate-worker": "scripts/author-project/evaluate-worker.js",
  "run-child": "scripts/connector-run/run-child.js",
  ...packageEntries(),
});
await bundlePage();
copyTypes();
noteModules(metafile);
noteBuild();

/** The page of the console: code for a browser, which loads forms only where there is one, and the files beside it. */
async function bundlePage() {
  const source = new URL("../scripts/console/page/", import.meta.url);
  const target = new URL("bundled/console/", dist);
  await build({
    absWorkingDir: fileURLToPath(source),
    entryPoints: ["main.tsx"],
    outdir: fileURLToPath(target),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    // The library of forms is written for another renderer, whose place Preact takes.
    alias: {
      react: "preact/compat",
      "react-dom": "preact/compat",
      "react/jsx-runtime": "preact/jsx-runtime",
    },
    // Only the library's own tests take this validator, which evaluates code; ours is another one.
    external: ["@rjsf/validator-ajv8"],
    define: { "process.env.NODE_ENV": '"production"' },
    minify: true,
    legalComments: "none",
    logLevel: "warning",
  });
  for (const file of ["index.html", "style.css", "icon.svg"])
    copyFileSync(new URL(file, source), new URL(file, target));
}

/** The entries of package.json by the name of their bundle; their types stand beside their sources. */
function packageEntries() {
  const { exports } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const entries = Object.values(exports).filter((entry) => typeof entry === "object");
  return Object.fromEntries(
    entries.map((entry) => [
      entry.default.replace(/^\.\/dist\/bundled\/(.*)\.js$/, "$1"),
      entry.types.replace(/^\.\/dist\/types\/(.*)\.d\.ts$/, "$1.js"),
    ]),
  );
}

/** What was compiled from a source that has gone would still be run as a test, and published. */
function removeOrphans() {
  const root = new URL("../", import.meta.url);
  for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    const source = /^(?!bundled|types)(.*?)(?:\.d\.ts|\.js\.map|\.js)$/.exec(file.replaceAll("\\", "/"))?.[1];
    if (source === undefined || source === "generators/precompiled-templates") continue;
    if (!existsSync(new URL(`${source}.ts`, root))) rmSync(new URL(file, dist));
  }
}

function precompileTemplates() {
  const folder = new URL("../generators/templates/", import.meta.url);
  const options = { strict: true, noEscape: true, knownHelpersOnly: true };
  const templates = readdirSync(folder)
    .filter((file) => file.endsWith(".hbs"))
    .map((file) => {
      const code = Handlebars.precompile(readFileSync(new URL(file, folder), "utf8"), options);
      return `${JSON.stringify(file.replace(/\.hbs$/, ""))}: ${code},\n`;
    });
  const target = new URL("generators/precompiled-templates.js", dist);
  writeFileSync(target, `export const templates = {\n${templates.join("")}};\n`);
}

/** Which modules of ours stand in which bundle, for the test that looks for one that stands in two. */
function noteModules({ outputs }) {
  const modules = Object.entries(outputs).map(([file, { inputs }]) => [file, Object.keys(inputs)]);
  writeFileSync(new URL("bundled-modules.json", dist), JSON.stringify(Object.fromEntries(modules), null, 2));
}

/** The declarations that the package's entries lead to, and no others, each where its source is below `types/`. */
function copyTypes() {
  rmSync(new URL("types/", dist), { recursive: true, force: true });
  const waiting = Object.values(packageEntries()).map((entry) => entry.replace(/\.js$/, ".d.ts"));
  const met = new Set(waiting);
  for (const file of waiting) {
    const source = new URL(file, dist);
    const target = new URL(`types/${file}`, dist);
    mkdirSync(new URL("./", target), { recursive: true });
    copyFileSync(source, target);
    for (const [, specifier] of readFileSync(source, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.js"/g)) {
      const found = new URL(`${specifier}.d.ts`, source).href.slice(dist.href.length);
      if (!met.has(found)) waiting.push(found);
      met.add(found);
    }
  }
}

/** A hash of the code, by which caches know that they were filled by another. */
function noteBuild() {
  const folder = new URL("bundled/", dist);
  const hash = createHash("sha256");
  for (const file of readdirSync(folder).sort())
    if (file.endsWith(".js")) hash.update(file).update(readFileSync(new URL(file, folder)));
  writeFileSync(new URL("build.txt", folder), hash.digest("base64url"));
}

function bundle(entryPoints) {
  return build({
    absWorkingDir: fileURLToPath(dist),
    entryPoints,
    outdir: "bundled",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    // Only loaded where they are needed, from where npm put them.
    external: [
      "@babel/parser",
      "@inquirer/*",
      "@opentelemetry/api",
      "chokidar",
      "cli-progress",
      "csv-parse",
      "esbuild",
      "got",
      "graphile-worker",
      "https-proxy-agent",
      "json-p3",
      "json-schema-faker",
      "libsql",
      "oauth4webapi",
      "oidc-provider",
      "open",
      "pg",
      "pg-copy-streams",
      "pino",
      "yaml",
      "yargs",
    ],
    // Templates are compiled by now.
    alias: { handlebars: "handlebars/runtime.js" },
    // jsonc-parser has an ES module form; its other form cannot be bundled.
    mainFields: ["module", "main"],
    // A third less to install and to read at each start. Names stay, for traces; so do lines that a terminal can show.
    minifyWhitespace: true,
    lineLimit: 160,
    metafile: true,
    logLevel: "warning",
  });
}
