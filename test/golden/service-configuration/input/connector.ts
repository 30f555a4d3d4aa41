/** The two service configurations of a module: as they come, extended, and complete (§2.8). */
import { defineAction, defineConnector, defineDataObject, defineModule, Type } from "connectorcli";
import * as configuration from "./configuration.js";

const object = (name: string, readerType: "full" | "incremental") =>
  defineDataObject(name, {
    description: name,
    readerType,
    primaryKey: "id",
    properties: { id: Type.String() },
  });

const Employees = object("Employees", "full");
const Orders = object("Orders", "incremental");
const CreateEmployees = defineAction("Create", {
  dataObject: Employees,
  description: "",
});

const usual = { version: 1, description: "", dataObjects: [Employees, Orders], actions: [CreateEmployees] };

export const connector = defineConnector("Services", {
  key: "services",
  description: "Service configurations.",
  connections: [],
  modules: [
    defineModule("AsItComes", { ...usual, key: "plain" }),
    defineModule("Extended", {
      ...usual,
      key: "extended",
      actionProcessor: configuration.Extended,
      cacheWriter: configuration.Replaced,
    }),
    defineModule("Complete", { ...usual, key: "complete", cacheWriter: configuration.Complete }),
  ],
});
