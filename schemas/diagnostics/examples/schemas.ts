/** Examples of the rules of values (spec §2.9, §2.10). */
import type { Examples, RuleExample } from "./example.js";

export const schemaExamples: Examples = {
  "schema-invalid": value('area: "number",', 'area: Type.Number({ description: "Square metres." }),'),
  "schema-not-json": value(
    'openedOn: Type.Date({ description: "First day." }),',
    'openedOn: Type.String({ format: "date-time", description: "First day." }),',
  ),
  "schema-keyword-not-json": value(
    'area: Type.Number({ description: "Square metres.", examples: [1n] }),',
    'area: Type.Number({ description: "Square metres.", examples: [1] }),',
  ),
  "schema-cyclic": {
    part: "object",
    bad: `const area = Type.Object({}, { description: "An area of areas." });
Object.assign(area.properties, { inner: area });
${siteWith("area,")}`,
    good: `const area = Type.Recursive(
  (Area) => Type.Object({ inner: Type.Optional(Area) }, { description: "An area of areas." }),
  { $id: "Area" },
);
${siteWith("area,")}`,
  },
  "schema-too-deep": {
    part: "object",
    bad: `let grid: TSchema = Type.Array(Type.String());
for (let level = 0; level < 300; level++) grid = Type.Array(grid);
${siteWith('grid: Type.Object({ grid }, { description: "Cells." }),')}`,
    good: siteWith('grid: Type.Array(Type.Array(Type.String()), { description: "Cells." }),'),
  },
  "schema-reference-unknown": value(
    'owner: Type.Ref("Owner", { description: "Who owns it." }),',
    `owner: Type.Module({
  Owner: Type.Object({ name: Type.String({ description: "Name of the company." }) }, { description: "Who owns it." }),
}).Import("Owner"),`,
  ),
  "schema-untyped": value(
    'extra: Type.Unknown({ description: "More." }),',
    'extra: Type.Record(Type.String(), Type.String(), { description: "More, by name." }),',
  ),
  "schema-bytes": value(
    'plan: Type.String({ contentEncoding: "base64", description: "The plan as a file." }),',
    'plan: Type.String({ format: "uri", description: "Where the plan can be fetched." }),',
  ),
  "type-unknown": value(
    'area: Type.Unsafe({ type: "float", description: "Square metres." }),',
    'area: Type.Unsafe<number>({ type: "number", description: "Square metres." }),',
  ),
  "nullable-not-json-schema": value(
    'city: Type.String({ nullable: true, description: "City of the post." }),',
    'city: Nullable(Type.String({ description: "City of the post." })),',
  ),
  "schema-combined": value(
    'area: Type.Union([Type.Number(), Type.String()], { description: "Square metres." }),',
    'area: Type.Number({ description: "Square metres." }),',
  ),
  "schema-root-not-object": {
    part: "action",
    bad: action("input: Type.String(),"),
    good: action('input: Type.Object({ name: Type.String({ description: "Name of the site." }) }),'),
  },
  "description-missing": value(
    "city: Type.String(),",
    'city: Type.String({ description: "City of the post." }),',
  ),
  "description-placeholder": value(
    'city: Type.String({ description: "TODO" }),',
    'city: Type.String({ description: "City, as the post knows it." }),',
  ),
  "title-missing": {
    part: "registration configuration",
    bad: `const Registration = defineConfiguration({
  status: Type.String({ description: "Sites to read." }),
});`,
    good: `const Registration = defineConfiguration({
  status: Type.String({ title: "Status", description: "Sites to read." }),
});`,
  },
  "sensitive-not-write-only": value(
    'ownerEmail: Type.String({ description: "Address of the owner." }),',
    'ownerEmail: Type.String({ description: "Address of the owner.", writeOnly: true }),',
  ),
};

function value(bad: string, good: string): RuleExample {
  return { part: "properties", bad, good };
}

function siteWith(property: string): string {
  return `const Site = defineDataObject("Site", {
  id: Type.String({ description: "Identifier." }),
  ${property}
}, {
  description: "A place where work is done.",
  primaryKey: { name: "id", properties: ["id"] },
});`;
}

function action(payload: string): string {
  return `const CreateSite = defineAction(Site, "Create", {
  description: "Opens a site.",
  ${payload}
});`;
}
