/** Arbitrary files that are a `connector.json` in form, whatever stands in them. */
import fc from "fast-check";
import { type JsonMember, type JsonTree, membersOf } from "../../schemas/formats/json-tree.js";
import { renderDocument } from "../../schemas/model/render-schema.js";
import { standardFailure } from "../../schemas/model/standard-failure.js";
import {
  configurationDescription,
  configurationTitle,
  type ServiceType,
} from "../../schemas/naming/service-names.js";
import { displayName, urlPartOf } from "../../schemas/naming/words.js";
import { membersWith, text } from "./arbitrary-json.js";
import { root } from "./arbitrary-schema.js";

/** Url part and key: mostly those that follow from the name, as in real files. */
const named = fc.oneof(
  fc.constantFrom("Employee", "PCOs", "SignalR", "Schedulesv2", "Order Line").map((className) => {
    const plain = className.replace(/ /g, "");
    return [displayName(plain), urlPartOf(plain), urlPartOf(plain)] as const;
  }),
  fc.tuple(text, text, text),
);

function nameMembers(
  [name, urlPart, key]: readonly [string, string, string],
  description: string,
): JsonMember[] {
  return [
    ["name", name],
    ["urlPart", urlPart],
    ["key", key],
    ["description", description],
  ];
}

const option = fc
  .tuple(text, fc.nat({ max: 5 }))
  .map(([label, value]) => membersOf(["label", label], ["value", value]));

const attribute = fc
  .record({
    title: text,
    key: text,
    isSensitive: fc.boolean(),
    isRequired: fc.boolean(),
    description: text,
    options: fc.option(fc.array(option, { minLength: 1, maxLength: 3 }), { nil: undefined }),
  })
  .map((given) =>
    membersOf(
      ["title", given.title],
      ["key", given.key],
      ["isSensitive", given.isSensitive],
      ["isRequired", given.isRequired],
      ["description", given.description],
      ["options", given.options],
    ),
  );

const environment = membersOf(
  ["title", "Connection Environment"],
  ["key", "connectionEnvironment"],
  ["isSensitive", false],
  ["isRequired", true],
  ["description", ""],
  ["options", [membersOf(["label", "Production"], ["value", 1]), membersOf(["label", "Test"], ["value", 2])]],
);

const connection = fc
  .tuple(
    fc.oneof(text, fc.constantFrom("apiKeyAuth", "basicAuth", "oAuth2CodeFlow", "customAuth")),
    text,
    text,
    fc.array(fc.oneof(attribute, fc.constant(environment)), { maxLength: 4 }),
    fc.constantFrom("Standard", "OAuth2CodeFlow", "OAuth2ClientCredentials"),
  )
  .map(([key, name, description, attributes, type]) =>
    membersOf(
      ["key", key],
      ["name", name],
      ["description", description],
      ["attributes", attributes],
      ["type", type],
    ),
  );

const failure = fc.oneof(root, fc.constant<JsonTree>(true), fc.constant(renderDocument(standardFailure())));

const action = fc
  .tuple(named, text, fc.boolean(), root, root, failure)
  .map(([names, description, rtap, ...payloads]) => ({
    members: [
      ...nameMembers(names, description),
      ["createRtap", rtap],
      ["inputSchema", payloads[0]],
      ["outputSchema", payloads[1]],
      ["failureSchema", payloads[2]],
    ] as JsonMember[],
  }));

const dataObject = fc
  .tuple(named, text, fc.boolean(), root, fc.array(action, { maxLength: 2 }), fc.boolean())
  .chain(([names, description, endpoint, schemaTree, actions, described]) => {
    const properties = propertyNames(schemaTree);
    const propertyName =
      properties.length === 0
        ? text
        : fc.oneof(fc.constantFrom(...properties), fc.constantFrom(...properties), text);
    const key = fc
      .tuple(text, fc.array(propertyName, { maxLength: 3 }), fc.boolean())
      .map(([name, listed, primary]) => ({ name, listed, primary }));
    return fc.tuple(fc.array(key, { maxLength: 3 }), fc.boolean()).map(([keys, regular]) => ({
      members: [
        ...nameMembers(names, description),
        ["createEndpoint", endpoint],
        ["schema", described ? withDescription(schemaTree, description) : schemaTree],
        [
          "keys",
          keys.map(({ name, listed, primary }, index) =>
            membersOf(
              ["urlPart", name],
              ["propertyNames", listed],
              ["isPrimary", regular ? index === 0 : primary],
            ),
          ),
        ],
        ["actions", actions],
      ] as JsonMember[],
    }));
  });

