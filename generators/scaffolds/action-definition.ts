/** The definition of a new action, written behind its data object and listed in its module. */
import { diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { DataObjectModel } from "../../schemas/model/connector-model.js";
import {
  addStatement,
  appendElement,
  boundNames,
  type Edit,
  imported,
  locate,
  type SourceFiles,
  type Spot,
} from "../source-edits/index.js";
import { call, object as codeObject, layOut } from "../typescript/code.js";
import { stringLiteral } from "../typescript/literals.js";
import { actionShape } from "./action-shape.js";
import { actionSentence } from "./english.js";

export interface NewDefinition {
  readonly identifier: string;
  /** Name of the action's class. */
  readonly name: string;
  readonly object: DataObjectModel;
}

/** The definition behind its data object, and its name in the module's list. */
export function defineAction(
  files: SourceFiles,
  spots: { readonly module: Spot; readonly object: Spot },
  { identifier, name, object }: NewDefinition,
): readonly Edit[] {
  const { file } = spots.object;
  const constant = constantOf(files, spots.object);
  const path = file;
  const line = `write defineAction(${object.className}, ${stringLiteral(name)}, …) and list it`;
  if (constant === undefined) {
    const reason = `the data object "${object.className}" is not a constant`;
    return [{ problem: diagnostic("edit-by-hand", { file }, { path, reason, line }) }];
  }
  if (boundNames(files, file).has(identifier)) {
    const reason = `"${identifier}" means something else there`;
    return [{ problem: diagnostic("edit-by-hand", { file }, { path, reason, line }) }];
  }
  const place = { start: spots.module, steps: [0, "actions"] };
  const listed = appendElement(files, place, imported(identifier, { file }));
  const shape = actionShape(name, object);
  const imports = ["defineAction", ...(shape.keys.length > 0 ? ["Type"] : [])];
  const statement = {
    imports: imports.map((each) => ({ name: each, from: { package: "connectorcli" } })),
    code: (define = "defineAction", type = "Type") => {
      const description = stringLiteral(actionSentence(name, object.className));
      const options = [{ key: "description", value: description }, ...shape.payloads(constant, type)];
      const callee = `export const ${identifier} = ${define}`;
      return `${layOut(call(callee, constant, stringLiteral(name), codeObject(options)))};`;
    },
  };
  const definition = addStatement(files, file, statement, lastAction(files, file, constant));
  return [listed, definition];
}

/** The name of the constant that was set to what stands at `spot`. */
function constantOf(files: SourceFiles, { file, node }: Spot): string | undefined {
  return [...boundNames(files, file)].find(
    (constant) => locate(files, { file, constant }).spot?.node === node,
  );
}

/** The constant of the object's last action in the file, else that of the object. */
function lastAction(files: SourceFiles, file: string, object: string): string {
  const target = locate(files, { file, constant: object }).spot?.node;
  const actions = [...boundNames(files, file)].filter((constant) => {
    const call = locate(files, { file, constant }).spot;
    if (call?.file !== file || call.node.type !== "CallExpression" || call.node === target) return false;
    return locate(files, call, [0]).spot?.node === target;
  });
  return actions.at(-1) ?? object;
}
