/** Makes a connector's project from an OpenAPI document. */
import { realpathSync } from "node:fs";
import path from "node:path";
import { isSelected, makePlan } from "../../generators/openapi/inference/make-plan.js";
import { type PlanView, planView } from "../../generators/openapi/inference/plan-view.js";
import type { ApiDescription } from "../../generators/openapi/reading/api-description.js";
import {
  type DocumentFiles,
  type ReadDescription,
  readDescription,
} from "../../generators/openapi/reading/read-description.js";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { didYouMean } from "../../schemas/naming/nearest.js";
import { fetchText, isAddress } from "../system/fetch-document.js";
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
  /** Asks a download to stop. */
  readonly signal?: AbortSignal | undefined;
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
export async function planOpenApi({ source, select = [], signal }: OpenApiOptions): Promise<OpenApiPlan> {
  const read = await readSource(source, signal);
  const { description } = read;
  if (description === undefined) return { plan: undefined, diagnostics: read.diagnostics };
  const unknown = unknownSelections(select, description);
  const view = planView(makePlan(description, { select }), read.placeOf);
  return { plan: unknown.length > 0 ? undefined : view, diagnostics: [...read.diagnostics, ...unknown] };
}

async function readSource(source: string, signal: AbortSignal | undefined): Promise<ReadDescription> {
  const isRemote = isAddress(source);
  const file = isRemote ? source : path.resolve(source);
  try {
    const text = isRemote
      ? await fetchText(source, MAX_DOCUMENT_MB, signal)
      : readText(file, MAX_DOCUMENT_MB);
    const files = isRemote ? onlyFile("openapi", text) : filesBeside(file, text);
    const read = readDescription(files);
    const folder = isRemote ? undefined : path.dirname(file);
    const diagnostics = read.diagnostics.map((found) =>
      found.file === undefined || folder === undefined
        ? found
        : { ...found, file: path.join(folder, found.file) },
    );
    return { ...read, diagnostics };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const place = isRemote ? {} : { file };
    const shown = isRemote ? withoutSecrets(source) : file;
    const finding = diagnostic("openapi-unreadable", place, { source: shown, reason });
    return { description: undefined, diagnostics: [finding], placeOf: () => ({ file, line: 1 }) };
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