function propertyNames(tree: JsonTree): readonly string[] {
  const properties =
    typeof tree === "object" && tree !== null && "members" in tree
      ? tree.members.find(([name]) => name === "properties")?.[1]
      : undefined;
  return typeof properties === "object" && properties !== null && "members" in properties
    ? properties.members.map(([name]) => name)
    : [];
}

/** Real files repeat an object's description at the root of its schema. */
function withDescription(tree: JsonTree, description: string): JsonTree {
  if (typeof tree !== "object" || tree === null || !("members" in tree)) return tree;
  const members = tree.members.filter(([name]) => name !== "description");
  return { members: [...members, ["description", description]] };
}

const module_ = fc.tuple(named, fc.integer({ min: -1, max: 3 })).chain(([names, version]) => {
  const service = (type: ServiceType) =>
    fc
      .tuple(text, fc.oneof(root, configuration(type, names[0], version)))
      .map(([name, schema]) => membersOf(["name", name], ["type", type], ["configSchema", schema]));
  return fc
    .tuple(
      text,
      fc.tuple(service("ActionProcessor"), service("CacheWriter")),
      fc.array(dataObject, { maxLength: 3 }),
    )
    .map(([description, services, objects]) => ({
      members: [
        ...nameMembers(names, description),
        ["version", version],
        ["services", services],
        ["dataObjects", objects],
      ] as JsonMember[],
    }));
});

/** The switches that the platform expects, all of them, some, or more; under the usual title or another one. */
function configuration(type: ServiceType, name: string, version: number): fc.Arbitrary<JsonTree> {
  const boolean = membersOf(["type", "boolean"]);
  const ofObject = membersOf(["UploadObject", boolean]);
  const ofReader = membersOf(
    ["UploadObject", boolean],
    ["EnableModifiedSince", membersOf(["type", "boolean"], ["readOnly", true])],
    ["Checkpoint", membersOf(["type", ["string", "null"]])],
  );
  const ofAction = membersOf(["ProcessQueuedEvent", boolean]);
  const shape = fc
    .tuple(fc.constantFrom(ofObject, ofObject, ofReader, ofAction), fc.constantFrom(undefined, "Switch"))
    .map(([properties, title]) =>
      membersOf(["type", "object"], ["properties", properties], ["title", title]),
    );
  const classNames = ["Employee", "PCOs", "SignalR", "Schedulesv2", "OrderLine"];
  const names = classNames.flatMap((one) => [`${one}Config`, `${one}${one}Config`]);
  const members = fc.oneof(
    membersWith(fc.constantFrom(...names), shape, 3),
    membersWith(fc.constantFrom(...names, "Other"), fc.oneof(shape, root), 3),
  );
  const title = fc.constantFrom(configurationTitle(name, version, type), "Title", undefined);
  const description = fc.constantFrom(configurationDescription(type), "", undefined);
  return fc
    .tuple(members, title, description)
    .map(([properties, heading, words]) =>
      membersOf(
        ["type", "object"],
        ["properties", properties.members.length === 0 ? undefined : properties],
        ["title", heading],
        ["description", words],
      ),
    );
}

/** A `connector.json` as a tree. */
export const connectorTree: fc.Arbitrary<JsonTree> = fc
  .tuple(named, text, fc.array(connection, { maxLength: 3 }), root, fc.array(module_, { maxLength: 2 }))
  .map(([names, description, connections, configuration, modules]) => ({
    members: [
      ...nameMembers(names, description),
      ["connectionDefinitions", connections],
      ["configSchema", configuration],
      ["modules", modules],
    ] as JsonMember[],
  }));
