/** Connection definitions (spec §2.1). */
import { OptionalKind } from "@sinclair/typebox";
import { ConnectionEnvironment } from "../../authoring/types.js";
import { isMembers } from "../../formats/json-tree.js";
import { applyConvention } from "../../naming/conventions.js";
import { nearestName } from "../../naming/nearest.js";
import { displayName, lowerFirst, upperFirst } from "../../naming/words.js";
import {
  type AttributeModel,
  AUTH_TYPES,
  type AuthType,
  type BaseUrlModel,
  type ConnectionModel,
  type ConnectionType,
  type OptionModel,
} from "../connector-model.js";
import { ENVIRONMENT_PROPERTY } from "../environment.js";
import type { SchemaModel } from "../schema-model.js";
import { annotation, buildDocument, propertyLabel } from "./build-schema.js";
import type { Found } from "./definition-lists.js";
import { inside, isRecord, nameOf, Options, report, type Scope } from "./scope.js";

const OPTIONS = ["authType", "title", "description", "properties", "baseUrl", "key"] as const;

/** The model of one connection definition. */
export function buildConnection({ value, name, scope }: Found): ConnectionModel {
  const options = new Options(value["options"], scope, OPTIONS);
  const authType = authTypeOf(options, name, scope);
  const baseUrl = baseUrlOf(options.get("baseUrl"), scope);
  if (options.get("title") === undefined)
    report(scope, "connection-title-missing", { what: `Connection "${name}"` });
  if (options.get("description") === undefined) {
    report(scope, "connection-description-missing", { what: `Connection "${name}"` });
  }
  return {
    kind: "connection",
    className: name,
    key: options.text("key") ?? lowerFirst(name),
    authType,
    type: connectionType(authType),
    title: options.text("title") ?? displayName(name),
    description: options.text("description") ?? "",
    attributes: attributesOf(options.get("properties"), baseUrl, scope),
    baseUrl,
  };
}

/** What `connector.json` calls the type of a connection. */
export function connectionType(authType: AuthType): ConnectionType {
  return authType === "OAuth2CodeFlow" || authType === "OAuth2ClientCredentials" ? authType : "Standard";
}

function authTypeOf(options: Options, connection: string, scope: Scope): AuthType {
  const given = options.get("authType");
  const known = AUTH_TYPES.find((type) => type === given);
  if (known !== undefined) return known;
  const authType = typeof given === "string" ? given : nameOf(given);
  const nearest = nearestName(authType, AUTH_TYPES);
  report(inside(scope, { pointer: ["type"], path: ["authType"] }), "connection-auth-type-unknown", {
    connection,
    authType,
    hint: nearest === undefined ? "" : ` Did you mean "${nearest}"?`,
  });
  return "Custom";
}

function baseUrlOf(value: unknown, scope: Scope): BaseUrlModel {
  if (value === undefined) return { kind: "none" };
  if (typeof value === "string") return { kind: "fixed", url: value };
  if (isRecord(value) && typeof value["property"] === "string")
    return { kind: "property", property: value["property"] };
  if (isRecord(value) && ("Production" in value || "Test" in value)) {
    const { Production: production, Test: test } = value;
    if (typeof production === "string" && typeof test === "string")
      return { kind: "environment", production, test };
  }
  report(inside(scope, { path: ["baseUrl"] }), "definition-invalid", {
    what: `"baseUrl" of ${scope.what}`,
    expected: "an address, an object with the addresses Production and Test, or the name of a property",
    actual: nameOf(value),
  });
  return { kind: "none" };
}

function attributesOf(value: unknown, baseUrl: BaseUrlModel, scope: Scope): readonly AttributeModel[] {
  const below = inside(scope, { path: ["properties"] });
  if (!isRecord(value)) {
    report(below, "definition-invalid", {
      what: `"properties" of ${scope.what}`,
      expected: "an object of TypeBox types",
      actual: nameOf(value),
    });
    return [];
  }
  const brought = baseUrl.kind === "environment" && !Object.hasOwn(value, ENVIRONMENT_PROPERTY);
  const properties = brought ? { ...value, [ENVIRONMENT_PROPERTY]: ConnectionEnvironment() } : value;
  return Object.entries(properties).map(([name, schema], index) => {
    const what = propertyLabel(name, scope.what);
    const place = inside(below, { what, pointer: ["attributes", index], path: [name] });
    return attributeOf(name, isRecord(schema) ? schema : {}, buildDocument(schema, place).root, place);
  });
}

function attributeOf(
  name: string,
  options: Readonly<Record<PropertyKey, unknown>>,
  schema: SchemaModel,
  scope: Scope,
): AttributeModel {
  const title = annotation(options, "title");
  const description = annotation(options, "description");
  const sensitive = options["isSensitive"];
  if (title === undefined) report(scope, "connection-title-missing", { what: scope.what });
  if (description === undefined) report(scope, "connection-description-missing", { what: scope.what });
  if (typeof sensitive !== "boolean") report(scope, "connection-sensitivity-unstated", { what: scope.what });
  return {
    name,
    key: annotation(options, "jsonPropertyName") ?? applyConvention(name, "camelCase"),
    title: title ?? displayName(upperFirst(name)),
    description: description ?? "",
    isSensitive: typeof sensitive === "boolean" ? sensitive : true,
    isRequired: !(OptionalKind in options),
    options: optionsOf(options["options"]),
    schema: withoutHeading(schema),
  };
}

/** Title and description are the attribute's own; the schema keeps type and constraints. */
function withoutHeading(schema: SchemaModel): SchemaModel {
  const isHeading = (name: string) => name === "title" || name === "description";
  if (schema.kind !== "verbatim") {
    return { ...schema, keywords: schema.keywords.filter(({ name }) => !isHeading(name)) };
  }
  if (!isMembers(schema.json)) return schema;
  return { kind: "verbatim", json: { members: schema.json.members.filter(([name]) => !isHeading(name)) } };
}

function optionsOf(value: unknown): readonly OptionModel[] {
  return (Array.isArray(value) ? value : []).flatMap((option): OptionModel[] => {
    const { label, value: number } = isRecord(option) ? option : {};
    return typeof label === "string" && typeof number === "number" ? [{ label, value: number }] : [];
  });
}
