/** Examples of the rules of validation options and of lists of members (spec §2.9). */
import type { Examples, RuleExample } from "./example.js";

export const constraintExamples: Examples = {
  "constraint-impossible": value(
    'code: Type.String({ description: "Code.", minLength: 9, maxLength: 3 }),',
    'code: Type.String({ description: "Code.", minLength: 3, maxLength: 9 }),',
  ),
  "constraint-invalid": value(
    'code: Type.String({ description: "Code.", maxLength: -1 }),',
    'code: Type.String({ description: "Code.", maxLength: 9 }),',
  ),
  "constraint-misplaced": value(
    'floors: Type.Integer({ description: "Floors.", maxLength: 3 }),',
    'floors: Type.Integer({ description: "Floors.", maximum: 999 }),',
  ),
  "pattern-invalid": value(
    'code: Type.String({ description: "Code.", pattern: "[A-Z" }),',
    'code: Type.String({ description: "Code.", pattern: "^[A-Z]+$" }),',
  ),
  "format-unknown": value(
    'openedOn: Type.String({ description: "First day.", format: "datetime" }),',
    'openedOn: Type.String({ description: "First day.", format: "date-time" }),',
  ),
  "enum-invalid": value(
    'status: StringEnum(["Open", "Open"], { description: "Status." }),',
    'status: StringEnum(["Open", "Closed"], { description: "Status." }),',
  ),
  "enum-null-missing": value(
    'status: Type.Unsafe({ type: ["string", "null"], enum: ["Open"], description: "Status." }),',
    'status: Nullable(StringEnum(["Open"], { description: "Status." })),',
  ),
};

function value(bad: string, good: string): RuleExample {
  return { part: "properties", bad, good };
}
