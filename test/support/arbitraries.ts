/** Arbitrary values for property tests: texts and JSON, schemas, and whole files in the format of connector.json. */

import fc from "fast-check";
import { renderDocument } from "../../schemas/entries/model.js";
import { fragmentOf, type JsonMember, type JsonTree, membersOf } from "../../schemas/json.js";
import { standardFailure } from "../../schemas/model/standard-failure.js";
import {
  configurationDescription,
  configurationTitle,
  type ServiceType,
} from "../../schemas/naming/service-names.js";
import { displayName, urlPartOf } from "../../schemas/naming/words.js";

const HOSTILE = [
  "",
  " ",
  "*/",
  "/*",
  "//",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what breaks careless templates
  "${x}",
  "`",
  '"',
  "'",
  "\\",
  "</script>",
  "{{x}}",
  "\u2028",
  "\u2029",
  "\ufeff",
  "\u200b",
  "\u202e",
  "\n",
  "\r\n",
  "\t",
  "\u0000",
  "\u007f",
  "\ud800",
  "\udc00x",
  "😀",
  "é",
  "e\u0301",
  "ŉ",
  "ß",
  "İ",
  "ǆ",
  "日本語",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "then",
  "class",
  "delete",
  "import",
  "default",
  "await",
  "let",
  "enum",
  "null",
  "undefined",
  "NaN",
  "Object",
  "String",
  "Type",
  "Nullable",
  "StringEnum",
  "connector",
  "defineModule",
  "RegistrationConfiguration",
  "0",
  "1",
  "01",
  "_1",
  "-1",
  "1.5",
  "4294967295",
  "property1",
  "con",
  "aux",
  "../..",
  "a/b",
  "~",
  "%",
  "%2F",
  "#",
  "$ref",
  "$id",
  "x-",
  "@ts-expect-error",
];

const WORDS = [
  "id",
  "name",
  "Name",
  "NAME",
  "companyId",
  "company_id",
  "CompanyID",
  "hired-on",
  "URLValue",
  "x1y2",
  "value",
  "T1",
];

/** Any text: mostly names that people give, names that break things, and pieces of both. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.constantFrom(...WORDS, ...HOSTILE), { maxLength: 4 })
      .map((parts) => parts.join("")),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  { weight: 1, arbitrary: fc.constantFrom("x".repeat(300), "long name ".repeat(40), "ünï".repeat(80)) },
);

const number = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((value) => (value === 0 ? 0 : value));

/** Any JSON value, members in any order. */
export const json: fc.Arbitrary<JsonTree> = fc.letrec<{ tree: JsonTree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(fc.constant(null), fc.boolean(), number, text),
    fc.array(tie("tree"), { maxLength: 4 }),
    membersWith(text, tie("tree"), 4),
  ),
})).tree;

/** An object with up to `most` members of different names. */
export function membersWith(
  name: fc.Arbitrary<string>,
  value: fc.Arbitrary<JsonTree>,
  most: number,
): fc.Arbitrary<{ members: JsonMember[] }> {
  return fc
    .uniqueArray(fc.tuple(name, value), { maxLength: most, selector: ([key]) => key })
    .map((members) => ({ members }));
}

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

/** Members as the reference tool orders them, and as people and other tools do. */
function inAnyOrder(members: readonly JsonMember[]): fc.Arbitrary<readonly JsonMember[]> {
  const turned = [...members.slice(1), ...members.slice(0, 1)];
  const sorted = [...members].sort(([a], [b]) => (a < b ? -1 : 1));
  return fc.constantFrom(members, members, members, members, turned, sorted);
}

/** A schema with these members first, then keywords that are not among them; at times in another order. */
function schemaOf(shape: fc.Arbitrary<readonly JsonMember[]>): fc.Arbitrary<JsonTree> {
  return fc
    .tuple(shape, keywords)
    .chain(([first, more]) => {
      const names = new Set(first.map(([name]) => name));
      return inAnyOrder([...first, ...more.filter(([name]) => !names.has(name))]);
    })
    .map((members) => ({ members }));
}

const typeOf = (type: string) =>
  fc
    .constantFrom<JsonTree[]>(type, type, type, [type, "null"], [type, "null"], ["null", type])
    .map((value): JsonMember => ["type", value]);

