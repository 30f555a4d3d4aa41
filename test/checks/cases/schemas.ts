/** Rules of the shape of values. */
import {
  defineServiceConfiguration,
  Nullable,
  OptionSet,
  StringEnum,
  Type,
} from "../../../schemas/entries/vocabulary.js";
import {
  actionFindings,
  attributeFindings,
  type CheckCase,
  ID,
  moduleFindings,
  objectFindings,
  registrationFindings,
  valueFindings,
} from "../../support/checks.js";

const described = { description: "What it is." };
const cyclic = { ...Type.Object({}, described) };
Object.assign(cyclic, { properties: { self: cyclic } });
const named = (patternProperties: object) => Type.Unsafe({ ...described, type: "object", patternProperties });
const nested = (levels: number) => {
  let schema = Type.Array(Type.String());
  for (let level = 2; level < levels; level++) schema = Type.Array(schema) as never;
  return schema;
};

const VALUES: readonly CheckCase[] = [
  ...(
    [
      [
        "is of another type",
        Type.Integer({ ...described, default: "1" }),
        Type.Integer({ ...described, default: 1 }),
      ],
      [
        "breaks a limit",
        Type.Number({ ...described, minimum: 1, default: 0 }),
        Type.Number({ ...described, default: 0 }),
      ],
      [
        "is too long",
        Type.String({ ...described, maxLength: 2, default: "abc" }),
        Type.String({ ...described, default: "abc" }),
      ],
      [
        "does not match its pattern",
        Type.String({ ...described, pattern: "^[A-Z]$", default: "a" }),
        Type.String({ ...described, pattern: "^[A-Z]$", default: "A" }),
      ],
      [
        "is no member of its enum",
        StringEnum(["Open"], { ...described, default: "Closed" }),
        StringEnum(["Open"], { ...described, default: "Open" }),
      ],
      [
        "lacks a property",
        Type.Object({ name: ID }, { ...described, default: {} }),
        Type.Object({ name: ID }, { ...described, default: { name: "a" } }),
      ],
      [
        "has an item of another type",
        Type.Array(Type.String(), { ...described, default: [1] }),
        Type.Array(Type.String(), { ...described, default: ["1"] }),
      ],
      [
        "is null",
        Type.String({ ...described, default: null }),
        Nullable(Type.String({ ...described, default: null })),
      ],
    ] as const
  ).map(
    ([what, wrong, fine]): CheckCase => ({
      reports: `a default that ${what}`,
      code: "default-invalid",
      wrong: () => valueFindings(wrong),
      fine: () => valueFindings(fine),
    }),
  ),
  {
    reports: "a required name that is no property",
    code: "required-unknown",
    wrong: () =>
      valueFindings(Type.Unsafe({ ...described, type: "object", properties: { a: ID }, required: ["b"] })),
    fine: () =>
      valueFindings(Type.Unsafe({ ...described, type: "object", properties: { a: ID }, required: ["a"] })),
  },
  {
    reports: "a member of another type",
    code: "enum-invalid",
    wrong: () => valueFindings(Type.Unsafe({ ...described, type: "string", enum: ["Open", 1] })),
    fine: () => valueFindings(Type.Unsafe({ ...described, type: ["string", "integer"], enum: ["Open", 1] })),
  },
  {
    reports: "a member that is too long",
    code: "enum-invalid",
    wrong: () => valueFindings(StringEnum(["Open"], { ...described, maxLength: 3 })),
    fine: () => valueFindings(StringEnum(["Open"], { ...described, maxLength: 4 })),
  },
];

/** What the model builder reports: it knows the author's values, which the model no longer has. */
const BUILDER: readonly CheckCase[] = [
  {
    reports: "a value that is no schema",
    code: "schema-invalid",
    wrong: () => valueFindings("string"),
    fine: () => valueFindings(Type.String(described)),
  },
  {
    reports: "a type that JSON does not have",
    code: "schema-not-json",
    wrong: () => valueFindings(Type.Date(described)),
    fine: () => valueFindings(Type.String({ ...described, format: "date-time" })),
  },
  {
    reports: "an option that JSON does not have",
    code: "schema-keyword-not-json",
    wrong: () => valueFindings(Type.String({ ...described, examples: [() => 1] })),
    fine: () => valueFindings(Type.String({ ...described, examples: [1] })),
  },
  {
    reports: "a schema that contains itself",
    code: "schema-cyclic",
    wrong: () => valueFindings(cyclic),
    fine: () => valueFindings(Type.Object({ self: ID }, described)),
  },
  {
    reports: "a schema that is nested too deep",
    code: "schema-too-deep",
    wrong: () => valueFindings(nested(300)),
    fine: () => valueFindings(nested(100)),
  },
  {
    reports: "a reference that leads nowhere",
    code: "schema-reference-unknown",
    wrong: () => valueFindings(Type.Ref("Nowhere", described)),
    fine: () => valueFindings(Type.Module({ Here: Type.String(described) }).Import("Here")),
  },
];

