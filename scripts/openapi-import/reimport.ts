/**
 * Imports a document again: the tool's files follow it, the author's are never written over. What decides which records
 * are read changes only when somebody accepts it.
 */
import { readdirSync } from "node:fs";
import path from "node:path";
import type { GeneratedFile } from "../../generators/generated-file.js";
import { GENERATED_FOLDER } from "../../generators/layout.js";
import type { ImportPlan } from "../../generators/openapi/inference/plan.js";
import { decidedWords, type PlaceOf } from "../../generators/openapi/inference/plan-view.js";
import { IMPORTED, type ImportSource, importFiles } from "../../generators/openapi/modules/import-files.js";
import { writeAnswers } from "../../generators/openapi/questions/config-edits.js";
import type { ConfigChange } from "../../generators/openapi/questions/open-questions.js";
import {
  type AddedModules,
  addedModules,
  lackingSettings,
  undecidedReaders,
} from "../../generators/openapi/reimport/added-modules.js";
import { compareLocks, type ImportChange } from "../../generators/openapi/reimport/compare-locks.js";
import {
  type ImportLock,
  LOCK_FILE,
  lockFile,
  readLock,
} from "../../generators/openapi/reimport/import-lock.js";
import { type ImportState, importState } from "../../generators/openapi/reimport/import-state.js";
import { mootOverrides } from "../../generators/openapi/reimport/moot-overrides.js";
import type { SourceFiles } from "../../generators/source-edits/index.js";
import { isChange, type Plan, planFiles } from "../../generators/writer/plan.js";
import { recoverWrites, writePlan } from "../../generators/writer/transaction.js";
import type { Change, Verdict } from "../../schemas/compatibility/change.js";
import { type Diagnostic, diagnostic, hasErrors, type Place } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { loadProject } from "../author-project/load-project.js";
import { compareModels } from "../comparison/compare-models.js";
import { projectSources } from "../scaffolding/change-project.js";
import { WRITE_OPTIONS } from "../system/process-identity.js";
import { readTextIfExists } from "../system/read-text.js";
import type { ReadSource } from "./read-source.js";

/** What an import did to a project that was imported before. */
export interface ImportReport {
  /** Versions of the document, as it calls them. */
  readonly versions: { readonly before: string; readonly now: string };
  /** Whether the text of the document is what it was. */
  readonly isSameDocument: boolean;
  /** Each change, with its line in the document. */
  readonly changes: readonly ImportChange[];
  /** Decisions that stay although the document would be understood otherwise now. */
  readonly kept: readonly KeptView[];
  /** Data objects, actions and properties of connections that the document offers, and that have no modules. */
  readonly offered: readonly string[];
  /** Data objects and actions that the document does not have any more, and that modules of the author's use. */
  readonly gone: readonly string[];
  /** What the changes are to users of the connector; null if its modules could not be compared. */
  readonly verdict: Verdict | null;
  /** What the verdict rests on. */
  readonly connectorChanges: readonly Change[];
}

/** A decision that stays because the text that it cites does. */
export interface KeptView {
  /** `Project.pages`. */
  readonly name: string;
  /** What would be decided now, in words. */
  readonly now: string;
  /** Why, in one line. */
  readonly evidence: string;
  /** The line of the document: `openapi.yaml:12`. */
  readonly place: string;
}

/** How to import again. */
export interface ReimportOptions {
  /** Absolute. */
  readonly folder: string;
  /** Whether decisions on how lists are read may change. */
  readonly accept: boolean;
  /** Whether to make modules for what came since. */
  readonly add: boolean;
  readonly dryRun: boolean;
  /** What was answered, and is not in the config yet. */
  readonly answers: readonly ConfigChange[];
}

