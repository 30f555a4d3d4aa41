/** The list of emitters: what can be made from a model. Commands run emitters and do not know what they make. */
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { generatedModules } from "../classes/generated-modules.js";
import { connectorJson } from "../connector-json.js";
import type { GeneratedFile } from "../generated-file.js";
import { CONNECTOR_JSON, type Layout, projectLayout } from "../layout.js";

/** Makes files of a project from the model of its connector. */
export interface Emitter {
  /** What it makes, in a word or two, unique in a list. */
  readonly name: string;
  /**
   * The files, in any order. Reads and writes nothing: the same model gives the same bytes.
   * @param layout Names and places of the project's files, which is `projectLayout(model)`.
   */
  emit(model: ConnectorModel, layout: Layout): readonly GeneratedFile[];
}

/** `generated/`: typed classes with their checks, configurations and the wiring. */
export const classEmitter: Emitter = { name: "classes", emit: generatedModules };

/** `connector.json`, which the platform reads: what `connectorcli extract` writes. */
export const connectorJsonEmitter: Emitter = {
  name: "connector.json",
  emit: (model) => [{ path: CONNECTOR_JSON, content: connectorJson(model), ownership: "generated" }],
};

/** The emitters that `connectorcli gen` runs. They write under `generated/`; files there that no emitter makes are removed. */
export const GEN_EMITTERS: readonly Emitter[] = [classEmitter];

/** The files that the emitters make from the model, in the order of the emitters. */
export function emitFiles(model: ConnectorModel, emitters: readonly Emitter[]): readonly GeneratedFile[] {
  const layout = projectLayout(model);
  return emitters.flatMap((emitter) => emitter.emit(model, layout));
}
