/** What stands in `test-settings.json` for a setting that nobody has filled in yet. */
import type { JsonTree } from "../../schemas/formats/json-tree.js";
import { keywordOf, type SchemaModel } from "../../schemas/model/schema-model.js";
import type { SettingsNode } from "./settings-shape.js";

/** Switches that a local run needs; everything else is left for the author to say. */
const SWITCHED_ON = new Set(["UploadObject", "ProcessQueuedEvent"]);

/** The default of the schema; otherwise an empty text, list or object, and null for what has no empty value. */
export function initialValue(node: SettingsNode, name: string): JsonTree {
  switch (node.kind) {
    case "members":
      return { members: node.members.map(([member, inner]) => [member, initialValue(inner, member)]) };
    case "connections":
      return node.entries.map(([definitionKey, configuration]) => ({
        members: [
          ["definitionKey", definitionKey],
          ["configuration", initialValue(configuration, "configuration")],
        ],
      }));
    case "value":
      if (name === "activeConnection") return activeConnection(node.schema);
      if (SWITCHED_ON.has(name) && node.schema.kind === "boolean") return true;
      return keywordOf(node.schema, "default") ?? emptyValue(node.schema);
    default:
      return node satisfies never;
  }
}

/** The first definition: it stays the only one for most connectors. */
function activeConnection(schema: SchemaModel): JsonTree {
  return schema.kind === "enum" ? (schema.members[0] ?? "") : "";
}

function emptyValue(schema: SchemaModel): JsonTree {
  if ("nullable" in schema && schema.nullable) return null;
  switch (schema.kind) {
    case "string":
      return "";
    case "array":
      return [];
    case "dictionary":
    case "object":
      return { members: [] };
    default:
      return null;
  }
}
