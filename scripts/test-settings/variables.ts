/** Values that are taken from the environment, so that no secret must be written down: `"${NAME}"`, the whole value. */
import { isList, isMembers, type JsonTree } from "../../schemas/formats/json-tree.js";
import type { SchemaModel } from "../../schemas/model/schema-model.js";

/** The environment as a program gets it. */
export type Environment = Readonly<Record<string, string | undefined>>;

const REFERENCE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

/** The variable that a value names, or undefined where it is a value of its own. */
export function variableIn(value: unknown): string | undefined {
  return typeof value === "string" ? REFERENCE.exec(value)?.[1] : undefined;
}

/** How a value names the variable `name`. */
export function referenceTo(name: string): string {
  return `\${${name}}`;
}

/** The first variable named in `tree` that is not set, or undefined. */
export function unsetVariable(tree: JsonTree, environment: Environment): string | undefined {
  const name = variableIn(tree);
  if (name !== undefined) return environment[name] === undefined ? name : undefined;
  const inner = isList(tree) ? tree : isMembers(tree) ? tree.members.map(([, value]) => value) : [];
  for (const one of inner) {
    const unset = unsetVariable(one, environment);
    if (unset !== undefined) return unset;
  }
  return undefined;
}

/** Whether anything in `tree` comes from the environment. */
export function namesVariable(tree: JsonTree): boolean {
  if (isList(tree)) return tree.some(namesVariable);
  if (isMembers(tree)) return tree.members.some(([, value]) => namesVariable(value));
  return variableIn(tree) !== undefined;
}

/** `tree` with the variables' values. Where the schema has no text, a value is read as the number or switch it is. */
export function resolved(
  tree: JsonTree,
  schema: SchemaModel | undefined,
  environment: Environment,
): JsonTree {
  if (isList(tree)) {
    const items = schema?.kind === "array" ? schema.items : undefined;
    return tree.map((item) => resolved(item, items, environment));
  }
  if (isMembers(tree))
    return { members: tree.members.map(([name, value]) => [name, resolved(value, undefined, environment)]) };
  const name = variableIn(tree);
  const value = name === undefined ? undefined : environment[name];
  return value === undefined ? tree : typed(value, schema);
}

function typed(value: string, schema: SchemaModel | undefined): JsonTree {
  const isText = schema === undefined || schema.kind === "string" || schema.kind === "enum";
  if (isText || !/^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value)) return value;
  return JSON.parse(value) as JsonTree;
}
