/** JSON pointers (RFC 6901): how a place in a document is named, in findings and in `$ref`. */

/** The pointer that `steps` make, from the document's root. */
export function jsonPointer(steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${escaped(String(step))}`).join("");
}

/** The steps of a pointer. */
export function pointerSteps(pointer: string): readonly string[] {
  return pointer.split("/").slice(1).map(unescaped);
}

/** A `$ref` to the part of the same document that `steps` name. */
export function fragmentOf(steps: readonly string[]): string {
  // `$` may stand in a fragment, and readers look for `#/$defs`.
  const encoded = (step: string) => encodeURIComponent(escaped(step.toWellFormed())).replaceAll("%24", "$");
  return `#${steps.map((step) => `/${encoded(step)}`).join("")}`;
}

/** The steps of a `$ref` such as `#/$defs/name`; undefined where it leads out of the document or can't be read. */
export function fragmentSteps(reference: string): readonly string[] | undefined {
  if (reference === "#" || reference === "#/") return [];
  if (!reference.startsWith("#/")) return undefined;
  try {
    return reference
      .slice(2)
      .split("/")
      .map((step) => unescaped(decodeURIComponent(step)));
  } catch {
    return undefined;
  }
}

function escaped(step: string): string {
  return step.replace(/~/g, "~0").replace(/\//g, "~1");
}

function unescaped(step: string): string {
  return step.replace(/~1/g, "/").replace(/~0/g, "~");
}
