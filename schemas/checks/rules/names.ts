/** Rules of names and the url parts made from them (§1.7, §2.9): not empty, not taken twice, fit for code and for addresses. */
import type { CheckRules } from "../../diagnostics/codes.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import {
  CONNECTOR_LOCATION,
  findingsOf,
  type Location,
  PART_NAMES,
  within,
} from "../../diagnostics/locations.js";
import {
  moduleKeyExample,
  moduleVersionExample,
  objectNameExample,
  secondObjectExample,
  siteWithProperty,
} from "../../diagnostics/rules/example-code.js";
import type { ConnectorModel } from "../../model/connector-model.js";
import { applyConvention, NAMING_CONVENTIONS } from "../../naming/conventions.js";
import { isIdentifier, isReserved } from "../../naming/identifiers.js";
import {
  attributeLocation,
  connectionsOf,
  type LocatedAction,
  type LocatedConnection,
  type LocatedModule,
  type LocatedObject,
  modulesOf,
} from "../visit/model-parts.js";
import type { VisitedSchema } from "../visit/schema-visitor.js";

export const NAME_RULES = {
  "name-empty": {
    severity: "error",
    section: "§1.7",
    message: "The {field} of {what} is empty.",
    fix: "Give it a name.",
    example: moduleKeyExample('key: "",', 'key: "app",'),
  },
  "name-duplicate-property": {
    severity: "error",
    section: "§2.9",
    message: 'Properties "{first}" and "{second}" of {what} are both serialized as "{name}".',
    fix: "Give one of them another jsonPropertyName.",
    example: {
      part: "properties",
      wrong: `city: Type.String({ description: "City of the post." }),
town: Type.String({ description: "Town next to it.", jsonPropertyName: "city" }),`,
      right: `city: Type.String({ description: "City of the post." }),
town: Type.String({ description: "Town next to it." }),`,
    },
  },
  "name-duplicate": {
    severity: "error",
    section: "§1.7",
    message: 'Two {kind}s in {what} are named "{name}".',
    fix: "Rename one of them.",
    example: objectNameExample('"Site"', '"Building"'),
  },
  "name-url-collision": {
    severity: "error",
    section: "§1.7",
    message: 'The {kind}s "{first}" and "{second}" in {what} share the url part "{url}".',
    fix: "Rename one of them, or set its urlPart.",
    example: objectNameExample('"SITE"', '"Sites"'),
  },
  "name-key-collision": {
    severity: "error",
    section: "§1.7",
    message: 'The {kind}s "{first}" and "{second}" in {what} share the key "{key}".',
    fix: "Give one of them another key.",
    example: secondObjectExample('key: "site",', 'key: "building",'),
  },
  "name-url-unsafe": {
    severity: "error",
    section: "§1.7",
    message: 'The {field} "{url}" of {what} contains characters that do not belong in an address.',
    fix: "Use letters, digits, hyphens, dots and underscores.",
    example: moduleKeyExample('key: "our app",', 'key: "our-app",'),
  },
  "name-style-mixed": {
    severity: "info",
    section: "§2.9",
    message: 'Properties of {what} are serialized in {style}, but "{name}" is in {other}.',
    fix: "Nothing to do if the target system has these names; otherwise let namingConvention make them.",
    example: {
      part: "properties",
      wrong: `openedOn: Type.String({ description: "First day." }),
closedOn: Type.String({ description: "Last day.", jsonPropertyName: "closed_on" }),
ownedBy: Type.String({ description: "Owner." }),`,
      right: `openedOn: Type.String({ description: "First day." }),
closedOn: Type.String({ description: "Last day." }),
ownedBy: Type.String({ description: "Owner." }),`,
    },
  },
  "name-converted": {
    severity: "info",
    section: "§2.9",
    message:
      '{what} is serialized as "{jsonName}": the convention is camelCase, and the name in code is not.',
    fix: 'Nothing to do if the target system says "{jsonName}". If it says "{name}", set {option}: otherwise every record is rejected.',
    example: {
      part: "object",
      wrong: siteWithProperty('opened_on: Type.String({ description: "First day." }),'),
      right: `const Site = defineDataObject("Site", {
  description: "A place where work is done.",
  primaryKey: "id",
  namingConvention: "snake_case",
  properties: {
    id: Type.String({ description: "Identifier." }),
    opened_on: Type.String({ description: "First day." }),
  },
});`,
    },
  },
  "name-reserved": {
    severity: "error",
    section: "§2.9",
    message: '"{name}" can\'t name a {kind}: it is reserved in generated code.',
    fix: "Choose another name in the code, and set jsonPropertyName or title to keep what is shown.",
    example: objectNameExample('"Promise"', '"Commitment"'),
  },
  "version-invalid": {
    severity: "error",
    section: "§1.2",
    message: "The version of {what} is {version}; versions start at 1.",
    fix: "Use 1 for the first version of a module.",
    example: moduleVersionExample("version: 0,", "version: 1,"),
  },
  "name-not-identifier": {
    severity: "error",
    section: "§2.9",
    message: '"{name}" can\'t name a {kind} in the code.',
    fix: "Use a name of letters and digits that starts with a letter, and set title for what is shown.",
    example: objectNameExample('"pay-slip"', '"PaySlip"'),
  },
} as const satisfies CheckRules;

