/** What loading a project gives, and the texts as which it goes from thread to thread and into the cache. */
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import type { FileHashes } from "./cache-file.js";
import type { CodePlace } from "./locate.js";

/** Where the author's code defines what stands at a pointer of `connector.json`. */
export type Origins = readonly (readonly [pointer: string, place: CodePlace])[];

/** What a project is, once it is loaded. Without a model, an error among the diagnostics says why. */
export interface LoadedProject {
  readonly model?: ConnectorModel;
  /** The text of `connector.json`. */
  readonly connectorJson?: string;
  /** Sorted by place; files are absolute. */
  readonly diagnostics: readonly Diagnostic[];
  /** Findings that their author silenced, each with the reason. */
  readonly silenced?: readonly Diagnostic[];
  /** The files that it was loaded from, where they are known to be that still. */
  readonly inputs?: FileHashes;
  /** Only where definitions were asked for. */
  readonly origins?: Origins;
}

/** The same, with the model as JSON: no command reads all of it. */
export interface ProjectTexts {
  readonly modelJson?: string;
  readonly connectorJson?: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Findings that their author silenced, each with the reason. */
  readonly silenced?: readonly Diagnostic[];
  readonly inputs?: FileHashes;
  /** Only where definitions were asked for. */
  readonly origins?: Origins;
}

/** The project of these texts; its model is read when it is first asked for. */
export function projectOfTexts({ modelJson, connectorJson, ...rest }: ProjectTexts): LoadedProject {
  if (modelJson === undefined || connectorJson === undefined) return rest;
  let model: ConnectorModel | undefined;
  return {
    get model() {
      model ??= JSON.parse(modelJson) as ConnectorModel;
      return model;
    },
    connectorJson,
    ...rest,
  };
}
