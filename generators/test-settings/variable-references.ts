/** How test settings name variables of the environment: a text that is `"${NAME}"` as a whole. */
import { isJsonArray, isJsonObject, type JsonTree } from "../../schemas/json.js";

const REFERENCE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

/** The variable that a value names, or undefined if it is a value of its own. */
export function variableIn(value: unknown): string | undefined {
  return typeof value === "string" ? REFERENCE.exec(value)?.[1] : undefined;
}

/** How a value names the variable `name`. */
export function referenceTo(name: string): string {
  return `\${${name}}`;
}

/** Whether anything in `tree` comes from the environment. */
export function namesVariable(tree: JsonTree): boolean {
  if (isJsonArray(tree)) return tree.some(namesVariable);
  if (isJsonObject(tree)) return tree.members.some(([, value]) => namesVariable(value));
  return variableIn(tree) !== undefined;
}