/** `const`, alone or beside its type. */
function literalMembers(value: string | number | boolean): fc.Arbitrary<readonly JsonMember[]> {
  const constant: JsonMember = ["const", value];
  return fc.constantFrom([constant], [["type", typeof value], constant], [constant, ["type", typeof value]]);
}

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
  schemaOf(json.map((value) => [["const", value]])),
  schemaOf(fc.oneof(text, fc.integer(), fc.boolean()).chain(literalMembers)),
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
      arbitrary: schemaOf(
        fc
          .tuple(
            fc.constantFrom("anyOf", "anyOf", "oneOf", "allOf"),
            fc.array(fc.oneof(tie("schema"), fc.constant(membersOf(["type", "null"]))), { maxLength: 3 }),
          )
          .map(([keyword, variants]) => [[keyword, variants]]),
      ),
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
      .tuple(
        node,
        fc.tuple(...names.map(() => fc.oneof(node, reference))),
        fc.constantFrom(true, true, false),
      )
      .map(([root, schemas, isLast]): JsonTree => {
        const definitions = names.map((name, index): JsonMember => [name, schemas[index] ?? true]);
        const defined: JsonMember = ["$defs", { members: definitions }];
        return { members: isLast ? [...root.members, defined] : [defined, ...root.members] };
      });
  });

/** The schema of a record, a payload or a configuration. */
export const root: fc.Arbitrary<JsonTree> = fc.oneof(
  { weight: 6, arbitrary: object },
  { weight: 1, arbitrary: schema },
  { weight: 2, arbitrary: recursive },
);

/** Url part and key: mostly those that follow from the name, as in real files. */
const oddNamed = fc.oneof(
  fc.constantFrom("Employee", "PCOs", "SignalR", "Schedulesv2", "Order Line").map((className) => {
    const plain = className.replace(/ /g, "");
    return [displayName(plain), urlPartOf(plain), urlPartOf(plain)] as const;
  }),
  fc.tuple(text, text, text),
);

function nameMembers(
  [name, urlPart, key]: readonly [string, string, string],
  description: string,
): JsonMember[] {
  return [
    ["name", name],
    ["urlPart", urlPart],
    ["key", key],
    ["description", description],
  ];
}

const option = fc
  .tuple(text, fc.nat({ max: 5 }))
  .map(([label, value]) => membersOf(["label", label], ["value", value]));

const attribute = fc
  .record({
    title: text,
    key: text,
    isSensitive: fc.boolean(),
    isRequired: fc.boolean(),
    description: text,
    options: fc.option(fc.array(option, { minLength: 1, maxLength: 3 }), { nil: undefined }),
  })
  .map((given) =>
    membersOf(
      ["title", given.title],
      ["key", given.key],
      ["isSensitive", given.isSensitive],
      ["isRequired", given.isRequired],
      ["description", given.description],
      ["options", given.options],
    ),
  );

const environment = membersOf(
  ["title", "Connection Environment"],
  ["key", "connectionEnvironment"],
  ["isSensitive", false],
  ["isRequired", true],
  ["description", ""],
  ["options", [membersOf(["label", "Production"], ["value", 1]), membersOf(["label", "Test"], ["value", 2])]],
);

const connection = fc
  .tuple(
    fc.oneof(text, fc.constantFrom("apiKeyAuth", "basicAuth", "oAuth2CodeFlow", "customAuth")),
    text,
    text,
    fc.array(fc.oneof(attribute, fc.constant(environment)), { maxLength: 4 }),
    fc.constantFrom("Standard", "OAuth2CodeFlow", "OAuth2ClientCredentials"),
  )
  .map(([key, name, description, attributes, type]) =>
    membersOf(
      ["key", key],
      ["name", name],
      ["description", description],
      ["attributes", attributes],
      ["type", type],
    ),
  );

const failure = fc.oneof(root, fc.constant<JsonTree>(true), fc.constant(renderDocument(standardFailure())));

const oddAction = fc
  .tuple(oddNamed, text, fc.boolean(), root, root, failure)
  .map(([names, description, rtap, ...payloads]) => ({
    members: [
      ...nameMembers(names, description),
      ["createRtap", rtap],
      ["inputSchema", payloads[0]],
      ["outputSchema", payloads[1]],
      ["failureSchema", payloads[2]],
    ] as JsonMember[],
  }));

