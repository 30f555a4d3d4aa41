/** The same four properties throughout: two words, an acronym, a digit, and one that is spelled out. */
import { defineAction, defineDataObject, Type } from "connectorcli";

const shape = {
  hiredOn: Type.String(),
  projectID: Type.String(),
  address2: Type.Optional(Type.Object({ postalCode: Type.String() })),
  odd: Type.String({ jsonPropertyName: "@odd.Name" }),
};

const primaryKey = { name: "id", properties: ["projectID", "odd"] } as const;

export const Usual = defineDataObject("Usual", shape, { description: "camelCase.", primaryKey });

export const Pascal = defineDataObject("Pascal", shape, {
  description: "PascalCase.",
  namingConvention: "PascalCase",
  primaryKey,
});

export const Kebab = defineDataObject("Kebab", shape, {
  description: "kebab-case.",
  namingConvention: "kebab-case",
  primaryKey,
});

export const UpperKebab = defineDataObject("UpperKebab", shape, {
  description: "UPPER-KEBAB-CASE.",
  namingConvention: "UPPER-KEBAB-CASE",
  primaryKey,
});

export const Snake = defineDataObject("Snake", shape, {
  description: "snake_case.",
  namingConvention: "snake_case",
  primaryKey,
});

export const UpperSnake = defineDataObject("UpperSnake", shape, {
  description: "UPPER_SNAKE_CASE.",
  namingConvention: "UPPER_SNAKE_CASE",
  primaryKey,
});

/** An action names as its object does, but for the payloads of one that says otherwise. */
export const ReplaceKebab = defineAction(Kebab, "Replace", {
  description: "Replaces a record.",
  namingConvention: "UPPER_SNAKE_CASE",
  input: Kebab.schema,
});

const id = { id: Type.Integer(), lastChange: Type.String({ format: "date-time" }) };

export const AsModule = defineDataObject("AsModule", id, {
  description: "As the module says.",
  primaryKey: { name: "id", properties: ["id"] },
});

export const AsItself = defineDataObject("AsItself", id, {
  description: "As the object says.",
  namingConvention: "camelCase",
  primaryKey: { name: "id", properties: ["id"] },
});
