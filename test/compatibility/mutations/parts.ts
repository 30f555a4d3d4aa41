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

/** The property that `changedAttribute` changes. */
const MUTATED_KEY = "mutatedProperty";

export const PART_MUTATIONS: readonly PartMutation[] = [
  bothWays("the connector's key", (file) => setMember(file, "key", "other"), [
    "connector-key-changed",
    "major",
  ]),
  bothWays("the connector's url", (file) => setMember(file, "urlPart", "other"), [
    "connector-url-changed",
    "major",
  ]),
  bothWays("the connector's name", (file) => setMember(file, "name", "Other"), ["metadata-changed", "patch"]),
  bothWays("the connector's description", (file) => setMember(file, "description", "Other."), [
    "metadata-changed",
    "patch",
  ]),
  oneWay(
    "a module is removed",
    removeOne((file) => file.modules),
    ["part-removed", "major"],
    ["part-added", "minor"],
  ),
  oneWay(
    "a new version beside the old one",
    changeOne(
      (file) => file.modules,
      (module, _, file) => file.modules.push({ ...structuredClone(module), version: 99 }),
    ),
    ["part-added", "minor"],
    ["part-removed", "major"],
  ),
  bothWays(
    "the url of a module",
    changeOne(
      (file) => file.modules,
      (module) => setMember(module, "urlPart", "other"),
    ),
    ["url-changed", "major"],
  ),
  bothWays(
    "the name of a module",
    changeOne(
      (file) => file.modules,
      (module) => setMember(module, "name", "Other"),
    ),
    ["metadata-changed", "patch"],
  ),
  bothWays(
    "the name of a service",
    changeOne(
      (file) => file.modules,
      (module) => setMember(module.services[1], "name", "Other"),
    ),
    ["metadata-changed", "patch"],
  ),
  oneWay(
    "an object is removed",
    removeOne((file, random) => someModule(file, random)?.dataObjects),
    ["part-removed", "major"],
    ["part-added", "minor"],
  ),
  bothWays(
    "the url of an object",
    changeOne(objects, (object) => setMember(object, "urlPart", "other")),
    ["url-changed", "major"],
  ),
  bothWays(
    "the key of an object",
    changeOne(objects, (object) => setMember(object, "key", "other")),
    ["key-changed", "major"],
  ),
  bothWays(
    "the name of an object",
    changeOne(objects, (object) => setMember(object, "name", "Other")),
    ["metadata-changed", "patch"],
  ),
  bothWays(
    "the description of an object",
    changeOne(objects, (object) => setMember(object, "description", "Other.")),
    ["metadata-changed", "patch"],
  ),
  oneWay(
    "the endpoint of an object",
    changeOne(objects, (object) => setMember(object, "createEndpoint", !object.createEndpoint)),
    ["switched-off", "major"],
    ["switched-on", "minor"],
  ),
  oneWay(
    "an action is removed",
    removeOne(
      (file, random) =>
        some(
          objects(file).filter((object) => object.actions.length > 0),
          random,
        )?.actions,
    ),
    ["part-removed", "major"],
    ["part-added", "minor"],
  ),
  bothWays(
    "the url of an action",
    changeOne(actions, (action) => setMember(action, "urlPart", "other")),
    ["url-changed", "major"],
  ),
  bothWays(
    "the key of an action",
    changeOne(actions, (action) => setMember(action, "key", "other")),
    ["key-changed", "major"],
  ),
  oneWay(
    "createRtap of an action",
    changeOne(actions, (action) => setMember(action, "createRtap", !action.createRtap)),
    ["switched-off", "major"],
    ["switched-on", "minor"],
  ),

  oneWay(
    "a key is removed",
    removeOne((file, random) => some(objectsWithKeys(file), random)?.keys),
    ["record-key-removed", "major"],
    ["record-key-added", "minor"],
  ),
  bothWays(
    "a key is renamed",
    changeOne(objectsWithKeys, (object) => setMember(object.keys[0], "urlPart", "other")),
    ["record-key-renamed", "major"],
  ),
  bothWays(
    "a key is made of more",
    changeOne(objectsWithKeys, (object) => object.keys[0].propertyNames.push("more")),
    ["record-key-properties", "major"],
  ),
  bothWays(
    "a key is made in another order",
    changeOne(
      (file) => objectsWithKeys(file).filter(({ keys }) => keys[0].propertyNames.length > 1),
      (object) => object.keys[0].propertyNames.reverse(),
    ),
    ["record-key-properties", "major"],
  ),
  oneWay(
    "a key is no longer primary",
    changeOne(objectsWithKeys, (object) => setMember(object.keys[0], "isPrimary", false)),
    ["record-key-not-primary", "major"],
    ["record-key-primary", "major"],
  ),
  oneWay(
    "an alternate key",
    changeOne(objectsWithKeys, (object) =>
      object.keys.push({ urlPart: "new", propertyNames: ["x"], isPrimary: false }),
    ),
    ["record-key-added", "minor"],
    ["record-key-removed", "major"],
  ),

  oneWay(
    "a connection is removed",
    removeOne((file) => file.connectionDefinitions),
    ["part-removed", "major"],
    ["part-added", "minor"],
  ),
  bothWays(
    "the type of a connection",
    changeOne(connections, (connection) =>
      setMember(connection, "type", connection.type === "Standard" ? "OAuth2CodeFlow" : "Standard"),
    ),
    ["connection-type-changed", "major"],
  ),
  bothWays(
    "the title of a connection",
    changeOne(connections, (connection) => setMember(connection, "name", "Other")),
    ["metadata-changed", "patch"],
  ),
  {
    ...changedAttribute(
      "a connection property is removed",
      {},
      {},
      ["connection-property-removed", "major"],
      ["connection-property-added", "minor"],
    ),
    apply: changeOne(connections, (connection) => {
      connection.attributes = connection.attributes.filter(({ key }: Json) => key !== MUTATED_KEY);
    }),
  },
  oneWay(
    "an optional connection property",
    changeOne(connections, (connection) => connection.attributes.push(attribute({}))),
    ["connection-property-added", "minor"],
    ["connection-property-removed", "major"],
  ),
  oneWay(
    "a required connection property",
    changeOne(connections, (connection) => connection.attributes.push(attribute({ isRequired: true }))),
    ["connection-property-added-required", "major"],
    ["connection-property-removed", "major"],
  ),
  changedAttributeWithWitness(
    "a connection property must be given",
    {},
    { isRequired: true },
    ["connection-property-required", "major"],
    ["connection-property-optional", "minor"],
  ),
  changedAttribute(
    "a secret is shown",
    { isSensitive: true },
    {},
    ["sensitivity-lowered", "major"],
    ["sensitivity-raised", "minor"],
  ),
  changedAttribute(
    "the title of a connection property",
    {},
    { title: "Other" },
    ["metadata-changed", "patch"],
    ["metadata-changed", "patch"],
  ),
  changedAttributeWithWitness(
    "an option is removed",
    { options: NEW_OPTIONS },
    { options: NEW_OPTIONS.slice(1) },
    ["option-removed", "major"],
    ["option-added", "minor"],
  ),
  changedAttribute(
    "an option is shown otherwise",
    { options: NEW_OPTIONS },
    { options: [{ label: "1", value: 1 }, NEW_OPTIONS[1]] },
    ["option-relabelled", "patch"],
    ["option-relabelled", "patch"],
  ),
  changedAttribute(
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
    connection.attributes.push({ ...attribute(before), key: MUTATED_KEY });
}

function bothWays(name: string, apply: PartMutation["apply"], expected: Expected): PartMutation {
  return { name, apply, expected, reverse: expected };
}

function oneWay(
  name: string,
  apply: PartMutation["apply"],
  ...[expected, reverse]: readonly [Expected, Expected]
): PartMutation {
  return { name, apply, expected, reverse };
}

function changedAttribute(
  name: string,
  before: object,
  after: object,
  ...[expected, reverse]: readonly [Expected, Expected]
): PartMutation {
  const apply = changeOne(connections, (connection) => {
    const at = connection.attributes.findIndex(({ key }: Json) => key === MUTATED_KEY);
    if (at !== -1) connection.attributes[at] = { ...attribute(after), key: MUTATED_KEY };
  });
  return { name, apply, expected, reverse, before };
}

function changedAttributeWithWitness(...row: Parameters<typeof changedAttribute>): PartMutation {
  return { ...changedAttribute(...row), isShown: true };
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

function changeOne(
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

function removeOne(listOf: (file: Json, random: Random) => Json[] | undefined): PartMutation["apply"] {
  return (file, random) => {
    const list = listOf(file, random) ?? [];
    if (list.length === 0) return false;
    list.splice(Math.floor(random() * list.length), 1);
    return true;
  };
}

function setMember(part: Json, name: string, value: unknown): boolean {
  part[name] = value;
  return true;
}

function some(list: readonly Json[], random: Random): Json | undefined {
  return list.length === 0 ? undefined : pick(random, list);
}

function someModule(file: Json, random: Random): Json | undefined {
  return some(
    file.modules.filter((module: Json) => module.dataObjects.length > 0),
    random,
  );
}

function objects(file: Json): Json[] {
  return file.modules.flatMap((module: Json) => module.dataObjects);
}

function objectsWithKeys(file: Json): Json[] {
  return objects(file).filter(({ keys }) => keys.length > 0);
}

function actions(file: Json): Json[] {
  return objects(file).flatMap((object) => object.actions);
}

function connections(file: Json): Json[] {
  return file.connectionDefinitions;
}
