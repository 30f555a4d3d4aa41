/** What can be wrong with the values that the calls of the vocabulary are given. The model builder reports it. */
import {
  authTypeExample,
  connectionPropertyExample,
  moduleVersionExample,
  propertyExample,
  siteOptionExample,
  siteWithProperty,
  TITLED,
} from "./example-code.js";
import type { RuleFamily } from "./rule.js";

export const DEFINITION_RULES = {
  "definition-invalid": {
    severity: "error",
    section: "§1.2",
    message: "{what} must be {expected}, but is {actual}.",
    fix: "Correct the value.",
    example: moduleVersionExample('version: "1",', "version: 1,"),
  },
  "definition-option-unknown": {
    severity: "error",
    section: "§1.7",
    message: '"{option}" is not an option of {what}.{hint}',
    fix: "Correct its name, or remove it.",
    example: moduleVersionExample("version: 1,\n  dataObject: [],", "version: 1,"),
  },
  "definition-prototype": {
    severity: "error",
    section: "§2.9",
    message:
      'The "__proto__" in the object of {what} is no member: it sets a prototype, which nothing reads.',
    fix: 'Choose another name in code; jsonPropertyName: "__proto__" gives a property this serialized name.',
    example: propertyExample(
      '__proto__: Type.Number({ description: "Square metres." }),',
      'area: Type.Number({ description: "Square metres." }),',
    ),
  },
  "definition-action-unplaced": {
    severity: "error",
    section: "§2.7",
    message: 'Action "{action}" belongs to "{object}", which module "{module}" does not list.',
    fix: "List the data object in the same module as its actions.",
    example: {
      part: "action",
      wrong: `const Building = defineDataObject("Building", {
  description: "What stands on a site.",
  primaryKey: "id",
  properties: { id: Type.String({ description: "Identifier." }) },
});
const CreateSite = defineAction("Create", { dataObject: Building, description: "Builds a house." });`,
      right: 'const CreateSite = defineAction("Create", { dataObject: Site, description: "Opens a site." });',
    },
  },
  "definition-reader-type-unknown": {
    severity: "error",
    section: "§2.8",
    message: 'Data object "{object}" has the reader type "{readerType}".',
    fix: "Use full or incremental.",
    example: siteOptionExample('readerType: "delta",', 'readerType: "incremental",'),
  },
  "schema-invalid": {
    severity: "error",
    section: "§1.7",
    message: "The schema of {what} is {actual}, not a TypeBox schema.",
    fix: "Write a value of Type, such as Type.String().",
    example: propertyExample('area: "number",', 'area: Type.Number({ description: "Square metres." }),'),
  },
  "schema-not-json": {
    severity: "error",
    section: "§1.7",
    message: "{what} is a {type}, which JSON can't carry.",
    fix: "Use {replacement} in its place.",
    example: propertyExample(
      'openedOn: Type.Date({ description: "First day." }),',
      'openedOn: Type.String({ format: "date-time", description: "First day." }),',
    ),
  },
  "schema-keyword-not-json": {
    severity: "error",
    section: "§1.7",
    message: 'The option "{keyword}" of {what} holds {actual}, which JSON can\'t carry.',
    fix: "Use strings, numbers, booleans, null, arrays and plain objects.",
    example: propertyExample(
      'area: Type.Number({ description: "Square metres.", examples: [1n] }),',
      'area: Type.Number({ description: "Square metres.", examples: [1] }),',
    ),
  },
  "schema-cyclic": {
    severity: "error",
    section: "§2.10",
    message: "The schema of {what} contains itself.",
    fix: "Describe recursion with Type.Recursive or Type.Module.",
    example: {
      part: "object",
      wrong: `const area = Type.Object({}, { description: "An area of areas." });
Object.assign(area.properties, { inner: area });
${siteWithProperty("area,")}`,
      right: `const area = Type.Recursive(
  (Area) => Type.Object({ inner: Type.Optional(Area) }, { description: "An area of areas." }),
  { $id: "Area" },
);
${siteWithProperty("area,")}`,
    },
  },
  "schema-too-deep": {
    severity: "error",
    section: "§1.7",
    message: "The schema of {what} is nested more than {limit} levels deep.",
    fix: "Flatten the value, or describe recursion with Type.Recursive.",
    example: {
      part: "object",
      wrong: `let grid: TSchema = Type.Array(Type.String());
for (let level = 0; level < 300; level++) grid = Type.Array(grid);
${siteWithProperty('grid: Type.Object({ grid }, { description: "Cells." }),')}`,
      right: siteWithProperty('grid: Type.Array(Type.Array(Type.String()), { description: "Cells." }),'),
    },
  },
  "schema-reference-unknown": {
    severity: "error",
    section: "§2.10",
    message: '{what} refers to "{reference}", which no enclosing schema defines.',
    fix: "Refer to the schema through Type.Recursive or Type.Module(...).Import.",
    example: propertyExample(
      'owner: Type.Ref("Owner", { description: "Who owns it." }),',
      `owner: Type.Module({
  Owner: Type.Object({ name: Type.String({ description: "Name of the company." }) }, { description: "Who owns it." }),
}).Import("Owner"),`,
    ),
  },
  "definition-unlisted": {
    severity: "warning",
    section: "§1.2",
    message: "{what} is defined and listed nowhere.",
    fix: "Add it to {list}, or remove it.",
    example: {
      part: "module",
      wrong: `const Building = defineDataObject("Building", {
  description: "What stands on a site.",
  primaryKey: "id",
  properties: { id: Type.String({ description: "Identifier." }) },
});
const App = defineModule("App", {
  key: "app",
  version: 1,
  description: "All of it.",
  dataObjects: [Site],
});`,
      right: `const Building = defineDataObject("Building", {
  description: "What stands on a site.",
  primaryKey: "id",
  properties: { id: Type.String({ description: "Identifier." }) },
});
const App = defineModule("App", {
  key: "app",
  version: 1,
  description: "All of it.",
  dataObjects: [Site, Building],
});`,
    },
  },
  "call-shape-old": {
    severity: "error",
    section: "§1.2",
    message: "{what} is defined by a call of an older shape: every call takes a name and options.",
    fix: "Write {call}.",
    example: {
      part: "module",
      wrong: `const App = defineModule({
  name: "App",
  key: "app",
  version: 1,
  description: "All of it.",
  dataObjects: [Site],
});`,
      right: `const App = defineModule("App", {
  key: "app",
  version: 1,
  description: "All of it.",
  dataObjects: [Site],
});`,
    },
  },
  "annotation-misplaced": {
    severity: "warning",
    isErrorIfStrict: true,
    section: "§2.9",
    message: '"{annotation}" means nothing on {what}.',
    fix: "{advice}.",
    example: propertyExample(
      'bonus: Type.Number({ description: "Paid at the end of the year.", isSensitive: true }),',
      'bonus: Type.Number({ description: "Paid at the end of the year.", writeOnly: true }),',
    ),
  },
  "keyword-unknown": {
    severity: "warning",
    isErrorIfStrict: true,
    section: "§2.9",
    message: '"{keyword}" of {what} is neither a keyword of JSON Schema nor an annotation.{hint}',
    fix: "Correct its name; an annotation of your own begins with x-.",
    example: propertyExample(
      'code: Type.String({ description: "Code of the site.", minLenght: 2 }),',
      'code: Type.String({ description: "Code of the site.", minLength: 2 }),',
    ),
  },
  "connection-title-missing": {
    severity: "error",
    section: "§2.1",
    message: "{what} has no title.",
    fix: "Give it the title that a user should read.",
    example: connectionPropertyExample('description: "", isSensitive: true', `${TITLED}, isSensitive: true`),
  },
  "connection-description-missing": {
    severity: "error",
    section: "§2.1",
    message: "{what} has no description.",
    fix: "Write one; it may be empty.",
    example: connectionPropertyExample('title: "API key", isSensitive: true', `${TITLED}, isSensitive: true`),
  },
  "connection-auth-type-unknown": {
    severity: "error",
    section: "§5.1",
    message: 'Connection "{connection}" has the auth type "{authType}".{hint}',
    fix: "Use ApiKey, Basic, OAuth2CodeFlow, OAuth2ClientCredentials or Custom.",
    example: authTypeExample('authType: "Token",', 'authType: "ApiKey",'),
  },
  "connection-sensitivity-unstated": {
    severity: "warning",
    isErrorIfStrict: true,
    section: "§2.1",
    message: "{what} does not say whether it is sensitive; it is taken as a secret.",
    fix: "Set isSensitive to true or false.",
    example: connectionPropertyExample(TITLED, `${TITLED}, isSensitive: true`),
  },
} as const satisfies RuleFamily;
