/** EstimateModule: its data objects and actions, in the platform's order. */
import { defineModule } from "connectorcli";
import { Estimates } from "./estimates.js";
import { EstimatesByDueDate } from "./estimates-by-due-date.js";

export const EstimateModule = defineModule("Estimate", {
  key: "estimate",
  version: 1,
  description: "What contractors offer.",
  dataObjects: [Estimates, EstimatesByDueDate],
});
