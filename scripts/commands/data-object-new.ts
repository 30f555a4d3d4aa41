/** `connectorcli data-object new`: a data object of a module, with its reader. */
import { dataObjectScaffold } from "../../generators/scaffolds/index.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import type { Arguments } from "../command-spec.js";
import type { Output } from "../output.js";
import type { Question } from "../scaffolding/answers.js";
import { connectionStep, runScaffold } from "../scaffolding/scaffold-command.js";

export function dataObjectNew(args: Arguments, output: Output): Promise<number> {
  const readerType = args["reader-type"] === "incremental" ? "incremental" : "full";
  return runScaffold(
    {
      questions,
      plan: ({ "module-id": moduleId = "", name = "" }, source) =>
        dataObjectScaffold({ moduleId, name, readerType }, source),
      isThere: ({ "module-id": id, name }, { modules }) =>
        modules.some(
          (module) => module.id === id && module.dataObjects.some(({ className }) => className === name),
        ),
      next: ({ "module-id": id, name }, model) => [
        "Write its properties and keys into the schema module, and adapt the path in the reader; then: npm run gen",
        `npx connectorcli action new --module-id ${id} --object-name ${name} --name Create`,
        ...connectionStep(model),
      ],
    },
    args,
    output,
  );
}

function questions(model: ConnectorModel | undefined): readonly Question[] {
  const ids = model?.modules.map(({ id }) => id) ?? [];
  return [
    { name: "module-id", message: "Id of the module that it belongs to, such as app-1", choices: () => ids },
    { name: "name", message: "Name of the data object's class, such as Employee" },
  ];
}
