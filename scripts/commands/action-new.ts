/** `connectorcli action new`: an action of a data object, with its handler. */
import { actionScaffold } from "../../generators/scaffolds/index.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import type { Arguments } from "../command-spec.js";
import type { Output } from "../output.js";
import type { Answers, Question } from "../scaffolding/answers.js";
import { connectionStep, runScaffold } from "../scaffolding/scaffold-command.js";

export function actionNew(args: Arguments, output: Output): Promise<number> {
  return runScaffold(
    {
      questions,
      plan: ({ "module-id": moduleId = "", "object-name": objectName = "", name = "" }, source) =>
        actionScaffold({ moduleId, objectName, name }, source),
      isThere: (answers, model) =>
        objectsOf(model, answers).some(
          ({ className, actions }) =>
            className === answers["object-name"] &&
            actions.some((action) => action.className === answers["name"]),
        ),
      next: (_, model) => [
        "Adapt what it is given and answers, and its handler; then: npm run gen",
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
    { name: "module-id", message: "Id of the module, such as app-1", choices: () => ids },
    {
      name: "object-name",
      message: "Name of the data object's class, such as Employee",
      choices: (answers) => objectsOf(model, answers).map(({ className }) => className),
    },
    { name: "name", message: "Name of the action, such as Create" },
  ];
}

function objectsOf(model: ConnectorModel | undefined, { "module-id": id }: Answers) {
  return model?.modules.find((module) => module.id === id)?.dataObjects ?? [];
}
