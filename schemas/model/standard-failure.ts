/** The standard failure of actions, as all known connectors have it. The vocabulary's `StandardFailure` is the same. */
import { fromPlain } from "../formats/json-tree.js";
import { deepFreeze } from "./connector-model.js";
import { readDocument } from "./read-schema.js";
import type { SchemaDocument } from "./schema-model.js";

const FAILURE = {
  type: "object",
  properties: {
    code: { type: "string" },
    user_defined_code: { type: ["string", "null"] },
    errors: {
      type: "array",
      items: {
        type: "object",
        properties: {
          text: { type: "string" },
          source: { type: ["array", "null"], items: { type: ["string", "null"] } },
          details: true,
        },
      },
    },
  },
};

const DOCUMENT = deepFreeze(readDocument(fromPlain(FAILURE)));

/** The document of the standard failure. */
export function standardFailure(): SchemaDocument {
  return DOCUMENT;
}
