/** Rules of keys. */
import { Nullable, StringEnum, Type } from "../../../schemas/entries/vocabulary.js";
import { type CheckCase, ID, keyFindings, objectFindings } from "../../support/checks.js";

const two = { id: ID, number: Type.String({ description: "Personnel number." }) };
const alternates = (...alternateKeys: { name: string; properties: string[] }[]) =>
  objectFindings(two, { alternateKeys: alternateKeys as never });
const key = (name: string, ...properties: string[]) => ({ name, properties });
const spelled = (...primary: boolean[]) =>
  objectFindings(two, {
    keys: primary.map((isPrimary, index) => ({
      ...key(`key${index}`, index === 0 ? "id" : "number"),
      isPrimary,
    })),
  } as never);
const described = { description: "What it is." };
const Node = Type.Recursive((Self) => Type.Object({ next: Type.Optional(Self) }, described), {
  $id: "Node",
});

export const KEY_CASES: readonly CheckCase[] = [
  {
    reports: "an object without a primary key",
    code: "key-missing",
    wrong: () => objectFindings(two, { primaryKey: undefined as never }),
    fine: () => objectFindings(two),
  },
  {
    reports: "alternate keys without a primary one",
    code: "key-missing",
    wrong: () => spelled(false, false),
    fine: () => spelled(true, false),
  },
  {
    reports: "two primary keys",
    code: "key-several-primary",
    wrong: () => spelled(true, true),
    fine: () => spelled(false, true),
  },
  {
    reports: "a key without properties",
    code: "key-empty",
    wrong: () => keyFindings(two),
    fine: () => keyFindings(two, "id"),
  },
  {
    reports: "a key property that does not exist",
    code: "key-property-unknown",
    wrong: () => keyFindings(two, "nummber"),
    fine: () => keyFindings(two, "number"),
  },
  {
    reports: "a key property that holds an object",
    code: "key-property-not-scalar",
    wrong: () => keyFindings({ ...two, address: Type.Object({ city: ID }, described) }, "address"),
    fine: () => keyFindings({ ...two, count: Type.Integer(described) }, "count"),
  },
  {
    reports: "a key property whose integers lose digits",
    code: "key-property-inexact",
    wrong: () => keyFindings({ ...two, serial: Type.Integer({ ...described, format: "int64" }) }, "serial"),
    fine: () =>
      keyFindings(
        { ...two, serial: Type.Integer({ ...described, format: "int64", maximum: 1e15 }) },
        "serial",
      ),
  },
  {
    reports: "a path in a key",
    code: "key-property-nested",
    wrong: () => keyFindings({ ...two, address: Type.Object({ city: ID }, described) }, "address.city"),
    fine: () => keyFindings({ ...two, "address.city": ID }, "address.city"),
  },
  {
    reports: "a path with brackets in a key",
    code: "key-property-nested",
    wrong: () => keyFindings(two, "number[0]"),
    fine: () => keyFindings(two, "number0"),
  },
  {
    reports: "a key property that is optional",
    code: "key-property-optional",
    wrong: () => keyFindings({ id: Type.Optional(ID) }, "id"),
    fine: () => keyFindings({ id: ID, other: Type.Optional(ID) }, "id"),
  },
  ...(
    [
      ["nullable", Nullable(ID), ID],
      ["a nullable enum", Nullable(StringEnum(["A"], described)), StringEnum(["A"], described)],
      ["any value", Type.Unknown(described), Type.Boolean(described)],
      [
        "a verbatim schema with null",
        Type.Unsafe({ type: ["string", "integer", "null"] }),
        Type.Unsafe({ type: ["string", "integer"] }),
      ],
      [
        "a combination with null",
        Type.Unsafe({ oneOf: [{ type: "string" }, { enum: ["A", null] }] }),
        Type.Unsafe({ oneOf: [{ type: "string" }, { enum: ["A"] }] }),
      ],
      ["a verbatim schema of everything", Type.Unsafe({}), Type.Unsafe({ not: { type: "null" } })],
      ["a reference to a nullable definition", Nullable(Node), Node],
    ] as const
  ).map(
    ([name, nullable, plain]): CheckCase => ({
      reports: `a key property that is ${name}`,
      code: "key-property-nullable",
      wrong: () => keyFindings({ id: nullable }, "id"),
      fine: () => keyFindings({ id: plain }, "id"),
    }),
  ),
  {
    reports: "a property that stands in a key twice",
    code: "key-property-repeated",
    wrong: () => keyFindings(two, "id", "number", "id"),
    fine: () => keyFindings(two, "id", "number"),
  },
  {
    reports: "a key name with characters that do not belong there",
    code: "key-name-unsafe",
    wrong: () => alternates(key("company,number", "number")),
    fine: () => alternates(key("company_number-2", "number")),
  },
  {
    reports: "an empty key name",
    code: "key-name-empty",
    wrong: () => alternates(key("", "number")),
    fine: () => alternates(key("n", "number")),
  },
  {
    reports: "two keys of one name",
    code: "key-duplicate-name",
    wrong: () => alternates(key("id", "number")),
    fine: () => alternates(key("ID", "number")),
  },
  {
    reports: "two keys with the same properties in any order",
    code: "key-duplicate-properties",
    wrong: () => alternates(key("a", "id", "number"), key("b", "number", "id")),
    fine: () => alternates(key("a", "id", "number"), key("b", "number")),
  },
];
