/**
 * Edits of authors' modules that leave every other byte as it is: pure, text in and text out.
 *
 * @example
 * const files = new SourceFiles((path) => textOrUndefined(path));
 * const place = { start: { file: "connector.ts", call: "defineConnector" }, steps: [0, "modules"] };
 * const edit = appendElement(files, place, imported("AppModule", { file: "schemas/app/module.ts" }));
 * if (edit.problem !== undefined) report(edit.problem); // its file is relative, as all paths here
 * else plan(files.changes()); // [{ path, before, after }]
 *
 * A place begins at the one call of a function, or at a constant, and goes down by argument number and property
 * name; constants, imports, re-exports, spreads, `as const` and `satisfies` are followed, into other files as well:
 * the file that was changed is `edit.file`. Edits of one `SourceFiles` see each other. A `Spot` is good until its
 * file changes.
 */
export { addImport, type NewImport } from "./add-import.js";
export { boundNames, calleeName, resolved, type Spot } from "./bindings.js";
export {
  addProperty,
  addStatement,
  appendElement,
  type Edit,
  type EditPlace,
  imported,
  type NewCode,
  replaceString,
} from "./edits.js";
export { itemsOf, literalAt, locate, type Start, type Steps } from "./places.js";
export {
  ownProperty,
  propertyComments,
  removeConstant,
  removeProperty,
  removeUnusedImports,
  usedImports,
} from "./removals.js";
export { type ReadSource, type SourceChange, SourceFiles } from "./source-files.js";
export { type Splice, spliced } from "./splices.js";
