/**
 * The complete difference between two connectors, and the verdict on it: what is addressed by name (§2.6, §2.7), the
 * schemas of records, payloads and configurations, keys, switches, and words for people.
 */

import { comparePointers } from "../diagnostics/diagnostic.js";
import { PART_NAMES } from "../diagnostics/locations.js";
import { jsonPointer, toPlain } from "../json.js";
import type {
  ActionModel,
  ConnectionModel,
  ConnectorModel,
  DataObjectModel,
  KeyModel,
  ModuleModel,
} from "../model/connector-model.js";
import { renderDocument } from "../model/render-schema.js";
import type { SchemaDocument } from "../model/schema-model.js";
import {
  type Change,
  type ChangedPart,
  type ChangeRole,
  innerPart,
  partChange,
  type Verdict,
  verdictOf,
} from "./change.js";
import { compareConnection } from "./compare-connections.js";
import { compareSchemas } from "./compare-schemas.js";
import { matchConnectors, matchPositions, type PartPair, type UnmatchedPart } from "./match-parts.js";
import type { SchemaNode } from "./schema-node.js";
import { newSearchBudget, type SearchBudget } from "./witness.js";

export interface Comparison {
  /** The semantic-version step that the changes need. */
  readonly verdict: Verdict;
  /** Every change, by its place on the new side. */
  readonly changes: readonly Change[];
}

/** All changes from `old` to `next`; order and white space are ignored. */
export function compareConnectors(old: ConnectorModel, next: ConnectorModel): Comparison {
  const { connector, connections, modules, dataObjects, actions, unmatched } = matchConnectors(old, next);
  const budget = newSearchBudget();
  const changes = [
    ...unmatched.map(unmatchedChange),
    ...compareConnector(connector, budget),
    ...connections.flatMap((pair) => [...compareConnection(pair), ...compareWords(pair, "connection")]),
    ...modules.flatMap((pair) => compareModule(pair, budget)),
    ...dataObjects.flatMap((pair) => compareDataObject(pair, budget)),
    ...actions.flatMap((pair) => compareAction(pair, budget)),
  ].sort(
    (a, b) =>
      comparePointers(a.new.pointer, b.new.pointer) ||
      comparePointers(a.old.pointer, b.old.pointer) ||
      (a.message < b.message ? -1 : a.message > b.message ? 1 : 0),
  );
  return { verdict: verdictOf(changes), changes };
}

function unmatchedChange({ what, side, pointer, holder }: UnmatchedPart): Change {
  const role = roleAt(pointer);
  return side === "old"
    ? partChange("part-removed", { role, what, oldPointer: pointer, newPointer: holder }, {})
    : partChange("part-added", { role, what, oldPointer: holder, newPointer: pointer }, {});
}

function roleAt(pointer: string): ChangeRole {
  if (pointer.startsWith("/connectionDefinitions")) return "connection";
  if (pointer.includes("/actions/")) return "action";
  return pointer.includes("/dataObjects/") ? "record" : "module";
}

function compareConnector(pair: PartPair<ConnectorModel>, budget: SearchBudget): readonly Change[] {
  const { old, new: next } = pair;
  const codes = { key: "connector-key-changed", urlPart: "connector-url-changed" } as const;
  return [
    ...compareAddress(pair, "connector", codes),
    ...compareWords(pair, "connector"),
    ...compareDocuments(
      old.registrationConfiguration,
      next.registrationConfiguration,
      placeOf(pair, "/configSchema", { role: "configuration", what: PART_NAMES.registrationConfiguration }),
      budget,
    ),
  ];
}

function compareModule(pair: PartPair<ModuleModel>, budget: SearchBudget): readonly Change[] {
  return [
    ...compareAddress(pair, "module"),
    ...compareWords(pair, "module"),
    ...([0, 1] as const).flatMap((index) => {
      const [old, next] = [pair.old.services[index], pair.new.services[index]];
      const place = placeOf(pair, `/services/${index}/configSchema`, {
        role: "configuration",
        what: PART_NAMES.service(next.type, pair.what),
      });
      // A service is started by its type; its name follows from those of connector and module.
      const namePlace = placeOf(pair, `/services/${index}/name`, { role: "module" });
      return [
        ...compareText(old.name, next.name, namePlace, `name of service ${old.type}`),
        ...compareDocuments(old.configuration, next.configuration, place, budget),
      ];
    }),
  ];
}

function compareDataObject(pair: PartPair<DataObjectModel>, budget: SearchBudget): readonly Change[] {
  const { old, new: next } = pair;
  return [
    ...compareAddress(pair, "record"),
    ...compareWords(pair, "record"),
    ...compareSwitch(old, next, "createEndpoint", placeOf(pair, "/createEndpoint", { role: "record" })),
    ...compareDocuments(old.schema, next.schema, placeOf(pair, "/schema", { role: "record" }), budget),
    ...compareKeys(pair),
  ];
}

function compareAction(pair: PartPair<ActionModel>, budget: SearchBudget): readonly Change[] {
  const { old, new: next, what } = pair;
  return [
    ...compareAddress(pair, "action"),
    ...compareWords(pair, "action"),
    ...compareSwitch(old, next, "createRtap", placeOf(pair, "/createRtap", { role: "action" })),
    ...(["input", "output", "failure"] as const).flatMap((role) => {
      const place = placeOf(pair, `/${role}Schema`, { role, what: PART_NAMES.payload(role, what) });
      return compareDocuments(old[role], next[role], place, budget);
    }),
  ];
}

