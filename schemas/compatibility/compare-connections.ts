/** Connection definitions, whose values are stored already (§2.1): properties, options, and stored values as witnesses. */
import { PART_NAMES } from "../diagnostics/locations.js";
import { type JsonObject, jsonPointer } from "../json.js";
import type { AttributeModel, ConnectionModel } from "../model/connector-model.js";
import { type Change, type ChangedPart, innerPart, partChange, type Witness } from "./change.js";
import type { Difference, SchemaPair } from "./differences.js";
import { matchPositions, type PartPair } from "./match-parts.js";
import { isSchemaNode, propertySchema } from "./schema-node.js";
import { SchemaSide } from "./schema-side.js";
import { findWitness, newSearchBudget } from "./witness.js";

/** The changes of one connection definition, but for its title and description. */
export function compareConnection(pair: PartPair<ConnectionModel>): readonly Change[] {
  const { old, new: next, what, oldPointer, newPointer } = pair;
  const positions = matchPositions(old.attributes, next.attributes, [({ key }) => key]);
  const matched = new Set(positions.values());
  const witnesses = new StoredValues(old, next);
  const attributePart = (
    key: string,
    oldIndex: number | undefined,
    newIndex: number | undefined,
  ): ChangedPart => ({
    role: "connection",
    what: PART_NAMES.property(key, what),
    oldPointer: oldPointer + jsonPointer(oldIndex === undefined ? ["attributes"] : ["attributes", oldIndex]),
    newPointer: newPointer + jsonPointer(newIndex === undefined ? ["attributes"] : ["attributes", newIndex]),
  });
  const changes: Change[] = [];
  if (old.type !== next.type) {
    const part = innerPart({ role: "connection", what, oldPointer, newPointer }, "/type");
    changes.push(partChange("connection-type-changed", part, { before: old.type, after: next.type }));
  }
  for (const [index, attribute] of old.attributes.entries()) {
    const position = positions.get(index);
    const after = position === undefined ? undefined : next.attributes[position];
    const part = attributePart(attribute.key, index, position);
    if (after === undefined) changes.push(partChange("connection-property-removed", part, {}));
    else changes.push(...attributeChanges(attribute, after, { part, witnesses }));
  }
  for (const [index, { key, isRequired }] of next.attributes.entries()) {
    if (matched.has(index)) continue;
    const part = attributePart(key, undefined, index);
    if (!isRequired) changes.push(partChange("connection-property-added", part, {}));
    else {
      const change = partChange("connection-property-added-required", part, {});
      changes.push({ ...change, witness: witnesses.without(key, "old") });
    }
  }
  return changes;
}

interface PlacedAttribute {
  readonly part: ChangedPart;
  readonly witnesses: StoredValues;
}

function attributeChanges(
  old: AttributeModel,
  next: AttributeModel,
  { part, witnesses }: PlacedAttribute,
): readonly Change[] {
  const changes: Change[] = [...optionChanges(old, next, { part, witnesses })];
  if (!old.isRequired && next.isRequired) {
    const change = partChange("connection-property-required", innerPart(part, "/isRequired"), {});
    changes.push({ ...change, witness: witnesses.without(next.key, "old") });
  }
  if (old.isRequired && !next.isRequired) {
    const change = partChange("connection-property-optional", innerPart(part, "/isRequired"), {});
    changes.push({ ...change, witness: witnesses.without(next.key, "new") });
  }
  if (old.isSensitive !== next.isSensitive) {
    const code = next.isSensitive ? "sensitivity-raised" : "sensitivity-lowered";
    changes.push(partChange(code, innerPart(part, "/isSensitive"), {}));
  }
  for (const field of ["title", "description"] as const) {
    if (old[field] === next[field]) continue;
    changes.push(partChange("metadata-changed", innerPart(part, `/${field}`), { field }));
  }
  return changes;
}

