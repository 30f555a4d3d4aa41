/** TypeBox types that the platform has a form of its own for. */
import {
  Kind,
  OptionalKind,
  type SchemaOptions,
  type TLiteral,
  type TNull,
  type TOptional,
  type TSchema,
  type TUnion,
  Type,
} from "@sinclair/typebox";

/** `T`, or null. */
export type TNullable<T extends TSchema> = TUnion<[T, TNull]>;

/**
 * The same value, or null: written as `["T", "null"]` (§2.9). It is an ordinary TypeBox union of the two. An optional
 * value stays optional.
 *
 * @example Nullable(Type.String({ description: "Work address.", maxLength: 200 }))
 */
export function Nullable<T extends TSchema>(
  schema: TOptional<T>,
  options?: SchemaOptions,
): TOptional<TNullable<T>>;
export function Nullable<T extends TSchema>(schema: T, options?: SchemaOptions): TNullable<T>;
export function Nullable(schema: TSchema, options?: SchemaOptions): TSchema {
  const isOptional = typeof schema === "object" && schema !== null && OptionalKind in schema;
  if (!isOptional) return Type.Union([schema, Type.Null()], options);
  return Type.Optional(Type.Union([Type.Optional(schema, false), Type.Null()], options));
}

/** One of `Members`. */
export type TStringEnum<Members extends readonly string[]> = TUnion<{
  -readonly [Index in keyof Members]: TLiteral<Members[Index]>;
}>;

/**
 * One of a list of texts: written as `{ "type": "string", "enum": [...] }`, members in this order.
 * It is an ordinary TypeBox union of literals.
 *
 * @example StringEnum(["Draft", "Sent"], { description: "How far the letter is." })
 */
export function StringEnum<const Members extends readonly string[]>(
  members: Members,
  options?: SchemaOptions,
): TStringEnum<Members> {
  const anyOf = Array.isArray(members) ? members.map((member) => Type.Literal(member)) : [];
  return { ...options, [Kind]: "Union", anyOf } as unknown as TStringEnum<Members>;
}

const EXACT_JSON = Symbol.for("connectorcli.exactJson");

/**
 * JSON Schema in its own text, for what an object literal can't hold: an order of members in which `1` stands
 * behind `a`, keywords that the vocabulary has a meaning of its own for.
 *
 * @example Type.Unsafe<string>(ExactJson('{"type":"string","options":["a"]}'))
 */
export function ExactJson(text: string): SchemaOptions {
  return { [EXACT_JSON]: text } as SchemaOptions;
}

/** The text that {@link ExactJson} was given, or undefined. */
export function exactJsonOf(schema: object): unknown {
  return Reflect.get(schema, EXACT_JSON);
}

/** One of the numbers of `Values`. */
export type TOptionSet<Values extends Readonly<Record<string, number>>> = TUnion<
  TLiteral<Values[keyof Values]>[]
>;

/**
 * An enum property of a connection: labels that a user chooses from, and the number stored for each (§2.1).
 * A member of value 0 is the default one and is not offered.
 *
 * @example region: OptionSet({ Europe: 1, America: 2 }, { title: "Region", description: "", isSensitive: false })
 */
export function OptionSet<const Values extends Readonly<Record<string, number>>>(
  values: Values,
  options?: SchemaOptions,
): TOptionSet<Values> {
  const members = Object.entries(values ?? {});
  const anyOf = members.map(([, value]) => Type.Literal(value));
  const labels = members.filter(([, value]) => value !== 0).map(([label, value]) => ({ label, value }));
  return { ...options, options: labels, [Kind]: "Union", anyOf } as unknown as TOptionSet<Values>;
}

/**
 * The environment of a connection (§2.1). `baseUrl: { Production, Test }` brings this property by itself;
 * declare it to give it a title, a description or a place of your own.
 */
export function ConnectionEnvironment(
  options?: SchemaOptions,
): TOptionSet<{ Unknown: 0; Production: 1; Test: 2 }> {
  return OptionSet(
    { Unknown: 0, Production: 1, Test: 2 },
    { title: "Connection Environment", description: "", isSensitive: false, ...options },
  );
}
