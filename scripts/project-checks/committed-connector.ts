/** The connector.json that lies beside newer modules: stale, or with parts that the connector has lost (spec §1.6). */
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { readConnectorJson } from "../../schemas/model/index.js";

export interface Committed {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
}

/** What is wrong with the committed file; `extracted` is the text that extract would write. */
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
    diagnostic("extract-stale", { file }, {}),
    ...lost.map(({ what, pointer }) => diagnostic("object-vanished", { file, pointer }, { what })),
  ];
}

interface Part {
  /** Tells it from others in both models. */
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

/** Modules, data objects and actions by what the platform knows them by: their keys, in each other. */
function partsOf({ modules }: ConnectorModel): readonly Part[] {
  return modules.flatMap((module, m) => {
    const id = `${module.key}@${module.version}`;
    const pointer = `/modules/${m}`;
    const objects = module.dataObjects.flatMap((object, o) => {
      const own = { id: `${id}\n${object.key}`, pointer: `${pointer}/dataObjects/${o}` };
      const actions = object.actions.map((action, a) => ({
        id: `${own.id}\n${action.key}`,
        what: `Action "${action.name}" of data object "${object.name}"`,
        pointer: `${own.pointer}/actions/${a}`,
      }));
      return [{ ...own, what: `Data object "${object.name}"` }, ...actions];
    });
    return [{ id, what: `Module "${module.name}"`, pointer }, ...objects];
  });
}
