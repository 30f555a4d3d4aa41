/**
 * What an import takes of a plan. The first one takes everything; a later one what the author has modules for, and what
 * came since only if it is told to.
 */
import type { ImportPlan, PlannedObject, PlannedWrite } from "../inference/plan.js";
import { isDecided } from "../inference/plan.js";
import { type ImportedConnector, importedConnector, objectsTaken } from "../modules/imported-connector.js";
import {
  type ImportLock,
  type LockedAction,
  type LockedObject,
  type LockSource,
  makeLock,
  type Presence,
} from "./import-lock.js";

/** What an import starts from. */
export interface StateSource
  extends Pick<LockSource, "description" | "plan" | "select" | "name" | "sha256" | "placeOf" | "citations"> {
  /** The lock of the import before; undefined if this is the first. */
  readonly before: ImportLock | undefined;
  /** Whether to take what came since. */
  readonly add: boolean;
  /** Whether a module of the author's imports one of the tool's files. */
  isUsed(file: string): boolean;
}

/** What an import takes. */
export interface ImportState {
  /** The plan without what is only offered. */
  readonly taken: ImportPlan;
  readonly imported: ImportedConnector;
  readonly lock: ImportLock;
  /** The tool's files that stay although the document says nothing of them any more. */
  readonly keptFiles: readonly string[];
}

const OFFERED = "it came with a later document; connectorcli import openapi --add takes it";

/** What is taken of a plan. */
export function importState(source: StateSource): ImportState {
  const { description, plan, before, isUsed } = source;
  const presences = presencesOf(source);
  const presenceOf = (object: PlannedObject) => presences.get(object) ?? "offered";
  const oldObjects = new Map((before?.objects ?? []).map((object) => [object.list, object]));
  const presenceOfWrite = (object: PlannedObject, write: PlannedWrite): Presence => {
    if (presenceOf(object) !== "taken" || !isDecided(object)) return "offered";
    const old = oldObjects.get(object.list.id);
    const isNewObject = old === undefined || old.presence === "offered";
    const wasTaken = old?.actions.some(({ name, presence }) => name === write.name && presence !== "offered");
    return source.add || isNewObject || wasTaken === true ? "taken" : "offered";
  };
  const isTakeable = (object: PlannedObject) => objectsTaken({ objects: [object] }).length > 0;
  const offered = plan.objects.filter((object) => isTakeable(object) && presenceOf(object) !== "taken");
  const taken: ImportPlan = {
    ...plan,
    objects: plan.objects
      .filter((object) => !offered.includes(object))
      .map((object) => ({
        ...object,
        writes: object.writes.map((write) =>
          write.problem === undefined && isDecided(object) && presenceOfWrite(object, write) !== "taken"
            ? { ...write, problem: OFFERED }
            : write,
        ),
      })),
    leftOut: [...plan.leftOut, ...offered.map(({ list }) => ({ operation: list, reason: OFFERED }))],
    otherWrites: [
      ...plan.otherWrites,
      ...offered.flatMap(({ writes }) =>
        writes.map(({ operation, problem }) => ({ operation, reason: problem ?? OFFERED })),
      ),
    ],
  };
  const imported = importedConnector(description, taken);
  const isHeld = ({ presence, files }: LockedAction | LockedObject) =>
    presence !== "offered" && files.some(isUsed);
  const lists = new Set(plan.objects.map(({ list }) => list.id));
  const goneObjects = [...oldObjects.values()]
    .filter((object) => !lists.has(object.list))
    .filter((object) => isHeld(object) || object.actions.some(isHeld))
    .map((object): LockedObject => ({ ...object, presence: "gone" }));
  const goneActions = (object: PlannedObject): readonly LockedAction[] => {
    const writes = new Set(
      object.writes.filter(({ problem }) => problem === undefined).map(({ name }) => name),
    );
    return (oldObjects.get(object.list.id)?.actions ?? [])
      .filter((action) => !(writes as ReadonlySet<string>).has(action.name) && isHeld(action))
      .map((action) => ({ ...action, presence: "gone" }));
  };
  const lock = makeLock({ ...source, imported, presenceOf, presenceOfWrite, goneObjects, goneActions });
  const gone = lock.objects.flatMap((object) => [
    ...(object.presence === "gone" ? [object, ...object.actions] : []),
    ...object.actions.filter(({ presence }) => presence === "gone"),
  ]);
  return { taken, imported, lock, keptFiles: [...new Set(gone.flatMap(({ files }) => files))] };
}

function presencesOf({ plan, before, add }: StateSource): ReadonlyMap<PlannedObject, Presence> {
  const had = new Set(
    (before?.objects ?? []).filter(({ presence }) => presence !== "offered").map(({ list }) => list),
  );
  const takeable = objectsTaken(plan);
  const taken = new Set(takeable.filter(({ list }) => before === undefined || add || had.has(list.id)));
  // What a list is read for each record of is needed with it.
  for (const object of taken)
    for (const { value } of object.values) {
      const { source } = value;
      const parent = source.kind === "parent" && takeable.find(({ name }) => name === source.object);
      if (parent) taken.add(parent);
    }
  return new Map(plan.objects.map((object) => [object, taken.has(object) ? "taken" : "offered"]));
}
