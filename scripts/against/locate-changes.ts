/** Gives changes their lines: in the old file, and in the author's code. */

import type { Change, Site } from "../../schemas/compatibility/change.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { pointerSteps } from "../../schemas/naming/json-pointer.js";
import type { LoadedProject } from "../author-project/loaded-project.js";
import { type CodePlace, nearestOrigin } from "../author-project/locate.js";
import { SourceIndex } from "../author-project/source-index.js";
import { readIfThere } from "../read-if-there.js";
import { codePath } from "./code-path.js";
import type { OldSide } from "./old-side.js";

export function locateChanges(
  changes: readonly Change[],
  old: OldSide,
  { model, origins = [] }: Pick<LoadedProject, "model" | "origins">,
): readonly Change[] {
  const calls = new Map(origins);
  const indexes = new Map<string, SourceIndex>();
  return changes.map((change) => ({
    ...change,
    old: { ...change.old, file: old.file, ...old.document.place(numbered(change.old.pointer)) },
    new: model === undefined ? change.new : placed(change.new, { model, calls, indexes }),
  }));
}

interface Sources {
  readonly model: ConnectorModel;
  readonly calls: ReadonlyMap<string, CodePlace>;
  readonly indexes: Map<string, SourceIndex>;
}

function placed(site: Site, { model, calls, indexes }: Sources): Site {
  const origin = nearestOrigin(site.pointer, calls);
  const call = origin === undefined ? undefined : calls.get(origin);
  if (call === undefined) return site;
  const index = indexes.get(call.file) ?? new SourceIndex(readIfThere(call.file) ?? "");
  indexes.set(call.file, index);
  return { ...site, ...call, ...index.find(call, codePath(model, site.pointer)) };
}

/** Steps as the JSON reader takes them: list positions as numbers. */
function numbered(pointer: string): readonly (string | number)[] {
  return pointerSteps(pointer).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}
