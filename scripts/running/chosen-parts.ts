/** Which data objects and actions a command is about: by any of their names, with the nearest one for a wrong one. */
import type {
  ActionModel,
  ConnectorModel,
  DataObjectModel,
  ModuleModel,
} from "../../schemas/model/connector-model.js";
import { didYouMean } from "../../schemas/naming/nearest.js";

/** Names that are no names of the connector's: wrong usage. */
export class UnknownName extends Error {
  override readonly name = "UnknownName";

  constructor(what: string, given: string, names: readonly string[]) {
    const known = names.length === 0 ? "there is none" : names.join(", ");
    super(`The connector has no ${what} "${given}" (${known}).${didYouMean(given, names)}`);
  }
}

/** Exactly what was asked for; everything where nothing was. */
export interface Choice {
  readonly moduleId?: string | undefined;
  readonly object?: string | undefined;
  readonly action?: string | undefined;
}

export interface ChosenAction {
  readonly object: DataObjectModel;
  readonly action: ActionModel;
}

/** The data objects of the connector, or those chosen. @throws UnknownName */
export function chosenObjects(
  model: ConnectorModel,
  { moduleId, object }: Choice,
): readonly DataObjectModel[] {
  const objects = chosenModules(model, moduleId).flatMap(({ dataObjects }) => dataObjects);
  if (object === undefined) return objects;
  const chosen = objects.filter((one) => [one.urlPart, one.className, one.dataPath].includes(object));
  if (chosen.length > 0) return chosen;
  throw new UnknownName(
    "data object",
    object,
    objects.map(({ urlPart }) => urlPart),
  );
}

/** The actions of the connector, or those chosen. @throws UnknownName */
export function chosenActions(model: ConnectorModel, choice: Choice): readonly ChosenAction[] {
  const actions = chosenObjects(model, choice).flatMap((object) =>
    object.actions.map((action) => ({ object, action })),
  );
  const { action: name } = choice;
  if (name === undefined) return actions;
  const chosen = actions.filter(({ action }) => [action.urlPart, action.className].includes(name));
  if (chosen.length > 0) return chosen;
  throw new UnknownName(
    "action",
    name,
    actions.map(({ action }) => action.urlPart),
  );
}

function chosenModules(model: ConnectorModel, id: string | undefined): readonly ModuleModel[] {
  if (id === undefined) return model.modules;
  const module = model.modules.find((one) => one.id === id);
  if (module !== undefined) return [module];
  throw new UnknownName(
    "module",
    id,
    model.modules.map((one) => one.id),
  );
}
