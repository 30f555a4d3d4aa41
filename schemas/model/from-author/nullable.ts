/** A schema that accepts null as well, without a union: `["T", "null"]` (spec §2.9 rule 2). */
import { isList, isMembers, type JsonMember, type JsonTree } from "../../formats/json-tree.js";
import type { SchemaModel } from "../schema-model.js";

/** `schema`, or null. A reference is made nullable by who holds its definition. */
export function asNullable(schema: SchemaModel): SchemaModel {
  switch (schema.kind) {
    case "any":
    case "reference":
      return schema;
    case "verbatim":
      return { kind: "verbatim", json: nullableTree(schema.json) };
    default:
      return { ...schema, nullable: true };
  }
}

function nullableTree(tree: JsonTree): JsonTree {
  if (!isMembers(tree)) return tree;
  const type = tree.members.find(([name]) => name === "type")?.[1];
  if (type === undefined || tree.members.some(([name]) => name === "const")) {
    return { members: [["anyOf", [tree, { members: [["type", "null"]] }]]] };
  }
  const types = isList(type) ? type : [type];
  return {
    members: tree.members.map(([name, value]): JsonMember => {
      if (name === "type") return [name, types.includes("null") ? types : [...types, "null"]];
      if (name === "enum" && isList(value)) return [name, value.includes(null) ? value : [...value, null]];
      return [name, value];
    }),
  };
}
