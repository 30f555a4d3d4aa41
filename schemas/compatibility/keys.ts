/** Primary and alternate keys of data objects: rows are stored, and found, under their values (spec §2.6). */
import type { DataObjectModel, KeyModel } from "../model/connector-model.js";
import { jsonPointer } from "../naming/json-pointer.js";
import type { Change } from "./change.js";
import { type MatchedConnector, type PartPair, partnersOf } from "./match-parts.js";
import { type ChangedPart, partChange } from "./part-change.js";

export function compareKeys({ dataObjects }: MatchedConnector): readonly Change[] {
  return dataObjects.flatMap(objectKeys);
}

function objectKeys({
  old,
  new: next,
  what,
  oldPointer,
  newPointer,
}: PartPair<DataObjectModel>): readonly Change[] {
  const partners = partnersOf(old.keys, next.keys, [
    ({ name, isPrimary }) => `${isPrimary} ${name}`,
    ({ name }) => name,
    // A key under another name is the same where it is made of the same, or is the one primary key.
    ({ isPrimary, propertyNames }) => `${isPrimary} ${JSON.stringify(propertyNames)}`,
    ({ isPrimary }) => (isPrimary ? "primary" : undefined),
  ]);
  const part = (oldIndex: number | undefined, newIndex: number | undefined): ChangedPart => ({
    role: "key",
    what,
    oldPointer: oldPointer + jsonPointer(oldIndex === undefined ? ["keys"] : ["keys", oldIndex]),
    newPointer: newPointer + jsonPointer(newIndex === undefined ? ["keys"] : ["keys", newIndex]),
  });
  const taken = new Set(partners.values());
  return [
    ...old.keys.flatMap((key, index) => {
      const position = partners.get(index);
      const after = position === undefined ? undefined : next.keys[position];
      return after === undefined
        ? [partChange("record-key-removed", part(index, undefined), { key: key.name })]
        : changesOf(key, after, part(index, position));
    }),
    ...next.keys.flatMap(({ name }, index) =>
      taken.has(index) ? [] : [partChange("record-key-added", part(undefined, index), { key: name })],
    ),
  ];
}

function changesOf(old: KeyModel, next: KeyModel, part: ChangedPart): readonly Change[] {
  const changes: Change[] = [];
  const key = next.name;
  if (old.name !== next.name) {
    changes.push(partChange("record-key-renamed", part, { before: old.name, after: next.name }));
  }
  const [before, after] = [old, next].map(({ propertyNames }) => JSON.stringify(propertyNames)) as [
    string,
    string,
  ];
  if (before !== after) changes.push(partChange("record-key-properties", part, { key, before, after }));
  if (old.isPrimary && !next.isPrimary) changes.push(partChange("record-key-not-primary", part, { key }));
  if (!old.isPrimary && next.isPrimary) changes.push(partChange("record-key-primary", part, { key }));
  return changes;
}
