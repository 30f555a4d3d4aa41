/** What the author says of services. */
import {
  CacheWriterObjectConfig,
  defineServiceConfiguration,
  IncrementalObjectConfig,
  Type,
} from "connectorcli";

/** A property of another name follows the switches. */
export const Extended = defineServiceConfiguration("Extended", {
  properties: {
    batchSize: Type.Optional(
      Type.Integer({ title: "Batch Size", description: "Actions at a time.", minimum: 1 }),
    ),
  },
});

/** A property of a switch's name takes its place; the title is the author's, the description the usual one. */
export const Replaced = defineServiceConfiguration("Replaced", {
  title: "What is read",
  properties: {
    employeesConfig: CacheWriterObjectConfig(
      { title: "Employees", description: "How employees are read." },
      { onlyActive: Type.Boolean() },
    ),
  },
});

/** Nothing is added. */
export const Complete = defineServiceConfiguration("Complete", {
  complete: true,
  serviceName: "The Cache Writer",
  properties: { ordersConfig: Type.Optional(IncrementalObjectConfig()) },
});
