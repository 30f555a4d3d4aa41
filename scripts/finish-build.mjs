/** What the compiler leaves to do: templates as functions, and the programs that users start in few files. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import Handlebars from "handlebars";

const dist = new URL("../dist/", import.meta.url);

precompileTemplates();
rmSync(new URL("bundled/", dist), { recursive: true, force: true });
// Node spends most of a command's time on finding modules, 300 of them TypeBox's; in few files they load ten times faster.
await bundle({
  connectorcli: "scripts/connectorcli.js",
  "evaluate-worker": "scripts/author-project/evaluate-worker.js",
  vocabulary: "schemas/index.js",
});
// One bundle of all: they share the classes and symbols by which they know each other's values.
await bundle({
  client: "runtime/client/index.js",
  host: "runtime/host/index.js",
  runtime: "runtime/index.js",
});
noteBuild();

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

/** A hash of the code, by which caches know that they were filled by another. */
function noteBuild() {
  const folder = new URL("bundled/", dist);
  const hash = createHash("sha256");
  for (const file of readdirSync(folder).sort())
    hash.update(file).update(readFileSync(new URL(file, folder)));
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
      "cli-progress",
      "esbuild",
      "got",
      "libsql",
      "oauth4webapi",
      "open",
      "pino",
      "yargs",
    ],
    // Templates are compiled by now.
    alias: { handlebars: "handlebars/runtime.js" },
    // jsonc-parser has an ES module form; its other form cannot be bundled.
    mainFields: ["module", "main"],
    logLevel: "warning",
  });
}
