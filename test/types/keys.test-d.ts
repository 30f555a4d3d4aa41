/** Keys are types: only properties that every record has, and that are never null, may stand in one (spec §2.6). */
import { defineDataObject, Nullable, StringEnum, Type } from "../../schemas/entries/vocabulary.js";

const properties = {
  id: Type.String(),
  no: Type.Integer(),
  state: StringEnum(["Draft", "Sent"]),
  optional: Type.Optional(Type.String()),
  nullable: Nullable(Type.String()),
  both: Type.Optional(Nullable(Type.String())),
  inside: Nullable(Type.Optional(Type.String())),
  untyped: Type.Any(),
  unknown: Type.Unknown(),
  nothing: Type.Null(),
  nested: Type.Object({ id: Type.String() }),
};

const given = { description: "", properties };

// What may stand in a key, in any order and in each of the three forms.
defineDataObject("A", { ...given, primaryKey: "id" });
defineDataObject("A", { description: "", primaryKey: "id", properties: { id: Type.String() } });
defineDataObject("A", { ...given, primaryKey: ["id"] });
defineDataObject("A", { ...given, primaryKey: ["state", "no", "id"] });
defineDataObject("A", { ...given, primaryKey: { name: "key", properties: ["state", "no", "id"] } });
defineDataObject("A", {
  ...given,
  primaryKey: "id",
  alternateKeys: ["no", ["state", "no"], { name: "other", properties: ["state"] }],
});

// A primary key that is the name of one property.
// @ts-expect-error unknown
defineDataObject("A", { ...given, primaryKey: "ID" });
// @ts-expect-error optional
defineDataObject("A", { ...given, primaryKey: "optional" });
// @ts-expect-error nullable
defineDataObject("A", { ...given, primaryKey: "nullable" });
// @ts-expect-error optional and nullable
defineDataObject("A", { ...given, primaryKey: "both" });
// @ts-expect-error optional inside
defineDataObject("A", { ...given, primaryKey: "inside" });
// @ts-expect-error any
defineDataObject("A", { ...given, primaryKey: "untyped" });
// @ts-expect-error unknown type
defineDataObject("A", { ...given, primaryKey: "unknown" });
// @ts-expect-error null
defineDataObject("A", { ...given, primaryKey: "nothing" });
// @ts-expect-error a path into a nested value
defineDataObject("A", { ...given, primaryKey: "nested.id" });

// A primary key that is a list.
// @ts-expect-error unknown
defineDataObject("A", { ...given, primaryKey: ["id", "ID"] });
// @ts-expect-error optional
defineDataObject("A", { ...given, primaryKey: ["optional"] });
// @ts-expect-error nullable
defineDataObject("A", { ...given, primaryKey: ["id", "nullable"] });
// @ts-expect-error any
defineDataObject("A", { ...given, primaryKey: ["id", "untyped"] });
// @ts-expect-error no property
defineDataObject("A", { ...given, primaryKey: [] });

// A primary key with a name of its own.
// @ts-expect-error unknown
defineDataObject("A", { ...given, primaryKey: { name: "id", properties: ["ID"] } });
// @ts-expect-error optional
defineDataObject("A", { ...given, primaryKey: { name: "id", properties: ["optional"] } });
// @ts-expect-error nullable
defineDataObject("A", { ...given, primaryKey: { name: "id", properties: ["nullable"] } });
// @ts-expect-error optional and nullable
defineDataObject("A", { ...given, primaryKey: { name: "id", properties: ["both"] } });
// @ts-expect-error any
defineDataObject("A", { ...given, primaryKey: { name: "id", properties: ["untyped"] } });
// @ts-expect-error null
defineDataObject("A", { ...given, primaryKey: { name: "id", properties: ["nothing"] } });
// @ts-expect-error no property
defineDataObject("A", { ...given, primaryKey: { name: "id", properties: [] } });
// @ts-expect-error one that may stand there, and one that may not
defineDataObject("A", { ...given, primaryKey: { name: "id", properties: ["id", "both"] } });
// @ts-expect-error no name
defineDataObject("A", { ...given, primaryKey: { properties: ["id"] } });
// @ts-expect-error no primary key
defineDataObject("A", given);
// @ts-expect-error no properties
defineDataObject("A", { description: "", primaryKey: "id" });
// @ts-expect-error no options
defineDataObject("A");

// Alternate keys.
const keyed = { ...given, primaryKey: "id" } as const;
// @ts-expect-error unknown
defineDataObject("A", { ...keyed, alternateKeys: ["ID"] });
// @ts-expect-error optional
defineDataObject("A", { ...keyed, alternateKeys: ["no", "optional"] });
// @ts-expect-error nullable
defineDataObject("A", { ...keyed, alternateKeys: [["no", "nullable"]] });
// @ts-expect-error any
defineDataObject("A", { ...keyed, alternateKeys: [{ name: "x", properties: ["untyped"] }] });
// @ts-expect-error a path into a nested value
defineDataObject("A", { ...keyed, alternateKeys: [{ name: "x", properties: ["nested/id"] }] });
// @ts-expect-error no property
defineDataObject("A", { ...keyed, alternateKeys: [{ name: "x", properties: [] }] });
// @ts-expect-error no property
defineDataObject("A", { ...keyed, alternateKeys: [[]] });

// Whole objects.
const whole = Type.Object(properties);
const composed = Type.Composite([
  Type.Object({ id: Type.String() }),
  Type.Object({ gone: Nullable(Type.String()) }),
]);
const partial = Type.Partial(whole);
const recursive = Type.Recursive((Self) =>
  Type.Object({ id: Type.String(), parent: Nullable(Self), child: Type.Optional(Self) }),
);
const described = { description: "", primaryKey: "id" } as const;
defineDataObject("A", { ...described, properties: whole });
defineDataObject("A", { ...described, properties: composed });
defineDataObject("A", { ...described, properties: recursive });
defineDataObject("A", { ...described, properties: Type.Omit(whole, ["no"]) });

// @ts-expect-error nullable
defineDataObject("A", { description: "", primaryKey: "nullable", properties: whole });
// @ts-expect-error nullable
defineDataObject("A", { description: "", primaryKey: ["id", "gone"], properties: composed });
// @ts-expect-error unknown
defineDataObject("A", { description: "", primaryKey: "no", properties: composed });
// @ts-expect-error optional, for all are
defineDataObject("A", { ...described, properties: partial });
// @ts-expect-error nullable
defineDataObject("A", { description: "", primaryKey: "parent", properties: recursive });
// @ts-expect-error optional
defineDataObject("A", { description: "", primaryKey: "child", properties: recursive });
// @ts-expect-error left out
defineDataObject("A", { ...described, properties: Type.Omit(whole, ["id"]) });
// @ts-expect-error no object, no properties
defineDataObject("A", { ...described, properties: Type.Array(whole) });
// @ts-expect-error the whole record may be null
defineDataObject("A", { ...described, properties: Nullable(whole) });
