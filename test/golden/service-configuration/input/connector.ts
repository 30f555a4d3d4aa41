/** The two service configurations of a module: as they come, extended, and complete (§2.8). */
import { defineAction, defineConnector, defineDataObject, defineModule, Type } from "connectorcli";
import * as configuration from "./configuration.js";

const object = (name: string, readerType: "full" | "incremental") =>
  defineDataObject(
    name,
    { id: Type.String() },
    { description: name, readerType, primaryKey: { name: "id", properties: ["id"] } },
  );

const Employees = object("Employees", "full");
const Orders = object("Orders", "incremental");
const CreateEmployees = defineAction(Employees, "Create", { description: "" });

const usual = { version: 1, description: "", dataObjects: [Employees, Orders], actions: [CreateEmployees] };

export const connector = defineConnector({
  name: "Services",
  key: "services",
  description: "Service configurations.",
  connections: [],
  modules: [
    defineModule({ ...usual, name: "As It Comes", key: "plain" }),
    defineModule({
      ...usual,
      name: "Extended",
      key: "extended",
      actionProcessor: configuration.Extended,
      cacheWriter: configuration.Replaced,
    }),
    defineModule({ ...usual, name: "Complete", key: "complete", cacheWriter: configuration.Complete }),
  ],
});
