/** The cache changes that a handler returns, prepared as the cache writer prepares what readers yield. */
import { isJsonObject } from "../../schemas/json.js";
import { type RecordPreparer, recordPreparer } from "../cache-writer/prepare-record.js";
import type { Redaction } from "../log/redaction.js";
import type { RegisteredObject } from "../registration/registration.js";
import type { ObjectWrites, RecordWrite } from "../store/store.js";

/** Members, by serialized name, that change without meaning anything; by data path. */
export type VolatileMembers = Readonly<Record<string, readonly string[]>>;

/** Exactly one of the two: what is to be written, object by object, or all that is wrong with the changes. */
export type PreparedChanges =
  | { readonly writes: readonly ObjectWrites[]; readonly count: number }
  | { readonly problems: readonly string[] };

export interface ChangePreparer {
  /** Never throws. Problems come without secrets. */
  prepare(changes: unknown, redaction: Redaction): PreparedChanges;
}

/** Prepares changes of any of these data objects. What it needs for an object is made once, when it is met first. */
export function changePreparer<Client>(
  objects: readonly RegisteredObject<Client>[],
  volatile: VolatileMembers = {},
): ChangePreparer {
  const preparers = new Map<string, RecordPreparer>();
  const preparerOf = ({ name, dataPath, record }: RegisteredObject<Client>): RecordPreparer => {
    const known = preparers.get(name);
    if (known !== undefined) return known;
    const members = Object.hasOwn(volatile, dataPath) ? volatile[dataPath] : [];
    const preparer = recordPreparer(record, { volatile: members });
    preparers.set(name, preparer);
    return preparer;
  };
  const prepareChange = (change: unknown, place: string, redaction: Redaction): PreparedChange => {
    const { dataObject, operation, record } = isJsonObject(change) ? change : {};
    const object = objects.find(({ name }) => name === dataObject);
    if (object === undefined) {
      const names = objects.map(({ name }) => name).join(", ");
      return { problems: [`${place}/dataObject: expected a data object of the module (${names})`] };
    }
    if (operation !== "upsert" && operation !== "delete")
      return { problems: [`${place}/operation: expected upsert or delete`] };
    const prepared = preparerOf(object).prepare({ operation, record }, redaction);
    if ("rejected" in prepared)
      return { problems: prepared.rejected.findings.map(({ message }) => `${place}: ${message}`) };
    return { object: object.dataPath, write: prepared.write };
  };
  return {
    prepare: (changes, redaction) => {
      if (changes === undefined) return { writes: [], count: 0 };
      if (!Array.isArray(changes)) return { problems: ["changes: expected a list"] };
      const prepared = changes.map((change, index) => prepareChange(change, `changes/${index}`, redaction));
      const problems = prepared.flatMap((change) => ("problems" in change ? change.problems : []));
      return problems.length > 0 ? { problems } : { writes: toObjectWrites(prepared), count: changes.length };
    },
  };
}

type PreparedChange =
  | { readonly object: string; readonly write: RecordWrite }
  | { readonly problems: readonly string[] };

function toObjectWrites(changes: readonly PreparedChange[]): readonly ObjectWrites[] {
  const byObject = new Map<string, RecordWrite[]>();
  for (const change of changes) {
    if ("problems" in change) continue;
    const { object, write } = change;
    const records = byObject.get(object);
    if (records === undefined) byObject.set(object, [write]);
    else records.push(write);
  }
  return [...byObject].map(([object, records]) => ({ object, records }));
}