const findingAt = findingsOf(NAME_RULES);

/** Checks the names of connector, connections, modules, data objects and actions. */
export function checkNames(model: ConnectorModel): readonly Diagnostic[] {
  const connections = connectionsOf(model);
  const modules = modulesOf(model);
  return [
    ...checkEmpty(CONNECTOR_LOCATION, {
      name: model.name,
      title: model.title,
      key: model.key,
      urlPart: model.urlPart,
    }),
    ...connections.flatMap(checkConnection),
    ...checkDuplicates(
      "connection",
      CONNECTOR_LOCATION.what,
      connections.map(({ connection, location }) => ({ name: connection.key, location })),
    ),
    ...modules.flatMap(checkModule),
    ...checkDuplicates(
      "module",
      CONNECTOR_LOCATION.what,
      modules.map(({ module, location }) => ({ name: module.id, location })),
    ),
  ];
}

function checkConnection(located: LocatedConnection): readonly Diagnostic[] {
  const { connection, location } = located;
  return [
    ...checkEmpty(location, { name: connection.name, key: connection.key, title: connection.title }),
    ...checkClass(connection.name, connection.name, "connection", location),
    ...connection.attributes.flatMap(({ name, key, title }, index) =>
      checkEmpty(attributeLocation(located, index), { name, key, title }),
    ),
    ...checkAttributeKeys(located),
  ];
}

/** Values of a connection are stored by key: two properties with one key would overwrite each other. */
function checkAttributeKeys(located: LocatedConnection): readonly Diagnostic[] {
  const firsts = new Map<string, string>();
  const { what } = located.location;
  return located.connection.attributes.flatMap(({ name, key }, index) => {
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, name);
    if (first === undefined || key.trim() === "") return [];
    const location = attributeLocation(located, index);
    return [findingAt("name-duplicate-property", location, { first, second: name, what, name: key })];
  });
}

function checkModule({ module, location, objects }: LocatedModule): readonly Diagnostic[] {
  return [
    ...checkEmpty(location, {
      name: module.name,
      title: module.title,
      key: module.key,
      urlPart: module.urlPart,
    }),
    ...checkVersion(module.version, location),
    ...objects.flatMap(checkObject),
    ...checkDuplicates(
      "data object",
      location.what,
      objects.map((located) => ({ name: located.object.name, location: located.location })),
    ),
  ];
}

function checkVersion(version: number, location: Location): readonly Diagnostic[] {
  if (version >= 1) return [];
  return [
    findingAt("version-invalid", within(location, { pointer: ["version"], path: ["version"] }), {
      what: location.what,
      version,
    }),
  ];
}

function checkObject({ object, location, actions }: LocatedObject): readonly Diagnostic[] {
  return [
    ...checkEmpty(location, {
      name: object.name,
      title: object.title,
      urlPart: object.urlPart,
      key: object.key,
    }),
    ...checkClass(object.name, object.name, "data object", location),
    ...actions.flatMap((located) => checkAction(located, object.name)),
    ...checkDuplicates(
      "action",
      location.what,
      actions.map((located) => ({ name: located.action.name, location: located.location })),
    ),
  ];
}

