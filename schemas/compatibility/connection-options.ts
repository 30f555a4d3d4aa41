/** The options of a connection property: the stored value is the number of one of them. */
import type { AttributeModel } from "../model/connector-model.js";
import type { Change } from "./change.js";
import type { ConnectionWitness } from "./connection-witness.js";
import { type ChangedPart, inPart, partChange } from "./part-change.js";

export function optionChanges(
  { options: before, key }: AttributeModel,
  { options: after }: AttributeModel,
  { part, witness }: { readonly part: ChangedPart; readonly witness: ConnectionWitness },
): readonly Change[] {
  const place = inPart(part, "/options");
  if (before.length === 0 && after.length === 0) return [];
  // The type of a property without options is not in the file: a stored value may fit or not.
  if (before.length === 0) return [open(partChange("options-introduced", place, {}))];
  if (after.length === 0) return [open(partChange("options-dropped", place, {}))];
  const had = new Map(before.map(({ value, label }) => [value, label]));
  const has = new Map(after.map(({ value, label }) => [value, label]));
  const removed = [...had].filter(([value]) => !has.has(value));
  const added = [...has].filter(([value]) => !had.has(value));
  const renamed = [...had].filter(([value, label]) => has.has(value) && has.get(value) !== label);
  return [
    ...removed.map(([value, option]) => ({
      ...partChange("option-removed", place, { option }),
      witness: witness.option(key, value, "old"),
    })),
    ...added.map(([value, option]) => ({
      ...partChange("option-added", place, { option }),
      witness: witness.option(key, value, "new"),
    })),
    ...renamed.map(([value, label]) =>
      partChange("option-relabelled", place, { before: label, after: has.get(value) ?? "" }),
    ),
  ];
}

function open(change: Change): Change {
  return { ...change, undecided: true, witness: null };
}