const SHAPES: readonly CheckCase[] = [
  ...(
    [
      ["any value", Type.Unknown(described), Type.String(described)],
      ["a list of anything", Type.Array(Type.Any(), described), Type.Array(Type.Integer(), described)],
      [
        "a dictionary of anything",
        Type.Record(Type.String(), Type.Any(), described),
        Type.Record(Type.String(), Type.String(), described),
      ],
      [
        "a verbatim schema without a type",
        Type.Unsafe({ ...described, minLength: 1 }),
        Type.Unsafe({ ...described, const: 1 }),
      ],
      [
        "a verbatim list without items",
        Type.Unsafe({ ...described, type: "array" }),
        Type.Unsafe({ ...described, type: "array", prefixItems: [{ type: "string" }] }),
      ],
      [
        "a verbatim object with a property of any kind",
        Type.Unsafe({ type: ["object", "null", "string"], properties: { a: described } }),
        Type.Unsafe({
          type: ["object", "null", "string"],
          properties: { a: { ...described, type: "null" } },
        }),
      ],
    ] as const
  ).map(
    ([name, wrong, fine]): CheckCase => ({
      reports: `${name} as untyped`,
      code: "schema-untyped",
      wrong: () => valueFindings(wrong),
      fine: () => valueFindings(fine),
    }),
  ),
  {
    reports: "a reference in JSON Schema of the author's own that leads nowhere",
    code: "schema-reference-unknown",
    wrong: () => valueFindings(Type.Unsafe<string>({ $ref: "#/$defs/nowhere", ...described })),
    fine: () => valueFindings(Type.Unsafe<string>({ $ref: "#/properties/id", ...described })),
  },
  {
    reports: "values of any kind under a pattern as untyped, but none where an object is closed",
    code: "schema-untyped",
    wrong: () =>
      valueFindings(Type.Unsafe({ ...described, type: "object", patternProperties: { "^x": {} } })),
    fine: () => valueFindings(Type.Object({ a: ID }, { ...described, additionalProperties: false })),
  },
  {
    reports: "items of any kind as untyped, but none where a list has none",
    code: "schema-untyped",
    wrong: () => valueFindings(Type.Unsafe({ ...described, type: "array", items: true })),
    fine: () => valueFindings(Type.Unsafe({ ...described, type: "array", items: false })),
  },
  {
    reports: "a list of two of which one may be anything, but not one that ends behind a text",
    code: "schema-untyped",
    wrong: () => valueFindings(Type.Unsafe({ ...described, type: "array", prefixItems: [{}, false] })),
    fine: () =>
      valueFindings(
        Type.Unsafe({ ...described, type: "array", prefixItems: [{ ...described, type: "string" }, false] }),
      ),
  },
  {
    reports: "names of any value as untyped, but none that are refused",
    code: "schema-untyped",
    wrong: () => valueFindings(named({ "^_": false, "^x": {} })),
    fine: () => valueFindings(named({ "^_": false, "^x": { ...described, type: "string" } })),
  },
  {
    reports: "a property of any value as untyped, but none that is refused",
    code: "schema-untyped",
    wrong: () => valueFindings(Type.Unsafe({ ...described, type: "object", properties: { a: true } })),
    fine: () => valueFindings(Type.Unsafe({ ...described, type: "object", properties: { a: false } })),
  },
  {
    reports: "an object that is open, but not as untyped",
    code: "schema-untyped",
    wrong: () => valueFindings(Type.Unsafe({ type: "object", additionalProperties: true })),
    fine: () => valueFindings(Type.Object({ a: ID }, { ...described, additionalProperties: true as never })),
  },
  {
    reports: "a union as a combination",
    code: "schema-combined",
    wrong: () => valueFindings(Type.Union([Type.String(), Type.Integer()], described)),
    fine: () => valueFindings(Nullable(Type.String(described))),
  },
  {
    reports: "a combination among the options of a type",
    code: "schema-combined",
    wrong: () =>
      valueFindings(Type.Object({ a: ID }, { ...described, allOf: [{ required: ["a"] }] } as never)),
    fine: () => valueFindings(Type.Object({ a: ID }, described)),
  },
  {
    reports: "bytes by their encoding",
    code: "schema-bytes",
    wrong: () => valueFindings(Type.String({ ...described, contentEncoding: "base64" })),
    fine: () => valueFindings(Type.String({ ...described, contentEncoding: "quoted-printable" })),
  },
  {
    reports: "bytes by their format, in a list too",
    code: "schema-bytes",
    wrong: () => valueFindings(Type.Array(Type.String({ format: "binary" }), described)),
    fine: () => valueFindings(Type.Array(Type.String({ format: "uri" }), described)),
  },
  {
    reports: "a type that JSON Schema does not have",
    code: "type-unknown",
    wrong: () => valueFindings(Type.Unsafe({ ...described, type: "strng" })),
    fine: () => valueFindings(Type.Unsafe({ ...described, type: ["integer", "string"] })),
  },
  {
    reports: "null said as OpenAPI says it",
    code: "nullable-not-json-schema",
    wrong: () => valueFindings(Type.String({ ...described, nullable: true })),
    fine: () => valueFindings(Nullable(Type.String({ ...described, "x-nullable": true }))),
  },
  {
    reports: "a data object that is a list",
    code: "schema-root-not-object",
    wrong: () => objectFindings(Type.Array(ID)),
    fine: () => objectFindings(Type.Unsafe({ properties: { id: ID }, required: ["id"], type: "object" })),
  },
  {
    reports: "a data object that is a dictionary",
    code: "schema-root-not-object",
    wrong: () => objectFindings(Type.Record(Type.String(), ID)),
    fine: () => actionFindings({ input: Type.Record(Type.String(), ID) }),
  },
  {
    reports: "an action output that is a text, but not one that is a list",
    code: "schema-root-not-object",
    wrong: () => actionFindings({ output: Type.String() }),
    fine: () => actionFindings({ output: Type.Array(ID) }),
  },
];

