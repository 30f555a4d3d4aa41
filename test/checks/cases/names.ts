/** Rules of names and url parts. */
import { Type } from "../../../schemas/entries/vocabulary.js";
import {
  actionFindings,
  actionOf,
  type CheckCase,
  connectionFindings,
  connectionOf,
  connectorFindings,
  ID,
  moduleFindings,
  moduleOf,
  objectFindings,
  objectOf,
} from "../../support/checks.js";

const objects = (...names: readonly string[]) =>
  moduleFindings({ dataObjects: names.map((name) => objectOf(undefined, undefined, name)) });
const actions = (...names: readonly string[]) => {
  const object = objectOf();
  return moduleFindings({
    dataObjects: [object],
    actions: names.map((name) => actionOf(object, undefined, name)),
  });
};
const modules = (...list: readonly Parameters<typeof moduleOf>[0][]) =>
  connectorFindings({ modules: list.map((options) => moduleOf(options)) });
const named = (jsonPropertyName: string) => Type.String({ description: "What it is.", jsonPropertyName });

const REQUIRED_NAMES: readonly CheckCase[] = [
  {
    reports: "a connector without a key",
    code: "name-empty",
    wrong: () => connectorFindings({ key: "" }),
    fine: () => connectorFindings({ key: "k" }),
  },
  {
    reports: "a module whose title is blank",
    code: "name-empty",
    wrong: () => moduleFindings({ title: " " }),
    fine: () => moduleFindings({ title: "S" }),
  },
  {
    reports: "an action without a name",
    code: "name-empty",
    wrong: () => actions(""),
    fine: () => actions("Create"),
  },
  {
    reports: "a connection with an empty title",
    code: "name-empty",
    wrong: () => connectionFindings({ title: "" }),
    fine: () => connectionFindings({ title: "A", description: "" }),
  },
  {
    reports: "an empty property name",
    code: "name-empty",
    wrong: () => objectFindings({ id: ID, "": ID }),
    fine: () => objectFindings({ id: ID, _: ID }),
  },
];

const sameKeys = (first: string, second: string) =>
  moduleFindings({
    dataObjects: [
      objectOf(undefined, { key: first }, "Employee"),
      objectOf(undefined, { key: second }, "Department"),
    ],
  });
const sameActionKeys = (first: string, second: string) => {
  const object = objectOf();
  return moduleFindings({
    dataObjects: [object],
    actions: [actionOf(object, { key: first }, "Create"), actionOf(object, { key: second }, "Update")],
  });
};

const titled = (jsonPropertyName: string) =>
  Type.String({ title: "Token", description: "", isSensitive: true, jsonPropertyName });

const DUPLICATES: readonly CheckCase[] = [
  {
    reports: "two connection properties with one key",
    code: "name-duplicate-property",
    wrong: () => connectionFindings({ properties: { a: titled("token"), b: titled("token") } }),
    fine: () => connectionFindings({ properties: { a: titled("token"), b: titled("secret") } }),
  },
  {
    reports: "two data objects of one key",
    code: "name-key-collision",
    wrong: () => sameKeys("person", "person"),
    fine: () => sameKeys("person", "department"),
  },
  {
    reports: "two actions of one key",
    code: "name-key-collision",
    wrong: () => sameActionKeys("create", "create"),
    fine: () => sameActionKeys("create", "update"),
  },
  ...[0, -3].map(
    (version): CheckCase => ({
      reports: `the version ${version} of a module`,
      code: "version-invalid",
      wrong: () => moduleFindings({ version }),
      fine: () => moduleFindings({ version: 1 }),
    }),
  ),
  {
    reports: "two properties with one serialized name",
    code: "name-duplicate-property",
    wrong: () => objectFindings({ id: ID, hiredOn: named("hired"), hired: ID }),
    fine: () => objectFindings({ id: ID, hiredOn: named("Hired"), hired: ID }),
  },
  {
    reports: "two nested properties with one serialized name",
    code: "name-duplicate-property",
    wrong: () =>
      actionFindings({ input: Type.Object({ list: Type.Array(Type.Object({ a: named("b"), b: ID })) }) }),
    fine: () =>
      actionFindings({ input: Type.Object({ list: Type.Array(Type.Object({ a: named("c"), b: ID })) }) }),
  },
  {
    reports: "two data objects of one name",
    code: "name-duplicate",
    wrong: () => objects("Employee", "Employee"),
    fine: () => objects("Employee", "Employees"),
  },
  {
    reports: "two modules of one id",
    code: "name-duplicate",
    wrong: () => modules({}, { title: "Other" }),
    fine: () => modules({}, { version: 2 }),
  },
  {
    reports: "two actions of one name",
    code: "name-duplicate",
    wrong: () => actions("Create", "Create"),
    fine: () => actions("Create", "Delete"),
  },
  {
    reports: "two connections with one key",
    code: "name-duplicate",
    wrong: () => connectorFindings({ connections: [connectionOf(), connectionOf({}, "apiKeyAuth")] }),
    fine: () => connectorFindings({ connections: [connectionOf(), connectionOf({}, "OtherAuth")] }),
  },
];

