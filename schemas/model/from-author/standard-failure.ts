/** The standard failure of actions, as the model has it. */
import { StandardFailure } from "../../authoring/standard-failure.js";
import { deepFreeze } from "../connector-model.js";
import type { SchemaDocument } from "../schema-model.js";
import { buildDocument } from "./build-schema.js";
import { newScope } from "./scope.js";

let built: SchemaDocument | undefined;

/** The document of `StandardFailure`, built once. */
export function standardFailure(): SchemaDocument {
  built ??= deepFreeze(buildDocument(StandardFailure, newScope("the standard failure", "camelCase")));
  return built;
}
