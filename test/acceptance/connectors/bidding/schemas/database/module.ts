/** DatabaseModule: its data objects and actions, in the platform's order. */
import { defineModule } from "connectorcli";
import { Databases } from "./databases.js";

export const DatabaseModule = defineModule("Database", {
  key: "database",
  version: 1,
  description: "Where a company keeps its projects.",
  dataObjects: [Databases],
});
