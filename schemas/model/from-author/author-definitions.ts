/** Definitions inside the options of others: what belongs there, each with a location of its own. */
import { definedAt, isOldCall } from "../../authoring/definition.js";
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.js";
import { isJsonObject, jsonPointer } from "../../json.js";
import { displayName } from "../../naming/words.js";
import {
  type BuildLocation,
  describeValue,
  inside,
  noteSilence,
  type OptionReader,
  report,
  stringOrEmpty,
} from "./option-reader.js";

/** A definition of the right kind, and where it stands. */
export interface AuthorDefinition {
  readonly value: Readonly<Record<PropertyKey, unknown>>;
  readonly name: string;
  readonly location: BuildLocation;
}

/** The definitions of `kind` in the list `option`, each at its place under `member` of connector.json. */
export function definitionsIn(
  options: OptionReader,
  option: string,
  kind: string,
  member: string,
  location: BuildLocation,
): readonly AuthorDefinition[] {
  return valuesIn(options, option, kind, location).map((value, index) =>
    definitionAt(value, kind, inside(location, { pointer: [member, index] })),
  );
}

/** The values of `kind` in the list `option`; anything else in it is reported and left out. */
export function valuesIn(
  options: OptionReader,
  option: string,
  kind: string,
  location: BuildLocation,
): readonly AuthorDefinition["value"][] {
  const found: AuthorDefinition["value"][] = [];
  for (const [index, value] of options.array(option).entries()) {
    const place = inside(location, { path: [option, index] });
    if (!isJsonObject(value) || value["kind"] !== kind) {
      report(place, "definition-invalid", {
        what: `Member ${index + 1} of "${option}" of ${location.what}`,
        expected: `a defined ${kind}`,
        actual: describeValue(value),
      });
      continue;
    }
    found.push(value);
  }
  return found;
}

/** `value` with its name and the location that its own definition opens. */
export function definitionAt(
  value: Readonly<Record<PropertyKey, unknown>>,
  kind: string,
  place: BuildLocation,
): AuthorDefinition {
  const location = openDefinition(value, { ...place, what: `${kind} "${stringOrEmpty(value["name"])}"` });
  return { value, name: definitionName(value, kind, location), location };
}

/** The name that `value` was defined with; empty, with a finding, if it is no string. */
export function definitionName(
  value: AuthorDefinition["value"],
  kind: string,
  location: BuildLocation,
): string {
  const name = value["name"];
  if (typeof name === "string") return name;
  report(location, "definition-invalid", {
    what: `The name of a ${kind}`,
    expected: "a string",
    actual: describeValue(name),
  });
  return "";
}

/** The location of a definition: what is inside it is looked for from its own call. */
export function openDefinition(value: object, place: BuildLocation): BuildLocation {
  const origin = definedAt(value);
  place.listed.add(value);
  if (origin !== undefined) place.origins.set(jsonPointer(place.pointer), origin);
  const location = { ...place, path: [] };
  const options = Reflect.get(value, "options");
  if (isJsonObject(options)) noteSilence(options["silence"], location, "definition");
  // A configuration's place tells its kind.
  if (Reflect.get(value, "kind") !== "configuration") reportOldCall(value, location);
  return location;
}

/** The word that defines each kind, and the option that lists it. */
const KINDS: Readonly<Record<string, { readonly word: string; readonly list: string }>> = {
  action: { word: "defineAction", list: '"actions" of a module' },
  connection: { word: "defineConnection", list: '"connections" of the connector' },
  connector: { word: "defineConnector", list: "" },
  "data object": { word: "defineDataObject", list: '"dataObjects" of a module' },
  module: { word: "defineModule", list: '"modules" of the connector' },
  "registration configuration": {
    word: "defineRegistrationConfiguration",
    list: '"registrationConfiguration" of the connector',
  },
  "service configuration": {
    word: "defineServiceConfiguration",
    list: '"actionProcessor" or "cacheWriter" of a module',
  },
};

/** One finding for a call in the shape before `defineX(name, options)`: it shows the new call with the author's names. */
export function reportOldCall(value: object, location: BuildLocation, kind?: string, name?: string): void {
  if (!isOldCall(value)) return;
  const definition = value as Readonly<Record<string, unknown>>;
  const call = newCall(kind ?? String(definition["kind"]), name ?? definition["name"], definition["options"]);
  report(location, "call-shape-old", { what: location.what, call });
}

function newCall(kind: string, name: unknown, options: unknown): string {
  const members = Object.entries(isJsonObject(options) ? options : {}).flatMap(([option, value]) => {
    if (option === "title" && (value === undefined || value === displayName(stringOrEmpty(name)))) return [];
    if (option === "title") return [`title: ${JSON.stringify(value)}`];
    if (option === "dataObject") return [`dataObject: ${nameIn(value)}`];
    return option === "properties" ? [`properties: ${propertiesIn(value)}`] : [option];
  });
  return `${KINDS[kind]?.word}(${JSON.stringify(stringOrEmpty(name))}, { ${members.join(", ")} })`;
}

function nameIn(value: unknown): string {
  return (isJsonObject(value) && stringOrEmpty(value["name"])) || "…";
}

const SHOWN_PROPERTIES = 6;

/** The names of plain properties; a whole TypeBox object, whose keywords stand among its members, is not spelled out. */
function propertiesIn(value: unknown): string {
  if (!isJsonObject(value) || Object.getOwnPropertySymbols(value).length > 0) return "…";
  const names = Object.keys(value);
  const shown = names.slice(0, SHOWN_PROPERTIES);
  return `{ ${[...shown, ...(shown.length < names.length ? ["…"] : [])].join(", ")} }`;
}

/** A definition that is part of no connector, with the finding that says so; it has no place yet. */
export interface UnlistedDefinition {
  readonly definition: object;
  readonly finding: Diagnostic;
}

/**
 * Those of `definitions` that are not in `listed`. What only an unlisted one lists is left out: there is one mistake,
 * not several.
 */
export function unlistedAmong(
  definitions: readonly object[],
  listed: ReadonlySet<unknown>,
): readonly UnlistedDefinition[] {
  const unlisted = definitions.filter((definition) => !listed.has(definition));
  const held = new Set(unlisted.flatMap((definition) => definitionsWithin(optionsOf(definition))));
  return unlisted
    .filter((definition) => !held.has(definition))
    .map((definition) => ({ definition, finding: unlistedFinding(definition) }));
}

function optionsOf(definition: object): Readonly<Record<PropertyKey, unknown>> {
  const options: unknown = Reflect.get(definition, "options");
  return isJsonObject(options) ? options : {};
}

/** An action does not list its data object. */
function definitionsWithin({
  dataObject: _,
  ...options
}: Readonly<Record<PropertyKey, unknown>>): readonly unknown[] {
  return Object.values(options).flat();
}

function unlistedFinding(definition: object): Diagnostic {
  const kind = String(Reflect.get(definition, "kind"));
  const name = stringOrEmpty(Reflect.get(definition, "name"));
  const list = KINDS[kind]?.list || "the connector";
  const finding = diagnostic("definition-unlisted", {}, { what: `The ${kind} "${name}"`, list });
  const { silence } = optionsOf(definition);
  const reason = isJsonObject(silence) ? stringOrEmpty(silence["definition-unlisted"]).trim() : "";
  return reason === "" ? finding : { ...finding, silenced: reason };
}
