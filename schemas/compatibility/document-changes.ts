/** The changes of one schema document of a connector. */
import { toPlain } from "../formats/json-tree.js";
import { renderDocument } from "../model/render-schema.js";
import type { SchemaDocument } from "../model/schema-model.js";
import type { Change, ChangeRole } from "./change.js";
import type { Node } from "./json.js";
import { compareSchemas } from "./schema-changes/compare-schemas.js";
import type { Effort } from "./witness/find-witness.js";

export interface PlacedDocuments {
  readonly role: ChangeRole;
  readonly what: string;
  readonly oldPointer: string;
  readonly newPointer: string;
  /** From the part that holds the documents to them. */
  readonly pointer: string;
  readonly effort: Effort;
}

export function documentChanges(
  old: SchemaDocument,
  next: SchemaDocument,
  { role, what, oldPointer, newPointer, pointer, effort }: PlacedDocuments,
): readonly Change[] {
  const question = {
    old: toPlain(renderDocument(old)) as Node,
    new: toPlain(renderDocument(next)) as Node,
    role,
    what,
    oldPointer: oldPointer + pointer,
    newPointer: newPointer + pointer,
  };
  return compareSchemas(question, effort).changes;
}