const URLS: readonly CheckCase[] = [
  {
    reports: "data objects whose url parts differ only in case",
    code: "name-url-collision",
    wrong: () =>
      moduleFindings({ dataObjects: [objectOf(), objectOf(undefined, { urlPart: "EMPLOYEE" }, "Person")] }),
    fine: () =>
      moduleFindings({ dataObjects: [objectOf(), objectOf(undefined, { urlPart: "EMPLOYEES" }, "Person")] }),
  },
  {
    reports: "modules with one url part and one version",
    code: "name-url-collision",
    wrong: () => modules({}, { key: "other", urlPart: "Staff" }),
    fine: () => modules({}, { key: "other", urlPart: "Staff", version: 2 }),
  },
  {
    reports: "actions with one url part",
    code: "name-url-collision",
    wrong: () => actions("CreateAll", "createAll"),
    fine: () => actions("CreateAll", "Create"),
  },
  {
    reports: "a key that does not belong in an address",
    code: "name-url-unsafe",
    wrong: () => connectorFindings({ key: "our company" }),
    fine: () => connectorFindings({ key: "our-company_2.0" }),
  },
  {
    reports: "a url part that leads upwards",
    code: "name-url-unsafe",
    wrong: () => objectFindings(undefined, { urlPart: ".." }),
    fine: () => objectFindings(undefined, { urlPart: "a..b" }),
  },
];

const STYLES: readonly CheckCase[] = [
  {
    reports: "a name in another style than those around it",
    code: "name-style-mixed",
    wrong: () => objectFindings({ id: ID, hiredOn: ID, leftOn: ID, last: named("last_seen") }),
    fine: () => objectFindings({ id: ID, hiredOn: ID, leftOn: ID, last: named("seen"), $ref: ID, URL: ID }),
  },
  ...(
    [
      ["created_on", { namingConvention: "snake_case" }],
      ["CreatedOn", { namingConvention: "PascalCase" }],
      ["Created_On", {}],
    ] as const
  ).map(
    ([name, options]): CheckCase => ({
      reports: `that ${name} is serialized in camelCase`,
      code: "name-converted",
      wrong: () => objectFindings({ id: ID, [name]: ID }),
      fine: () =>
        name === "Created_On"
          ? objectFindings({ id: ID, [name]: named(name) })
          : objectFindings({ id: ID, [name]: ID }, options),
    }),
  ),
  {
    reports: "a nested name in another style, in what an action is given",
    code: "name-style-mixed",
    wrong: () =>
      actionFindings({ input: Type.Object({ list: Type.Array(Type.Object({ aB: ID, c: named("c-d") })) }) }),
    fine: () =>
      actionFindings({ input: Type.Object({ list: Type.Array(Type.Object({ aB: ID })), c: named("cD") }) }),
  },
];

const CLASSES: readonly CheckCase[] = [
  ...["Object", "Promise", "class", "__proto__"].map(
    (name): CheckCase => ({
      reports: `a data object named ${name}`,
      code: "name-reserved",
      wrong: () => objects(name),
      fine: () => objects(`${name}s`),
    }),
  ),
  {
    reports: "a connection named Error",
    code: "name-reserved",
    wrong: () => connectionFindings({}, "Error"),
    fine: () => connectionFindings({}, "error"),
  },
  {
    reports: "an action whose name with its object's is reserved",
    code: "name-reserved",
    wrong: () => {
      const object = objectOf(undefined, undefined, "tends");
      return moduleFindings({ dataObjects: [object], actions: [actionOf(object, {}, "ex")] });
    },
    fine: () => actions("Delete", "delete", "Object"),
  },
  {
    reports: "a data object whose name is no identifier",
    code: "name-not-identifier",
    wrong: () => objects("pay-slip"),
    fine: () => objects("PaySlip2"),
  },
  {
    reports: "an action whose name is no identifier",
    code: "name-not-identifier",
    wrong: () => actions("2nd"),
    fine: () => actions("Second"),
  },
];

export const NAME_CASES: readonly CheckCase[] = [
  ...REQUIRED_NAMES,
  ...DUPLICATES,
  ...URLS,
  ...STYLES,
  ...CLASSES,
];
