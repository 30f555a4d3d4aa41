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
import { createDefinition, type Definition } from "./definition.js";

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

/** The properties that can be part of a key: known, required and never null (§2.6). */
type KeyProperties<Properties> = {
  [Name in keyof Properties & string as Properties[Name] extends TOptional<TSchema>
    ? never
    : Properties[Name] extends TSchema
      ? null extends Static<Properties[Name]>
        ? never
        : Name
      : never]: true;
};

/** Names of the properties that can be part of a key: known, required and never null (§2.6). */
export type KeyPropertyName<Schema extends TSchema> = keyof KeyProperties<PropertiesOf<Schema>> & string;

/** A key with a name of its own. */
export interface KeyOptions<PropertyName extends string> {
  /** A label; no program depends on it. */
  readonly name: string;
  /** Properties by their names in code, in the order in which their values are joined. */
  readonly properties: readonly [PropertyName, ...PropertyName[]];
}

/**
 * What identifies a record (§2.6): one property; several, in the order in which their values are joined; or a key
 * with a name of its own.
 *
 * A key of one property is named after that property. A primary key of several is named `id`; an alternate key of
 * several is named after its properties, joined by hyphens. Names of properties in key names are the serialized ones.
 *
 * @example
 * const keys: readonly Key<"companyId" | "id">[] = [
 *   "id",
 *   ["companyId", "id"],
 *   { name: "employee", properties: ["companyId", "id"] },
 * ];
 */
export type Key<PropertyName extends string> =
  | PropertyName
  | readonly [PropertyName, ...PropertyName[]]
  | KeyOptions<PropertyName>;

/** Options of {@link defineDataObject}. */
export interface DataObjectOptions<Shape extends TProperties | TSchema = TProperties | TSchema>
  extends RootOptions {
  /** Display name and title of the schema. @default the name of the object in words */
  readonly title?: string;
  /** What a record is. Stands on the object and on its schema. */
  readonly description: string;
  /** What identifies a record (§2.6). */
  readonly primaryKey: Key<keyof KeyProperties<PropertiesOf<SchemaOf<Shape>>> & string>;
  /** Other ways to identify one. @default none */
  readonly alternateKeys?: readonly Key<keyof KeyProperties<PropertiesOf<SchemaOf<Shape>>> & string>[];
  /** `incremental` if the reader can start from a checkpoint. @default "full" */
  readonly readerType?: "full" | "incremental";
  /**
   * What becomes of members that a target system sends and the schema does not know, at any depth: `keep` stores, compares
   * and shows them, `drop` leaves them out. Take `drop` for a target system that sends more than you declare.
   * `connector.json` does not say it.
   * @default "keep"
   */
  readonly unknownMembers?: "keep" | "drop";
  /** How names in code become serialized names. @default the convention of the module */
  readonly namingConvention?: NamingConvention;
  /** The object's part of an address. @default its name in kebab-case */
  readonly urlPart?: string;
  /** The object's key on the platform. @default the urlPart */
  readonly key?: string;
  /** Whether the platform offers an endpoint for the object. @default true */
  readonly createEndpoint?: boolean;
  /** The properties of a record; or a whole TypeBox object, for one that is recursive or composed. */
  readonly properties: Shape;
}

/** What {@link defineDataObject} returns. */
export interface DataObjectDefinition<Schema extends TSchema = TSchema>
  extends Definition<"data object", RootOptions> {
  /** Name of the object's class. */
  readonly name: string;
  /** An ordinary TypeBox type, for `Type.Pick(Employee.schema, ["id"])` and the like. */
  readonly schema: Schema;
}

/**
 * Defines a data object.
 *
 * @param name The name of its class, such as `Employee`.
 * @example
 * export const Employee = defineDataObject("Employee", {
 *   description: "An employee of the company.",
 *   primaryKey: "id",
 *   properties: {
 *     id: Type.String({ description: "Identifier in the target system." }),
 *     email: Nullable(Type.String({ description: "Work address.", writeOnly: true })),
 *   },
 * });
 */
export function defineDataObject<Shape extends TProperties | TSchema>(
  name: string,
  options: DataObjectOptions<Shape>,
): DataObjectDefinition<SchemaOf<Shape>>;
export function defineDataObject(name: string, given: object, oldOptions?: object): DataObjectDefinition {
  const isOldCall = oldOptions !== undefined;
  const options = (isOldCall ? { ...oldOptions, properties: given } : given) as DataObjectOptions;
  const schema = rootSchema(options?.properties, options) as TSchema;
  return createDefinition({ kind: "data object", name, schema, options }, { isOldCall });
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
