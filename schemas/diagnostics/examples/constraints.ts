/** Examples of the rules of validation options and of lists of members (spec §2.9). */
import type { Examples, RuleExample } from "./example.js";

export const constraintExamples: Examples = {
  "constraint-impossible": value(
    'code: Type.String({ description: "Code on the sign.", minLength: 9, maxLength: 3 }),',
    'code: Type.String({ description: "Code on the sign.", minLength: 3, maxLength: 9 }),',
  ),
  "constraint-invalid": value(
    'code: Type.String({ description: "Code on the sign.", maxLength: -1 }),',
    'code: Type.String({ description: "Code on the sign.", maxLength: 9 }),',
  ),
  "constraint-misplaced": value(
    'floors: Type.Integer({ description: "Number of floors.", maxLength: 3 }),',
    'floors: Type.Integer({ description: "Number of floors.", maximum: 999 }),',
  ),
  "pattern-invalid": value(
    'code: Type.String({ description: "Code on the sign.", pattern: "[A-Z" }),',
    'code: Type.String({ description: "Code on the sign.", pattern: "^[A-Z]+$" }),',
  ),
  "format-unknown": value(
    'openedOn: Type.String({ description: "First day.", format: "datetime" }),',
    'openedOn: Type.String({ description: "First day.", format: "date-time" }),',
  ),
  "enum-invalid": value(
    'status: StringEnum(["Open", "Open"], { description: "Whether work goes on." }),',
    'status: StringEnum(["Open", "Closed"], { description: "Whether work goes on." }),',
  ),
  "enum-null-missing": value(
    'status: Type.Unsafe({ type: ["string", "null"], enum: ["Open"], description: "Whether work goes on." }),',
    'status: Nullable(StringEnum(["Open"], { description: "Whether work goes on." })),',
  ),
};

function value(bad: string, good: string): RuleExample {
  return { part: "properties", bad, good };
}
