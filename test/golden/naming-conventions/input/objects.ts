/** The same four properties throughout: two words, an acronym, a digit, and one that is spelled out. */
import { defineAction, defineDataObject, Type } from "connectorcli";

const properties = {
  hiredOn: Type.String(),
  projectID: Type.String(),
  address2: Type.Optional(Type.Object({ postalCode: Type.String() })),
  odd: Type.String({ jsonPropertyName: "@odd.Name" }),
};

const primaryKey = ["projectID", "odd"] as const;

export const Usual = defineDataObject("Usual", {
  description: "camelCase.",
  primaryKey,
  properties,
});

export const Pascal = defineDataObject("Pascal", {
  description: "PascalCase.",
  namingConvention: "PascalCase",
  primaryKey,
  properties,
});

export const Kebab = defineDataObject("Kebab", {
  description: "kebab-case.",
  namingConvention: "kebab-case",
  primaryKey,
  properties,
});

export const UpperKebab = defineDataObject("UpperKebab", {
  description: "UPPER-KEBAB-CASE.",
  namingConvention: "UPPER-KEBAB-CASE",
  primaryKey,
  properties,
});

export const Snake = defineDataObject("Snake", {
  description: "snake_case.",
  namingConvention: "snake_case",
  primaryKey,
  properties,
});

export const UpperSnake = defineDataObject("UpperSnake", {
  description: "UPPER_SNAKE_CASE.",
  namingConvention: "UPPER_SNAKE_CASE",
  primaryKey,
  properties,
});

/** An action names as its object does, but for the payloads of one that says otherwise. */
export const ReplaceKebab = defineAction("Replace", {
  dataObject: Kebab,
  description: "Replaces a record.",
  namingConvention: "UPPER_SNAKE_CASE",
  input: Kebab.schema,
});

const id = { id: Type.Integer(), lastChange: Type.String({ format: "date-time" }) };

export const AsModule = defineDataObject("AsModule", {
  description: "As the module says.",
  primaryKey: "id",
  properties: id,
});

export const AsItself = defineDataObject("AsItself", {
  description: "As the object says.",
  namingConvention: "camelCase",
  primaryKey: "id",
  properties: id,
});