/** The place at `pointer` inside a part; called as the part itself if `what` is absent. */
function placeOf(
  { what: partWhat, oldPointer, newPointer }: PartPair<unknown>,
  pointer: string,
  { role, what = partWhat }: { readonly role: ChangeRole; readonly what?: string },
): ChangedPart {
  return innerPart({ role, what, oldPointer, newPointer }, pointer);
}

interface Addressed {
  readonly key: string;
  readonly urlPart: string;
}

const ADDRESS_CODES = { key: "key-changed", urlPart: "url-changed" } as const;

/** Of the names that a part is addressed by. */
function compareAddress(
  pair: PartPair<Addressed>,
  role: ChangeRole,
  codes: Readonly<
    Record<keyof Addressed, "connector-key-changed" | "connector-url-changed" | "key-changed" | "url-changed">
  > = ADDRESS_CODES,
): readonly Change[] {
  return (["urlPart", "key"] as const).flatMap((member) => {
    const [before, after] = [pair.old[member], pair.new[member]];
    if (before === after) return [];
    return [partChange(codes[member], placeOf(pair, `/${member}`, { role }), { before, after })];
  });
}

/** Of words for people, which no program depends on. */
function compareWords(
  pair: PartPair<Pick<ConnectionModel, "title" | "description">>,
  role: ChangeRole,
): readonly Change[] {
  const { old, new: next } = pair;
  const titleField = role === "connection" ? "title" : "name";
  return [
    ...compareText(old.title, next.title, placeOf(pair, "/name", { role }), titleField),
    ...compareText(old.description, next.description, placeOf(pair, "/description", { role }), "description"),
  ];
}

function compareText(before: string, after: string, place: ChangedPart, field: string): readonly Change[] {
  return before === after ? [] : [partChange("metadata-changed", place, { field })];
}

/** Of what the platform makes of a part: an endpoint, a place among the actions. */
function compareSwitch<Name extends string>(
  old: Readonly<Record<Name, boolean>>,
  next: Readonly<Record<Name, boolean>>,
  name: Name,
  place: ChangedPart,
): readonly Change[] {
  if (old[name] === next[name]) return [];
  return [partChange(next[name] ? "switched-on" : "switched-off", place, { switch: name })];
}

function compareDocuments(
  old: SchemaDocument,
  next: SchemaDocument,
  place: ChangedPart,
  budget: SearchBudget,
): readonly Change[] {
  const question = { ...place, old: schemaNodeOf(old), new: schemaNodeOf(next) };
  return compareSchemas(question, budget).changes;
}

function schemaNodeOf(document: SchemaDocument): SchemaNode {
  return toPlain(renderDocument(document)) as SchemaNode;
}

/** Of primary and alternate keys: rows are stored, and found, under their values (§2.6). */
function compareKeys({
  old,
  new: next,
  what,
  oldPointer,
  newPointer,
}: PartPair<DataObjectModel>): readonly Change[] {
  const positions = matchPositions(old.keys, next.keys, [
    ({ name, isPrimary }) => `${isPrimary} ${name}`,
    ({ name }) => name,
    // A key under another name is the same if it is made of the same, or is the one primary key.
    ({ isPrimary, propertyNames }) => `${isPrimary} ${JSON.stringify(propertyNames)}`,
    ({ isPrimary }) => (isPrimary ? "primary" : undefined),
  ]);
  const keyPart = (oldIndex: number | undefined, newIndex: number | undefined): ChangedPart => ({
    role: "key",
    what,
    oldPointer: oldPointer + jsonPointer(oldIndex === undefined ? ["keys"] : ["keys", oldIndex]),
    newPointer: newPointer + jsonPointer(newIndex === undefined ? ["keys"] : ["keys", newIndex]),
  });
  const matched = new Set(positions.values());
  return [
    ...old.keys.flatMap((key, index) => {
      const position = positions.get(index);
      const after = position === undefined ? undefined : next.keys[position];
      return after === undefined
        ? [partChange("record-key-removed", keyPart(index, undefined), { key: key.name })]
        : compareKey(key, after, keyPart(index, position));
    }),
    ...next.keys.flatMap(({ name }, index) =>
      matched.has(index) ? [] : [partChange("record-key-added", keyPart(undefined, index), { key: name })],
    ),
  ];
}

function compareKey(old: KeyModel, next: KeyModel, part: ChangedPart): readonly Change[] {
  const changes: Change[] = [];
  const key = next.name;
  if (old.name !== next.name) {
    changes.push(partChange("record-key-renamed", part, { before: old.name, after: next.name }));
  }
  const before = JSON.stringify(old.propertyNames);
  const after = JSON.stringify(next.propertyNames);
  if (before !== after) changes.push(partChange("record-key-properties", part, { key, before, after }));
  if (old.isPrimary && !next.isPrimary) changes.push(partChange("record-key-not-primary", part, { key }));
  if (!old.isPrimary && next.isPrimary) changes.push(partChange("record-key-primary", part, { key }));
  return changes;
}