const oddObject = fc
  .tuple(oddNamed, text, fc.boolean(), root, fc.array(oddAction, { maxLength: 2 }), fc.boolean())
  .chain(([names, description, endpoint, schemaTree, actions, described]) => {
    const properties = propertyNames(schemaTree);
    const propertyName =
      properties.length === 0
        ? text
        : fc.oneof(fc.constantFrom(...properties), fc.constantFrom(...properties), text);
    const key = fc
      .tuple(text, fc.array(propertyName, { maxLength: 3 }), fc.boolean())
      .map(([name, listed, primary]) => ({ name, listed, primary }));
    return fc.tuple(fc.array(key, { maxLength: 3 }), fc.boolean()).map(([keys, regular]) => ({
      members: [
        ...nameMembers(names, description),
        ["createEndpoint", endpoint],
        ["schema", described ? withDescription(schemaTree, description) : schemaTree],
        [
          "keys",
          keys.map(({ name, listed, primary }, index) =>
            membersOf(
              ["urlPart", name],
              ["propertyNames", listed],
              ["isPrimary", regular ? index === 0 : primary],
            ),
          ),
        ],
        ["actions", actions],
      ] as JsonMember[],
    }));
  });

function propertyNames(tree: JsonTree): readonly string[] {
  const properties =
    typeof tree === "object" && tree !== null && "members" in tree
      ? tree.members.find(([name]) => name === "properties")?.[1]
      : undefined;
  return typeof properties === "object" && properties !== null && "members" in properties
    ? properties.members.map(([name]) => name)
    : [];
}

/** Real files repeat an object's description at the root of its schema. */
function withDescription(tree: JsonTree, description: string): JsonTree {
  if (typeof tree !== "object" || tree === null || !("members" in tree)) return tree;
  const members = tree.members.filter(([name]) => name !== "description");
  return { members: [...members, ["description", description]] };
}

const module_ = fc.tuple(oddNamed, fc.integer({ min: -1, max: 3 })).chain(([names, version]) => {
  const service = (type: ServiceType) =>
    fc
      .tuple(text, fc.oneof(root, configuration(type, names[0], version)))
      .map(([name, schema]) => membersOf(["name", name], ["type", type], ["configSchema", schema]));
  return fc
    .tuple(
      text,
      fc.tuple(service("ActionProcessor"), service("CacheWriter")),
      fc.array(oddObject, { maxLength: 3 }),
    )
    .map(([description, services, objects]) => ({
      members: [
        ...nameMembers(names, description),
        ["version", version],
        ["services", services],
        ["dataObjects", objects],
      ] as JsonMember[],
    }));
});

/** The switches that the platform expects, all of them, some, or more; under the usual title or another one. */
function configuration(type: ServiceType, name: string, version: number): fc.Arbitrary<JsonTree> {
  const boolean = membersOf(["type", "boolean"]);
  const ofObject = membersOf(["UploadObject", boolean]);
  const ofReader = membersOf(
    ["UploadObject", boolean],
    ["EnableModifiedSince", membersOf(["type", "boolean"], ["readOnly", true])],
    ["Checkpoint", membersOf(["type", ["string", "null"]])],
  );
  const ofAction = membersOf(["ProcessQueuedEvent", boolean]);
  const shape = fc
    .tuple(fc.constantFrom(ofObject, ofObject, ofReader, ofAction), fc.constantFrom(undefined, "Switch"))
    .map(([properties, title]) =>
      membersOf(["type", "object"], ["properties", properties], ["title", title]),
    );
  const classNames = ["Employee", "PCOs", "SignalR", "Schedulesv2", "OrderLine"];
  const names = classNames.flatMap((name) => [`${name}Config`, `${name}${name}Config`]);
  const members = fc.oneof(
    membersWith(fc.constantFrom(...names), shape, 3),
    membersWith(fc.constantFrom(...names, "Other"), fc.oneof(shape, root), 3),
  );
  const title = fc.constantFrom(configurationTitle(name, version, type), "Title", undefined);
  const description = fc.constantFrom(configurationDescription(type), "", undefined);
  return fc
    .tuple(members, title, description)
    .map(([properties, heading, words]) =>
      membersOf(
        ["type", "object"],
        ["properties", properties.members.length === 0 ? undefined : properties],
        ["title", heading],
        ["description", words],
      ),
    );
}

/** A `connector.json` as a tree. */
export const connectorTree: fc.Arbitrary<JsonTree> = fc
  .tuple(oddNamed, text, fc.array(connection, { maxLength: 3 }), root, fc.array(module_, { maxLength: 2 }))
  .map(([names, description, connections, configuration, modules]) => ({
    members: [
      ...nameMembers(names, description),
      ["connectionDefinitions", connections],
      ["configSchema", configuration],
      ["modules", modules],
    ] as JsonMember[],
  }));

