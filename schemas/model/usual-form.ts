/** A model without what its file says of the form of schemas alone. */

import { deepFreeze } from "../json.js";
import type { ConnectorModel } from "./connector-model.js";

/** `model`, each schema of it in the usual form. */
export function inUsualForm(model: ConnectorModel): ConnectorModel {
  // Names of JSON stand in lists, never as members of the model: no other `form` can be met.
  const text = JSON.stringify(model, (name, value: unknown) => (name === "form" ? undefined : value));
  return deepFreeze(JSON.parse(text) as ConnectorModel);
}
