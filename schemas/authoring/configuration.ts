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
import { type Definition, defined } from "./definition.js";
import { Nullable, type TNullable } from "./types.js";

export interface ConfigurationOptions extends RootOptions {
  /** How names in code become serialized names; PascalCase where it is left out, as in the platform's files. */
  readonly namingConvention?: NamingConvention;
  /** Service configurations only: nothing is added, neither switches nor the usual title and description. */
  readonly complete?: boolean;
  /** Service configurations only: the name of the service, in place of `{connectorKey}/{moduleKey}/{version} …`. */
  readonly serviceName?: string;
}

export interface ConfigurationDefinition<Schema extends TSchema = TSchema>
  extends Definition<"configuration", ConfigurationOptions> {
  readonly schema: Schema;
}

/**
 * Defines a configuration.
 *
 * As the registration configuration it is whole. As `cacheWriter` or `actionProcessor` of a module it extends the
 * switches that the platform expects, `EmployeeConfig.UploadObject` and `CreateEmployeeConfig.ProcessQueuedEvent`:
 * a property of such a name takes the switch's place, others follow the switches.
 */
export function defineConfiguration<Shape extends TProperties | TSchema>(
  shape: Shape,
  options: ConfigurationOptions = {},
): ConfigurationDefinition<SchemaOf<Shape>> {
  const schema = rootSchema(shape, options) as SchemaOf<Shape>;
  return defined({ kind: "configuration", schema, options });
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