const names = fc.oneof(
  fc.constantFrom("id", "email", "a.b", "", "__proto__", "constructor", "Object", "type", "~/"),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const types = fc.constantFrom("string", "integer", "number", "boolean", "array", "object", "null", "strng");
const typeKeyword = fc.oneof(types, fc.array(types, { maxLength: 3 }));
const dictionaryOf = <T>(values: fc.Arbitrary<T>) => fc.dictionary(names, values, { maxKeys: 4 });

const ANNOTATIONS = {
  title: names,
  description: fc.oneof(names, fc.constantFrom("TODO", "...", "Represents a(n) id")),
  format: fc.constantFrom("date-time", "datetime", "int32"),
  pattern: fc.constantFrom("^a$", "[", "(?<=a)", "\\-"),
  readOnly: fc.boolean(),
  writeOnly: fc.boolean(),
  required: fc.array(names, { maxLength: 4 }),
  enum: fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 4 }),
};
const CONSTRAINTS = [
  "minLength",
  "maxLength",
  "minimum",
  "exclusiveMaximum",
  "maxItems",
  "const",
  "$ref",
  "if",
];

/** A schema as the format takes it. */
export const jsonSchemas: fc.Arbitrary<unknown> = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constant(true),
    fc
      .tuple(
        fc.record(
          {
            ...ANNOTATIONS,
            type: typeKeyword,
            properties: dictionaryOf(tie("schema")),
            $defs: dictionaryOf(tie("schema")),
          },
          { requiredKeys: [] },
        ),
        fc.dictionary(
          fc.constantFrom("items", "additionalProperties", "not", "propertyNames", "contains"),
          fc.oneof(tie("schema"), fc.array(tie("schema"), { maxLength: 2 }), fc.jsonValue({ maxDepth: 2 })),
          { maxKeys: 2 },
        ),
        fc.dictionary(
          fc.constantFrom("anyOf", "oneOf", "allOf", "prefixItems", "patternProperties"),
          fc.oneof(fc.array(tie("schema"), { maxLength: 2 }), fc.jsonValue({ maxDepth: 2 })),
          { maxKeys: 2 },
        ),
        fc.dictionary(fc.constantFrom(...CONSTRAINTS), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
      )
      .map((parts) => Object.assign({}, ...parts) as unknown),
  ),
})).schema;

const named = { name: names, urlPart: names, key: names, description: names };

const action = fc.record({
  ...named,
  createRtap: fc.boolean(),
  inputSchema: jsonSchemas,
  outputSchema: jsonSchemas,
  failureSchema: jsonSchemas,
});

const dataObject = fc.record({
  ...named,
  createEndpoint: fc.boolean(),
  schema: jsonSchemas,
  keys: fc.array(
    fc.record({
      urlPart: names,
      propertyNames: fc.array(names, { maxLength: 3 }),
      isPrimary: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  actions: fc.array(action, { maxLength: 2 }),
});

const service = (type: string) =>
  fc.record({ name: names, type: fc.constant(type), configSchema: jsonSchemas });

/** The text of a file. */
export const connectorJsonTexts: fc.Arbitrary<string> = fc
  .record({
    name: names,
    urlPart: names,
    key: names,
    description: names,
    connectionDefinitions: fc.array(
      fc.record({
        key: names,
        name: names,
        description: names,
        attributes: fc.array(
          fc.record(
            {
              title: names,
              key: fc.oneof(names, fc.constant("connectionEnvironment")),
              isSensitive: fc.boolean(),
              isRequired: fc.boolean(),
              description: names,
              options: fc.array(fc.record({ label: names, value: fc.integer() }), { maxLength: 3 }),
            },
            { requiredKeys: ["title", "key", "isSensitive", "isRequired", "description"] },
          ),
          { maxLength: 3 },
        ),
        type: fc.constantFrom("Standard", "OAuth2CodeFlow", "OAuth2ClientCredentials"),
      }),
      { maxLength: 2 },
    ),
    configSchema: jsonSchemas,
    modules: fc.array(
      fc.record({
        ...named,
        version: fc.integer(),
        services: fc.tuple(service("ActionProcessor"), service("CacheWriter")),
        dataObjects: fc.array(dataObject, { maxLength: 3 }),
      }),
      { maxLength: 2 },
    ),
  })
  .map((file) => JSON.stringify(file));
