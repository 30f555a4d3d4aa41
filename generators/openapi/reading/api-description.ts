/**
 * What an OpenAPI document says, as far as a connector is made of it: plain, frozen data, the same for 2.0, 3.0 and 3.1.
 * References between schemas are kept, because a name that two places share is evidence.
 */
import type { JsonValue } from "../../../schemas/json.js";

/** The place of a part: the file, from the folder of the document, and a JSON pointer: `openapi.yaml#/paths/~1users`. */
export type At = string;

/** A whole document. */
export interface ApiDescription {
  readonly title: string;
  /** Version of the API, not of OpenAPI. */
  readonly version: string;
  readonly description: string;
  /** Every operation, in the order of the document. */
  readonly operations: readonly ApiOperation[];
  /** The schemas that references of the operations lead to, by what `ApiSchema.ref` says. */
  readonly schemas: ReadonlyMap<string, ApiSchema>;
  readonly servers: readonly ApiServer[];
  readonly schemes: readonly SecurityScheme[];
  /** What every operation without a security of its own needs; undefined if nothing is said. */
  readonly security: readonly SecurityRequirement[] | undefined;
}

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof METHODS)[number];

/** An operation. Answers, locks and reports name it by `id`, because one of six has no `operationId`. */
export interface ApiOperation {
  /** `GET /projects/{id}`. */
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** With those of its path. */
  readonly parameters: readonly ApiParameter[];
  readonly body: ApiBody | undefined;
  /** What a success answers. */
  readonly answer: ApiAnswer | undefined;
  /** Undefined if that of the document holds; empty if none is needed. */
  readonly security: readonly SecurityRequirement[] | undefined;
  /** Addresses of its own, in place of those of the document. */
  readonly servers: readonly ApiServer[];
  /** What begins with `x-` and speaks of pages, as it is written, by its name. */
  readonly extensions: ReadonlyMap<string, JsonValue>;
  readonly at: At;
}

export type ParameterPlace = "path" | "query" | "header" | "cookie";

/** A parameter of an operation, but for bodies. */
export interface ApiParameter {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  /** Whether the members of an object are sent as `name[member]`. */
  readonly isDeep: boolean;
  readonly description: string;
  readonly schema: ApiSchema;
  /** What an extension says that it is to the pages; undefined if none does. */
  readonly pagePart: PagePart | undefined;
  readonly at: At;
}

/** What a parameter or a member of an answer is to the pages, in the words of `x-stainless-pagination-property`. */
export interface PagePart {
  /** `next_cursor_param`; empty if it does not say. */
  readonly purpose: string;
  /** The header of the answer that has the value; empty if it stands where it is marked. */
  readonly header: string;
}

/** What an operation is sent. */
export interface ApiBody {
  readonly mediaType: string;
  readonly required: boolean;
  readonly schema: ApiSchema;
  readonly at: At;
}

/** The answer of a success. */
export interface ApiAnswer {
  /** `200`, `2XX`, `default`. */
  readonly status: string;
  /** The one that is JSON, if there is one; else the first; empty if there is no content. */
  readonly mediaType: string;
  /** Undefined if the document does not say what comes. */
  readonly schema: ApiSchema | undefined;
  readonly headers: readonly ApiHeader[];
  readonly at: At;
}

/** A header of an answer. */
export interface ApiHeader {
  readonly name: string;
  readonly description: string;
  readonly at: At;
}

/** An address of the API. */
export interface ApiServer {
  readonly url: string;
  readonly variables: readonly ServerVariable[];
  readonly at: At;
}

/** A part of an address that differs between users. */
export interface ServerVariable {
  readonly name: string;
  readonly defaultValue: string;
  readonly values: readonly string[];
  readonly description: string;
}

/** How a request is signed. */
export type SecurityScheme = KeyScheme | HttpScheme | OAuthScheme | OtherScheme;

interface DescribedScheme {
  readonly name: string;
  readonly description: string;
  readonly at: At;
}

/** A key in a parameter. */
export interface KeyScheme extends DescribedScheme {
  readonly kind: "apiKey";
  readonly in: "query" | "header" | "cookie";
  readonly parameter: string;
}

/** HTTP's own schemes. */
export type HttpScheme = DescribedScheme & ({ readonly kind: "basic" } | { readonly kind: "bearer" });

export interface OAuthScheme extends DescribedScheme {
  readonly kind: "oauth2";
  readonly flows: readonly OAuthFlow[];
}

/** A scheme that a connection can't say. */
export interface OtherScheme extends DescribedScheme {
  readonly kind: "other";
  readonly what: string;
}

/** A flow of OAuth 2. */
export interface OAuthFlow {
  readonly kind: "authorizationCode" | "clientCredentials" | "implicit" | "password";
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly scopes: readonly string[];
}

/** Schemes that are used together. */
export type SecurityRequirement = readonly {
  readonly scheme: string;
  readonly scopes: readonly string[];
}[];

export const API_TYPES = ["string", "integer", "number", "boolean", "object", "array"] as const;
export type ApiType = (typeof API_TYPES)[number];

/** A schema, one level; what it refers to is looked up in `ApiDescription.schemas`. */
export interface ApiSchema {
  /** Name of the schema that it stands for. Everything else is then what is said beside the reference. */
  readonly ref: string | undefined;
  /** As stated, else as its other members tell; empty if nothing tells. */
  readonly types: readonly ApiType[];
  readonly nullable: boolean;
  readonly description: string;
  readonly format: string;
  /** Values of an enum, without null. */
  readonly values: readonly (string | number | boolean)[];
  readonly defaultValue: string | number | boolean | undefined;
  readonly example: string | number | boolean | undefined;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  /** What an extension says that it is to the pages; undefined if none does. */
  readonly pagePart: PagePart | undefined;
  readonly properties: readonly ApiProperty[];
  /** Schema of the items of an array. */
  readonly items: ApiSchema | undefined;
  /** Schema of members that have any name. */
  readonly members: ApiSchema | undefined;
  /** All of them hold. */
  readonly allOf: readonly ApiSchema[];
  /** One of them holds, at least. */
  readonly anyOf: readonly ApiSchema[];
  /** `minLength`, `pattern` and their like, in the order of JSON Schema 2020-12. */
  readonly limits: readonly (readonly [keyword: string, value: string | number | boolean])[];
  readonly at: At;
}

/** A property of an object. */
export interface ApiProperty {
  readonly name: string;
  readonly required: boolean;
  readonly schema: ApiSchema;
}
