/** Kinds of change of what is no schema, each as a function that makes it in a connector.json. */
import type { ChangeCode } from "../../../schemas/compatibility/change-catalogue.js";
import { pick, type Random } from "../../validation/random.js";

type Json = ReturnType<typeof JSON.parse>;
type Severity = "major" | "minor" | "patch";
type Expected = readonly [ChangeCode, Severity];

export interface PartMutation {
  readonly name: string;
  /** Changes `file`; false where it has no place for the change. */
  readonly apply: (file: Json, random: Random) => boolean;
  readonly expected: Expected;
  readonly reverse: Expected;
  /** What the property that it changes says before. */
  readonly before?: object;
  /** Whether a value shows it. */
  readonly isShown?: boolean;
}

const NEW_OPTIONS = [
  { label: "One", value: 1 },
  { label: "Two", value: 2 },
];

/** The property that `paired` changes. */
const MUTATED = "mutatedProperty";

export const PART_MUTATIONS: readonly PartMutation[] = [
  both("the connector's key", (file) => set(file, "key", "other"), ["connector-key-changed", "major"]),
  both("the connector's url", (file) => set(file, "urlPart", "other"), ["connector-url-changed", "major"]),
  both("the connector's name", (file) => set(file, "name", "Other"), ["metadata-changed", "patch"]),
  both("the connector's description", (file) => set(file, "description", "Other."), [
    "metadata-changed",
    "patch",
  ]),
  part(
    "a module goes",
    drop((file) => file.modules),
    ["part-removed", "major"],
    ["part-added", "minor"],
  ),
  part(
    "a new version beside the old one",
    on(
      (file) => file.modules,
      (module, _, file) => file.modules.push({ ...structuredClone(module), version: 99 }),
    ),
    ["part-added", "minor"],
    ["part-removed", "major"],
  ),
  both(
    "the url of a module",
    on(
      (file) => file.modules,
      (module) => set(module, "urlPart", "other"),
    ),
    ["url-changed", "major"],
  ),
  both(
    "the name of a module",
    on(
      (file) => file.modules,
      (module) => set(module, "name", "Other"),
    ),
    ["metadata-changed", "patch"],
  ),
  both(
    "the name of a service",
    on(
      (file) => file.modules,
      (module) => set(module.services[1], "name", "Other"),
    ),
    ["metadata-changed", "patch"],
  ),
  part(
    "an object goes",
    drop((file, random) => someModule(file, random)?.dataObjects),
    ["part-removed", "major"],
    ["part-added", "minor"],
  ),
  both(
    "the url of an object",
    on(objects, (object) => set(object, "urlPart", "other")),
    ["url-changed", "major"],
  ),
  both(
    "the key of an object",
    on(objects, (object) => set(object, "key", "other")),
    ["key-changed", "major"],
  ),
  both(
    "the name of an object",
    on(objects, (object) => set(object, "name", "Other")),
    ["metadata-changed", "patch"],
  ),
  both(
    "the description of an object",
    on(objects, (object) => set(object, "description", "Other.")),
    ["metadata-changed", "patch"],
  ),
  part(
    "the endpoint of an object",
    on(objects, (object) => set(object, "createEndpoint", !object.createEndpoint)),
    ["switched-off", "major"],
    ["switched-on", "minor"],
  ),
  part(
    "an action goes",
    drop(
      (file, random) =>
        some(
          objects(file).filter((one) => one.actions.length > 0),
          random,
        )?.actions,
    ),
    ["part-removed", "major"],
    ["part-added", "minor"],
  ),
  both(
    "the url of an action",
    on(actions, (action) => set(action, "urlPart", "other")),
    ["url-changed", "major"],
  ),
  both(
    "the key of an action",
    on(actions, (action) => set(action, "key", "other")),
    ["key-changed", "major"],
  ),
  part(
    "createRtap of an action",
    on(actions, (action) => set(action, "createRtap", !action.createRtap)),
    ["switched-off", "major"],
    ["switched-on", "minor"],
  ),

  part(
    "a key goes",
    drop((file, random) => some(keyed(file), random)?.keys),
    ["record-key-removed", "major"],
    ["record-key-added", "minor"],
  ),
  both(
    "a key is renamed",
    on(keyed, (object) => set(object.keys[0], "urlPart", "other")),
    ["record-key-renamed", "major"],
  ),
  both(
    "a key is made of more",
    on(keyed, (object) => object.keys[0].propertyNames.push("more")),
    ["record-key-properties", "major"],
  ),
  both(
    "a key is made in another order",
    on(
      (file) => keyed(file).filter(({ keys }) => keys[0].propertyNames.length > 1),
      (object) => object.keys[0].propertyNames.reverse(),
    ),
    ["record-key-properties", "major"],
  ),
  part(
    "a key is not primary any more",
    on(keyed, (object) => set(object.keys[0], "isPrimary", false)),
    ["record-key-not-primary", "major"],
    ["record-key-primary", "major"],
  ),
  part(
    "an alternate key",
    on(keyed, (object) => object.keys.push({ urlPart: "new", propertyNames: ["x"], isPrimary: false })),
    ["record-key-added", "minor"],
    ["record-key-removed", "major"],
  ),

  part(
    "a connection goes",
    drop((file) => file.connectionDefinitions),
    ["part-removed", "major"],
    ["part-added", "minor"],
  ),
  both(
    "the type of a connection",
    on(connections, (one) => set(one, "type", one.type === "Standard" ? "OAuth2CodeFlow" : "Standard")),
    ["connection-type-changed", "major"],
  ),
  both(
    "the title of a connection",
    on(connections, (one) => set(one, "name", "Other")),
    ["metadata-changed", "patch"],
  ),
  {
    ...paired(
      "a connection property goes",
      {},
      {},
      ["connection-property-removed", "major"],
      ["connection-property-added", "minor"],
    ),
    apply: on(connections, (one) => {
      one.attributes = one.attributes.filter(({ key }: Json) => key !== MUTATED);
    }),
  },
  part(
    "an optional connection property",
    on(connections, (one) => one.attributes.push(attribute({}))),
    ["connection-property-added", "minor"],
    ["connection-property-removed", "major"],
  ),
  part(
    "a required connection property",
    on(connections, (one) => one.attributes.push(attribute({ isRequired: true }))),
    ["connection-property-added-required", "major"],
    ["connection-property-removed", "major"],
  ),
  shown(
    "a connection property must be given",
    {},
    { isRequired: true },
    ["connection-property-required", "major"],
    ["connection-property-optional", "minor"],
  ),
  paired(
    "a secret is shown",
    { isSensitive: true },
    {},
    ["sensitivity-lowered", "major"],
    ["sensitivity-raised", "minor"],
  ),
  paired(
    "the title of a connection property",
    {},
    { title: "Other" },
    ["metadata-changed", "patch"],
    ["metadata-changed", "patch"],
  ),
  shown(
    "an option goes",
    { options: NEW_OPTIONS },
    { options: NEW_OPTIONS.slice(1) },
    ["option-removed", "major"],
    ["option-added", "minor"],
  ),
  paired(
    "an option is shown otherwise",
    { options: NEW_OPTIONS },
    { options: [{ label: "1", value: 1 }, NEW_OPTIONS[1]] },
    ["option-relabelled", "patch"],
    ["option-relabelled", "patch"],
  ),
  paired(
    "options",
    {},
    { options: NEW_OPTIONS },
    ["options-introduced", "major"],
    ["options-dropped", "major"],
  ),
];

