/** The environment property of connections (spec §2.1). */
import type { OptionModel } from "./connector-model.js";

/** Its name in code, which is its key as well. */
export const ENVIRONMENT_PROPERTY = "connectionEnvironment";

/** Whether an attribute is that property: its key, with Production 1 and Test 2. */
export function isEnvironment(key: string, options: readonly OptionModel[]): boolean {
  const offered = options.map(({ label, value }) => `${label} ${value}`).join();
  return key === ENVIRONMENT_PROPERTY && offered === "Production 1,Test 2";
}