/** What was done. */
export interface Reimported {
  readonly files: readonly string[];
  readonly report: ImportReport | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** The lock of the project in `folder`; undefined if it was never imported. */
export function readProjectLock(folder: string): ImportLock | Diagnostic | undefined {
  const file = path.join(folder, LOCK_FILE);
  const text = readTextIfExists(file);
  if (text === undefined) return undefined;
  const lock = readLock(text);
  return typeof lock === "string"
    ? diagnostic("openapi-lock", { file }, { path: LOCK_FILE, reason: lock })
    : lock;
}

/** What is imported again. */
export interface ReimportSource extends Omit<ImportSource, "plan" | "imported"> {
  readonly read: ReadSource;
  /** All that could be made of the document. */
  readonly plan: ImportPlan;
  readonly select: readonly string[];
  /** The place that `openapi.yaml:12` names. */
  placeOfDocument(place: string): Place;
}

/** What an import would do. */
export interface PlannedReimport {
  /** Undefined if something has to be answered or accepted first. */
  readonly files: Plan | undefined;
  readonly report: ImportReport;
  readonly diagnostics: readonly Diagnostic[];
}

/** Imports `plan` into a project whose last import is `before`. */
export async function reimport(
  before: ImportLock,
  source: ReimportSource,
  options: ReimportOptions,
): Promise<Reimported> {
  const { files, report, diagnostics } = planReimport(before, source, options);
  const names = (files?.files ?? []).filter(isChange).map(({ file }) => file.path);
  if (files === undefined || hasErrors(diagnostics)) return { files: [], report, diagnostics };
  if (options.dryRun || names.length === 0) return { files: names, report, diagnostics };
  return write(options.folder, files, { names, report, diagnostics });
}

/** What importing again would write. */
export function planReimport(
  before: ImportLock,
  source: ReimportSource,
  { folder, accept, add, answers }: Omit<ReimportOptions, "dryRun">,
): PlannedReimport {
  const { read, plan, select, placeOfDocument, ...common } = source;
  const authors = authorModules(folder);
  const state = importState({
    ...common,
    ...{ plan, select, before, add, sha256: read.sha256, citations: read.citations },
    isUsed: (file) => {
      const specifier = file.replace(/\.ts$/, ".js");
      return authors.some((text) => text.includes(specifier));
    },
  });
  const changes = compareLocks(before, state.lock);
  const made: ImportSource = { ...common, plan: state.taken, imported: state.imported };
  const sources = projectSources(folder);
  const kept = keptViews(plan, common.placeOf);
  // What is made now lacks nothing any more.
  const report = () => {
    const without = [
      ...undecidedReaders(made, sources).map((name) => `the reader of ${name}`),
      ...lackingSettings(made, sources),
    ];
    return reportOf(before, state, { changes, kept, without });
  };
  const open = openFindings(changes, accept, placeOfDocument);
  if (hasErrors(open)) return { files: undefined, report: report(), diagnostics: open };
  const all = importFiles(made);
  const moot = mootOverrides(made, { files: all, sources });
  const byHand = writeAnswers(sources, answers);
  const isAdded = add || answers.length > 0 || changes.some(({ change }) => change === "taken");
  const added = isAdded ? addedModules(before, made, { files: all, sources }) : NOTHING_ADDED;
  const files = [...toolsFiles(folder, all, state), ...added.scaffolds, ...editsOf(sources)];
  const planned = planFiles(folder, files, { existingScaffold: "keep", generatedFolder: IMPORTED });
  const diagnostics = [
    ...planned.diagnostics.map((found) => withAdvice(found, folder)),
    ...[...byHand, ...added.diagnostics].map((found) => inFolder(found, folder)),
    ...moot.map(({ file, line, name }) =>
      diagnostic("openapi-override-moot", { file: path.join(folder, file), line }, { name }),
    ),
  ];
  return { files: planned, report: report(), diagnostics };
}

async function write(
  folder: string,
  planned: Plan,
  {
    names,
    report,
    diagnostics,
  }: {
    readonly names: readonly string[];
    readonly report: ImportReport;
    readonly diagnostics: readonly Diagnostic[];
  },
): Promise<Reimported> {
  // Comparing loads ajv, and the modules twice: only who changes them waits for it.
  const old = await modelOf(folder);
  const left = recoverWrites(folder, WRITE_OPTIONS);
  const written = hasErrors(left) ? left : [...left, ...writePlan(folder, planned, WRITE_OPTIONS)];
  if (hasErrors(written)) return { files: [], report, diagnostics: [...diagnostics, ...written] };
  const { model, diagnostics: found } = await loadProject({ folder });
  const problems = found.filter(({ severity }) => severity === "error");
  const done = {
    files: names,
    diagnostics: [...diagnostics, ...written, ...(model === undefined ? problems : [])],
  };
  if (old === undefined || model === undefined) return { ...done, report };
  const { verdict, changes } = await compareModels(old, model);
  return { ...done, report: { ...report, verdict, connectorChanges: changes } };
}

async function modelOf(folder: string): Promise<ConnectorModel | undefined> {
  return (await loadProject({ folder, located: "errors" })).model;
}

function reportOf(
  before: ImportLock,
  { lock }: ImportState,
  parts: Pick<ImportReport, "changes" | "kept"> & { readonly without: readonly string[] },
): ImportReport {
  const named = (presence: "offered" | "gone") =>
    lock.objects.flatMap((object) => [
      ...(object.presence === presence && (presence === "gone" || object.isDecided) ? [object.name] : []),
      ...(object.presence === "taken" && object.isDecided
        ? object.actions
            .filter((action) => action.presence === presence)
            .map(({ name }) => `${object.name}.${name}`)
        : []),
    ]);
  return {
    versions: { before: before.document.version, now: lock.document.version },
    isSameDocument: before.document.sha256 === lock.document.sha256,
    changes: parts.changes,
    kept: parts.kept,
    offered: [...named("offered"), ...parts.without],
    gone: named("gone"),
    verdict: null,
    connectorChanges: [],
  };
}

function keptViews({ kept, objects }: ImportPlan, placeOf: PlaceOf): readonly KeptView[] {
  return kept.flatMap(({ list, about, now: { state, value, evidence, at } }) => {
    const object = objects.find((one) => one.list === list);
    const [first] = at.filter((place) => place !== "").map(placeOf);
    const place = first === undefined ? "" : `${first.file}:${first.line}`;
    const now = state === "ask" ? "undecided" : decidedWords(about, value) || "none";
    return object === undefined ? [] : [{ name: `${object.name}.${about}`, now, evidence, place }];
  });
}

/** What somebody has to answer or accept first. */
function openFindings(
  changes: readonly ImportChange[],
  accept: boolean,
  placeOf: (place: string) => Place,
): readonly Diagnostic[] {
  return changes.flatMap(({ name, needs, was, now, evidence, place }) => {
    const why = evidence === "" ? "" : `: ${evidence}`;
    if (needs === "answer") return [diagnostic("openapi-undecided-now", placeOf(place), { name, was, why })];
    if (needs !== "accept" || accept) return [];
    const words = { name, was: was || "nothing", now: now || "nothing", why };
    return [diagnostic("openapi-not-accepted", placeOf(place), words)];
  });
}

const NOTHING_ADDED: AddedModules = { scaffolds: [], diagnostics: [] };

/** The tool's files: those of the document, and those that stay although it says nothing of them any more. */
function toolsFiles(
  folder: string,
  all: readonly GeneratedFile[],
  { keptFiles, lock }: ImportState,
): readonly GeneratedFile[] {
  const base = all.filter(({ ownership }) => ownership === "generated");
  const paths = new Set(base.map(({ path: name }) => name));
  const kept = keptFiles.flatMap((name): readonly GeneratedFile[] => {
    const content = paths.has(name) ? undefined : readTextIfExists(path.join(folder, name));
    return content === undefined ? [] : [{ path: name, content, ownership: "generated" }];
  });
  return [...base, ...kept, lockFile(lock)];
}

/** The author's files that are changed in place. */
function editsOf(sources: SourceFiles): readonly GeneratedFile[] {
  return sources
    .changes()
    .flatMap(({ path: name, before, after }) =>
      before === undefined
        ? []
        : [{ path: name, content: after, ownership: "edited" as const, read: before }],
    );
}

/** Where a change of one of the tool's files belongs. */
function withAdvice(found: Diagnostic, folder: string): Diagnostic {
  const { code, file } = found;
  const name = file === undefined ? "" : path.relative(folder, file).split(path.sep).join("/");
  if (code !== "file-edited" || file === undefined || !name.startsWith(`${IMPORTED}/`)) return found;
  return diagnostic("openapi-base-edited", { file }, { path: name });
}

function inFolder(found: Diagnostic, folder: string): Diagnostic {
  return found.file === undefined ? found : { ...found, file: path.resolve(folder, found.file) };
}

const NOT_AUTHORS = new Set([GENERATED_FOLDER, IMPORTED, "node_modules", "dist"]);

/** The texts of the author's modules. */
function authorModules(folder: string): readonly string[] {
  const texts: string[] = [];
  const visit = (place: string, isRoot: boolean) => {
    for (const entry of readdirSync(place, { withFileTypes: true })) {
      if (entry.name.startsWith(".") || (isRoot && NOT_AUTHORS.has(entry.name))) continue;
      const target = path.join(place, entry.name);
      if (entry.isDirectory() && entry.name !== "node_modules") visit(target, false);
      else if (entry.isFile() && /\.[mc]?[jt]s$/.test(entry.name)) texts.push(readTextIfExists(target) ?? "");
    }
  };
  visit(folder, true);
  return texts;
}