/** Puts what `mutation` changes into the file, as it is before. */
export function prepare(mutation: PartMutation, file: Json): void {
  const { before } = mutation;
  if (before === undefined) return;
  for (const connection of connections(file))
    connection.attributes.push({ ...attribute(before), key: MUTATED });
}

function both(name: string, apply: PartMutation["apply"], expected: Expected): PartMutation {
  return { name, apply, expected, reverse: expected };
}

function part(
  name: string,
  apply: PartMutation["apply"],
  ...[expected, reverse]: readonly [Expected, Expected]
): PartMutation {
  return { name, apply, expected, reverse };
}

function paired(
  name: string,
  before: object,
  after: object,
  ...[expected, reverse]: readonly [Expected, Expected]
): PartMutation {
  const apply = on(connections, (connection) => {
    const at = connection.attributes.findIndex(({ key }: Json) => key === MUTATED);
    if (at !== -1) connection.attributes[at] = { ...attribute(after), key: MUTATED };
  });
  return { name, apply, expected, reverse, before };
}

function shown(...row: Parameters<typeof paired>): PartMutation {
  return { ...paired(...row), isShown: true };
}

function attribute(change: object): Json {
  return {
    title: "New",
    key: "newProperty",
    isSensitive: false,
    isRequired: false,
    description: "",
    ...change,
  };
}

function on(
  partsOf: (file: Json) => readonly Json[],
  change: (part: Json, random: Random, file: Json) => unknown,
): PartMutation["apply"] {
  return (file, random) => {
    const parts = partsOf(file);
    if (parts.length === 0) return false;
    change(pick(random, parts), random, file);
    return true;
  };
}

function drop(listOf: (file: Json, random: Random) => Json[] | undefined): PartMutation["apply"] {
  return (file, random) => {
    const list = listOf(file, random) ?? [];
    if (list.length === 0) return false;
    list.splice(Math.floor(random() * list.length), 1);
    return true;
  };
}

function set(part: Json, name: string, value: unknown): boolean {
  part[name] = value;
  return true;
}

function some(list: readonly Json[], random: Random): Json | undefined {
  return list.length === 0 ? undefined : pick(random, list);
}

function someModule(file: Json, random: Random): Json | undefined {
  return some(
    file.modules.filter((one: Json) => one.dataObjects.length > 0),
    random,
  );
}

function objects(file: Json): Json[] {
  return file.modules.flatMap((module: Json) => module.dataObjects);
}

function keyed(file: Json): Json[] {
  return objects(file).filter(({ keys }) => keys.length > 0);
}

function actions(file: Json): Json[] {
  return objects(file).flatMap((object) => object.actions);
}

function connections(file: Json): Json[] {
  return file.connectionDefinitions;
}
