/** Variables of paths, as declarations and OpenAPI documents write them: `id` in `/projects/{id}`. */

/** Names of the variables of a path, in their order, wherever they stand in it. */
export function variablesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name);
}
