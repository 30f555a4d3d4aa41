/** Serialized names of one record in two styles: mostly a convention that was forgotten (spec §2.9). */
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { below, found } from "./place.js";
import type { VisitedSchema } from "./visit-schemas.js";

const STYLES: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  // A single word in small letters is in all styles.
  { name: "camelCase", pattern: /^[a-z][a-z0-9]*(?:[A-Z][a-zA-Z0-9]*)+$/ },
  { name: "PascalCase", pattern: /^[A-Z][a-zA-Z0-9]*[a-z][a-zA-Z0-9]*$/ },
  { name: "snake_case", pattern: /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/ },
  { name: "kebab-case", pattern: /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/ },
  { name: "UPPER_SNAKE_CASE", pattern: /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/ },
];

/** One note for an object whose properties follow two styles, at the first of the fewer. */
export function checkNameStyles({ view, place, role }: VisitedSchema): readonly Diagnostic[] {
  if (role !== "dataObject" && role !== "input" && role !== "output") return [];
  const styled = view.properties.flatMap(({ name, jsonName }) => {
    const style = STYLES.find(({ pattern }) => pattern.test(jsonName))?.name;
    return style === undefined ? [] : [{ name, jsonName, style }];
  });
  const counts = new Map<string, number>();
  for (const { style } of styled) counts.set(style, (counts.get(style) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  const odd = styled.find(({ style }) => style !== most?.[0]);
  if (most === undefined || odd === undefined) return [];
  const at = below(place, { pointer: ["properties", odd.jsonName], path: [odd.name] });
  const parameters = { what: place.what, style: most[0], name: odd.jsonName, other: odd.style };
  return [found("name-style-mixed", at, parameters)];
}
