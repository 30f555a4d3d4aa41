/** Makes a connector's project from an OpenAPI document. */
import path from "node:path";
import { isSelected, makePlan } from "../../generators/openapi/inference/make-plan.js";
import type { AnswerNote, ImportPlan, PlannedObject } from "../../generators/openapi/inference/plan.js";
import { type PlanView, planView } from "../../generators/openapi/inference/plan-view.js";
import { CONFIG_FILE, importFiles } from "../../generators/openapi/modules/import-files.js";
import { objectsTaken } from "../../generators/openapi/modules/imported-connector.js";
import { withAnswers } from "../../generators/openapi/questions/config-edits.js";
import type {
  AnswerChoice,
  ConfigChange,
  ImportQuestion,
} from "../../generators/openapi/questions/open-questions.js";
import type { ApiDescription } from "../../generators/openapi/reading/api-description.js";
import {
  type ImportLock,
  knownObjects,
  LOCK_FILE,
  lockFile,
} from "../../generators/openapi/reimport/import-lock.js";
import { importState } from "../../generators/openapi/reimport/import-state.js";
import { planFiles } from "../../generators/writer/plan.js";
import { recoverWrites, writePlan } from "../../generators/writer/transaction.js";
import type { OpenApiImportOptions } from "../../schemas/authoring/openapi-import.js";
import { type Diagnostic, diagnostic, hasErrors, type Place } from "../../schemas/diagnostics/diagnostic.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { isSecretName } from "../../schemas/naming/secret-names.js";
import { type Ask, askQuestions } from "../openapi-import/ask-questions.js";
import { type ImportConfig, loadImportConfig } from "../openapi-import/import-config.js";
import { type ReadSource, readSource, withoutSecrets } from "../openapi-import/read-source.js";
import { type ImportReport, readProjectLock, reimport } from "../openapi-import/reimport.js";
import { isAddress } from "../system/fetch-document.js";
import { packageVersion } from "../system/package-files.js";
import { WRITE_OPTIONS } from "../system/process-identity.js";

/** What to import. */
export interface OpenApiOptions {
  /** A file, or an address that begins with `https://`. @default that of `openapi.config.ts` */
  readonly source?: string | undefined;
  /** The folder of the project, whose `openapi.config.ts` counts if it has one. @default no project */
  readonly directory?: string | undefined;
  /**
   * Tags, and paths with or without their method; a path takes all below it.
   * @default those of `openapi.config.ts`, else the whole document
   */
  readonly select?: readonly string[] | undefined;
  /**
   * Files of OpenAPI overlays, which are applied to the document in this order.
   * @default those of `openapi.config.ts`
   */
  readonly overlays?: readonly string[] | undefined;
  /** Asks a download to stop. */
  readonly signal?: AbortSignal | undefined;
}

/** What to import, and where to. */
export interface ImportOpenApiOptions extends OpenApiOptions {
  /** The folder of the project: a new one, or one that was imported before. */
  readonly directory: string;
  /** Whether decisions on how lists are read may change, where a document is imported again. @default false */
  readonly accept?: boolean | undefined;
  /**
   * Whether to make modules for data objects and actions that came with a later document, and properties of connections.
   * @default false
   */
  readonly add?: boolean | undefined;
  /** Whether to write nothing. @default false */
  readonly dryRun?: boolean | undefined;
  /**
   * Answers what the document does not decide; what it answers is written into `openapi.config.ts`. Undefined ends the
   * questions. A list that stayed undecided is only asked for again with `add`. @default nothing is asked
   */
  readonly ask?: ((question: ImportQuestion) => Promise<AnswerChoice | undefined>) | undefined;
}

/** What an import wrote. */
export interface ImportOpenApiResult extends OpenApiPlan {
  /** The files that were written or removed, from the project's folder, with `/`; empty if there are errors. */
  readonly files: readonly string[];
  /** What is different from the import before; undefined if this was the first one. */
  readonly report?: ImportReport | undefined;
}