function checkAction({ action, location }: LocatedAction, object: string): readonly Diagnostic[] {
  return [
    ...checkEmpty(location, {
      name: action.name,
      title: action.title,
      urlPart: action.urlPart,
      key: action.key,
    }),
    // `Delete` is a good name: what it names in the code is `DeleteEmployee`.
    ...checkClass(action.name, `${action.name}${object}`, "action", location),
  ];
}

/** Reports the first empty field only: the others follow from it. */
function checkEmpty(location: Location, fields: Readonly<Record<string, string>>): readonly Diagnostic[] {
  const field = Object.keys(fields).find((name) => fields[name]?.trim() === "");
  if (field === undefined) return [];
  // The name is the first argument of the call: an option of that name is something else.
  const at = field === "name" ? location : within(location, { path: [field] });
  return [findingAt("name-empty", at, { field, what: location.what })];
}

/** `generated` is the identifier that the name becomes in generated code. */
function checkClass(
  name: string,
  generated: string,
  kind: string,
  location: Location,
): readonly Diagnostic[] {
  if (name.trim() === "") return [];
  if (!isIdentifier(name)) return [findingAt("name-not-identifier", location, { name, kind })];
  return isReserved(generated) ? [findingAt("name-reserved", location, { name, kind })] : [];
}

function checkDuplicates(
  kind: string,
  what: string,
  named: readonly { readonly name: string; readonly location: Location }[],
): readonly Diagnostic[] {
  const seen = new Set<string>();
  return named.flatMap(({ name, location }) => {
    const isNew = seen.size < seen.add(name).size;
    return isNew || name === "" ? [] : [findingAt("name-duplicate", location, { kind, what, name })];
  });
}

/** Checks the url parts and keys of connector, modules, data objects and actions. */
export function checkUrls(model: ConnectorModel): readonly Diagnostic[] {
  const modules = modulesOf(model).map(
    ({ module, location, objects }): Addressed => ({
      kind: "module",
      id: module.id,
      name: module.id,
      url: `${module.urlPart}/${module.version}`,
      urlPart: module.urlPart,
      key: module.key,
      location,
      inside: objects.map(({ object, location: objectLocation, actions }) => ({
        ...addressedPart("data object", object, objectLocation),
        inside: actions.map(({ action, location: actionLocation }) =>
          addressedPart("action", action, actionLocation),
        ),
      })),
    }),
  );
  return checkResource({
    kind: "connector",
    id: "",
    name: model.title,
    url: model.urlPart,
    urlPart: model.urlPart,
    key: model.key,
    location: CONNECTOR_LOCATION,
    inside: modules,
  });
}

/** A resource as the platform addresses it. */
interface Addressed {
  readonly kind: string;
  /** Two resources with one id are duplicates, which is a finding of its own. */
  readonly id: string;
  readonly name: string;
  /** What must differ from the resources beside it. */
  readonly url: string;
  readonly urlPart: string;
  readonly key: string;
  readonly location: Location;
  readonly inside: readonly Addressed[];
}

function addressedPart(
  kind: string,
  { name, urlPart, key }: { readonly name: string; readonly urlPart: string; readonly key: string },
  location: Location,
): Addressed {
  return { kind, id: name, name, url: urlPart, urlPart, key, location, inside: [] };
}

function checkResource(resource: Addressed): readonly Diagnostic[] {
  return [...checkSafe(resource), ...resource.inside.flatMap(checkResource), ...checkCollisions(resource)];
}

function checkSafe({ urlPart, key, location }: Addressed): readonly Diagnostic[] {
  const report = (field: string, url: string) =>
    isSafe(url) ? [] : [findingAt("name-url-unsafe", location, { field, url, what: location.what })];
  // If they are equal, one is made from the other.
  return key === urlPart
    ? report("url part", urlPart)
    : [...report("url part", urlPart), ...report("key", key)];
}

/** Empty names are a finding of their own. */
function isSafe(url: string): boolean {
  return url.trim() === "" || (/^[\w.-]+$/.test(url) && !/^\.+$/.test(url));
}

function checkCollisions(holder: Addressed): readonly Diagnostic[] {
  return [...checkUrlCollisions(holder), ...checkKeyCollisions(holder)];
}

