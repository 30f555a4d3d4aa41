/** A connector as plain, readonly, frozen data. Everything derived (names, defaults, services) stands in it computed. */
import type { ServiceType } from "../naming/service-names.js";
import type { SchemaDocument, SchemaModel } from "./schema-model.js";

/** The auth types of generated connections (spec §5.1). */
export const AUTH_TYPES = ["ApiKey", "Basic", "OAuth2CodeFlow", "OAuth2ClientCredentials", "Custom"] as const;
export type AuthType = (typeof AUTH_TYPES)[number];

/** What `connector.json` calls `type`; ApiKey, Basic and Custom share one. */
export type ConnectionType = "Standard" | "OAuth2CodeFlow" | "OAuth2ClientCredentials";

/** The names that a resource is known by on the platform. */
interface Named {
  /** Display name. */
  readonly name: string;
  readonly urlPart: string;
  readonly key: string;
  readonly description: string;
}

export interface ConnectorModel extends Named {
  readonly kind: "connector";
  readonly connections: readonly ConnectionModel[];
  readonly registrationConfiguration: SchemaDocument;
  readonly modules: readonly ModuleModel[];
}

export interface ConnectionModel {
  readonly kind: "connection";
  /** Name of the class in code: `ApiKeyAuth`. */
  readonly className: string;
  /** The definition key: `apiKeyAuth`. */
  readonly key: string;
  readonly authType: AuthType;
  readonly type: ConnectionType;
  readonly title: string;
  readonly description: string;
  readonly attributes: readonly AttributeModel[];
  readonly baseUrl: BaseUrlModel;
}

/** A connection property (spec §2.1). */
export interface AttributeModel {
  readonly name: string;
  readonly key: string;
  readonly title: string;
  readonly description: string;
  readonly isSensitive: boolean;
  readonly isRequired: boolean;
  /** Members of an enum property, without the default one of value 0. */
  readonly options: readonly OptionModel[];
  /** The value's type and constraints, which `connector.json` does not carry. */
  readonly schema: SchemaModel;
}

export interface OptionModel {
  readonly label: string;
  readonly value: number;
}

/** Where the base address comes from (spec §2.1). */
export type BaseUrlModel =
  | { readonly kind: "none" }
  | { readonly kind: "fixed"; readonly url: string }
  | { readonly kind: "environment"; readonly production: string; readonly test: string }
  | { readonly kind: "property"; readonly property: string };

export interface ModuleModel extends Named {
  readonly kind: "module";
  /** `{key}-{version}`, as the command line takes it. */
  readonly id: string;
  readonly version: number;
  /** Always two: the action processor, then the cache writer. */
  readonly services: readonly [ServiceModel, ServiceModel];
  readonly dataObjects: readonly DataObjectModel[];
}

export interface ServiceModel {
  readonly kind: "service";
  readonly type: ServiceType;
  readonly name: string;
  readonly configuration: SchemaDocument;
}

export type ReaderType = "full" | "incremental";

export interface DataObjectModel extends Named {
  readonly kind: "dataObject";
  /** Name of the class in code. */
  readonly className: string;
  /** `{connectorKey}/{moduleKey}/{version}/{objectUrl}`. */
  readonly dataPath: string;
  readonly createEndpoint: boolean;
  readonly readerType: ReaderType;
  readonly schema: SchemaDocument;
  /** As listed; a sound object has one primary key, first. */
  readonly keys: readonly KeyModel[];
  readonly actions: readonly ActionModel[];
}

export interface KeyModel {
  readonly name: string;
  /** Serialized names, in the order in which the key joins their values. */
  readonly propertyNames: readonly string[];
  readonly isPrimary: boolean;
}

export interface ActionModel extends Named {
  readonly kind: "action";
  readonly className: string;
  readonly createRtap: boolean;
  readonly input: SchemaDocument;
  readonly output: SchemaDocument;
  readonly failure: SchemaDocument;
}

/** `value` and everything in it, frozen. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}
