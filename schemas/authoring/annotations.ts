/** The annotations of the vocabulary, as options of every TypeBox type (spec §2.1, §2.9). */
import type {} from "@sinclair/typebox";
import type { Silence } from "./silence.js";

declare module "@sinclair/typebox" {
  interface SchemaOptions {
    /** The serialized name of this property, in place of the one that the naming convention makes (§2.9). */
    jsonPropertyName?: string;
    /** Shown on the platform; in place of the name. */
    title?: string;
    /** Explains the value to those who build with the connector. */
    description?: string;
    /** Financial or personal data: shown as `--hidden value--`, still usable in flows (§2.9). */
    writeOnly?: boolean;
    /** Set by the target system; never sent to it. */
    readOnly?: boolean;
    /** Connection properties only: whether the value is a secret (§2.1). Taken as true where it is left out. */
    isSensitive?: boolean;
    /** Findings that may stand, each with the reason; nothing of it is extracted. */
    silence?: Silence;
  }
}

/** Options of a schema's root that a `define…` function passes on to it. */
export interface RootOptions {
  readonly title?: string;
  readonly description?: string;
  /** `false` closes the object: a record with other properties is refused. Objects are open by default. */
  readonly additionalProperties?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** Findings of this definition that may stand, each with the reason. */
  readonly silence?: Silence;
  /** Any annotation of your own. */
  readonly [annotation: `x-${string}`]: unknown;
}

/** The members of {@link RootOptions}. */
export const ROOT_OPTIONS: readonly string[] = [
  "title",
  "description",
  "additionalProperties",
  "minProperties",
  "maxProperties",
];
