/** Titles of configuration properties: what a person reads who fills them in (spec §2.8). */
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { found } from "./place.js";
import { isPlatformSwitch } from "./platform-switches.js";
import { textIn } from "./schema-view.js";
import type { VisitedSchema } from "./visit-schemas.js";

/** A property of a configuration without a title. */
export function checkTitle(visited: VisitedSchema): readonly Diagnostic[] {
  const { role, position, condition, place, view, definition } = visited;
  const isConfiguration = role === "registration" || role === "service";
  if (!isConfiguration || position !== "property" || condition || isPlatformSwitch(visited)) return [];
  const title = textIn(view, "title") ?? (definition && textIn(definition, "title")) ?? "";
  return title.trim() === "" ? [found("title-missing", place, { what: place.what })] : [];
}
