/** Finds for every part of a connector what it was before: by url part and key, modules by key and version. */
import { PART_NAMES } from "../diagnostics/locations.js";
import { jsonPointer } from "../json.js";
import type {
  ActionModel,
  ConnectionModel,
  ConnectorModel,
  DataObjectModel,
  ModuleModel,
} from "../model/connector-model.js";

/** A part on both sides, with what messages call it and where it stands. */
export interface PartPair<Part> {
  readonly old: Part;
  readonly new: Part;
  readonly what: string;
  readonly oldPointer: string;
  readonly newPointer: string;
}

/** A part that is on one side only. `holder` is the pointer of what would hold it on the other. */
export interface UnmatchedPart {
  readonly what: string;
  readonly side: "old" | "new";
  readonly pointer: string;
  readonly holder: string;
}

export interface MatchedConnectors {
  readonly connector: PartPair<ConnectorModel>;
  readonly connections: readonly PartPair<ConnectionModel>[];
  readonly modules: readonly PartPair<ModuleModel>[];
  readonly dataObjects: readonly PartPair<DataObjectModel>[];
  readonly actions: readonly PartPair<ActionModel>[];
  readonly unmatched: readonly UnmatchedPart[];
}

/** The two connectors, part by part. */
export function matchConnectors(old: ConnectorModel, next: ConnectorModel): MatchedConnectors {
  const connector: PartPair<ConnectorModel> = {
    old,
    new: next,
    what: PART_NAMES.connector,
    oldPointer: "",
    newPointer: "",
  };
  const connections = matchParts(connector, "connectionDefinitions", {
    partsOf: ({ connections }) => connections,
    identities: [({ key }) => key],
    name: ({ title, key }) => PART_NAMES.connection(title || key),
  });
  const modules = matchParts(connector, "modules", {
    partsOf: ({ modules }) => modules,
    identities: [({ key, version }) => `${version} ${key}`],
    name: ({ title, version }) => `${PART_NAMES.module(title)} version ${version}`,
  });
  const dataObjects = modules.pairs.map((module) =>
    matchParts(module, "dataObjects", {
      partsOf: ({ dataObjects }) => dataObjects,
      identities: BY_URL_AND_KEY,
      name: ({ title }) => PART_NAMES.dataObject(title),
    }),
  );
  const objectPairs = dataObjects.flatMap(({ pairs }) => pairs);
  const actions = objectPairs.map((object) =>
    matchParts(object, "actions", {
      partsOf: ({ actions }) => actions,
      identities: BY_URL_AND_KEY,
      name: ({ title }) => PART_NAMES.action(title, object.what),
    }),
  );
  return {
    connector,
    connections: connections.pairs,
    modules: modules.pairs,
    dataObjects: objectPairs,
    actions: actions.flatMap(({ pairs }) => pairs),
    unmatched: [connections, modules, ...dataObjects, ...actions].flatMap(({ unmatched }) => unmatched),
  };
}

const BY_URL_AND_KEY: readonly ((part: { readonly urlPart: string; readonly key: string }) => string)[] = [
  ({ urlPart, key }) => JSON.stringify([urlPart, key]),
  ({ urlPart }) => urlPart,
  ({ key }) => key,
];

interface MatchRule<Holder, Part> {
  readonly partsOf: (holder: Holder) => readonly Part[];
  /** What a part is known by, the surest first. */
  readonly identities: readonly ((part: Part) => string)[];
  readonly name: (part: Part) => string;
}

interface MatchedParts<Part> {
  readonly pairs: readonly PartPair<Part>[];
  readonly unmatched: readonly UnmatchedPart[];
}

/** `member` is where connector.json has the parts in their holder. */
function matchParts<Holder, Part>(
  holder: PartPair<Holder>,
  member: string,
  { partsOf, identities, name }: MatchRule<Holder, Part>,
): MatchedParts<Part> {
  const before = partsOf(holder.old);
  const after = partsOf(holder.new);
  const positions = matchPositions(before, after, identities);
  const matched = new Set(positions.values());
  const oldPointer = (index: number) => holder.oldPointer + jsonPointer([member, index]);
  const newPointer = (index: number) => holder.newPointer + jsonPointer([member, index]);
  return {
    pairs: [...positions].flatMap(([oldIndex, newIndex]): PartPair<Part>[] => {
      const [old, next] = [before[oldIndex], after[newIndex]];
      if (old === undefined || next === undefined) return [];
      const pointers = { oldPointer: oldPointer(oldIndex), newPointer: newPointer(newIndex) };
      return [{ old, new: next, what: name(next), ...pointers }];
    }),
    unmatched: [
      ...before.flatMap((part, index): UnmatchedPart[] =>
        positions.has(index)
          ? []
          : [{ what: name(part), side: "old", pointer: oldPointer(index), holder: holder.newPointer }],
      ),
      ...after.flatMap((part, index): UnmatchedPart[] =>
        matched.has(index)
          ? []
          : [{ what: name(part), side: "new", pointer: newPointer(index), holder: holder.oldPointer }],
      ),
    ],
  };
}

/**
 * Positions in `after` by positions in `before`, each used once. Identities are tried in their order; a part that an
 * identity returns undefined for is not known by it.
 */
export function matchPositions<Part>(
  before: readonly Part[],
  after: readonly Part[],
  identities: readonly ((part: Part) => string | undefined)[],
): ReadonlyMap<number, number> {
  const positions = new Map<number, number>();
  for (const identity of identities) {
    const free = freePositions(after, identity, new Set(positions.values()));
    for (const [index, part] of before.entries()) {
      const name = positions.has(index) ? undefined : identity(part);
      const position = name === undefined ? undefined : free.get(name)?.shift();
      if (position !== undefined) positions.set(index, position);
    }
  }
  return positions;
}

/** Positions that are not taken, by the identities of their parts. */
function freePositions<Part>(
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
