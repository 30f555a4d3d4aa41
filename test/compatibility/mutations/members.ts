/** Kinds of change of an object's properties, each as a function that makes it in the schema of an object. */
import type { ChangeCode } from "../../../schemas/compatibility/change-catalogue.js";

type Schema = ReturnType<typeof JSON.parse>;
type Severity = "major" | "minor" | "patch";

export interface MemberMutation {
  readonly name: string;
  /** Changes the schema of an object that has the optional property `mutated` of type text. */
  readonly apply: (schema: Schema) => void;
  readonly code: ChangeCode;
  readonly reverse: ChangeCode;
  /** Where values are read: forwards, backwards. */
  readonly read: readonly [Severity, Severity];
  /** Where values are sent or stored: forwards, backwards. */
  readonly sent: readonly [Severity, Severity];
}

export const MEMBER_MUTATIONS: readonly MemberMutation[] = [
  {
    name: "a property is removed",
    apply: (schema) => {
      delete schema.properties.mutated;
    },
    code: "property-removed",
    reverse: "property-added",
    read: ["major", "minor"],
    sent: ["major", "minor"],
  },
  {
    name: "an optional property",
    apply: (schema) => {
      schema.properties.added = { type: "integer" };
    },
    code: "property-added",
    reverse: "property-removed",
    read: ["minor", "major"],
    sent: ["minor", "major"],
  },
  {
    name: "an optional property of any value",
    apply: (schema) => {
      schema.properties.added = true;
    },
    code: "property-added",
    reverse: "property-removed",
    read: ["minor", "major"],
    sent: ["minor", "major"],
  },
  {
    name: "a required property",
    apply: (schema) => {
      schema.properties.added = { type: "integer" };
      schema.required = [...(schema.required ?? []), "added"];
    },
    code: "property-added-required",
    reverse: "property-removed",
    read: ["minor", "major"],
    sent: ["major", "major"],
  },
  {
    name: "a property is required",
    apply: (schema) => {
      schema.required = ["mutated", ...(schema.required ?? [])];
    },
    code: "property-required",
    reverse: "property-optional",
    read: ["minor", "major"],
    sent: ["major", "minor"],
  },
  {
    name: "an undescribed property is required",
    apply: (schema) => {
      schema.required = [...(schema.required ?? []), "undescribed"];
    },
    code: "property-required",
    reverse: "property-optional",
    read: ["minor", "major"],
    sent: ["major", "minor"],
  },
];
