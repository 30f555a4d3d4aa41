/** What TypeScript makes of the vocabulary's types, alone and composed. */
import { expectTypeOf } from "expect-type";
import {
  defineDataObject,
  Nullable,
  OptionSet,
  type Static,
  StringEnum,
  Type,
} from "../../schemas/entries/vocabulary.js";

const Employee = defineDataObject("Employee", {
  description: "",
  primaryKey: "id",
  properties: {
    id: Type.String({ description: "Identifier." }),
    level: Type.Integer(),
    email: Nullable(Type.String()),
    state: StringEnum(["Draft", "Sent"]),
    maybe: Nullable(StringEnum(["A"])),
    hiredOn: Type.Optional(Type.String({ format: "date-time" })),
    extra: Type.Record(Type.String(), Type.Unknown()),
  },
});

interface EmployeeValue {
  id: string;
  level: number;
  email: string | null;
  state: "Draft" | "Sent";
  maybe: "A" | null;
  hiredOn?: string;
  extra: Record<string, unknown>;
}

expectTypeOf<Static<typeof Employee.schema>>().branded.toEqualTypeOf<EmployeeValue>();
expectTypeOf<Static<typeof Employee.schema>["email"]>().toEqualTypeOf<string | null>();
expectTypeOf<Static<typeof Employee.schema>["state"]>().toEqualTypeOf<"Draft" | "Sent">();

const region = OptionSet({ Unknown: 0, Europe: 1 });
expectTypeOf<Static<typeof region>>().toEqualTypeOf<0 | 1>();

const input = Type.Omit(Employee.schema, ["id", "extra", "maybe"]);
expectTypeOf<Static<typeof input>>().branded.toEqualTypeOf<{
  level: number;
  email: string | null;
  state: "Draft" | "Sent";
  hiredOn?: string;
}>();

const output = Type.Pick(Employee.schema, ["id", "email"]);
expectTypeOf<Static<typeof output>>().branded.toEqualTypeOf<{ id: string; email: string | null }>();

const change = Type.Partial(Type.Pick(Employee.schema, ["level", "state"]));
expectTypeOf<Static<typeof change>>().branded.toEqualTypeOf<{ level?: number; state?: "Draft" | "Sent" }>();

const whole = Type.Composite([output, Type.Object({ force: Type.Boolean() })]);
expectTypeOf<Static<typeof whole>>().branded.toEqualTypeOf<{
  id: string;
  email: string | null;
  force: boolean;
}>();

const tree = Type.Recursive((Self) => Type.Object({ id: Type.String(), parent: Nullable(Self) }));
const Tree = defineDataObject("Tree", {
  description: "",
  primaryKey: "id",
  properties: tree,
});
expectTypeOf<Static<typeof Tree.schema>["id"]>().toEqualTypeOf<string>();
expectTypeOf<null>().toExtend<Static<typeof Tree.schema>["parent"]>();

// @ts-expect-error no such property to pick
Type.Pick(Employee.schema, ["ID"]) satisfies typeof output;
// @ts-expect-error members are texts
StringEnum([1, 2]);
// @ts-expect-error values are numbers
OptionSet({ Europe: "1" });
