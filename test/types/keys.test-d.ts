/** Keys are types: only properties that every record has, and that are never null, may stand in one (spec §2.6). */
import { defineDataObject, Nullable, StringEnum, Type } from "../../schemas/index.js";

const shape = {
  id: Type.String(),
  no: Type.Integer(),
  state: StringEnum(["Draft", "Sent"]),
  optional: Type.Optional(Type.String()),
  nullable: Nullable(Type.String()),
  both: Type.Optional(Nullable(Type.String())),
  untyped: Type.Any(),
  unknown: Type.Unknown(),
  nothing: Type.Null(),
  nested: Type.Object({ id: Type.String() }),
};

const description = "";

// What may stand in a key, in any order.
defineDataObject("A", shape, { description, primaryKey: { name: "id", properties: ["id"] } });
defineDataObject("A", shape, {
  description,
  primaryKey: { name: "id", properties: ["state", "no", "id"] },
  alternateKeys: [{ name: "no", properties: ["no"] }],
});

// Primary keys of properties.
// @ts-expect-error unknown
defineDataObject("A", shape, { description, primaryKey: { name: "id", properties: ["ID"] } });
// @ts-expect-error optional
defineDataObject("A", shape, { description, primaryKey: { name: "id", properties: ["optional"] } });
// @ts-expect-error nullable
defineDataObject("A", shape, { description, primaryKey: { name: "id", properties: ["nullable"] } });
// @ts-expect-error optional and nullable
defineDataObject("A", shape, { description, primaryKey: { name: "id", properties: ["both"] } });
// @ts-expect-error any
defineDataObject("A", shape, { description, primaryKey: { name: "id", properties: ["untyped"] } });
// @ts-expect-error unknown type
defineDataObject("A", shape, { description, primaryKey: { name: "id", properties: ["unknown"] } });
// @ts-expect-error null
defineDataObject("A", shape, { description, primaryKey: { name: "id", properties: ["nothing"] } });
// @ts-expect-error a path into a nested value
defineDataObject("A", shape, { description, primaryKey: { name: "id", properties: ["nested.id"] } });
// @ts-expect-error no property
defineDataObject("A", shape, { description, primaryKey: { name: "id", properties: [] } });
// @ts-expect-error one that may stand there, and one that may not
defineDataObject("A", shape, { description, primaryKey: { name: "id", properties: ["id", "both"] } });
// @ts-expect-error no name
defineDataObject("A", shape, { description, primaryKey: { properties: ["id"] } });
// @ts-expect-error no primary key
defineDataObject("A", shape, { description });
// @ts-expect-error no options
defineDataObject("A", shape);

// Alternate keys of properties.
const primaryKey = { name: "id", properties: ["id"] } as const;
const base = { description, primaryKey };
// @ts-expect-error unknown
defineDataObject("A", shape, { ...base, alternateKeys: [{ name: "x", properties: ["ID"] }] });
// @ts-expect-error optional
defineDataObject("A", shape, { ...base, alternateKeys: [{ name: "x", properties: ["optional"] }] });
// @ts-expect-error nullable
defineDataObject("A", shape, { ...base, alternateKeys: [{ name: "x", properties: ["nullable"] }] });
// @ts-expect-error any
defineDataObject("A", shape, { ...base, alternateKeys: [{ name: "x", properties: ["untyped"] }] });
// @ts-expect-error a path into a nested value
defineDataObject("A", shape, { ...base, alternateKeys: [{ name: "x", properties: ["nested/id"] }] });
// @ts-expect-error no property
defineDataObject("A", shape, { ...base, alternateKeys: [{ name: "x", properties: [] }] });

// Whole objects.
const whole = Type.Object(shape);
const composed = Type.Composite([
  Type.Object({ id: Type.String() }),
  Type.Object({ gone: Nullable(Type.String()) }),
]);
const partial = Type.Partial(whole);
const recursive = Type.Recursive((Self) =>
  Type.Object({ id: Type.String(), parent: Nullable(Self), child: Type.Optional(Self) }),
);
defineDataObject("A", whole, { description, primaryKey });
defineDataObject("A", composed, { description, primaryKey });
defineDataObject("A", recursive, { description, primaryKey });
defineDataObject("A", Type.Omit(whole, ["no"]), { description, primaryKey });

// @ts-expect-error nullable
defineDataObject("A", whole, { description, primaryKey: { name: "id", properties: ["nullable"] } });
// @ts-expect-error nullable
defineDataObject("A", composed, { description, primaryKey: { name: "id", properties: ["gone"] } });
// @ts-expect-error unknown
defineDataObject("A", composed, { description, primaryKey: { name: "id", properties: ["no"] } });
// @ts-expect-error optional, for all are
defineDataObject("A", partial, { description, primaryKey });
// @ts-expect-error nullable
defineDataObject("A", recursive, { description, primaryKey: { name: "id", properties: ["parent"] } });
// @ts-expect-error optional
defineDataObject("A", recursive, { description, primaryKey: { name: "id", properties: ["child"] } });
// @ts-expect-error left out
defineDataObject("A", Type.Omit(whole, ["id"]), { description, primaryKey });
// @ts-expect-error no object, no properties
defineDataObject("A", Type.Array(whole), { description, primaryKey });
// @ts-expect-error the whole record may be null
defineDataObject("A", Nullable(whole), { description, primaryKey });
