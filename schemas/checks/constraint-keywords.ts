/** The constraint keywords of JSON Schema: what their values are, and which values they constrain. */
import { isList, isMembers, type JsonTree } from "../formats/json-tree.js";

export interface ConstraintKeyword {
  /** What the value must be, in words. */
  readonly expected: string;
  readonly fits: (value: JsonTree) => boolean;
  /** The JSON types that it constrains; undefined for all. */
  readonly types?: readonly string[];
}

const COUNT = {
  expected: "a whole number that is not negative",
  fits: (value: JsonTree) => Number.isSafeInteger(value) && Number(value) >= 0,
};
const NUMBER = { expected: "a number", fits: (value: JsonTree) => typeof value === "number" };
const TEXT = { expected: "a text", fits: (value: JsonTree) => typeof value === "string" };
const SWITCH = { expected: "true or false", fits: (value: JsonTree) => typeof value === "boolean" };
const TEXTS = {
  expected: "a list of texts",
  fits: (value: JsonTree) => isList(value) && value.every((item) => typeof item === "string"),
};

const STRING = ["string"];
const NUMERIC = ["number", "integer"];
const ARRAY = ["array"];
const OBJECT = ["object"];

/** The keywords that are checked, by name. */
export const CONSTRAINT_KEYWORDS: ReadonlyMap<string, ConstraintKeyword> = new Map(
  Object.entries<ConstraintKeyword>({
    minLength: { ...COUNT, types: STRING },
    maxLength: { ...COUNT, types: STRING },
    pattern: { ...TEXT, types: STRING },
    format: { ...TEXT, types: [...STRING, ...NUMERIC] },
    minimum: { ...NUMBER, types: NUMERIC },
    maximum: { ...NUMBER, types: NUMERIC },
    exclusiveMinimum: { ...NUMBER, types: NUMERIC },
    exclusiveMaximum: { ...NUMBER, types: NUMERIC },
    multipleOf: {
      expected: "a number greater than 0",
      fits: (value) => typeof value === "number" && value > 0,
      types: NUMERIC,
    },
    minItems: { ...COUNT, types: ARRAY },
    maxItems: { ...COUNT, types: ARRAY },
    minContains: { ...COUNT, types: ARRAY },
    maxContains: { ...COUNT, types: ARRAY },
    uniqueItems: { ...SWITCH, types: ARRAY },
    minProperties: { ...COUNT, types: OBJECT },
    maxProperties: { ...COUNT, types: OBJECT },
    required: { ...TEXTS, types: OBJECT },
    properties: { expected: "an object of schemas", fits: isMembers, types: OBJECT },
    enum: { expected: "a list", fits: isList },
    title: TEXT,
    description: TEXT,
    readOnly: SWITCH,
    writeOnly: SWITCH,
    deprecated: SWITCH,
  }),
);

/** Pairs of bounds that leave no value between them when the lower is above the upper. */
export const BOUNDS: readonly { readonly lower: string; readonly upper: string }[] = [
  { lower: "minLength", upper: "maxLength" },
  { lower: "minItems", upper: "maxItems" },
  { lower: "minContains", upper: "maxContains" },
  { lower: "minProperties", upper: "maxProperties" },
  { lower: "minimum", upper: "maximum" },
  { lower: "minimum", upper: "exclusiveMaximum" },
  { lower: "exclusiveMinimum", upper: "maximum" },
  { lower: "exclusiveMinimum", upper: "exclusiveMaximum" },
];
