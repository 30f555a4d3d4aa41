/** Connection definitions (spec §2.1). */

import { OptionalKind } from "@sinclair/typebox";
import type { ConnectionOptions } from "../../authoring/connection.js";
import type { OptionTable } from "../../authoring/definition.js";
import { ConnectionEnvironment } from "../../authoring/types.js";
import { PART_NAMES } from "../../diagnostics/locations.js";
import { isJsonObject } from "../../json.js";
import { applyConvention } from "../../naming/conventions.js";
import { didYouMean, nearestName } from "../../naming/nearest.js";
import { displayName, lowerFirst, upperFirst } from "../../naming/words.js";
import { type AddressMember, ENVIRONMENT_PROPERTY, hasEnvironments } from "../connection-members.js";
import {
  type AddressModel,
  type AttributeModel,
  AUTH_TYPES,
  type AuthType,
  type BaseUrlModel,
  type ConnectionModel,
  type ConnectionType,
  type OptionModel,
} from "../connector-model.js";
import type { SchemaModel } from "../schema-model.js";
import type { AuthorDefinition } from "./author-definitions.js";
import { annotation, buildDocument } from "./build-schema.js";
import {
  type BuildLocation,
  describeValue,
  inside,
  OptionReader,
  report,
  reportPrototype,
} from "./option-reader.js";

const OPTIONS: OptionTable<ConnectionOptions> = {
  authType: true,
  title: true,
  description: true,
  properties: true,
  baseUrl: true,
  tokenUrl: true,
  authorizationUrl: true,
  key: true,
};

/** The model of one connection definition. */
export function buildConnection({ value, name, location }: AuthorDefinition): ConnectionModel {
  const options = new OptionReader(value["options"], location, OPTIONS);
  const authType = authTypeOf(options, name, location);
  const addresses = {
    baseUrl: baseUrlOf(options.get("baseUrl"), location),
    tokenUrl: addressOf(options.get("tokenUrl"), "tokenUrl", location),
    authorizationUrl: addressOf(options.get("authorizationUrl"), "authorizationUrl", location),
  };
  if (options.get("title") === undefined)
    report(location, "connection-title-missing", { what: `Connection "${name}"` });
  if (options.get("description") === undefined) {
    report(location, "connection-description-missing", { what: `Connection "${name}"` });
  }
  return {
    kind: "connection",
    name: name,
    key: options.string("key") ?? lowerFirst(name),
    authType,
    type: connectionType(authType),
    title: options.string("title") ?? displayName(name),
    description: options.string("description") ?? "",
    attributes: attributesOf(options.get("properties"), hasEnvironments(addresses), location),
    ...addresses,
  };
}

/** What `connector.json` calls the type of a connection. */
export function connectionType(authType: AuthType): ConnectionType {
  return authType === "OAuth2CodeFlow" || authType === "OAuth2ClientCredentials" ? authType : "Standard";
}

function authTypeOf(options: OptionReader, connection: string, location: BuildLocation): AuthType {
  const given = options.get("authType");
  const known = AUTH_TYPES.find((type) => type === given);
  if (known !== undefined) return known;
  const authType = typeof given === "string" ? given : describeValue(given);
  const nearest = nearestName(authType, AUTH_TYPES);
  report(inside(location, { pointer: ["type"], path: ["authType"] }), "connection-auth-type-unknown", {
    connection,
    authType,
    hint: nearest === undefined ? "" : ` Did you mean "${nearest}"?`,
  });
  return "Custom";
}

function baseUrlOf(value: unknown, location: BuildLocation): BaseUrlModel {
  if (isJsonObject(value) && typeof value["property"] === "string") {
    const { property, ...others } = value;
    reportOthers(others, ["property"], "baseUrl", location);
    return { kind: "property", property };
  }
  return addressOf(value, "baseUrl", location);
}

function addressOf(value: unknown, option: "baseUrl" | AddressMember, location: BuildLocation): AddressModel {
  if (value === undefined) return { kind: "none" };
  if (typeof value === "string") return { kind: "fixed", url: value };
  if (isJsonObject(value) && ("Production" in value || "Test" in value)) {
    const { Production: production, Test: test, ...others } = value;
    reportOthers(others, ["Production", "Test"], option, location);
    if (typeof production === "string" && typeof test === "string")
      return { kind: "environment", production, test };
  }
  report(inside(location, { path: [option] }), "definition-invalid", {
    what: `"${option}" of ${location.what}`,
    expected:
      option === "baseUrl"
        ? "an address, an object with the addresses Production and Test, or the name of a property"
        : "an address, or an object with the addresses Production and Test",
    actual: describeValue(value),
  });
  return { kind: "none" };
}

/** Reports members of an address that mean nothing, such as a third environment: no address is read from them. */
function reportOthers(
  others: object,
  known: readonly string[],
  address: string,
  location: BuildLocation,
): void {
  const what = `"${address}" of ${location.what}`;
  for (const option of Object.keys(others)) {
    const hint = didYouMean(option, known);
    report(inside(location, { path: [address, option] }), "definition-option-unknown", {
      option,
      what,
      hint,
    });
  }
}

function attributesOf(
  value: unknown,
  asksForEnvironment: boolean,
  location: BuildLocation,
): readonly AttributeModel[] {
  const below = inside(location, { path: ["properties"] });
  if (!isJsonObject(value)) {
    report(below, "definition-invalid", {
      what: `"properties" of ${location.what}`,
      expected: "an object of TypeBox types",
      actual: describeValue(value),
    });
    return [];
  }
  reportPrototype(value, below);
  const brought = asksForEnvironment && !Object.hasOwn(value, ENVIRONMENT_PROPERTY);
  const properties = brought ? { ...value, [ENVIRONMENT_PROPERTY]: ConnectionEnvironment() } : value;
  return Object.entries(properties).map(([name, schema], index) => {
    const what = PART_NAMES.property(name, location.what);
    const place = inside(below, { what, pointer: ["attributes", index], path: [name] });
    return attributeOf(
      name,
      isJsonObject(schema) ? schema : {},
      buildDocument(schema, place, "connection property").root,
      place,
    );
  });
}

function attributeOf(
  name: string,
  options: Readonly<Record<PropertyKey, unknown>>,
  schema: SchemaModel,
  location: BuildLocation,
): AttributeModel {
  const title = annotation(options, "title");
  const description = annotation(options, "description");
  const sensitive = options["isSensitive"];
  if (title === undefined) report(location, "connection-title-missing", { what: location.what });
  if (description === undefined) report(location, "connection-description-missing", { what: location.what });
  if (typeof sensitive !== "boolean")
    report(location, "connection-sensitivity-unstated", { what: location.what });
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
    const { form: _, ...rest } = schema;
    return { ...rest, keywords: schema.keywords.filter(({ name }) => !isHeading(name)) };
  }
  if (!isJsonObject(schema.json)) return schema;
  return { kind: "verbatim", json: { members: schema.json.members.filter(([name]) => !isHeading(name)) } };
}

function optionsOf(value: unknown): readonly OptionModel[] {
  return (Array.isArray(value) ? value : []).flatMap((option): OptionModel[] => {
    const { label, value: number } = isJsonObject(option) ? option : {};
    return typeof label === "string" && typeof number === "number" ? [{ label, value: number }] : [];
  });
}