const DESCRIPTIONS: readonly CheckCase[] = [
  {
    reports: "a property without a description",
    code: "description-missing",
    wrong: () => valueFindings(Type.String()),
    fine: () => valueFindings(Nullable(Type.String(described))),
  },
  {
    reports: "a property of a list's items without a description, but not the items",
    code: "description-missing",
    wrong: () => valueFindings(Type.Array(Type.Object({ a: Type.String() }), described)),
    fine: () => valueFindings(Type.Record(Type.String(), Type.Object({ a: ID }), described)),
  },
  {
    reports: "a verbatim property without a description",
    code: "description-missing",
    wrong: () => valueFindings(Type.Unsafe({ type: ["integer", "string"] })),
    fine: () => valueFindings(Type.Unsafe({ ...described, type: ["integer", "string"] })),
  },
  {
    reports: "a recursive property without a description, but not one whose definition has it",
    code: "description-missing",
    wrong: () => valueFindings(Type.Recursive((Self) => Type.Object({ a: Type.Array(Self, described) }))),
    fine: () =>
      valueFindings(Type.Recursive((Self) => Type.Object({ a: Type.Array(Self, described) }, described))),
  },
  {
    reports: "a module without a description",
    code: "description-missing",
    wrong: () => moduleFindings({ description: " " }),
    fine: () => moduleFindings({ description: "People." }),
  },
  {
    reports: "an action without a description, but not the standard failure",
    code: "description-missing",
    wrong: () => actionFindings({ description: "" }),
    fine: () => actionFindings({}),
  },
  {
    reports: "a property of a configuration without a description, but not the platform's switches",
    code: "description-missing",
    wrong: () => registrationFindings({ region: Type.String({ title: "Region" }) }),
    fine: () =>
      moduleFindings({
        cacheWriter: defineServiceConfiguration("CacheWriterConfiguration", { properties: {} }),
      }),
  },
  ...(
    [
      ["TODO", "To do lists of the employee."],
      ["description", "Description of the work that is to be done."],
      ["Lorem ipsum dolor sit amet.", "Losses."],
      ["value", "The value in euro."],
      ["...", "Years…"],
      ["Enter description here", "Enters the building at this time."],
      ["Example description of the property.", "Example of the work."],
    ] as const
  ).map(
    ([placeholder, real]): CheckCase => ({
      reports: `the description "${placeholder}" as a placeholder, but not "${real}"`,
      code: "description-placeholder",
      wrong: () => valueFindings(Type.String({ description: placeholder })),
      fine: () => valueFindings(Type.String({ description: real })),
    }),
  ),
  {
    reports: "a description that only says what the class is called",
    code: "description-placeholder",
    wrong: () => objectFindings(undefined, { description: "Represents a(n) Employee" }),
    fine: () => objectFindings(undefined, { description: "Represents an employee of the company" }),
  },
  {
    reports: "a property of a configuration without a title",
    code: "title-missing",
    wrong: () => registrationFindings({ region: Type.String(described) }),
    fine: () => registrationFindings({ region: Type.String({ ...described, title: "Region" }) }),
  },
  {
    reports: "a property that was added to a switch without a title, but not the switch's own",
    code: "title-missing",
    wrong: () =>
      moduleFindings({
        cacheWriter: defineServiceConfiguration("CacheWriterConfiguration", {
          properties: {
            employeeConfig: Type.Object({ uploadObject: Type.Boolean(), since: Type.String(described) }),
          },
        }),
      }),
    fine: () =>
      moduleFindings({
        cacheWriter: defineServiceConfiguration("CacheWriterConfiguration", {
          properties: {
            employeeConfig: Type.Object({ uploadObject: Type.Boolean() }, { title: "People", ...described }),
          },
        }),
      }),
  },
];

