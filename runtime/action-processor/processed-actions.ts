/** The actions of started modules as the processor looks for them: by data path and part of the address. */
import type { RecordType } from "../records/record-type.js";
import type { ActionHandler } from "../registration/contracts.js";
import type { PayloadClass } from "../registration/registration.js";

/** An action with its handler and switch; an action of a started connector is one. */
export interface HandledAction<Client = unknown> {
  readonly urlPart: string;
  /** Name of the data object's class. */
  readonly dataObject: string;
  readonly input: RecordType;
  /** What the handler is given an instance of; of a class like it where this is left out. */
  readonly inputClass?: PayloadClass | undefined;
  readonly output: RecordType;
  readonly failure: RecordType;
  /** Queued ones are performed; where it is off they stay queued (spec §2.8, §6). */
  readonly processQueuedEvent: boolean;
  readonly handler: ActionHandler<unknown, unknown, unknown, Client>;
}

/** A data object whose records actions may change. */
export interface ChangedObject {
  /** Name of its class. */
  readonly name: string;
  readonly dataPath: string;
  readonly record: RecordType;
}

/** A module with its actions and data objects; a module of a started connector is one. */
export interface ActionModule<Client = unknown> {
  readonly cacheWriter: { readonly dataObjects: readonly ChangedObject[] };
  readonly actionProcessor: { readonly actions: readonly HandledAction<Client>[] };
}

/** An action with the address under which it is queued, and the objects of its module. */
export interface ProcessedAction<Client = unknown> {
  /** Data path of its object. */
  readonly object: string;
  readonly action: HandledAction<Client>;
  readonly objects: readonly ChangedObject[];
}

/** All actions of `modules`. @throws Error where one is of a data object that is not in its module. */
export function processedActions<Client>(
  modules: readonly ActionModule<Client>[],
): readonly ProcessedAction<Client>[] {
  return modules.flatMap(({ cacheWriter: { dataObjects }, actionProcessor: { actions } }) =>
    actions.map((action) => {
      const object = dataObjects.find(({ name }) => name === action.dataObject);
      if (object === undefined) throw new Error(`${action.dataObject} is no data object of its module.`);
      return { object: object.dataPath, action, objects: dataObjects };
    }),
  );
}
