/** A key lists serialized names in its own order; alternate keys follow the primary one (§2.6). */
import { defineConnector, defineDataObject, defineModule, Type } from "connectorcli";

const Employee = defineDataObject("Employee", {
  description: "An employee of the company.",
  primaryKey: { name: "employee_id", properties: ["companyId", "id"] },
  alternateKeys: [{ name: "Number", properties: ["companyId", "number"] }, "id"],
  properties: {
    id: Type.String({ format: "uuid" }),
    companyId: Type.Integer(),
    number: Type.String({ jsonPropertyName: "personnel_no" }),
  },
});

export const connector = defineConnector("Keys", {
  key: "keys",
  description: "Composite and alternate keys.",
  connections: [],
  modules: [defineModule("App", { key: "app", version: 1, description: "", dataObjects: [Employee] })],
});