const ENUMS: readonly CheckCase[] = [
  {
    reports: "a list without members",
    code: "enum-invalid",
    wrong: () => valueFindings(StringEnum([], described)),
    fine: () => valueFindings(StringEnum(["A"], described)),
  },
  {
    reports: "a member that stands twice",
    code: "enum-invalid",
    wrong: () => valueFindings(StringEnum(["A", "B", "A"], described)),
    fine: () => valueFindings(StringEnum(["A", "B", "a"], described)),
  },
  {
    reports: "a number that stands twice in a verbatim list",
    code: "enum-invalid",
    wrong: () => valueFindings(Type.Unsafe({ ...described, type: "integer", enum: [1, 1] })),
    fine: () => valueFindings(Type.Unsafe({ ...described, enum: [1, "1"] })),
  },
  {
    reports: "a nullable list without null",
    code: "enum-null-missing",
    wrong: () => valueFindings(Type.Unsafe({ ...described, type: ["string", "null"], enum: ["A"] })),
    fine: () => valueFindings(Nullable(StringEnum(["A"], described))),
  },
];

const record = (options: Record<string, unknown>) => valueFindings(Type.String({ ...described, ...options }));
const attribute = (options: Record<string, unknown>) =>
  attributeFindings(Type.String({ title: "A", ...described, ...options }));

const ANNOTATIONS: readonly CheckCase[] = [
  {
    reports: "isSensitive on a property of a record",
    code: "annotation-misplaced",
    wrong: () => record({ isSensitive: true }),
    fine: () => record({ writeOnly: true }),
  },
  {
    reports: "writeOnly on a property of a connection",
    code: "annotation-misplaced",
    wrong: () => attribute({ writeOnly: true }),
    fine: () => attribute({ isSensitive: true }),
  },
  {
    reports: "a serialized name on the whole input of an action",
    code: "annotation-misplaced",
    wrong: () => actionFindings({ input: Type.Object({}, { jsonPropertyName: "a" }) }),
    fine: () => actionFindings({ input: Type.Object({ a: Type.String({ jsonPropertyName: "a" }) }) }),
  },
  {
    reports: "a serialized name on items, but not on a property inside Nullable",
    code: "annotation-misplaced",
    wrong: () => valueFindings(Type.Array(Type.String({ jsonPropertyName: "a" }), described)),
    fine: () => valueFindings(Nullable(Type.String({ ...described, jsonPropertyName: "a" }))),
  },
  {
    reports: "labels of an enum outside connections",
    code: "annotation-misplaced",
    wrong: () => valueFindings(OptionSet({ A: 1 }, described)),
    fine: () => attributeFindings(OptionSet({ A: 1 }, { title: "A", ...described, isSensitive: false })),
  },
  {
    reports: "a misspelt annotation",
    code: "keyword-unknown",
    wrong: () => record({ jsonPropertName: "b" }),
    fine: () => record({ jsonPropertyName: "b" }),
  },
  {
    reports: "a misspelt keyword of an inner schema",
    code: "keyword-unknown",
    wrong: () => valueFindings(Type.Array(Type.String({ minLenght: 1 }), described)),
    fine: () => valueFindings(Type.Array(Type.String({ minLength: 1, "x-minLenght": 1 }), described)),
  },
  {
    reports: "no keyword of JSON Schema that is written as such",
    code: "keyword-unknown",
    wrong: () => valueFindings(Type.Object({ a: Type.String(described) }, { ...described, minProperty: 1 })),
    fine: () => valueFindings(Type.Unsafe({ ...described, type: "string", formatting: "bold" })),
  },
];

export const SCHEMA_CASES: readonly CheckCase[] = [
  ...VALUES,
  ...BUILDER,
  ...SHAPES,
  ...DESCRIPTIONS,
  ...ENUMS,
  ...ANNOTATIONS,
];
