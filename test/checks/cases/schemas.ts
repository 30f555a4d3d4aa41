/** Rules of the shape of values. */
import { defineConfiguration, Nullable, StringEnum, Type } from "../../../schemas/index.js";
import type { CheckCase } from "../../support/check-case.js";
import {
  actionFindings,
  ID,
  moduleFindings,
  objectFindings,
  registrationFindings,
  valueFindings,
} from "../../support/checked.js";

const described = { description: "What it is." };
const cyclic = { ...Type.Object({}, described) };
Object.assign(cyclic, { properties: { self: cyclic } });
const nested = (levels: number) => {
  let schema = Type.Array(Type.String());
  for (let level = 2; level < levels; level++) schema = Type.Array(schema) as never;
  return schema;
};

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
    fine: () => moduleFindings({ cacheWriter: defineConfiguration({}) }),
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
        cacheWriter: defineConfiguration({
          employeeConfig: Type.Object({ uploadObject: Type.Boolean(), since: Type.String(described) }),
        }),
      }),
    fine: () =>
      moduleFindings({
        cacheWriter: defineConfiguration({
          employeeConfig: Type.Object({ uploadObject: Type.Boolean() }, { title: "People", ...described }),
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

export const SCHEMA_CASES: readonly CheckCase[] = [...BUILDER, ...SHAPES, ...DESCRIPTIONS, ...ENUMS];
