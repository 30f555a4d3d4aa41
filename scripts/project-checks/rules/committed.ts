/** Rules of the connector.json that lies beside newer modules: stale, or with parts that the connector has lost (§1.6). */
import type { CheckRules } from "../../../schemas/diagnostics/codes.js";
import { type Diagnostic, diagnosticsOf } from "../../../schemas/diagnostics/diagnostic.js";
import { PART_NAMES } from "../../../schemas/diagnostics/locations.js";
import { readConnectorJson } from "../../../schemas/entries/model.js";
import type { ConnectorModel } from "../../../schemas/model/connector-model.js";
import { upperFirst } from "../../../schemas/naming/words.js";

export const COMMITTED_RULES = {
  "extract-stale": {
    severity: "warning",
    section: "§1.6",
    message: "connector.json is out of date: the schema modules give another one.",
    fix: "Run: npx connectorcli extract",
  },
  "object-vanished": {
    severity: "warning",
    section: "§1.6",
    message: "{what} is in connector.json, but no longer part of the connector.",
    fix: "If it is listed only under a condition, list it always. If it was removed on purpose, run: npx connectorcli extract",
  },
} as const satisfies CheckRules;

const report = diagnosticsOf(COMMITTED_RULES);

export interface Committed {
  /** Absolute path. */
  readonly file: string;
  readonly text: string;
}

/** Checks the committed file; `extracted` is the text that `extract` would write. */
export function checkCommitted(
  { file, text }: Committed,
  extracted: string,
  model: ConnectorModel,
): readonly Diagnostic[] {
  // A checkout on Windows may have other line endings.
  if (text.replaceAll("\r\n", "\n") === extracted) return [];
  const before = readConnectorJson(text, file);
  const lost = before.model === undefined ? [] : lostParts(before.model, model);
  return [
    report("extract-stale", { file }, {}),
    ...lost.map(({ what, pointer }) => report("object-vanished", { file, pointer }, { what })),
  ];
}

interface Part {
  /** Identifies the part in both models. */
  readonly id: string;
  readonly what: string;
  readonly pointer: string;
}

/** The outermost parts of `before` that `now` does not have. */
function lostParts(before: ConnectorModel, now: ConnectorModel): readonly Part[] {
  const present = new Set(partsOf(now).map(({ id }) => id));
  const lost = partsOf(before).filter(({ id }) => !present.has(id));
  return lost.filter(({ id }) => !lost.some((other) => id.startsWith(`${other.id}\n`)));
}

/** Modules, data objects and actions; the platform identifies them by their keys within each other. */
function partsOf({ modules }: ConnectorModel): readonly Part[] {
  return modules.flatMap((module, m) => {
    const id = `${module.key}@${module.version}`;
    const pointer = `/modules/${m}`;
    const objects = module.dataObjects.flatMap((object, o) => {
      const objectName = PART_NAMES.dataObject(object.title);
      const own = { id: `${id}\n${object.key}`, pointer: `${pointer}/dataObjects/${o}` };
      const actions = object.actions.map((action, a) => ({
        id: `${own.id}\n${action.key}`,
        what: upperFirst(PART_NAMES.action(action.title, objectName)),
        pointer: `${own.pointer}/actions/${a}`,
      }));
      return [{ ...own, what: upperFirst(objectName) }, ...actions];
    });
    return [{ id, what: upperFirst(PART_NAMES.module(module.title)), pointer }, ...objects];
  });
}
