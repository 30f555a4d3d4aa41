/** Examples of the rules of keys (spec §2.6). */
import type { Examples, RuleExample } from "./example.js";

const TWO = `id: Type.String({ description: "Identifier." }),
  number: Type.String({ description: "Number, unique in its company." }),`;

export const keyExamples: Examples = {
  "key-missing": site("", 'primaryKey: { name: "id", properties: ["id"] },'),
  "key-several-primary": site(
    `keys: [
    { name: "id", properties: ["id"], isPrimary: true },
    { name: "number", properties: ["number"], isPrimary: true },
  ],`,
    `primaryKey: { name: "id", properties: ["id"] },
  alternateKeys: [{ name: "number", properties: ["number"] }],`,
  ),
  "key-empty": site(
    'primaryKey: { name: "id", properties: [] },',
    'primaryKey: { name: "id", properties: ["id"] },',
  ),
  "key-property-unknown": site(
    'primaryKey: { name: "id", properties: ["siteId"] },',
    'primaryKey: { name: "id", properties: ["id"] },',
  ),
  "key-property-nested": site(
    'primaryKey: { name: "id", properties: ["owner.id"] },',
    'primaryKey: { name: "id", properties: ["id"] },',
  ),
  "key-property-optional": shape(
    'id: Type.Optional(Type.String({ description: "Identifier." })),',
    'id: Type.String({ description: "Identifier." }),',
  ),
  "key-property-nullable": shape(
    'id: Nullable(Type.String({ description: "Identifier." })),',
    'id: Type.String({ description: "Identifier." }),',
  ),
  "key-property-not-scalar": shape(
    'id: Type.Array(Type.String(), { description: "Parts of the identifier." }),',
    'id: Type.String({ description: "Identifier." }),',
  ),
  "key-property-repeated": site(
    'primaryKey: { name: "id", properties: ["id", "id"] },',
    'primaryKey: { name: "id", properties: ["id", "number"] },',
  ),
  "key-name-unsafe": site(
    'primaryKey: { name: "id,number", properties: ["id", "number"] },',
    'primaryKey: { name: "id-number", properties: ["id", "number"] },',
  ),
  "key-duplicate-name": site(
    `primaryKey: { name: "id", properties: ["id"] },
  alternateKeys: [{ name: "id", properties: ["number"] }],`,
    `primaryKey: { name: "id", properties: ["id"] },
  alternateKeys: [{ name: "number", properties: ["number"] }],`,
  ),
  "key-duplicate-properties": site(
    `primaryKey: { name: "id", properties: ["id"] },
  alternateKeys: [{ name: "identifier", properties: ["id"] }],`,
    `primaryKey: { name: "id", properties: ["id"] },
  alternateKeys: [{ name: "number", properties: ["number"] }],`,
  ),
};

/** An object with two properties and these options. */
function site(bad: string, good: string): RuleExample {
  return { part: "object", bad: siteWith(TWO, bad), good: siteWith(TWO, good) };
}

/** An object with these properties, whose key is the first. */
function shape(bad: string, good: string): RuleExample {
  const key = 'primaryKey: { name: "id", properties: ["id"] },';
  return { part: "object", bad: siteWith(bad, key), good: siteWith(good, key) };
}

function siteWith(properties: string, options: string): string {
  return `const Site = defineDataObject("Site", {
  ${properties}
}, {
  description: "A place where work is done.",${options === "" ? "" : `\n  ${options}`}
});`;
}
