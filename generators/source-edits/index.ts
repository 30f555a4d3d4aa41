/**
 * Edits of authors' modules that leave every other byte as it is: pure, text in and text out.
 *
 * A place begins at the one call of a function, or at a constant, and goes down by argument number and property
 * name; constants, imports, re-exports, spreads, `as const` and `satisfies` are followed, into other files as well:
 * the file that was changed is `edit.file`. Edits of one `SourceFiles` see each other. A `Spot` is good until its
 * file changes.
 *
 * @example
 * const files = new SourceFiles((path) => textOrUndefined(path));
 * const place = { start: { file: "connector.ts", call: "defineConnector" }, steps: [1, "modules"] };
 * const edit = appendElement(files, place, importedName("AppModule", { file: "schemas/app/module.ts" }));
 * if (edit.problem !== undefined) report(edit.problem); // its file is relative, as all paths here
 * else plan(files.changes()); // [{ path, before, after }]
 */

export {
  addProperty,
  addStatement,
  appendElement,
  type Edit,
  type EditPlace,
  hasProperty,
  importedName,
  type NewCode,
  ownProperty,
  propertyComments,
  removeConstant,
  removeProperty,
  replaceCall,
  replaceString,
} from "./edits.js";
export {
  boundNames,
  calleeName,
  itemsOf,
  literalAt,
  locate,
  resolveNode,
  restatedProperties,
  type Spot,
  type Start,
  type Steps,
} from "./find-code.js";
export { addImport, type NewImport, removeUnusedImports, usedImports } from "./imports.js";
export { type ReadSource, type SourceChange, SourceFiles } from "./source-files.js";
export { applySplices, type Splice } from "./splices.js";
