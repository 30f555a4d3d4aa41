/** Rules of validation options, and of what should be hidden. */
import { Nullable, Type } from "../../../schemas/entries/vocabulary.js";
import { actionFindings, type CheckCase, ID, valueFindings } from "../../support/checks.js";

const text = (options: object) => valueFindings(Type.String({ description: "A text.", ...options }));
const number = (options: object) => valueFindings(Type.Number({ description: "A number.", ...options }));
const whole = (options: object) => valueFindings(Type.Integer({ description: "A number.", ...options }));
const list = (options: object) =>
  valueFindings(Type.Array(Type.String(), { description: "A list.", ...options }));
const object = (options: object) =>
  valueFindings(Type.Object({ a: ID }, { description: "An object.", ...options }));
const raw = (schema: object) => valueFindings(Type.Unsafe({ description: "A value.", ...schema }));
const named = (name: string, options: object = {}) =>
  valueFindings(Type.String({ description: "A text.", ...options }), name);

const BOUNDS: readonly CheckCase[] = (
  [
    [
      "minLength above maxLength",
      () => text({ minLength: 3, maxLength: 2 }),
      () => text({ minLength: 2, maxLength: 2 }),
    ],
    [
      "minimum above maximum",
      () => number({ minimum: 1, maximum: 0 }),
      () => number({ minimum: 0, maximum: 0 }),
    ],
    [
      "exclusiveMinimum at maximum",
      () => number({ exclusiveMinimum: 1, maximum: 1 }),
      () => number({ exclusiveMinimum: 1, maximum: 1.5 }),
    ],
    [
      "minimum at exclusiveMaximum",
      () => whole({ minimum: 1, exclusiveMaximum: 1 }),
      () => whole({ minimum: 1, exclusiveMaximum: 2 }),
    ],
    [
      "a range of integers that holds none",
      () => whole({ minimum: 1.2, maximum: 1.8 }),
      () => number({ minimum: 1.2, maximum: 1.8 }),
    ],
    [
      "integers between two neighbours",
      () => whole({ exclusiveMinimum: 1, exclusiveMaximum: 2 }),
      () => whole({ exclusiveMinimum: 1, exclusiveMaximum: 3 }),
    ],
    [
      "minItems above maxItems",
      () => list({ minItems: 2, maxItems: 1 }),
      () => list({ minItems: 0, maxItems: 1 }),
    ],
    [
      "minProperties above maxProperties",
      () => object({ minProperties: 2, maxProperties: 1 }),
      () => object({ minProperties: 1, maxProperties: 1 }),
    ],
    [
      "verbatim bounds in the wrong order",
      () => raw({ type: ["string", "integer"], minLength: 3, maxLength: 2 }),
      () => raw({ type: ["string", "integer"], minLength: 3, maximum: 2 }),
    ],
  ] as const
).map(([reports, wrong, fine]) => ({ reports, code: "constraint-impossible", wrong, fine }));

const OPTIONS: readonly CheckCase[] = [
  {
    reports: "a length that is negative",
    code: "constraint-invalid",
    wrong: () => text({ maxLength: -1 }),
    fine: () => text({ maxLength: 0 }),
  },
  {
    reports: "a bound that is a text",
    code: "constraint-invalid",
    wrong: () => number({ minimum: "0" }),
    fine: () => number({ minimum: -0.5 }),
  },
  {
    reports: "a writeOnly that is a text",
    code: "constraint-invalid",
    wrong: () => text({ writeOnly: "true" }),
    fine: () => text({ writeOnly: true }),
  },
  {
    reports: "a required that is not a list of names",
    code: "constraint-invalid",
    wrong: () => raw({ type: "object", properties: {}, required: true }),
    fine: () => raw({ type: "object", properties: {}, required: ["a"] }),
  },
  {
    reports: "a length of a number",
    code: "constraint-misplaced",
    wrong: () => whole({ maxLength: 5 }),
    fine: () => whole({ maximum: 5 }),
  },
  {
    reports: "a maximum of a nullable text",
    code: "constraint-misplaced",
    wrong: () => valueFindings(Nullable(Type.String({ description: "A text.", maximum: 5 } as never))),
    fine: () => raw({ type: ["string", "integer"], maximum: 5 }),
  },
  {
    reports: "a pattern that is no regular expression",
    code: "pattern-invalid",
    wrong: () => text({ pattern: "[a-" }),
    fine: () => text({ pattern: "^\\p{Lu}[a-z]*$" }),
  },
  {
    reports: "a pattern that only works without the u flag",
    code: "pattern-invalid",
    wrong: () => raw({ type: "string", pattern: "\\-" }),
    fine: () => raw({ type: "string", pattern: "-" }),
  },
  {
    reports: "a pattern that a short text can hang the process with",
    code: "pattern-slow",
    wrong: () => text({ pattern: "^(a+)+$", maxLength: 50 }),
    fine: () => text({ pattern: "^(?:[A-Z]{2}-)*\\d+$" }),
  },
  {
    reports: "a pattern that a long text makes slow",
    code: "pattern-slow",
    wrong: () => text({ pattern: "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$" }),
    fine: () => text({ pattern: "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$", maxLength: 320 }),
  },
  {
    reports: "no pattern that is too deep to be looked at",
    code: "pattern-invalid",
    wrong: () => text({ pattern: `${"(".repeat(200)}a` }),
    fine: () => text({ pattern: `${"(".repeat(200)}a${")*".repeat(200)}` }),
  },
  {
    reports: "a format that validators do not know",
    code: "format-unknown",
    wrong: () => text({ format: "datetime" }),
    fine: () => text({ format: "date-time" }),
  },
];

const SENSITIVE: readonly CheckCase[] = [
  ...(
    [
      ["workEmail", "emailSent"],
      ["token", "tokenCount"],
      ["first_name", "name"],
      ["BIRTHDATE", "nameConflict"],
    ] as const
  ).map(
    ([personal, plain]): CheckCase => ({
      reports: `${personal} as sensitive, but not ${plain}`,
      code: "sensitive-not-write-only",
      wrong: () => named(personal),
      fine: () => named(plain),
    }),
  ),
  {
    reports: "a phone number that everyone is shown",
    code: "sensitive-not-write-only",
    wrong: () => named("phoneNumber"),
    fine: () => named("phoneNumber", { writeOnly: true }),
  },
  {
    reports: "a password in an input, but not inside a value that is hidden as a whole",
    code: "sensitive-not-write-only",
    wrong: () =>
      actionFindings({
        input: Type.Object({ login: Type.Object({ password: ID }, { description: "Who." }) }),
      }),
    fine: () =>
      actionFindings({
        input: Type.Object({
          login: Type.Object({ password: ID }, { description: "Who.", writeOnly: true }),
        }),
      }),
  },
];

export const CONSTRAINT_CASES: readonly CheckCase[] = [...BOUNDS, ...OPTIONS, ...SENSITIVE];
