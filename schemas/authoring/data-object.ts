/** Data objects: records of the target system that are read into the cache (spec §2.6). */
import {
  type Static,
  type TObject,
  type TOptional,
  type TProperties,
  type TRecursive,
  type TSchema,
  Type,
} from "@sinclair/typebox";
import type { NamingConvention } from "../naming/conventions.js";
import { ROOT_OPTIONS, type RootOptions } from "./annotations.js";
import { type Definition, defined } from "./definition.js";

/** The schema of an object that was given as properties or as a schema. */
export type SchemaOf<Shape> = Shape extends TSchema
  ? Shape
  : Shape extends TProperties
    ? TObject<Shape>
    : never;

type PropertiesOf<Schema> =
  Schema extends TObject<infer Properties>
    ? Properties
    : Schema extends TRecursive<TObject<infer Properties>>
      ? Properties
      : never;

/** The properties that may stand in a key: known, required and never null (§2.6). */
export type KeyPropertyName<Schema extends TSchema> = {
  [Name in keyof PropertiesOf<Schema> & string]: PropertiesOf<Schema>[Name] extends TOptional<TSchema>
    ? never
    : PropertiesOf<Schema>[Name] extends TSchema
      ? null extends Static<PropertiesOf<Schema>[Name]>
        ? never
        : Name
      : never;
}[keyof PropertiesOf<Schema> & string];

/** A key: its name is a label; its properties are named as in the code, in the order in which values are joined. */
export interface KeyOptions<PropertyName extends string> {
  readonly name: string;
  readonly properties: readonly [PropertyName, ...PropertyName[]];
}

export interface DataObjectOptions<Schema extends TSchema = TSchema> extends RootOptions {
  /** Display name and title of the schema; otherwise the name of the object in words. */
  readonly title?: string;
  /** What a record is. Stands on the object and on its schema. */
  readonly description: string;
  /** What identifies a record (§2.6). */
  readonly primaryKey: KeyOptions<KeyPropertyName<Schema>>;
  /** Other ways to identify one. */
  readonly alternateKeys?: readonly KeyOptions<KeyPropertyName<Schema>>[];
  /** `incremental` where the reader can start from a checkpoint; `full` otherwise. */
  readonly readerType?: "full" | "incremental";
  /** How names in code become serialized names here; otherwise as in the module. */
  readonly namingConvention?: NamingConvention;
  /** The object's part of an address; otherwise its name in kebab-case. */
  readonly urlPart?: string;
  /** Otherwise the urlPart. */
  readonly key?: string;
  /** Whether the platform offers an endpoint for the object; true where it is left out. */
  readonly createEndpoint?: boolean;
}

export interface DataObjectDefinition<Schema extends TSchema = TSchema>
  extends Definition<"data object", DataObjectOptions<Schema>> {
  readonly name: string;
  /** An ordinary TypeBox type, for `Type.Pick(Employee.schema, ["id"])` and the like. */
  readonly schema: Schema;
}

/** Any data object, where it does not matter which. */
export interface AnyDataObject extends Definition<"data object", RootOptions> {
  readonly name: string;
  readonly schema: TSchema;
}

/**
 * Defines a data object.
 *
 * @param name The name of its class, such as `Employee`.
 * @param shape Its properties; or a whole TypeBox object, for one that is recursive or composed.
 * @example
 * export const Employee = defineDataObject("Employee", {
 *   id: Type.String({ description: "Identifier in the target system." }),
 *   email: Nullable(Type.String({ description: "Work address.", writeOnly: true })),
 * }, {
 *   description: "An employee of the company.",
 *   primaryKey: { name: "id", properties: ["id"] },
 * });
 */
export function defineDataObject<Shape extends TProperties | TSchema>(
  name: string,
  shape: Shape,
  options: DataObjectOptions<SchemaOf<Shape>>,
): DataObjectDefinition<SchemaOf<Shape>> {
  const schema = rootSchema(shape, options) as SchemaOf<Shape>;
  return defined({ kind: "data object", name, schema, options });
}

/** The TypeBox object of `shape`, with the root options where `shape` is a list of properties. */
export function rootSchema(shape: unknown, options: RootOptions): unknown {
  const isProperties = typeof shape === "object" && shape !== null && !isTypeBox(shape);
  return isProperties ? Type.Object(shape as TProperties, rootKeywords(options)) : shape;
}

/** Title, then description, then the others as the author wrote them: the order of real files. */
function rootKeywords(options: RootOptions): Record<string, unknown> {
  const given = Object.entries(options ?? {}).filter(([, value]) => value !== undefined);
  const heading = ["title", "description"].flatMap((name) => given.filter(([option]) => option === name));
  const rest = given.filter(
    ([name]) =>
      (ROOT_OPTIONS.includes(name) || name.startsWith("x-")) && !heading.some(([head]) => head === name),
  );
  return Object.fromEntries([...heading, ...rest]);
}

function isTypeBox(shape: object): boolean {
  return Object.getOwnPropertySymbols(shape).some((symbol) => symbol === Symbol.for("TypeBox.Kind"));
}