/** Modules may share a key if their versions differ; the same version twice is a duplicate. */
function checkKeyCollisions({ inside, location }: Addressed): readonly Diagnostic[] {
  const firsts = new Map<string, Addressed>();
  return inside.flatMap((second) => {
    const { kind, key, name } = second;
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, second);
    if (kind === "module" || key.trim() === "" || first === undefined || first.id === second.id) return [];
    const at = within(second.location, { path: ["key"] });
    return [
      findingAt("name-key-collision", at, {
        kind,
        first: first.name,
        second: name,
        what: location.what,
        key,
      }),
    ];
  });
}

function checkUrlCollisions({ inside, location }: Addressed): readonly Diagnostic[] {
  const firsts = new Map<string, Addressed>();
  return inside.flatMap((second) => {
    const url = second.url.toLowerCase();
    const first = firsts.get(url);
    if (first === undefined) firsts.set(url, second);
    if (first === undefined || first.id === second.id || second.urlPart === "") return [];
    const parameters = { kind: second.kind, first: first.name, second: second.name, what: location.what };
    return [findingAt("name-url-collision", second.location, { ...parameters, url: second.urlPart })];
  });
}

/** Checks that the serialized names of an object are not empty, and not shared by two properties. */
export function checkPropertyNames({ view, location }: VisitedSchema): readonly Diagnostic[] {
  const firsts = new Map<string, string>();
  return view.properties.flatMap(({ name, jsonName }) => {
    const at = () => within(location, { pointer: ["properties", jsonName], path: [name] });
    if (jsonName === "") {
      return [
        findingAt("name-empty", at(), {
          field: "serialized name",
          what: PART_NAMES.property(name, location.what),
        }),
      ];
    }
    const first = firsts.get(jsonName);
    if (first === undefined) firsts.set(jsonName, name);
    if (first === undefined) return [];
    return [
      findingAt("name-duplicate-property", at(), {
        first,
        second: name,
        what: location.what,
        name: jsonName,
      }),
    ];
  });
}

const STYLES: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  // A single word in small letters is in all styles.
  { name: "camelCase", pattern: /^[a-z][a-z0-9]*(?:[A-Z][a-zA-Z0-9]*)+$/ },
  { name: "PascalCase", pattern: /^[A-Z][a-zA-Z0-9]*[a-z][a-zA-Z0-9]*$/ },
  { name: "snake_case", pattern: /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/ },
  { name: "kebab-case", pattern: /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/ },
  { name: "UPPER_SNAKE_CASE", pattern: /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/ },
];

/** Checks that serialized names are of one style; at most one finding, at the first property of the rarer style. */
export function checkNameStyles({ view, location, role }: VisitedSchema): readonly Diagnostic[] {
  if (role !== "dataObject" && role !== "input" && role !== "output") return [];
  const styled = view.properties.flatMap(({ name, jsonName }) => {
    const style = STYLES.find(({ pattern }) => pattern.test(jsonName))?.name;
    return style === undefined ? [] : [{ name, jsonName, style }];
  });
  const counts = new Map<string, number>();
  for (const { style } of styled) counts.set(style, (counts.get(style) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  const odd = styled.find(({ style }) => style !== most?.[0]);
  if (most === undefined || odd === undefined) return [];
  const at = within(location, { pointer: ["properties", odd.jsonName], path: [odd.name] });
  const parameters = { what: location.what, style: most[0], name: odd.jsonName, other: odd.style };
  return [findingAt("name-style-mixed", at, parameters)];
}

/** Notes that the default convention changes names that are written in another one; at most once an object. */
export function checkConvertedNames({ view, location, role }: VisitedSchema): readonly Diagnostic[] {
  if (role !== "dataObject" && role !== "input" && role !== "output") return [];
  const converted = view.properties.find(
    ({ name, jsonName }) => name !== jsonName && applyConvention(name, "camelCase") === jsonName,
  );
  if (converted === undefined) return [];
  const { name, jsonName } = converted;
  const kept = NAMING_CONVENTIONS.find((convention) => applyConvention(name, convention) === name);
  const option = kept === undefined ? `jsonPropertyName: "${name}"` : `namingConvention: "${kept}"`;
  const what = PART_NAMES.property(name, location.what);
  const at = within(location, { what, pointer: ["properties", jsonName], path: [name] });
  return [findingAt("name-converted", at, { what, name, jsonName, option })];
}