/** Of the options of a property: the stored value is the number of one of them. */
function optionChanges(
  { options: before, key }: AttributeModel,
  { options: after }: AttributeModel,
  { part, witnesses }: PlacedAttribute,
): readonly Change[] {
  const place = innerPart(part, "/options");
  if (before.length === 0 && after.length === 0) return [];
  // The type of a property without options is not in the file: a stored value may fit or not.
  if (before.length === 0) return [asUndecided(partChange("options-introduced", place, {}))];
  if (after.length === 0) return [asUndecided(partChange("options-dropped", place, {}))];
  const oldLabels = new Map(before.map(({ value, label }) => [value, label]));
  const newLabels = new Map(after.map(({ value, label }) => [value, label]));
  return [
    ...[...oldLabels]
      .filter(([value]) => !newLabels.has(value))
      .map(([value, option]) => ({
        ...partChange("option-removed", place, { option }),
        witness: witnesses.withOption(key, value, "old"),
      })),
    ...[...newLabels]
      .filter(([value]) => !oldLabels.has(value))
      .map(([value, option]) => ({
        ...partChange("option-added", place, { option }),
        witness: witnesses.withOption(key, value, "new"),
      })),
    ...[...oldLabels].flatMap(([value, label]) => {
      const newLabel = newLabels.get(value);
      if (newLabel === undefined || newLabel === label) return [];
      const labels = { before: label, after: newLabel };
      // Stored values now mean what others meant, such as Test in place of Production.
      return [...oldLabels.values()].includes(newLabel)
        ? [partChange("option-swapped", place, { ...labels, value })]
        : [partChange("option-relabelled", place, labels)];
    }),
  ];
}

function asUndecided(change: Change): Change {
  return { ...change, undecided: true, witness: null };
}

/** Values of a connection that one definition accepts and the other does not, verified like every witness. */
class StoredValues {
  readonly #old: ConnectionModel;
  readonly #new: ConnectionModel;
  readonly #budget = newSearchBudget();
  #pair: SchemaPair | undefined;

  constructor(old: ConnectionModel, next: ConnectionModel) {
    this.#old = old;
    this.#new = next;
  }

  /** A connection without the property `key`. */
  without(key: string, acceptedBy: "old" | "new"): Witness | null {
    return this.#find(this.#wholePair, { keywords: [`required ${key}`], property: key }, acceptedBy);
  }

  /** A connection with the option `value`. */
  withOption(key: string, value: number, acceptedBy: "old" | "new"): Witness | null {
    const pair = propertyPair(this.#wholePair, key);
    return this.#find(pair, { keywords: ["enum"], candidates: [value] }, acceptedBy);
  }

  #find(pair: SchemaPair, details: Partial<Difference>, acceptedBy: "old" | "new"): Witness | null {
    const difference = { ...REFUSAL, ...details };
    return findWitness(pair, difference, { acceptedBy, budget: this.#budget }) ?? null;
  }

  /** Made when the first witness is asked for. */
  get #wholePair(): SchemaPair {
    if (this.#pair !== undefined) return this.#pair;
    const oldSide = new SchemaSide(valuesSchema(this.#old));
    const newSide = new SchemaSide(valuesSchema(this.#new));
    const { root: old } = oldSide;
    this.#pair = { old, new: newSide.root, oldSide, newSide, oldPointer: "", newPointer: "", path: [] };
    return this.#pair;
  }
}

const REFUSAL: Difference = {
  code: "connection-property-required",
  parameters: {},
  narrows: "yes",
  widens: "no",
  keywords: [],
};

function propertyPair(whole: SchemaPair, name: string): SchemaPair {
  const schemaIn = ({ root }: SchemaSide) => {
    const schema = propertySchema(root, name);
    return isSchemaNode(schema) ? schema : true;
  };
  return {
    ...whole,
    old: schemaIn(whole.oldSide),
    new: schemaIn(whole.newSide),
    path: [{ kind: "member", name }],
  };
}

/** The schema of the values of a connection, as far as the file says it. */
function valuesSchema({ attributes }: ConnectionModel): JsonObject {
  const properties = attributes.map(({ key, options }): [string, JsonObject] => [
    key,
    options.length === 0 ? {} : { enum: [...new Set(options.map(({ value }) => value))] },
  ]);
  const required = attributes.filter(({ isRequired }) => isRequired).map(({ key }) => key);
  return { type: "object", properties: Object.fromEntries(properties), required: [...new Set(required)] };
}
