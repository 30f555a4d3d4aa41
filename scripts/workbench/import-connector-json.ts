/** Makes a whole author's project from a connector.json. */
import path from "node:path";
import { connectorJson } from "../../generators/connector-json.js";
import type { GeneratedFile } from "../../generators/generated-file.js";
import { authorProject } from "../../generators/scaffolds/project-files.js";
import { schemaModules } from "../../generators/schema-modules/schema-modules.js";
import { planFiles } from "../../generators/writer/plan.js";
import { recoverWrites, writePlan } from "../../generators/writer/transaction.js";
import { documentsOf } from "../../schemas/checks/visit/model-parts.js";
import { type Diagnostic, diagnostic, hasErrors } from "../../schemas/diagnostics/diagnostic.js";
import type { Steps } from "../../schemas/diagnostics/locations.js";
import { jsonPointer, pointerSteps } from "../../schemas/json.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { readConnectorJson } from "../../schemas/model/from-connector-json/read-connector.js";
import { DEEPEST_WRITTEN } from "../../schemas/model/read-schema.js";
import { repairKeys } from "../../schemas/model/repair-keys.js";
import type { SchemaModel } from "../../schemas/model/schema-model.js";
import { inUsualForm } from "../../schemas/model/usual-form.js";
import { readConnectorJsonText } from "../system/files.js";
import { packageVersion } from "../system/package-files.js";
import { WRITE_OPTIONS } from "../system/process-identity.js";

/** What to import, and where to. */
export interface ImportOptions {
  /** The connector.json to read. */
  readonly file: string;
  /** The folder of the new project. */
  readonly directory: string;
  /** Whether key properties that are optional or nullable are mended; each has a finding. @default false */
  readonly repair?: boolean;
}

/** What an import wrote. */
export interface ImportResult {
  /** The files that were written, from the project's folder, with `/`; empty if there are errors. */
  readonly files: readonly string[];
  /** What is wrong with the file, what was mended, and what stood in the way of writing. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a connector.json and writes the project that extracts it again: all files or none. */
export function importConnectorJson({ repair = false, ...options }: ImportOptions): ImportResult {
  const file = path.resolve(options.file);
  const folder = path.resolve(options.directory);
  const { files, ...read } = projectFrom(file, repair);
  const diagnostics = [...read.diagnostics];
  if (!hasErrors(diagnostics)) diagnostics.push(...recoverWrites(folder, WRITE_OPTIONS));
  if (!hasErrors(diagnostics)) {
    const plan = planFiles(folder, files, { existingScaffold: "conflict" });
    diagnostics.push(...writePlan(folder, plan, WRITE_OPTIONS));
  }
  return { files: hasErrors(diagnostics) ? [] : files.map(({ path: name }) => name), diagnostics };
}

function projectFrom(
  file: string,
  repair: boolean,
): { readonly files: readonly GeneratedFile[]; readonly diagnostics: readonly Diagnostic[] } {
  const text = readConnectorJsonText(file);
  if (typeof text !== "string") return { files: [], diagnostics: [text] };
  const read = readConnectorJson(text, file);
  if (read.model === undefined) return { files: [], diagnostics: read.diagnostics };
  const place = (found: Diagnostic): Diagnostic => ({
    file,
    ...read.document.place(stepsOf(found.pointer ?? "")),
    ...found,
  });
  // The form of a schema is only worth a line of code if every byte comes back.
  const own = connectorJson(read.model) === text ? read.model : inUsualForm(read.model);
  const { model, diagnostics } = repair ? repairKeys(own) : { model: own, diagnostics: [] };
  const rounded = read.document.rounded.map(({ steps, text: written, value }) =>
    diagnostic("import-number-rounded", { pointer: jsonPointer(steps) }, { written, value }),
  );
  const isLossless = rounded.length === 0;
  return {
    files: [...schemaModules(model), ...authorProject(model, packageVersion())],
    diagnostics: [
      ...[...diagnostics, ...tooDeepFindings(model), ...rounded].map(place),
      ...differences(connectorJson(own), { text, file, isLossless }),
    ],
  };
}

interface ImportedText {
  readonly text: string;
  readonly file: string;
  /** Whether every number of the file has its value in the model. */
  readonly isLossless: boolean;
}

/** Where extracting would not give the bytes of the file: a reference tool writes one form, people write others. */
function differences(extracted: string, { text, file, isLossless }: ImportedText): readonly Diagnostic[] {
  if (extracted === text) return [];
  const [own, theirs] = [extracted.split("\n"), text.split("\n")];
  const index = theirs.findIndex((line, at) => line !== own[at]);
  const line = (index === -1 ? theirs.length : index) + 1;
  const problem =
    extracted === text.trimEnd()
      ? "white space at its end"
      : "other order, escapes, spacing or spelling of numbers";
  const loss = isLossless
    ? "Nothing is lost"
    : "Nothing is lost but the exact value of the numbers that are rounded";
  return [diagnostic("import-differs", { file, line }, { line, problem, loss })];
}

/** A note for each schema that is kept as text, because it is nested too deeply for compilers. */
function tooDeepFindings(model: ConnectorModel): readonly Diagnostic[] {
  const steps = documentsOf(model).flatMap(({ document, location }) => [
    ...deepestWritten(document.root, location.pointer, 0),
    ...document.definitions.flatMap(({ name, schema }) =>
      deepestWritten(schema, [...location.pointer, "$defs", name], 0),
    ),
  ]);
  return steps.map((pointer) =>
    diagnostic("import-too-deep", { pointer: jsonPointer(pointer) }, { limit: DEEPEST_WRITTEN }),
  );
}

/** Pointers of the schemas at the level from which on nothing is written as TypeBox types. */
function deepestWritten(schema: SchemaModel, pointer: Steps, depth: number): readonly Steps[] {
  if (depth === DEEPEST_WRITTEN) return schema.kind === "verbatim" ? [pointer] : [];
  switch (schema.kind) {
    case "object":
      return schema.properties.flatMap((property) =>
        deepestWritten(property.schema, [...pointer, "properties", property.jsonName], depth + 1),
      );
    case "array":
      return deepestWritten(schema.items, [...pointer, "items"], depth + 1);
    case "dictionary":
      return deepestWritten(schema.values, [...pointer, "additionalProperties"], depth + 1);
    default:
      return [];
  }
}

function stepsOf(pointer: string): readonly (string | number)[] {
  return pointerSteps(pointer).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}
