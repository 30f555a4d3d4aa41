/** Files that version 1.3 and older generated import their helpers from `connectorcli/runtime`. */

/**
 * Stands in place of those helpers, so that an outdated file ends in one clear error and not in a missing export.
 * @deprecated Only outdated generated files import it. Run `connectorcli gen`.
 * @throws Error always.
 */
export function outdatedGeneratedCode(): never {
  throw new Error(
    "The files under generated/ were made by an older version of connectorcli. Run npx connectorcli gen, which writes them again.",
  );
}
