/** The registration configuration and the two service configurations of a module (spec §2.3, §2.8). */
import {
  type SchemaOptions,
  type TBoolean,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  Type,
} from "@sinclair/typebox";
import type { NamingConvention } from "../naming/conventions.js";
import type { RootOptions } from "./annotations.js";
import { rootSchema, type SchemaOf } from "./data-object.js";
import { createDefinition, type Definition } from "./definition.js";
import { Nullable, type TNullable } from "./types.js";

/** Options of {@link defineRegistrationConfiguration}. */
export interface RegistrationConfigurationOptions<Shape extends TProperties | TSchema = TProperties | TSchema>
  extends RootOptions {
  /** How names in code become serialized names. @default "PascalCase" */
  readonly namingConvention?: NamingConvention;
  /** The settings; or a whole TypeBox object, for one that is composed. */
  readonly properties: Shape;
}

/** Options of {@link defineServiceConfiguration}. */
export interface ServiceConfigurationOptions<Shape extends TProperties | TSchema = TProperties | TSchema>
  extends RootOptions {
  /** How names in code become serialized names. @default "PascalCase" */
  readonly namingConvention?: NamingConvention;
  /** True if nothing is added: neither switches nor the usual title and description. @default false */
  readonly complete?: boolean;
  /** The name of the service. @default `{connectorKey}/{moduleKey}/{version} {Action Processor or Cache Writer}` */
  readonly serviceName?: string;
  /** Switches and settings; or a whole TypeBox object, for one that is composed. */
  readonly properties: Shape;
}

/** What {@link defineRegistrationConfiguration} returns. */
export interface RegistrationConfigurationDefinition<Schema extends TSchema = TSchema>
  extends Definition<"registration configuration", RootOptions> {
  /** Name of the generated class. */
  readonly name: string;
  /** The settings as a TypeBox object, with names as in code. */
  readonly schema: Schema;
}

/** What {@link defineServiceConfiguration} returns. */
export interface ServiceConfigurationDefinition<Schema extends TSchema = TSchema>
  extends Definition<"service configuration", RootOptions> {
  /** Name of the generated class. */
  readonly name: string;
  /** The switches and settings as a TypeBox object, with names as in code. */
  readonly schema: Schema;
}

/**
 * Defines the settings of a workspace. Name it under `registrationConfiguration` of the connector.
 *
 * @param name The name of the generated class, such as `RegistrationConfiguration`.
 * @example
 * export const RegistrationConfiguration = defineRegistrationConfiguration("RegistrationConfiguration", {
 *   properties: { companyCode: Type.String({ description: "Company whose employees are read." }) },
 * });
 */
export function defineRegistrationConfiguration<Shape extends TProperties | TSchema>(
  name: string,
  options: RegistrationConfigurationOptions<Shape>,
): RegistrationConfigurationDefinition<SchemaOf<Shape>> {
  const schema = rootSchema(options?.properties, options) as SchemaOf<Shape>;
  return createDefinition({ kind: "registration configuration", name, schema, options });
}

/**
 * Defines the configuration of a service. Name it under `actionProcessor` or `cacheWriter` of a module.
 *
 * It extends the switches that the platform expects, `CreateEmployeeConfig.ProcessQueuedEvent` and
 * `EmployeeConfig.UploadObject` (§2.8): a property of such a name takes the switch's place, others follow the
 * switches.
 *
 * @param name The name of the generated class, such as `CacheWriterConfiguration`.
 * @example
 * export const CacheWriterConfiguration = defineServiceConfiguration("CacheWriterConfiguration", {
 *   properties: { pageSize: Type.Optional(Type.Integer({ minimum: 1 })) },
 * });
 */
export function defineServiceConfiguration<Shape extends TProperties | TSchema>(
  name: string,
  options: ServiceConfigurationOptions<Shape>,
): ServiceConfigurationDefinition<SchemaOf<Shape>> {
  const schema = rootSchema(options?.properties, options) as SchemaOf<Shape>;
  return createDefinition({ kind: "service configuration", name, schema, options });
}

/**
 * Defined configurations of either kind.
 *
 * @deprecated Write defineRegistrationConfiguration or defineServiceConfiguration.
 */
export function defineConfiguration(properties: never, options?: never): never {
  const given = { ...(options as object | undefined), properties };
  const definition = { kind: "configuration", schema: rootSchema(properties, given), options: given };
  return createDefinition(definition, { isOldCall: true }) as never;
}

/** What switches the upload of one data object; extend it with properties of your own. */
export type TObjectSwitch<Extra extends TProperties> = TObject<{ uploadObject: TOptional<TBoolean> } & Extra>;

/** The switch of one data object in a cache writer configuration (§2.8 `CacheWriterObjectConfig`). */
export function CacheWriterObjectConfig<Extra extends TProperties = Record<never, never>>(
  options?: SchemaOptions,
  extra?: Extra,
): TObjectSwitch<Extra> {
  return Type.Object(
    { uploadObject: Type.Optional(Type.Boolean()), ...(extra as Extra) },
    options,
  ) as TObjectSwitch<Extra>;
}

/** What an incremental reader adds to its switch. */
export type TCheckpoint = {
  enableModifiedSince: TOptional<TBoolean>;
  checkpoint: TOptional<TNullable<ReturnType<typeof Type.String>>>;
};

/** The switch of a data object that is read incrementally, with its checkpoint. */
export function IncrementalObjectConfig(options?: SchemaOptions): TObjectSwitch<TCheckpoint> {
  return CacheWriterObjectConfig(options, {
    enableModifiedSince: Type.Optional(Type.Boolean({ readOnly: true })),
    checkpoint: Type.Optional(Nullable(Type.String())),
  });
}

/** What switches the processing of one action. */
export type TActionSwitch<Extra extends TProperties> = TObject<
  { processQueuedEvent: TOptional<TBoolean> } & Extra
>;

/** The switch of one action in an action processor configuration (§2.8 `DefaultActionHandlerConfig`). */
export function DefaultActionHandlerConfig<Extra extends TProperties = Record<never, never>>(
  options?: SchemaOptions,
  extra?: Extra,
): TActionSwitch<Extra> {
  return Type.Object(
    { processQueuedEvent: Type.Optional(Type.Boolean()), ...(extra as Extra) },
    options,
  ) as TActionSwitch<Extra>;
}
