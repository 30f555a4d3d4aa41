/** Connection definitions: their values are stored already (spec §2.1). */
import type { AttributeModel, ConnectionModel } from "../model/connector-model.js";
import { jsonPointer } from "../naming/json-pointer.js";
import type { Change } from "./change.js";
import { optionChanges } from "./connection-options.js";
import { type ConnectionWitness, connectionWitness } from "./connection-witness.js";
import { type MatchedConnector, type PartPair, partnersOf } from "./match-parts.js";
import { type ChangedPart, inPart, partChange } from "./part-change.js";

export function compareConnections({ connections }: MatchedConnector): readonly Change[] {
  return connections.flatMap(connectionChanges);
}

function connectionChanges(pair: PartPair<ConnectionModel>): readonly Change[] {
  const { old, new: next, what, oldPointer, newPointer } = pair;
  const part: ChangedPart = { role: "connection", what, oldPointer, newPointer };
  const partners = partnersOf(old.attributes, next.attributes, [({ key }) => key]);
  const taken = new Set(partners.values());
  const witness = connectionWitness(old, next);
  const at = (key: string, oldIndex: number | undefined, newIndex: number | undefined): ChangedPart => ({
    role: "connection",
    what: `"${key}" of ${what}`,
    oldPointer: oldPointer + jsonPointer(oldIndex === undefined ? ["attributes"] : ["attributes", oldIndex]),
    newPointer: newPointer + jsonPointer(newIndex === undefined ? ["attributes"] : ["attributes", newIndex]),
  });
  const type = { before: old.type, after: next.type };
  return [
    ...(old.type === next.type ? [] : [partChange("connection-type-changed", inPart(part, "/type"), type)]),
    ...old.attributes.flatMap((attribute, index) => {
      const position = partners.get(index);
      const after = position === undefined ? undefined : next.attributes[position];
      return after === undefined
        ? [partChange("connection-property-removed", at(attribute.key, index, undefined), {})]
        : attributeChanges(attribute, after, { part: at(attribute.key, index, position), witness });
    }),
    ...next.attributes.flatMap(({ key, isRequired }, index) => {
      if (taken.has(index)) return [];
      const added = at(key, undefined, index);
      return isRequired
        ? [
            {
              ...partChange("connection-property-added-required", added, {}),
              witness: witness.missing(key, "old"),
            },
          ]
        : [partChange("connection-property-added", added, {})];
    }),
  ];
}

function attributeChanges(
  old: AttributeModel,
  next: AttributeModel,
  { part, witness }: { readonly part: ChangedPart; readonly witness: ConnectionWitness },
): readonly Change[] {
  const changes: Change[] = [...optionChanges(old, next, { part, witness })];
  if (!old.isRequired && next.isRequired) {
    const change = partChange("connection-property-required", inPart(part, "/isRequired"), {});
    changes.push({ ...change, witness: witness.missing(next.key, "old") });
  }
  if (old.isRequired && !next.isRequired) {
    const change = partChange("connection-property-optional", inPart(part, "/isRequired"), {});
    changes.push({ ...change, witness: witness.missing(next.key, "new") });
  }
  if (old.isSensitive !== next.isSensitive) {
    const code = next.isSensitive ? "sensitivity-raised" : "sensitivity-lowered";
    changes.push(partChange(code, inPart(part, "/isSensitive"), {}));
  }
  for (const field of ["title", "description"] as const) {
    if (old[field] !== next[field])
      changes.push(partChange("metadata-changed", inPart(part, `/${field}`), { field }));
  }
  return changes;
}
