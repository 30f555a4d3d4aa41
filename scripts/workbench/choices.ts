/** Finds data objects and actions by any of their names; for a wrong name, the error has the nearest right one. */
import type {
  ActionModel,
  ConnectorModel,
  DataObjectModel,
  ModuleModel,
} from "../../schemas/model/connector-model.js";
import { classIdentifier } from "../../schemas/naming/identifiers.js";
import { didYouMean } from "../../schemas/naming/nearest.js";

/** Thrown if a name matches nothing in the connector; the message names what there is. */
export class UnknownNameError extends Error {
  override readonly name = "UnknownNameError";

  /** @param others Names that are right as well, and not listed. */
  constructor(what: string, given: string, names: readonly string[], others: readonly string[] = []) {
    const known = names.length === 0 ? "none" : names.join(", ");
    const verb = names.length > 1 ? "are" : "is";
    super(
      `The connector has no ${what} "${given}": there ${verb} ${known}.${didYouMean(given, [...names, ...others])}`,
    );
  }
}

/** The names given do not lead to one action. */
export class AmbiguousActionError extends Error {
  override readonly name = "AmbiguousActionError";
}

/** Names parts of a connector. What is left out leaves everything in. */
export interface Choice {
  /** The id of a module, such as `app-1`. */
  readonly moduleId?: string | undefined;
  /** A data object: its part of the address, its class or its data path. */
  readonly object?: string | undefined;
  /** An action: its part of the address or its class. */
  readonly action?: string | undefined;
}

/** An action with its data object. */
export interface ChosenAction {
  readonly object: DataObjectModel;
  readonly action: ActionModel;
}

/** The data objects of the connector, or those chosen. @throws UnknownNameError */
export function chosenObjects(
  model: ConnectorModel,
  { moduleId, object }: Choice,
): readonly DataObjectModel[] {
  const objects = chosenModules(model, moduleId).flatMap(({ dataObjects }) => dataObjects);
  if (object === undefined) return objects;
  const chosen = objects.filter(({ urlPart, name, dataPath }) => [urlPart, name, dataPath].includes(object));
  if (chosen.length > 0) return chosen;
  throw new UnknownNameError(
    "data object",
    object,
    objects.map(({ urlPart }) => urlPart),
  );
}

/** The actions of the connector, or those chosen. @throws UnknownNameError */
export function chosenActions(model: ConnectorModel, choice: Choice): readonly ChosenAction[] {
  const actions = chosenObjects(model, choice).flatMap((object) =>
    object.actions.map((action) => ({ object, action })),
  );
  const { action: name } = choice;
  if (name === undefined) return actions;
  const chosen = actions.filter((one) => [one.action.urlPart, one.action.name, classOf(one)].includes(name));
  if (chosen.length > 0) return chosen;
  throw new UnknownNameError(
    "action",
    name,
    actions.map(({ action }) => action.urlPart),
    actions.map(classOf),
  );
}

/** The one action that is chosen. @throws UnknownNameError, and AmbiguousActionError if there are several, or none */
export function chosenAction(model: ConnectorModel, choice: Choice): ChosenAction {
  const [chosen, ...others] = chosenActions(model, choice);
  if (chosen !== undefined && others.length === 0) return chosen;
  throw new AmbiguousActionError("Say which action: its data object and its name.");
}

/** `CreateProject`: the name that generated classes of an action begin with. */
function classOf({ action, object }: ChosenAction): string {
  return classIdentifier(`${action.name}${object.name}`);
}

function chosenModules(model: ConnectorModel, id: string | undefined): readonly ModuleModel[] {
  if (id === undefined) return model.modules;
  const module = model.modules.find((module) => module.id === id);
  if (module !== undefined) return [module];
  throw new UnknownNameError(
    "module",
    id,
    model.modules.map((module) => module.id),
  );
}
