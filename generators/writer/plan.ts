/** What writing files would do, decided before anything is touched. */
import path from "node:path";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { GeneratedFile } from "../generated-file.js";
import { changedMeanwhile, codeOf, notWritable } from "./failure.js";
import { goneFiles } from "./gone-files.js";
import { headerState, sameText } from "./header.js";
import {
  blockedParent,
  type FolderFinder,
  folderFinder,
  hashOf,
  leadsOutside,
  type Present,
  presentAt,
  throughLink,
} from "./places.js";

/** `create`, `update` and `remove` change something; `unchanged` and `keep` do not. */
export type Step = "create" | "update" | "remove" | "unchanged" | "keep";

export interface PlannedFile {
  readonly step: Step;
  readonly file: GeneratedFile;
  /** Absolute. */
  readonly target: string;
  /** What was there when the plan was made; the writer stops where that is no longer so. */
  readonly present?: { readonly hash: string; readonly mode: number };
}

export interface Plan {
  readonly files: readonly PlannedFile[];
  /** Conflicts are errors: with one of them nothing is written. Files that are left alone are warnings. */
  readonly diagnostics: readonly Diagnostic[];
  readonly options: PlanOptions;
}

export interface PlanOptions {
  /** Whether a scaffold that is there already is the author's (`keep`), or a conflict, as for a new project. */
  readonly existingScaffold: "keep" | "conflict";
  /** The folder whose generated files are removed when nothing generates them any more. */
  readonly generatedFolder?: string;
}

type Decision = PlannedFile | Diagnostic;
type PresentFile = Present & { readonly kind: "file" };

/** Plans `files` under the folder `root`, which need not exist yet. */
export function planFiles(root: string, files: readonly GeneratedFile[], options: PlanOptions): Plan {
  const base = path.resolve(root);
  const taken = new Set<string>();
  const realFolder = folderFinder();
  const decisions = files.map((file): Decision => {
    const target = path.resolve(base, file.path);
    // Names that differ in case only are one file on many systems.
    const name = file.path.toLowerCase();
    if (taken.has(name)) return notWritable(target, file.path, "two files have this name");
    taken.add(name);
    if (leadsOutside(base, target, realFolder))
      return diagnostic("file-outside", { file: target }, { path: file.path });
    try {
      return decide(file, throughLink(base, target), { options, realFolder });
    } catch (error) {
      return notWritable(target, file.path, error);
    }
  });
  const { generatedFolder } = options;
  const gone =
    generatedFolder === undefined ? { files: [], diagnostics: [] } : goneFiles(base, generatedFolder, files);
  return {
    files: [...decisions.filter(isPlanned), ...gone.files],
    diagnostics: [...decisions.filter((one): one is Diagnostic => !isPlanned(one)), ...gone.diagnostics],
    options,
  };
}

/** The plan for the same files as things are now. */
export function planAgain(root: string, { files, options }: Plan): Plan {
  const wanted = files.filter(({ step }) => step !== "remove").map(({ file }) => file);
  return planFiles(root, wanted, options);
}

/** Whether carrying the plan out does something to this file. */
export function isChange({ step }: PlannedFile): boolean {
  return step === "create" || step === "update" || step === "remove";
}

function isPlanned(decision: Decision): decision is PlannedFile {
  return "step" in decision;
}

function decide(
  file: GeneratedFile,
  target: string,
  { options, realFolder }: { readonly options: PlanOptions; readonly realFolder: FolderFinder },
): Decision {
  const blocked = blockedParent(target, realFolder);
  if (blocked !== undefined)
    return notWritable(target, file.path, `"${path.basename(blocked)}" is not a folder`);
  const present = lookInto(file, target, options);
  if (present.kind === "other") return notWritable(target, file.path, present.reason);
  const conflict = conflictWith(present, file, { target, options });
  if (conflict !== undefined) return conflict;
  if (present.kind === "absent") return { step: "create", file, target };
  const { hash, mode } = present;
  return { step: stepFor(present, file), file, target, present: { hash, mode } };
}

/** An author's file that may not be read is there all the same. */
function lookInto(file: GeneratedFile, target: string, { existingScaffold }: PlanOptions): Present {
  try {
    return presentAt(target);
  } catch (error) {
    const isTheirs = file.ownership === "scaffold" && existingScaffold === "keep";
    if (!isTheirs || !["EACCES", "EPERM"].includes(codeOf(error) ?? "")) throw error;
    return { kind: "file", text: "", hash: "", mode: 0 };
  }
}

function stepFor(present: PresentFile, file: GeneratedFile): Step {
  if (isSame(present, file)) return "unchanged";
  return file.ownership === "scaffold" ? "keep" : "update";
}

/** Other line endings are no difference in what the tool writes, and one in what an author does. */
function isSame({ text, hash }: PresentFile, { ownership, content }: GeneratedFile): boolean {
  return ownership === "edited" ? hash === hashOf(content) : sameText(text, content);
}

function conflictWith(
  present: PresentFile | { readonly kind: "absent" },
  file: GeneratedFile,
  { target, options }: { readonly target: string; readonly options: PlanOptions },
): Diagnostic | undefined {
  if (present.kind === "file" && isSame(present, file)) return undefined;
  const { path: name, ownership, content } = file;
  if (ownership === "edited" || ownership === "filled") {
    const hash = present.kind === "file" ? present.hash : undefined;
    if (file.read !== undefined && hash !== hashOf(file.read)) return changedMeanwhile(target, name);
  }
  if (present.kind === "absent") return undefined;
  if (ownership === "scaffold") {
    if (options.existingScaffold === "keep") return undefined;
    return diagnostic("file-exists", { file: target }, { path: name });
  }
  // A file that has no header, such as connector.json, has nothing to tell an edit by.
  const hasHeader = ownership === "generated" && headerState(content) === "ours";
  if (hasHeader && headerState(present.text) !== "ours")
    return diagnostic("file-edited", { file: target }, { path: name });
  // A rename would replace such a file all the same, against its owner's word.
  return (present.mode & 0o222) === 0 ? notWritable(target, name, "it is read-only") : undefined;
}
