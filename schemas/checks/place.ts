/** Where a check is in the model: what messages call it, its steps in `connector.json`, its names in the author's code. */
import type { DiagnosticCode, DiagnosticParameters } from "../diagnostics/catalogue.js";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.js";
import { jsonPointer } from "../naming/json-pointer.js";
import { upperFirst } from "../naming/words.js";

export type Steps = readonly (string | number)[];

/** A place as values. The model builder's scopes name things in the same way, so that a finding of either reads alike. */
export interface ModelPlace {
  /** `"email" of data object "Employee"`. */
  readonly what: string;
  readonly pointer: Steps;
  /** Names in code, from the call that defined it. */
  readonly path: Steps;
}

/** The place of the connector itself. */
export const CONNECTOR_PLACE: ModelPlace = { what: "the connector", pointer: [], path: [] };

/** A place further in. */
export function below(
  place: ModelPlace,
  change: { readonly what?: string; readonly pointer?: Steps; readonly path?: Steps },
): ModelPlace {
  return {
    what: change.what ?? place.what,
    pointer: change.pointer === undefined ? place.pointer : [...place.pointer, ...change.pointer],
    path: change.path === undefined ? place.path : [...place.path, ...change.path],
  };
}

/** A place further in that a call of its own defines: names in code start anew. */
export function definedBelow(place: ModelPlace, what: string, pointer: Steps): ModelPlace {
  return { what, pointer: [...place.pointer, ...pointer], path: [] };
}

/** The finding `code` at `place`. */
export function found<Code extends DiagnosticCode>(
  code: Code,
  place: ModelPlace,
  parameters: DiagnosticParameters<Code>,
): Diagnostic {
  const finding = diagnostic(code, { pointer: jsonPointer(place.pointer), path: place.path }, parameters);
  // Places are named as in the middle of a sentence; many messages begin with one.
  return { ...finding, message: upperFirst(finding.message) };
}
