/** Supplier: a company that articles come from. */
import { defineAction, defineDataObject, Type } from "connectorcli";

export const Supplier = defineDataObject("Supplier", {
  description: "A company that articles come from.",
  primaryKey: "code",
  namingConvention: "snake_case",
  properties: {
    code: Type.String({ description: "Code that the dealer gives it; any text.", minLength: 1 }),
    title: Type.String({ description: "What it is called.", maxLength: 100 }),
    rank: Type.Optional(Type.Integer({ description: "Place among all suppliers.", minimum: 1 })),
    remark: Type.Optional(Type.String({ description: "What to know of it.", maxLength: 200 })),
  },
});

export const DeleteSupplier = defineAction("Delete", {
  dataObject: Supplier,
  description: "Removes a supplier.",
  namingConvention: "snake_case",
  input: Type.Pick(Supplier.schema, ["code"]),
});
