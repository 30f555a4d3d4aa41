/** Keys as options of a data object; where the file breaks a rule, the line says so to the compiler. */
import type { DataObjectModel, KeyModel } from "../../schemas/model/connector-model.js";
import type { PropertyModel, SchemaModel } from "../../schemas/model/schema-model.js";
import { type Code, type Entry, list, object } from "../typescript/code.js";
import { commentText, stringLiteral } from "../typescript/literals.js";
import { mayBeNull } from "./verbatim-type.js";

/** `primaryKey` and `alternateKeys`; or the whole list as the file has it, where its order is another. */
export function keyEntries(model: DataObjectModel): readonly Entry[] {
  const [first, ...rest] = model.keys;
  if (first?.isPrimary !== true || rest.some(({ isPrimary }) => isPrimary)) return [irregularKeys(model)];
  const primary = { key: "primaryKey", value: keyCode(first, model), ...flatWithReason(first, model) };
  if (rest.length === 0) return [primary];
  const alternates = rest.map((key) => {
    const reason = reasonAgainst(key, model);
    return reason === undefined
      ? keyCode(key, model)
      : { kind: "commented" as const, comment: reason, value: keyCode(key, model) };
  });
  return [primary, { key: "alternateKeys", value: list(alternates) }];
}

/** Keys that do not compile: none, several primary ones, or the primary one behind others. */
function irregularKeys(model: DataObjectModel): Entry {
  const primaries = model.keys.filter(({ isPrimary }) => isPrimary).length;
  const reason =
    primaries === 0
      ? "The file has no primary key for this object: declare primaryKey."
      : primaries > 1
        ? "The file has several primary keys for this object: keep one as primaryKey."
        : "The file lists the primary key behind others: declare primaryKey and alternateKeys.";
  const keys = model.keys.map((key) =>
    keyCode(key, model, [{ key: "isPrimary", value: String(key.isPrimary) }]),
  );
  return { key: "keys", value: list(keys), comment: expectError(reason), flat: true };
}

function keyCode(key: KeyModel, model: DataObjectModel, more: readonly Entry[] = []): Code {
  const properties = propertiesOf(model);
  const names = key.propertyNames.map(
    (jsonName) => properties.find((property) => property.jsonName === jsonName)?.name ?? jsonName,
  );
  return object([
    { key: "name", value: stringLiteral(key.name) },
    { key: "properties", value: list(names.map(stringLiteral)) },
    ...more,
  ]);
}

function flatWithReason(key: KeyModel, model: DataObjectModel): { comment?: string; flat?: boolean } {
  const comment = reasonAgainst(key, model);
  return comment === undefined ? {} : { comment, flat: true };
}

/** Why the compiler refuses the key, as a directive that expects it to. */
function reasonAgainst(key: KeyModel, model: DataObjectModel): string | undefined {
  if (key.propertyNames.length === 0)
    return expectError("The key lists no property: name those that identify a record.");
  const faults = new Map<string, string[]>();
  for (const jsonName of new Set(key.propertyNames)) {
    const fault = faultOf(jsonName, model);
    if (fault !== undefined) faults.set(fault, [...(faults.get(fault) ?? []), JSON.stringify(jsonName)]);
  }
  const reasons = [...faults].map(([fault, names]) => `${names.join(", ")}: ${fault}.`);
  return reasons.length === 0 ? undefined : expectError(reasons.join(" "));
}

function faultOf(jsonName: string, model: DataObjectModel): string | undefined {
  const property = propertiesOf(model).find((candidate) => candidate.jsonName === jsonName);
  if (property === undefined) return "no property has this name";
  const { root } = model.schema;
  if (root.kind === "object" && root.nullable) return "the whole record may be null; take Nullable off it";
  if (!property.required) return "not required in the file; take Type.Optional off";
  return acceptsNull(property.schema, model) ? "may be null in the file; take Nullable off" : undefined;
}

function acceptsNull(schema: SchemaModel, model: DataObjectModel): boolean {
  switch (schema.kind) {
    case "any":
      return true;
    case "verbatim":
      return mayBeNull(schema.json);
    case "reference": {
      const target = model.schema.definitions.find(({ name }) => name === schema.definition);
      return target !== undefined && target.schema.kind !== "reference" && acceptsNull(target.schema, model);
    }
    default:
      return schema.nullable;
  }
}

function propertiesOf(model: DataObjectModel): readonly PropertyModel[] {
  return model.schema.root.kind === "object" ? model.schema.root.properties : [];
}

function expectError(reason: string): string {
  return `@ts-expect-error ${commentText(reason)}`;
}
