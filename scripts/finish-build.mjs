/** What the compiler leaves to do: templates beside the generators, and the loader of author modules in few files. */
import { cpSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const dist = new URL("../dist/", import.meta.url);

cpSync(new URL("../generators/templates/", import.meta.url), new URL("generators/templates/", dist), {
  recursive: true,
});

rmSync(new URL("bundled/", dist), { recursive: true, force: true });
// Node spends most of a command's time on finding TypeBox's 300 files; in one file they load ten times faster.
await build({
  absWorkingDir: fileURLToPath(dist),
  entryPoints: {
    vocabulary: "schemas/index.js",
    "evaluate-worker": "scripts/author-project/evaluate-worker.js",
  },
  outdir: "bundled",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  external: ["@babel/parser"],
  // jsonc-parser has an ES module form; its other form cannot be bundled.
  mainFields: ["module", "main"],
  logLevel: "warning",
});
