/** Loads `openapi.config.ts`: what an author has decided of an import, and the lines that it stands in. */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Type } from "@sinclair/typebox";
import { CONFIG_FILE } from "../../generators/openapi/modules/import-files.js";
import { definedAt } from "../../schemas/authoring/definition.js";
import type { OpenApiImportOptions } from "../../schemas/authoring/openapi-import.js";
import { type Diagnostic, diagnostic, type Place } from "../../schemas/diagnostics/diagnostic.js";
import { formatProblems } from "../../schemas/formats/check-format.js";
import { isJsonObject } from "../../schemas/json.js";
import { Bundler } from "../author-project/bundler.js";
import { placeOfError, placeOfThrow } from "../author-project/locate.js";
import { SourceIndex } from "../author-project/source-index.js";
import { readText } from "../system/read-text.js";
import { makeTemporaryFolder } from "../system/temporary-folder.js";

/** What an author has decided. */
export interface ImportConfig {
  readonly options: OpenApiImportOptions;
  /** The place of a part of the options. */
  placeOf(steps: readonly (string | number)[]): Place;
}

/** The config of a project; undefined if it has none, or if a finding says why it can't be used. */
export interface LoadedConfig {
  readonly config: ImportConfig | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether the project in `folder` says where its document is. */
function hasImportConfig(folder: string): boolean {
  return existsSync(path.join(folder, CONFIG_FILE));
}

/** Loads the config of the project in `folder` (absolute). */
export async function loadImportConfig(folder: string): Promise<LoadedConfig> {
  const file = path.join(folder, CONFIG_FILE);
  const found = (diagnostics: readonly Diagnostic[]): LoadedConfig => ({ config: undefined, diagnostics });
  if (!hasImportConfig(folder)) return found([]);
  const temporary = makeTemporaryFolder();
  const bundleFile = path.join(temporary, "config.mjs");
  const bundler = new Bundler(folder, file, bundleFile);
  try {
    const { bundle, diagnostics } = await bundler.bundle();
    if (bundle === undefined || diagnostics.length > 0) return found(diagnostics);
    writeFileSync(bundleFile, bundle.code);
    const places = { bundleFile, sourceMap: bundle.sourceMap };
    const loaded = await load(bundleFile);
    if ("error" in loaded) {
      const { error } = loaded;
      const place = error instanceof Error ? placeOfThrow(error, places) : undefined;
      const reason = error instanceof Error ? error.message : String(error);
      return found([
        diagnostic(
          "openapi-config",
          { file, ...place },
          { problem: `it throws while it is loaded: ${reason}` },
        ),
      ]);
    }
    if (!isDefinition(loaded.value)) {
      const problem = "its default export is no defineOpenApiImport({ … })";
      return found([diagnostic("openapi-config", { file }, { problem })]);
    }
    const { options } = loaded.value;
    const call = placeOfError(definedAt(loaded.value) ?? new Error(), places) ?? { file, line: 1, column: 1 };
    const index = new SourceIndex(readText(call.file));
    const placeOf = (steps: readonly (string | number)[]): Place => ({ ...call, ...index.find(call, steps) });
    const problems = formatProblems(OPTIONS, options);
    if (problems.length > 0)
      return found(
        problems.map(({ steps, problem }) => diagnostic("openapi-config", placeOf(steps), { problem })),
      );
    return { config: { options: options as OpenApiImportOptions, placeOf }, diagnostics: [] };
  } finally {
    bundler.close();
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function load(bundleFile: string): Promise<{ readonly value: unknown } | { readonly error: unknown }> {
  try {
    const { default: value } = (await import(pathToFileURL(bundleFile).href)) as {
      readonly default?: unknown;
    };
    return { value };
  } catch (error) {
    return { error };
  }
}

function isDefinition(value: unknown): value is { readonly options: unknown } {
  return isJsonObject(value) && value["kind"] === "openApiImport";
}

const STRICT = { additionalProperties: false } as const;
const Send = Type.Union([
  Type.String({ minLength: 1 }),
  Type.Object({ header: Type.String({ minLength: 1 }) }, STRICT),
  Type.Object({ body: Type.String({ minLength: 1 }) }, STRICT),
]);
const Size = Type.Optional(Type.Object({ send: Send, value: Type.Integer({ minimum: 1 }) }, STRICT));
const Way = Type.String({ minLength: 1 });
const MaybeWay = Type.Optional(Way);
const Pages = Type.Union([
  Type.Object({ kind: Type.Literal("one") }, STRICT),
  Type.Object(
    { kind: Type.Literal("page"), send: Send, first: Type.Integer(), last: MaybeWay, size: Size },
    STRICT,
  ),
  Type.Object(
    { kind: Type.Literal("offset"), send: Send, total: MaybeWay, more: MaybeWay, size: Size },
    STRICT,
  ),
  Type.Object(
    {
      kind: Type.Literal("cursor"),
      send: Send,
      next: Type.Union([Way, Type.Object({ header: Way }, STRICT), Type.Object({ lastItem: Way }, STRICT)]),
      more: MaybeWay,
      size: Size,
    },
    STRICT,
  ),
  Type.Object({ kind: Type.Literal("link"), next: Way, size: Size }, STRICT),
  Type.Object({ kind: Type.Literal("linkHeader"), size: Size }, STRICT),
]);
const Since = Type.Object(
  {
    property: Type.Optional(Way),
    send: Send,
    format: Type.Union(
      ["iso", "date", "epochSeconds", "epochMs", "httpDate"].map((format) => Type.Literal(format)),
    ),
  },
  STRICT,
);
const Json = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Null(),
  Type.Array(Type.Unknown()),
  Type.Object({}),
]);
const Value = Type.Union([
  Type.Object({ value: Json }, STRICT),
  Type.Object({ setting: Type.Literal(true) }, STRICT),
  Type.Object({ from: Type.String(), property: Way }, STRICT),
]);
const LIST_ANSWER = {
  items: Type.Optional(Way),
  key: Type.Optional(Type.Union([Way, Type.Array(Way, { minItems: 1 })])),
  pages: Type.Optional(Pages),
  since: Type.Optional(Type.Union([Since, Type.Literal(false)])),
  values: Type.Optional(Type.Record(Type.String(), Value)),
};
const SKIP_ANSWER = { skip: Type.String({ minLength: 1 }) };
const Answer = Type.Union([
  Type.Object(SKIP_ANSWER, STRICT),
  Type.Object({ name: Type.Optional(Way), ...LIST_ANSWER }, STRICT),
]);
const OPERATIONS = { operations: Type.Array(Type.String(), { minItems: 1 }) };
const SharedAnswer = Type.Union([
  Type.Object({ ...OPERATIONS, ...SKIP_ANSWER }, STRICT),
  Type.Object({ ...OPERATIONS, ...LIST_ANSWER }, STRICT),
]);

/** As `OpenApiImportOptions`: a module in plain JavaScript, or one that nobody has type-checked, may hold anything. */
const OPTIONS = Type.Object(
  {
    source: Type.String({ minLength: 1 }),
    overlays: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    select: Type.Optional(Type.Array(Type.String())),
    settings: Type.Optional(Type.Array(Type.String())),
    answers: Type.Optional(Type.Record(Type.String(), Answer)),
    sharedAnswers: Type.Optional(Type.Array(SharedAnswer)),
  },
  STRICT,
);
