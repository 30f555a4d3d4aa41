/** Warehouse: a place where articles are kept. */
import { defineDataObject, Type } from "connectorcli";

export const Warehouse = defineDataObject("Warehouse", {
  description: "A place where articles are kept.",
  primaryKey: "id",
  properties: {
    id: Type.Integer({ description: "Identifier of the warehouse.", minimum: 1 }),
    title: Type.String({ description: "What the warehouse is called.", maxLength: 100 }),
    docks: Type.Integer({ description: "Gates for lorries.", minimum: 0 }),
  },
});
