/** Makes a connector's project from an OpenAPI document. */
import { realpathSync } from "node:fs";
import path from "node:path";
import type { GeneratedFile } from "../../generators/generated-file.js";
import { isSelected, makePlan } from "../../generators/openapi/inference/make-plan.js";
import type { ImportPlan } from "../../generators/openapi/inference/plan.js";
import { type PlanView, planView } from "../../generators/openapi/inference/plan-view.js";
import { importFiles } from "../../generators/openapi/modules/import-files.js";
import { objectsTaken } from "../../generators/openapi/modules/imported-connector.js";
import type { ApiDescription } from "../../generators/openapi/reading/api-description.js";
import type { OverlayFile } from "../../generators/openapi/reading/overlays.js";
import {
  type DocumentFiles,
  type ReadDescription,
  readDescription,
} from "../../generators/openapi/reading/read-description.js";
import { planFiles } from "../../generators/writer/plan.js";
import { recoverWrites, writePlan } from "../../generators/writer/transaction.js";
import { type Diagnostic, diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { fetchText, isAddress } from "../system/fetch-document.js";
import { packageVersion } from "../system/package-files.js";
import { WRITE_OPTIONS } from "../system/process-identity.js";
import { readText } from "../system/read-text.js";

/** What to import. */
export interface OpenApiOptions {
  /** A file, or an address that begins with `https://`. */
  readonly source: string;
  /**
   * Tags, and paths with or without their method; a path takes all below it.
   * @default the whole document
   */
  readonly select?: readonly string[] | undefined;
  /** Files of OpenAPI overlays, which are applied to the document in this order. */
  readonly overlays?: readonly string[] | undefined;
  /** Asks a download to stop. */
  readonly signal?: AbortSignal | undefined;
}

/** What to import, and where to. */
export interface ImportOpenApiOptions extends OpenApiOptions {
  /** The folder of the new project. */
  readonly directory: string;
}

/** What an import wrote. */
export interface ImportOpenApiResult extends OpenApiPlan {
  /** The files that were written, from the project's folder, with `/`; empty if there are errors. */
  readonly files: readonly string[];
}

/** What would be made of a document. */
export interface OpenApiPlan {
  /** Each decision with its evidence; undefined if the document can't be read. */
  readonly plan: PlanView | undefined;
  /** What is wrong with the document, and with what is asked of it. */
  readonly diagnostics: readonly Diagnostic[];
}

const MAX_DOCUMENT_MB = 64;

/** Reads an OpenAPI document and says what would be made of it. Nothing is written. */
export async function planOpenApi(options: OpenApiOptions): Promise<OpenApiPlan> {
  const { view, diagnostics } = await planned(options);
  return { plan: view, diagnostics };
}

/**
 * Makes the project of a new connector from an OpenAPI document: all files or none. Data objects whose list the document
 * does not decide have an undecided reader, which `check` reports.
 */
export async function importOpenApi({
  directory,
  ...options
}: ImportOpenApiOptions): Promise<ImportOpenApiResult> {
  const { view, read, plan, diagnostics: found } = await planned(options);
  const { description } = read;
  const diagnostics = [...found];
  if (description === undefined || plan === undefined || hasErrors(diagnostics))
    return { plan: view, files: [], diagnostics };
  diagnostics.push(...selectionFindings(plan, options, description));
  if (hasErrors(diagnostics)) return { plan: view, files: [], diagnostics };
  const files = importFiles({
    description,
    plan,
    placeOf: read.placeOf,
    name: isAddress(options.source) ? withoutSecrets(options.source) : path.basename(options.source),
    text: read.text,
    version: packageVersion(),
  });
  diagnostics.push(...writeProject(path.resolve(directory), files));
  return {
    plan: view,
    files: hasErrors(diagnostics) ? [] : files.map(({ path: name }) => name),
    diagnostics,
  };
}

/** Writes all files of a new project, or none. */
function writeProject(folder: string, files: readonly GeneratedFile[]): readonly Diagnostic[] {
  const left = recoverWrites(folder, WRITE_OPTIONS);
  if (hasErrors(left)) return left;
  return [
    ...left,
    ...writePlan(folder, planFiles(folder, files, { existingScaffold: "conflict" }), WRITE_OPTIONS),
  ];
}

interface Planned {
  readonly read: ReadSource;
  readonly plan: ImportPlan | undefined;
  readonly view: PlanView | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

async function planned(options: OpenApiOptions): Promise<Planned> {
  const { select = [] } = options;
  const read = await readSource(options);
  const { description, placeOf, diagnostics } = read;
  const unknown = description === undefined ? [] : unknownSelections(select, description);
  const plan =
    description === undefined || unknown.length > 0 ? undefined : makePlan(description, { select });
  const view = plan && planView(plan, placeOf);
  return { read, plan, view, diagnostics: [...diagnostics, ...unknown] };
}

/** More data objects than this are not taken unasked. */
const MOST_OBJECTS = 50;

/** What has to be selected, because there is too much of it, or nothing. */
function selectionFindings(
  plan: ImportPlan,
  { select = [] }: OpenApiOptions,
  { operations }: ApiDescription,
): readonly Diagnostic[] {
  const objects = objectsTaken(plan);
  if (objects.length === 0) return [diagnostic("openapi-nothing", {}, {})];
  if (select.length > 0 || objects.length <= MOST_OBJECTS) return [];
  const counts = new Map<string, number>();
  for (const { tags } of operations.filter((operation) => objects.some(({ list }) => list === operation)))
    for (const tag of tags.length === 0 ? ["no tag"] : tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const tags = [...counts].map(([tag, count]) => `${JSON.stringify(tag)} (${count})`);
  const shown =
    tags.length > MOST_TAGS ? [...tags.slice(0, MOST_TAGS), `and ${tags.length - MOST_TAGS} more`] : tags;
  return [
    diagnostic("openapi-too-many", {}, { count: objects.length, limit: MOST_OBJECTS }),
    ...shown.map((tag) => diagnostic("openapi-tag", {}, { tag })),
  ];
}

const MOST_TAGS = 40;

interface ReadSource extends ReadDescription {
  /** The text of the document, and of its overlays. */
  readonly text: string;
}

async function readSource({ source, overlays = [], signal }: OpenApiOptions): Promise<ReadSource> {
  const isRemote = isAddress(source);
  const file = isRemote ? source : path.resolve(source);
  try {
    const text = isRemote
      ? await fetchText(source, MAX_DOCUMENT_MB, signal)
      : readText(file, MAX_DOCUMENT_MB);
    const files = isRemote ? onlyFile("openapi", text) : filesBeside(file, text);
    const folder = isRemote ? undefined : path.dirname(file);
    const named = overlays.map((name) => readOverlay(path.resolve(name), folder));
    const changes = named.filter((overlay) => "text" in overlay);
    const unread = named.filter((overlay) => "code" in overlay);
    const read = readDescription({ ...files, overlays: changes });
    const diagnostics = read.diagnostics.map((found) =>
      found.file === undefined || folder === undefined
        ? found
        : { ...found, file: path.resolve(folder, found.file) },
    );
    const texts = [text, ...changes.map((overlay) => overlay.text)];
    return { ...read, text: texts.join("\n"), diagnostics: [...unread, ...diagnostics] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const place = isRemote ? {} : { file };
    const shown = isRemote ? withoutSecrets(source) : file;
    const finding = diagnostic("openapi-unreadable", place, { source: shown, reason });
    return { description: undefined, diagnostics: [finding], text: "", placeOf: () => ({ file, line: 1 }) };
  }
}

/** An overlay, named from the document's folder. */
function readOverlay(file: string, folder: string | undefined): OverlayFile | Diagnostic {
  const name = folder === undefined ? file : path.relative(folder, file);
  try {
    return { name: name.replaceAll(path.sep, "/"), text: readText(file, MAX_DOCUMENT_MB) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return diagnostic("openapi-unreadable", { file }, { source: file, reason });
  }
}

/** An address without what may be a secret in it. */
function withoutSecrets(address: string): string {
  if (!URL.canParse(address)) return "The address";
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

function onlyFile(main: string, text: string): DocumentFiles {
  return { main, text: (name) => (name === main ? text : undefined) };
}

/** The document and the files below its folder. A link that leads out of it is no such file. */
function filesBeside(file: string, text: string): DocumentFiles {
  const folder = realpathSync(path.dirname(file));
  const main = path.basename(file);
  return {
    main,
    text: (name) => {
      if (name === main) return text;
      try {
        const real = realpathSync(path.join(folder, name));
        return real.startsWith(`${folder}${path.sep}`) ? readText(real, MAX_DOCUMENT_MB) : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

/** What is selected must be there: nobody notices a list that is not taken. */
function unknownSelections(select: readonly string[], { operations }: ApiDescription): readonly Diagnostic[] {
  const known = [...new Set(operations.flatMap(({ tags, path: place }) => [...tags, place]))];
  return select
    .filter((name) => !operations.some((operation) => isSelected(operation, [name])))
    .map((name) => diagnostic("openapi-select-unknown", {}, { name, hint: didYouMean(name, known) }));
}
