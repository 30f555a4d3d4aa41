/** All checks on a model, in one call: the same on the command line, in the editor and in CI. */
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { ConnectorModel } from "../model/connector-model.js";

/** Every finding in `model`, in the order of the model. */
export function checkModel(model: ConnectorModel): readonly Diagnostic[] {
  void model;
  return [];
}
