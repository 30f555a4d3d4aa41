/** What the author says of services. */
import { CacheWriterObjectConfig, defineConfiguration, IncrementalObjectConfig, Type } from "connectorcli";

/** A property of another name follows the switches. */
export const Extended = defineConfiguration({
  batchSize: Type.Optional(
    Type.Integer({ title: "Batch Size", description: "Actions at a time.", minimum: 1 }),
  ),
});

/** A property of a switch's name takes its place; the title is the author's, the description the usual one. */
export const Replaced = defineConfiguration(
  {
    employeesConfig: CacheWriterObjectConfig(
      { title: "Employees", description: "How employees are read." },
      { onlyActive: Type.Boolean() },
    ),
  },
  { title: "What is read" },
);

/** Nothing is added. */
export const Complete = defineConfiguration(
  { ordersConfig: Type.Optional(IncrementalObjectConfig()) },
  { complete: true, serviceName: "The Cache Writer" },
);
