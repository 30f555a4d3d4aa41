/** The cache changes that a handler gives, prepared as the cache writer prepares what readers give. */
import { type RecordPreparer, recordPreparer } from "../cache-writer/prepare-record.js";
import type { ObjectWrites } from "../store/queue.js";
import type { RecordWrite } from "../store/records.js";
import { isObject } from "../validation/values.js";
import type { ChangedObject } from "./processed-actions.js";

/** Members that change without meaning anything, by data path: the same as the cache writer is given. */
export type VolatileMembers = Readonly<Record<string, readonly string[]>>;

/** Exactly one of the two: what is to be written, object by object, or all that is wrong with it. */
export type PreparedChanges =
  | { readonly writes: readonly ObjectWrites[]; readonly count: number }
  | { readonly problems: readonly string[] };

export interface ChangePreparer {
  prepare(changes: unknown): PreparedChanges;
}

/** Prepares changes of any of these data objects. Sensitive values are hidden in problems. */
export function changePreparer(
  objects: readonly ChangedObject[],
  volatile: VolatileMembers = {},
): ChangePreparer {
  const preparers = new Map<string, RecordPreparer>();
  const preparerOf = ({ name, dataPath, record }: ChangedObject): RecordPreparer => {
    const known = preparers.get(name);
    if (known !== undefined) return known;
    const made = recordPreparer(record, {
      volatile: Object.hasOwn(volatile, dataPath) ? volatile[dataPath] : [],
    });
    preparers.set(name, made);
    return made;
  };
  return { prepare: (changes) => prepared(changes, objects, preparerOf) };
}

function prepared(
  changes: unknown,
  objects: readonly ChangedObject[],
  preparerOf: (object: ChangedObject) => RecordPreparer,
): PreparedChanges {
  if (changes === undefined) return { writes: [], count: 0 };
  if (!Array.isArray(changes)) return { problems: ["changes: expected a list"] };
  const problems: string[] = [];
  const byObject = new Map<ChangedObject, RecordWrite[]>();
  for (const [index, change] of changes.entries()) {
    const place = `changes/${index}`;
    const { dataObject, operation, record } = isObject(change) ? change : {};
    const object = objects.find(({ name }) => name === dataObject);
    if (object === undefined) problems.push(`${place}/dataObject: expected ${nameList(objects)}`);
    else if (operation !== "upsert" && operation !== "delete") {
      problems.push(`${place}/operation: expected upsert or delete`);
    } else {
      const one = preparerOf(object).prepare({ operation, record });
      if ("rejected" in one)
        problems.push(...one.rejected.findings.map(({ message }) => `${place}: ${message}`));
      else byObject.set(object, [...(byObject.get(object) ?? []), one.write]);
    }
  }
  if (problems.length > 0) return { problems };
  const writes = [...byObject].map(([object, records]) => {
    const { alternates } = preparerOf(object).keys;
    return { object: object.dataPath, records, alternateKeys: alternates };
  });
  return { writes, count: changes.length };
}

function nameList(objects: readonly ChangedObject[]): string {
  return `a data object of the module (${objects.map(({ name }) => name).join(", ")})`;
}
