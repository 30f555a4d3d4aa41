/** A connector as plain, readonly, frozen data. It includes everything that is derived: names, defaults, services. */

import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { ServiceType } from "../naming/service-names.js";
import type { SchemaDocument, SchemaModel } from "./schema-model.js";

/** The auth types of generated connections (spec §5.1). */
export const AUTH_TYPES = ["ApiKey", "Basic", "OAuth2CodeFlow", "OAuth2ClientCredentials", "Custom"] as const;
/** How a connection signs in (§5.1). */
export type AuthType = (typeof AUTH_TYPES)[number];

/** What `connector.json` calls `type`; ApiKey, Basic and Custom share one. */
export type ConnectionType = "Standard" | "OAuth2CodeFlow" | "OAuth2ClientCredentials";

/** The names that a resource is known by in code and on the platform. */
interface Named {
  /** Name of the class in code: `Employee`. */
  readonly name: string;
  /** Display name. */
  readonly title: string;
  /** Its part of addresses: `employee`. */
  readonly urlPart: string;
  /** Its key on the platform. */
  readonly key: string;
  /** Explains it to those who build with the connector. */
  readonly description: string;
}

/** A connector (§1.1): all that its `connector.json` says, and what is derived from it. */
export interface ConnectorModel extends Named {
  readonly kind: "connector";
  /** Connection definitions, of which a user chooses one (§2.1). */
  readonly connections: readonly ConnectionModel[];
  /** Settings of a workspace (§2.3). */
  readonly registrationConfiguration: ConfigurationModel;
  /** Modules, in the order in which the connector lists them. */
  readonly modules: readonly ModuleModel[];
}

/** A connection definition (§2.1). */
export interface ConnectionModel {
  readonly kind: "connection";
  /** Name of the class in code: `ApiKeyAuth`. */
  readonly name: string;
  /** The definition key: `apiKeyAuth`. */
  readonly key: string;
  /** How it signs in. */
  readonly authType: AuthType;
  /** Its `type` in `connector.json`. */
  readonly type: ConnectionType;
  /** Display name. */
  readonly title: string;
  /** Explains it to the user; may be empty. */
  readonly description: string;
  /** What a user enters, in the order of the definition. */
  readonly attributes: readonly AttributeModel[];
  /** Where the base address comes from. */
  readonly baseUrl: BaseUrlModel;
  /** Where tokens are issued, if that is the same for all users. */
  readonly tokenUrl: AddressModel;
  /** Where a user signs in and consents, if that is the same for all users. */
  readonly authorizationUrl: AddressModel;
}

/** A connection property (spec §2.1). */
export interface AttributeModel {
  /** Name in code. */
  readonly name: string;
  /** Its key in `connector.json` and in stored connections. */
  readonly key: string;
  /** Display name. */
  readonly title: string;
  /** Explains the property to the user; may be empty. */
  readonly description: string;
  /** Whether the value is a secret. */
  readonly isSensitive: boolean;
  /** Whether a user must enter a value. */
  readonly isRequired: boolean;
  /** Members of an enum property, without the default one of value 0. */
  readonly options: readonly OptionModel[];
  /** The value's type and constraints, which `connector.json` does not carry. */
  readonly schema: SchemaModel;
}

/** A value that a user can choose for an enum property. */
export interface OptionModel {
  /** What the user sees. */
  readonly label: string;
  /** What is stored. */
  readonly value: number;
}

/** An address that a definition says: one, one for each environment, or none. */
export type AddressModel =
  | { readonly kind: "none" }
  | {
      readonly kind: "fixed";
      /** The one address. */
      readonly url: string;
    }
  | {
      readonly kind: "environment";
      /** Address of the production system. */
      readonly production: string;
      /** Address of the test system. */
      readonly test: string;
    };

/** Where the base address comes from (spec §2.1). */
export type BaseUrlModel =
  | AddressModel
  | {
      readonly kind: "property";
      /** Name in code of the connection property that holds the address. */
      readonly property: string;
    };

/** A module: data objects that belong together, in one version (§1.2). */
export interface ModuleModel extends Named {
  readonly kind: "module";
  /** `{key}-{version}`, as the command line takes it. */
  readonly id: string;
  /** Version of the module: an integer from 1. */
  readonly version: number;
  /** Always two: the action processor, then the cache writer. */
  readonly services: readonly [ServiceModel, ServiceModel];
  /** Data objects, in the order in which the module lists them. */
  readonly dataObjects: readonly DataObjectModel[];
}

/** A configuration, and the name of the class that is generated for it. */
export interface ConfigurationModel extends SchemaDocument {
  /** Name of the class in code. */
  readonly name: string;
}

/** A service of a module with its configuration (§2.8). */
export interface ServiceModel {
  readonly kind: "service";
  /** Which of the two services it is. */
  readonly type: ServiceType;
  /** As the platform lists it: `personnel/app/1 Cache Writer`. */
  readonly name: string;
  /** Its switches and settings. */
  readonly configuration: ConfigurationModel;
}

/** Whether a reader reads all records each time, or only those that changed since a checkpoint. */
export type ReaderType = "full" | "incremental";

/** What becomes of members of a record that its schema does not know: stored like any other, or left out. */
export type UnknownMembers = "keep" | "drop";

/** A data object (§2.6). */
export interface DataObjectModel extends Named {
  readonly kind: "dataObject";
  /** Name of the class in code. */
  readonly name: string;
  /** `{connectorKey}/{moduleKey}/{version}/{objectUrl}`. */
  readonly dataPath: string;
  /** The member `createEndpoint` of the object in `connector.json`. */
  readonly createEndpoint: boolean;
  /** How the object is read. */
  readonly readerType: ReaderType;
  /** What becomes of members that the schema does not know; not in `connector.json`. */
  readonly unknownMembers: UnknownMembers;
  /** Schema of one record. */
  readonly schema: SchemaDocument;
  /** As listed; a sound object has one primary key, first. */
  readonly keys: readonly KeyModel[];
  /** Actions, in the order of the data object. */
  readonly actions: readonly ActionModel[];
}

/** A key of a data object: the primary one, or an alternate one. */
export interface KeyModel {
  /** Name of the key: the first part of a record's key. */
  readonly name: string;
  /** Serialized names, in the order in which the key joins their values. */
  readonly propertyNames: readonly string[];
  /** Whether it identifies records; alternate keys only find them. */
  readonly isPrimary: boolean;
}

/** An action of a data object (§2.7). */
export interface ActionModel extends Named {
  readonly kind: "action";
  /** Name of the action's class. */
  readonly name: string;
  /** The member `createRtap` of the action in `connector.json`. */
  readonly createRtap: boolean;
  /** Schema of what the action takes. */
  readonly input: SchemaDocument;
  /** Schema of what it returns if it succeeds. */
  readonly output: SchemaDocument;
  /** Schema of what it returns if it fails. */
  readonly failure: SchemaDocument;
}

/** What every source of models answers. */
export interface SourceResult {
  /** Undefined if the source can't be read at all. */
  readonly model: ConnectorModel | undefined;
  /** What was found while reading; with an error among it there may be no model. */
  readonly diagnostics: readonly Diagnostic[];
}
