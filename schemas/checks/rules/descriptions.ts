/** Rules of descriptions (§2.9): there, and written by the author rather than by a template. */
import type { CheckRules } from "../../diagnostics/codes.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { CONNECTOR_LOCATION, findingsOf, type Location } from "../../diagnostics/locations.js";
import { propertyExample } from "../../diagnostics/rules/example-code.js";
import type { ConnectorModel } from "../../model/connector-model.js";
import { splitWords } from "../../naming/words.js";
import { connectionsOf, modulesOf } from "../visit/model-parts.js";
import { stringKeyword, type VisitedSchema } from "../visit/schema-visitor.js";
import { isPlatformSwitch } from "./configurations.js";

export const DESCRIPTION_RULES = {
  "description-missing": {
    severity: "warning",
    isErrorIfStrict: true,
    section: "§2.9",
    message: "{what} has no description.",
    fix: "Say in a sentence what it is, for those who build with this connector.",
    example: propertyExample(
      "city: Type.String(),",
      'city: Type.String({ description: "City of the post." }),',
    ),
  },
  "description-placeholder": {
    severity: "warning",
    isErrorIfStrict: true,
    section: "§2.9",
    message: 'The description of {what} is a placeholder: "{text}".',
    fix: "Say in a sentence what it is.",
    example: propertyExample(
      'city: Type.String({ description: "TODO" }),',
      'city: Type.String({ description: "City, as the post knows it." }),',
    ),
  },
} as const satisfies CheckRules;

const findingAt = findingsOf(DESCRIPTION_RULES);

/** Checks the descriptions of connector, connections, modules, data objects and actions. */
export function checkDescriptions(model: ConnectorModel): readonly Diagnostic[] {
  return [
    ...checkRequired(CONNECTOR_LOCATION, model.description, [model.title]),
    // A connection's description may be empty (§2.1); the builder reports a missing one.
    ...connectionsOf(model).flatMap(({ connection, location }) =>
      checkPlaceholder(location, connection.description, [connection.name]),
    ),
    ...modulesOf(model).flatMap(({ module, location, objects }) => [
      ...checkRequired(location, module.description, [module.title]),
      ...objects.flatMap(({ object, location: objectLocation, actions }) => [
        ...checkRequired(objectLocation, object.description, [object.name, object.title]),
        ...actions.flatMap(({ action, location: actionLocation }) =>
          checkRequired(actionLocation, action.description, [action.name, action.title]),
        ),
      ]),
    ]),
  ];
}

/** Checks the description of one schema. Items and values are described by the property that holds them. */
export function checkSchemaDescription(visited: VisitedSchema): readonly Diagnostic[] {
  const { view, definition, location, position, role, isCondition, name, jsonName } = visited;
  if (isCondition || role === "attribute" || isPlatformSwitch(visited)) return [];
  const own = stringKeyword(view, "description");
  // The description of a data object is checked with the object.
  if (position === "property") {
    const description = own ?? (definition && stringKeyword(definition, "description")) ?? "";
    return checkRequired(location, description, [name, jsonName]);
  }
  const isNamed = position === "definition" || (position === "root" && role !== "dataObject");
  return isNamed && own !== undefined ? checkPlaceholder(location, own, []) : [];
}

function checkRequired(
  location: Location,
  description: string,
  names: readonly string[],
): readonly Diagnostic[] {
  return description.trim() === ""
    ? [findingAt("description-missing", location, { what: location.what })]
    : checkPlaceholder(location, description, names);
}

function checkPlaceholder(location: Location, text: string, names: readonly string[]): readonly Diagnostic[] {
  if (text.trim() === "" || !isPlaceholder(text, names)) return [];
  return [findingAt("description-placeholder", location, { what: location.what, text })];
}

/** Whole descriptions that say nothing, in lower case and without closing punctuation. */
const PLACEHOLDERS = new Set(
  [
    "todo, tbd, tba, fixme, xxx, n/a, na, none, null, undefined, test, foo, bar, asdf, string, text",
    "description, a description, the description, desc, no description, description here, some description",
    "property description, object description, action description, field description, your description",
    "placeholder, change me, changeme, fill me in, to be done, to be defined, to be described",
  ].flatMap((line) => line.split(", ")),
);

/** Descriptions of templates. */
const PLACEHOLDER_PATTERNS: readonly RegExp[] = [
  /^(?:todo|fixme|tbd)\b\s*[:.,;!–-]/i,
  /^lorem ipsum\b/i,
  /^example description\b/i,
  /^(?:enter|add|insert|write|put|provide|type)\s+(?:a |the |your |some )?description\b/i,
  /^(?:your|the|a|some)?\s*description (?:goes|comes|of (?:the|this) (?:property|object|action|field|class|module|connector)$)/i,
  /^[<[{(]\s*(?:a |the |your )?description\b.*[>\]})]$/i,
];

/** A longer description is the author's own, whatever it begins with. */
const MAX_PLACEHOLDER_LENGTH = 200;

/** Whether `text` says nothing: a description of a template, or only one of `names` again. */
export function isPlaceholder(text: string, names: readonly string[]): boolean {
  if (text.length > MAX_PLACEHOLDER_LENGTH) return /^\s*lorem ipsum\b/i.test(text);
  const plain = text
    .trim()
    .replace(/[\s.!…]+$/u, "")
    .toLowerCase();
  // Dots, dashes and question marks only.
  if (!/[\p{L}\p{Nd}]/u.test(plain)) return true;
  if (PLACEHOLDERS.has(plain) || names.some((name) => name.toLowerCase() === plain)) return true;
  return PLACEHOLDER_PATTERNS.some((pattern) => pattern.test(plain)) || onlyNamesClass(plain, names);
}

/** `Represents a(n) <ClassName>`, with the name of the class as code or in words. */
function onlyNamesClass(plain: string, names: readonly string[]): boolean {
  const [, subject] = /^represents (?:a\(n\)|an|a|the) (.+)$/.exec(plain) ?? [];
  if (subject === undefined) return /^represents a\(n\)/.test(plain);
  const joined = lettersOf(subject.replace(/ (?:object|record|entity|data object|class|model)$/, ""));
  return names.some((name) => lettersOf(name) === joined);
}

function lettersOf(text: string): string {
  return splitWords(text).join("").toLowerCase();
}
