/** References of schemas that are carried verbatim: what one names must stand in the same document (spec §2.10). */
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { type JsonTree, targetOf } from "../formats/json-tree.js";
import { renderDocument } from "../model/render-schema.js";
import type { PlacedDocument } from "./model-parts.js";
import { found } from "./place.js";
import type { VisitedSchema } from "./visit-schemas.js";

/** The check of a document's references; the document is only rendered where it has one. */
export function referenceCheck({
  document,
}: PlacedDocument): (visited: VisitedSchema) => readonly Diagnostic[] {
  let tree: JsonTree | undefined;
  return ({ view, place, definition }) => {
    const { reference } = view;
    if (reference === undefined || definition !== undefined) return [];
    tree ??= renderDocument(document);
    return targetOf(tree, reference) !== undefined
      ? []
      : [found("schema-reference-unknown", place, { what: place.what, reference })];
  };
}
