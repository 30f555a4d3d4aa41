/** Schemas of the model as TypeScript types, in either form: names as in the code, or serialized. */
import type { PropertyModel, SchemaDocument, SchemaModel } from "../../schemas/model/schema-model.js";
import { keywordOf, textOf } from "../../schemas/model/schema-model.js";
import { classIdentifier, unique } from "../../schemas/naming/identifiers.js";
import { commentText, propertyKey, stringLiteral } from "../typescript/literals.js";
import { verbatimType } from "../typescript/verbatim-type.js";

/** The names that a type is written with: those in code, or the serialized ones. */
export type Form = "code" | "json";

/** What the types of one document share. */
export interface TypeContext {
  readonly form: Form;
  /** Interface of each definition. */
  readonly interfaces: ReadonlyMap<string, string>;
  /** Types that have a name in the module already, by their schema. */
  readonly named: NamedTypes;
}

export type NamedTypes = ReadonlyMap<SchemaModel, string>;

/** The context of `document`, whose definitions become interfaces named after `owner`. */
export function typeContext(
  document: SchemaDocument,
  owner: string,
  form: Form,
  { taken, named = new Map() }: { readonly taken: Set<string>; readonly named?: NamedTypes | undefined },
): TypeContext {
  const suffix = form === "json" ? "Json" : "";
  const interfaces = document.definitions.map(
    ({ name }) => [name, unique(`${owner}${classIdentifier(name)}${suffix}`, taken)] as const,
  );
  return { form, interfaces: new Map(interfaces), named };
}

/** The declaration of an interface with documented members; of a type alias if the schema is no object. */
export function declarationText(
  name: string,
  schema: SchemaModel,
  context: TypeContext,
  doc: string,
): string {
  const comment = `/** ${commentText(doc)} */\n`;
  if (schema.kind !== "object" || schema.nullable)
    return `${comment}export type ${name} = ${typeText(schema, context)};`;
  return `${comment}export interface ${name} ${membersText(schema.properties, context, "")}`;
}

/** The type of a value. */
export function typeText(schema: SchemaModel, context: TypeContext, indent = ""): string {
  const text = context.named.get(schema) ?? plainText(schema, context, indent);
  return "nullable" in schema && schema.nullable ? `${text} | null` : text;
}

function plainText(schema: SchemaModel, context: TypeContext, indent: string): string {
  switch (schema.kind) {
    case "any":
      return "unknown";
    case "string":
    case "boolean":
      return schema.kind;
    case "integer":
    case "number":
      return "number";
    case "enum":
      return schema.members.length === 0
        ? "never"
        : [...new Set(schema.members)].map(stringLiteral).join(" | ");
    case "array": {
      const items = typeText(schema.items, context, indent);
      return /[|&]/.test(items) ? `(${items})[]` : `${items}[]`;
    }
    case "dictionary":
      return `{ [name: string]: ${typeText(schema.values, context, indent)} }`;
    case "object":
      return membersText(schema.properties, context, indent);
    case "reference":
      return context.interfaces.get(schema.definition) ?? "unknown";
    case "verbatim":
      return verbatimType(schema.json);
    default:
      return schema satisfies never;
  }
}

function membersText(properties: readonly PropertyModel[], context: TypeContext, indent: string): string {
  if (properties.length === 0) return "{}";
  const inner = `${indent}  `;
  const members = properties.map((property) => {
    const key = propertyKey(context.form === "code" ? property.name : property.jsonName);
    const type = typeText(property.schema, context, inner);
    return `${docOf(property.schema, inner)}${inner}${key}${property.required ? "" : "?"}: ${type};\n`;
  });
  return `{\n${members.join("")}${indent}}`;
}

/** Keywords that say in a comment what a value must fit. */
const CONSTRAINTS = [
  "format",
  "minLength",
  "maxLength",
  "pattern",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
];

/** The doc comment of a property: title, description, constraints, sensitivity. Empty if nothing is known. */
function docOf(schema: SchemaModel, indent: string): string {
  const constraints = CONSTRAINTS.flatMap((name) => {
    const value = keywordOf(schema, name);
    return typeof value === "string" || typeof value === "number" ? [`${name} ${value}`] : [];
  });
  const sensitive = keywordOf(schema, "writeOnly") === true ? ["Write-only: never shown."] : [];
  const words = [
    textOf(schema, "title"),
    textOf(schema, "description"),
    constraints.join(", "),
    ...sensitive,
  ];
  const text = words.filter((part) => part !== undefined && part !== "").join(" — ");
  return text === "" ? "" : `${indent}/** ${commentText(text)} */\n`;
}
