/** Arbitrary schemas as a `connector.json` may hold them: sound ones, odd ones, broken ones. */
import fc from "fast-check";
import { type JsonMember, type JsonTree, membersOf } from "../../schemas/formats/json-tree.js";
import { fragmentOf } from "../../schemas/naming/json-pointer.js";
import { json, membersWith, text } from "./arbitrary-json.js";

/** Annotations and constraints as files have them: right ones, wrong ones, unknown ones. */
const keyword: fc.Arbitrary<JsonMember> = fc.oneof(
  fc.tuple(fc.constantFrom("title", "description", "format", "pattern"), text),
  fc.tuple(fc.constantFrom("readOnly", "writeOnly"), fc.boolean()),
  fc.tuple(fc.constantFrom("minLength", "maxLength", "minimum", "maximum", "minItems"), fc.integer()),
  fc.tuple(fc.constantFrom("uniqueItems", "deprecated", "additionalProperties"), fc.boolean()),
  fc.tuple(fc.constantFrom("default", "examples", "const", "x-note", "$comment", "if", "not"), json),
  fc.tuple(fc.constantFrom("jsonPropertyName", "isSensitive", "options", "$id", "$schema", "kind"), json),
  fc.tuple(fc.constantFrom("items", "patternProperties", "anyOf", "allOf", "dependencies"), json),
  fc.tuple(
    text.filter(
      (name) =>
        !["type", "properties", "required", "title", "description", "enum"].includes(name) && !HELD.has(name),
    ),
    json,
  ),
);

/** Keywords that the format holds to a type. */
const HELD = new Set(["format", "pattern", "readOnly", "writeOnly", "$defs"]);

const usualKeyword: fc.Arbitrary<JsonMember> = fc.oneof(
  fc.tuple(fc.constantFrom("title", "description", "format", "pattern"), text),
  fc.tuple(fc.constantFrom("readOnly", "writeOnly"), fc.constant(true)),
  fc.tuple(fc.constantFrom("minLength", "maxLength", "minimum", "maximum"), fc.nat()),
);

const keywords: fc.Arbitrary<readonly JsonMember[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 4, arbitrary: fc.uniqueArray(usualKeyword, { maxLength: 3, selector: ([name]) => name }) },
  { weight: 2, arbitrary: fc.uniqueArray(keyword, { maxLength: 3, selector: ([name]) => name }) },
);

/** A schema with these members first, then keywords that are not among them. */
function schemaOf(shape: fc.Arbitrary<readonly JsonMember[]>): fc.Arbitrary<JsonTree> {
  return fc.tuple(shape, keywords).map(([first, more]) => {
    const names = new Set(first.map(([name]) => name));
    return { members: [...first, ...more.filter(([name]) => !names.has(name))] };
  });
}

const typeOf = (type: string) =>
  fc.constantFrom<JsonTree[]>(type, type, [type, "null"]).map((value): JsonMember => ["type", value]);

const leaf = fc.oneof(
  schemaOf(
    fc
      .constantFrom("string", "integer", "number", "boolean")
      .chain(typeOf)
      .map((type) => [type]),
  ),
  schemaOf(
    fc
      .tuple(typeOf("string"), fc.array(text, { maxLength: 5 }))
      .map(([type, members]) => [type, ["enum", Array.isArray(type[1]) ? [...members, null] : members]]),
  ),
  schemaOf(fc.constant([])),
  fc.constant<JsonTree>(true),
  schemaOf(
    fc.constantFrom<JsonMember[][]>(
      [["type", "null"]],
      [["type", ["null", "string"]]],
      [["type", ["string", "integer"]]],
    ),
  ),
  schemaOf(fc.array(json, { maxLength: 3 }).map((members) => [["enum", members]])),
);

/** Shapes that files share, so that constants are found. */
const repeated: fc.Arbitrary<JsonTree> = fc.constantFrom<JsonTree[]>(
  membersOf(
    ["type", "object"],
    [
      "properties",
      membersOf(["street_name", membersOf(["type", "string"])], ["1", membersOf(["type", "integer"])]),
    ],
    ["required", ["street_name"]],
  ),
  membersOf(["type", ["string", "null"]], ["enum", ["Red", "Green", "Blue", null]]),
  membersOf(["type", "string"], ["enum", ["Red", "Green", "Blue"]], ["description", "*/ ` \u2028"]),
);

const { schema, object } = fc.letrec<{ schema: JsonTree; object: JsonTree }>((tie) => ({
  object: schemaOf(
    fc
      .tuple(
        typeOf("object"),
        fc.uniqueArray(fc.tuple(text, tie("schema"), fc.boolean()), {
          maxLength: 5,
          selector: ([name]) => name,
        }),
        fc.constantFrom("kept", "kept", "kept", "kept", "reversed", "strange"),
      )
      .map(([type, properties, order]): JsonMember[] => {
        const required = properties.filter(([, , must]) => must).map(([name]) => name);
        if (order === "reversed") required.reverse();
        if (order === "strange") required.push("strange");
        const listed: JsonMember[] = required.length === 0 ? [] : [["required", required]];
        if (properties.length === 0 && listed.length === 0) return [type];
        return [
          type,
          ["properties", { members: properties.map(([name, value]): JsonMember => [name, value]) }],
          ...listed,
        ];
      }),
  ),
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 5, arbitrary: leaf },
    { weight: 3, arbitrary: tie("object") },
    { weight: 2, arbitrary: repeated },
    {
      weight: 2,
      arbitrary: schemaOf(
        fc.tuple(typeOf("array"), tie("schema")).map(([type, items]) => [type, ["items", items]]),
      ),
    },
    {
      weight: 1,
      arbitrary: schemaOf(
        fc
          .tuple(typeOf("object"), tie("schema"))
          .map(([type, values]) => [type, ["additionalProperties", values]]),
      ),
    },
    {
      weight: 1,
      arbitrary: schemaOf(fc.array(tie("schema"), { maxLength: 3 }).map((variants) => [["anyOf", variants]])),
    },
  ),
}));

/** A root that refers to definitions of its own, sound and unsound. */
const recursive: fc.Arbitrary<JsonTree> = fc
  .uniqueArray(text, { minLength: 1, maxLength: 3 })
  .chain((names) => {
    const pointer = fc.constantFrom(...names, "Missing").map((name) => fragmentOf(["$defs", name]));
    const reference = schemaOf(pointer.map((to) => [["$ref", to]]));
    const node = fc
      .tuple(membersWith(text, fc.oneof(schema, reference), 4), fc.boolean())
      .map(([properties, nullable]) =>
        membersOf(
          ["type", nullable ? ["object", "null"] : "object"],
          ["properties", properties.members.length === 0 ? undefined : properties],
        ),
      );
    return fc
      .tuple(node, fc.tuple(...names.map(() => fc.oneof(node, reference))))
      .map(([root, schemas]): JsonTree => {
        const definitions = names.map((name, index): JsonMember => [name, schemas[index] ?? true]);
        return { members: [...root.members, ["$defs", { members: definitions }]] };
      });
  });

/** The schema of a record, a payload or a configuration. */
export const root: fc.Arbitrary<JsonTree> = fc.oneof(
  { weight: 6, arbitrary: object },
  { weight: 1, arbitrary: schema },
  { weight: 2, arbitrary: recursive },
);
