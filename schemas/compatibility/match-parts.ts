/** Finds for every part of a connector what it was before: by url part and key, modules by key and version. */

import type {
  ActionModel,
  ConnectionModel,
  ConnectorModel,
  DataObjectModel,
  ModuleModel,
} from "../model/connector-model.js";
import { jsonPointer } from "../naming/json-pointer.js";

/** A part on both sides, with what messages call it and where it stands. */
export interface PartPair<Part> {
  readonly old: Part;
  readonly new: Part;
  readonly what: string;
  readonly oldPointer: string;
  readonly newPointer: string;
}

/** A part that is on one side only. `holder` is where it would stand on the other. */
export interface LonePart {
  readonly what: string;
  readonly side: "old" | "new";
  readonly pointer: string;
  readonly holder: string;
}

export interface MatchedConnector extends PartPair<ConnectorModel> {
  readonly connections: readonly PartPair<ConnectionModel>[];
  readonly modules: readonly PartPair<ModuleModel>[];
  readonly dataObjects: readonly PartPair<DataObjectModel>[];
  readonly actions: readonly PartPair<ActionModel>[];
  readonly lone: readonly LonePart[];
}

/** The two connectors, part by part. */
export function matchConnectors(old: ConnectorModel, next: ConnectorModel): MatchedConnector {
  const root: PartPair<ConnectorModel> = {
    old,
    new: next,
    what: "the connector",
    oldPointer: "",
    newPointer: "",
  };
  const connections = matchIn(root, "connectionDefinitions", ({ connections }) => connections, {
    identities: [({ key }) => key],
    name: ({ title, key }) => `connection "${title || key}"`,
  });
  const modules = matchIn(root, "modules", (connector) => connector.modules, {
    identities: [({ key, version }) => `${version} ${key}`],
    name: ({ name, version }) => `module "${name}" version ${version}`,
  });
  const dataObjects = modules.pairs.map((module) =>
    matchIn(module, "dataObjects", (one) => one.dataObjects, {
      identities: BY_URL_AND_KEY,
      name: ({ name }) => `data object "${name}"`,
    }),
  );
  const objects = dataObjects.flatMap(({ pairs }) => pairs);
  const actions = objects.map((object) =>
    matchIn(object, "actions", (one) => one.actions, {
      identities: BY_URL_AND_KEY,
      name: ({ name }) => `action "${name}" of ${object.what}`,
    }),
  );
  return {
    ...root,
    connections: connections.pairs,
    modules: modules.pairs,
    dataObjects: objects,
    actions: actions.flatMap(({ pairs }) => pairs),
    lone: [connections, modules, ...dataObjects, ...actions].flatMap(({ lone }) => lone),
  };
}

const BY_URL_AND_KEY: readonly ((part: { readonly urlPart: string; readonly key: string }) => string)[] = [
  ({ urlPart, key }) => JSON.stringify([urlPart, key]),
  ({ urlPart }) => urlPart,
  ({ key }) => key,
];

interface Matching<Part> {
  /** What a part is known by, the surest first. */
  readonly identities: readonly ((part: Part) => string)[];
  readonly name: (part: Part) => string;
}

interface Matched<Part> {
  readonly pairs: readonly PartPair<Part>[];
  readonly lone: readonly LonePart[];
}

function matchIn<Holder, Part>(
  holder: PartPair<Holder>,
  member: string,
  partsOf: (holder: Holder) => readonly Part[],
  { identities, name }: Matching<Part>,
): Matched<Part> {
  const [before, after] = [partsOf(holder.old), partsOf(holder.new)];
  const partners = partnersOf(before, after, identities);
  const oldPointer = (index: number) => holder.oldPointer + jsonPointer([member, index]);
  const newPointer = (index: number) => holder.newPointer + jsonPointer([member, index]);
  const taken = new Set(partners.values());
  return {
    pairs: [...partners].flatMap(([oldIndex, newIndex]) => {
      const [old, next] = [before[oldIndex], after[newIndex]];
      if (old === undefined || next === undefined) return [];
      return [
        {
          old,
          new: next,
          what: name(next),
          oldPointer: oldPointer(oldIndex),
          newPointer: newPointer(newIndex),
        },
      ];
    }),
    lone: [
      ...before.flatMap((part, index): LonePart[] =>
        partners.has(index)
          ? []
          : [{ what: name(part), side: "old", pointer: oldPointer(index), holder: holder.newPointer }],
      ),
      ...after.flatMap((part, index): LonePart[] =>
        taken.has(index)
          ? []
          : [{ what: name(part), side: "new", pointer: newPointer(index), holder: holder.oldPointer }],
      ),
    ],
  };
}

/** Positions of parts that are the same, each used once. What a part is not known by is undefined. */
export function partnersOf<Part>(
  before: readonly Part[],
  after: readonly Part[],
  identities: readonly ((part: Part) => string | undefined)[],
): ReadonlyMap<number, number> {
  const partners = new Map<number, number>();
  for (const identity of identities) {
    const free = positionsBy(after, identity, new Set(partners.values()));
    for (const [index, part] of before.entries()) {
      const name = partners.has(index) ? undefined : identity(part);
      const found = name === undefined ? undefined : free.get(name)?.shift();
      if (found !== undefined) partners.set(index, found);
    }
  }
  return partners;
}

/** Positions that are not taken, by what their parts are known by. */
function positionsBy<Part>(
  parts: readonly Part[],
  identity: (part: Part) => string | undefined,
  taken: ReadonlySet<number>,
): ReadonlyMap<string, number[]> {
  const positions = new Map<string, number[]>();
  for (const [index, part] of parts.entries()) {
    const name = taken.has(index) ? undefined : identity(part);
    if (name !== undefined) positions.set(name, [...(positions.get(name) ?? []), index]);
  }
  return positions;
}