/** What would be made of a document. */
export interface OpenApiPlan {
  /** Each decision with its evidence; undefined if the document can't be read. */
  readonly plan: PlanView | undefined;
  /** What is wrong with the document, and with what is asked of it. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads an OpenAPI document and says what would be made of it. Nothing is written. */
export async function planOpenApi(options: OpenApiOptions): Promise<OpenApiPlan> {
  const before =
    options.directory === undefined ? undefined : readProjectLock(path.resolve(options.directory));
  if (before !== undefined && "code" in before) return { plan: undefined, diagnostics: [before] };
  const { view, diagnostics } = await planned(options, before);
  return { plan: view, diagnostics };
}

/**
 * Makes the project of a new connector from an OpenAPI document: all files or none. Data objects whose list the document
 * does not decide have an undecided reader, which `check` reports.
 *
 * In a project that was imported before, the files of `imported/` follow the document, and the author's stay as they are.
 */
export async function importOpenApi({
  directory,
  accept = false,
  add = false,
  dryRun = false,
  ask,
  ...options
}: ImportOpenApiOptions): Promise<ImportOpenApiResult> {
  const folder = path.resolve(directory);
  const left = dryRun ? [] : recoverWrites(folder, WRITE_OPTIONS);
  if (hasErrors(left)) return { plan: undefined, files: [], diagnostics: left };
  const before = readProjectLock(folder);
  if (before !== undefined && "code" in before) return { plan: undefined, files: [], diagnostics: [before] };
  const decided = before === undefined || dryRun ? [] : decidedBefore(folder, options);
  if (decided.length > 0) return { plan: undefined, files: [], diagnostics: decided };
  const questions = dryRun ? undefined : questionsOf({ ask, add, before });
  const made = await planned({ ...options, directory }, before, questions);
  const { view, read, plan, source, select, overlays, answers, diagnostics: found } = made;
  const diagnostics = [...left, ...found];
  const nothing = () => ({ plan: view, files: [], diagnostics });
  const description = read?.description;
  if (read === undefined || description === undefined || plan === undefined || hasErrors(diagnostics))
    return nothing();
  diagnostics.push(...selectionFindings(plan, select, description));
  if (hasErrors(diagnostics)) return nothing();
  const common = {
    description,
    placeOf: read.placeOf,
    name: isAddress(source) ? withoutSecrets(source) : path.basename(source),
    config: withAnswers(newConfig(folder, source, { select, overlays }), answers),
    version: packageVersion(),
  };
  if (before !== undefined) {
    const placeOfDocument = placesOfDocument(source);
    const again = { ...common, plan, select, read, placeOfDocument };
    const {
      files,
      report,
      diagnostics: more,
    } = await reimport(before, again, { folder, accept, add, dryRun, answers });
    return { plan: view, files, report, diagnostics: [...diagnostics, ...more] };
  }
  const { sha256, citations } = read;
  const first = { before: undefined, add: false, isUsed: () => false };
  const { taken, imported, lock } = importState({ ...common, plan, select, sha256, citations, ...first });
  const files = [...importFiles({ ...common, plan: taken, imported }), lockFile(lock)];
  const names = files.map(({ path: name }) => name);
  if (dryRun) return { plan: view, files: names, diagnostics };
  diagnostics.push(
    ...writePlan(folder, planFiles(folder, files, { existingScaffold: "conflict" }), WRITE_OPTIONS),
  );
  return { plan: view, files: hasErrors(diagnostics) ? [] : names, diagnostics };
}

/** What is to be said of the document that the project in `folder` was imported from, as it is now. */
export async function checkSource({
  folder,
  signal,
}: {
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
}): Promise<readonly Diagnostic[]> {
  const root = path.resolve(folder);
  const file = path.join(root, CONFIG_FILE);
  const before = readProjectLock(root);
  if (before === undefined)
    return [diagnostic("openapi-config-missing", { file: root }, { path: LOCK_FILE })];
  const { diagnostics, report } = await importOpenApi({ directory: root, dryRun: true, signal });
  if (report === undefined || "code" in before) return diagnostics;
  const { versions, changes, isSameDocument } = report;
  if (isSameDocument) return diagnostics;
  const version = versions.before === versions.now ? "" : ` (version ${versions.before} -> ${versions.now})`;
  const count = changes.length === 1 ? "1 change" : `${changes.length} changes`;
  return [...diagnostics, diagnostic("openapi-newer", { file }, { version, count })];
}

/** Who is asked, and about which lists. */
interface Questions {
  readonly ask: Ask;
  readonly isAsked: (object: PlannedObject) => boolean;
}

/** What stayed undecided is not asked for by every import. */
function questionsOf({
  ask,
  add,
  before,
}: {
  readonly ask: Ask | undefined;
  readonly add: boolean;
  readonly before: ImportLock | undefined;
}): Questions | undefined {
  const open = new Set((before?.objects ?? []).filter(({ isDecided }) => !isDecided).map(({ list }) => list));
  return ask && { ask, isAsked: ({ list }) => add || !open.has(list.id) };
}

/** What the first import wrote into the config is changed there. */
function decidedBefore(folder: string, { select, overlays }: OpenApiOptions): readonly Diagnostic[] {
  const options = [
    ...(select === undefined ? [] : ["--select"]),
    ...(overlays === undefined ? [] : ["--overlay"]),
  ];
  const file = path.join(folder, CONFIG_FILE);
  return options.map((option) => diagnostic("openapi-config-decides", { file }, { option }));
}

/** The place that `openapi.yaml:12` names. */
function placesOfDocument(source: string): (place: string) => Place {
  return (place) => {
    const [, name = "", line = ""] = /^(.*):(\d+)$/.exec(place) ?? [];
    if (name === "" || isAddress(source)) return {};
    return { file: path.resolve(path.dirname(source), name), line: Number(line) };
  };
}

/** What a new `openapi.config.ts` says. */
function newConfig(
  folder: string,
  source: string,
  { select, overlays }: Pick<Planned, "select" | "overlays">,
): OpenApiImportOptions {
  const fromFolder = (file: string) => path.relative(folder, path.resolve(file)).split(path.sep).join("/");
  return {
    source: isAddress(source) ? withoutSecretParameters(source) : fromFolder(source),
    ...(overlays.length > 0 && { overlays: overlays.map(fromFolder) }),
    ...(select.length > 0 && { select }),
  };
}

/** What is kept in a file that is committed. Addresses of documents may need other parameters. */
function withoutSecretParameters(address: string): string {
  const url = new URL(address);
  for (const name of [...url.searchParams.keys()]) if (isSecretName(name)) url.searchParams.delete(name);
  return url.href;
}

interface Planned {
  readonly read: ReadSource | undefined;
  readonly plan: ImportPlan | undefined;
  readonly view: PlanView | undefined;
  /** Absolute, or an address. */
  readonly source: string;
  readonly select: readonly string[];
  /** Absolute. */
  readonly overlays: readonly string[];
  /** What was answered, and is not in the config yet. */
  readonly answers: readonly ConfigChange[];
  readonly diagnostics: readonly Diagnostic[];
}

async function planned(
  options: OpenApiOptions,
  before?: ImportLock,
  questions?: Questions,
): Promise<Planned> {
  const { directory, signal } = options;
  const folder = path.resolve(directory ?? ".");
  const loaded = directory === undefined ? undefined : await loadImportConfig(folder);
  const config = loaded?.config;
  const select = options.select ?? config?.options.select ?? [];
  const source = sourceOf(folder, options.source, config);
  const overlays =
    options.overlays ?? config?.options.overlays?.map((name) => path.resolve(folder, name)) ?? [];
  const nothing = {
    read: undefined,
    plan: undefined,
    view: undefined,
    source: "",
    select,
    overlays,
    answers: [],
  };
  if (loaded !== undefined && hasErrors(loaded.diagnostics))
    return { ...nothing, diagnostics: loaded.diagnostics };
  if (source === undefined) {
    const missing = diagnostic("openapi-config-missing", { file: folder }, { path: CONFIG_FILE });
    return { ...nothing, diagnostics: [missing] };
  }
  const read = await readSource({ source, overlays, signal });
  const { description, placeOf, diagnostics } = read;
  if (description === undefined) return { ...nothing, read, source, diagnostics };
  const unknown = unknownSelections(select, description, options.select === undefined ? config : undefined);
  if (unknown.length > 0) return { ...nothing, read, source, diagnostics: [...diagnostics, ...unknown] };
  const known = before === undefined ? undefined : knownObjects(before, read);
  const planWith = ({ answers, sharedAnswers, settings }: Partial<OpenApiImportOptions>) =>
    makePlan(description, {
      select,
      ...(answers !== undefined && { answers }),
      ...(sharedAnswers !== undefined && { sharedAnswers }),
      ...(settings !== undefined && { settings }),
      ...(known !== undefined && { known }),
    });
  const stated = config?.options ?? { source };
  const first = planWith(stated);
  const isAsked = questions !== undefined && !hasErrors(selectionFindings(first, select, description));
  const { plan, changes: answers } = isAsked
    ? await askQuestions(
        { description, placeOf, isAsked: questions.isAsked },
        { options: stated, plan: first, planWith, ask: questions.ask },
      )
    : { plan: first, changes: [] };
  const notes = config === undefined ? [] : plan.notes.map((note) => noteFinding(note, config));
  const view = planView(plan, placeOf);
  return { read, plan, view, source, select, overlays, answers, diagnostics: [...diagnostics, ...notes] };
}

/** Absolute, or an address; undefined if nothing says where the document is. */
function sourceOf(
  folder: string,
  given: string | undefined,
  config: ImportConfig | undefined,
): string | undefined {
  if (given !== undefined) return isAddress(given) ? given : path.resolve(given);
  const stated = config?.options.source;
  return stated === undefined || isAddress(stated) ? stated : path.resolve(folder, stated);
}

/** The finding at the line of an answer that decides nothing, or nothing any more. */
function noteFinding({ kind, steps, reason, hint }: AnswerNote, { placeOf }: ImportConfig): Diagnostic {
  return kind === "unused"
    ? diagnostic("openapi-answer-unused", placeOf(steps), { reason, hint })
    : diagnostic("openapi-answer-moot", placeOf(steps), { reason });
}

/** More data objects than this are not taken unasked. */
const MOST_OBJECTS = 50;

/** What has to be selected, because there is too much of it, or nothing. */
function selectionFindings(
  plan: ImportPlan,
  select: readonly string[],
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

/** What is selected must be there: nobody notices a list that is not taken. `config` is where it stands, if it does. */
function unknownSelections(
  select: readonly string[],
  { operations }: ApiDescription,
  config: ImportConfig | undefined,
): readonly Diagnostic[] {
  const known = [...new Set(operations.flatMap(({ tags, path: place }) => [...tags, place]))];
  return [...select.entries()]
    .filter(([, name]) => !operations.some((operation) => isSelected(operation, [name])))
    .map(([index, name]) =>
      diagnostic("openapi-select-unknown", config?.placeOf(["select", index]) ?? {}, {
        name,
        hint: didYouMean(name, known),
      }),
    );
}
