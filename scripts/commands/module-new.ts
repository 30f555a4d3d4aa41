/** `connectorcli module new`: a module of a connector. */
import { moduleScaffold } from "../../generators/scaffolds/index.js";
import { fileName } from "../../schemas/naming/identifiers.js";
import { moduleId } from "../../schemas/naming/service-names.js";
import type { Arguments } from "../command-spec.js";
import type { Output } from "../output.js";
import type { Question } from "../scaffolding/answers.js";
import { runScaffold } from "../scaffolding/scaffold-command.js";

const QUESTIONS: readonly Question[] = [
  { name: "name", message: "Name of the module, as people read it" },
  {
    name: "key",
    message: "Key of the module: a part of its addresses for ever, such as app",
    suggested: ({ name = "" }) => fileName(name),
  },
  { name: "version", message: "Version of the module, such as 1", suggested: () => "1" },
  {
    name: "id",
    message: "Id of the module: its key and version, such as app-1",
    suggested: ({ key = "", version = "" }) => moduleId(key, Number(version)),
  },
];

export function moduleNew(args: Arguments, output: Output): Promise<number> {
  return runScaffold(
    {
      questions: () => QUESTIONS,
      plan: ({ id = "", name = "", key = "", version = "" }, source) =>
        moduleScaffold({ id, name, key, version: wholeNumber(version) }, source),
      isThere: ({ id }, { modules }) => modules.some((module) => module.id === id),
      next: ({ id }) => [`npx connectorcli data-object new --module-id ${id} --name <Name>`],
    },
    args,
    output,
  );
}

/** What is no plain number is none. */
function wholeNumber(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}
