/** The annotations of the vocabulary, as options of every TypeBox type (spec §2.1, §2.9). */
import type {} from "@sinclair/typebox";
import type { Silence } from "../diagnostics/silences.js";
import type { SchemaForm } from "../formats/schema-form.js";
import type { OptionTable } from "./definition.js";

declare module "@sinclair/typebox" {
  interface SchemaOptions {
    /** The serialized name of this property, in place of the one that the naming convention makes (§2.9). */
    jsonPropertyName?: string;
    /**
     * How `connector.json` writes this schema, where the usual form will not do: a file that was imported keeps its bytes
     * by it.
     */
    jsonForm?: SchemaForm;
    /** Display name on the platform, in place of the name in code. */
    title?: string;
    /** Explains the value to those who build with the connector. */
    description?: string;
    /** Financial or personal data: shown as `--hidden value--`, still usable in flows (§2.9). */
    writeOnly?: boolean;
    /** Set by the target system; never sent to it. */
    readOnly?: boolean;
    /** Connection properties only: whether the value is a secret (§2.1). @default true */
    isSensitive?: boolean;
    /** Findings that may stand, each with the reason; nothing of it is extracted. */
    silence?: Silence;
  }
}

/** Options of a schema's root that a `define…` function passes on to it. */
export interface RootOptions {
  /** Display name of the definition. */
  readonly title?: string;
  /** Explains the definition to those who build with the connector. */
  readonly description?: string;
  /** `false` closes the object: a record with other properties is refused. Objects are open by default. */
  readonly additionalProperties?: boolean;
  /** The fewest properties that a value may have, as in JSON Schema. */
  readonly minProperties?: number;
  /** The most properties that a value may have, as in JSON Schema. */
  readonly maxProperties?: number;
  /** Findings of this definition that may stand, each with the reason. */
  readonly silence?: Silence;
  /** Any annotation of your own. */
  readonly [annotation: `x-${string}`]: unknown;
}

const ROOT_OPTION_TABLE: OptionTable<RootOptions> = {
  title: true,
  description: true,
  additionalProperties: true,
  minProperties: true,
  maxProperties: true,
};

/** The members of {@link RootOptions}, but for `silence` and annotations of your own. */
export const ROOT_OPTIONS: readonly string[] = Object.keys(ROOT_OPTION_TABLE);
