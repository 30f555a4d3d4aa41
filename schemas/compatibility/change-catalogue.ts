/** Every kind of change between two connectors, with its sentence. */

/** The semantic-version step that a change needs. */
export type Step = "major" | "minor" | "patch";

export interface ChangeEntry {
  /** The step that it always needs; `values`: what it needs depends on the values and on who meets them. */
  readonly severity: Step | "values";
  /** May hold `{parameters}`. */
  readonly message: string;
}

/** The catalogue, by family. Codes are stable for ever. */
export const CHANGES = {
  "connector-key-changed": {
    severity: "major",
    message: 'The connector\'s key was "{before}" and is "{after}".',
  },
  "connector-url-changed": {
    severity: "major",
    message: 'The connector\'s url part was "{before}" and is "{after}".',
  },
  "part-removed": { severity: "major", message: "{what} is gone." },
  "part-added": { severity: "minor", message: "{what} is new." },
  "url-changed": { severity: "major", message: 'The url part of {what} was "{before}" and is "{after}".' },
  "key-changed": { severity: "major", message: 'The key of {what} was "{before}" and is "{after}".' },
  "metadata-changed": { severity: "patch", message: "The {field} of {what} was changed." },
  "switched-off": { severity: "major", message: "{what} was switched off: {switch} is false." },
  "switched-on": { severity: "minor", message: "{what} was switched on: {switch} is true." },

  "record-key-removed": { severity: "major", message: 'Key "{key}" of {what} is gone.' },
  "record-key-added": { severity: "minor", message: 'Key "{key}" of {what} is new.' },
  "record-key-renamed": { severity: "major", message: 'Key "{before}" of {what} is named "{after}" now.' },
  "record-key-properties": {
    severity: "major",
    message: 'Key "{key}" of {what} was made of {before} and is made of {after}.',
  },
  "record-key-not-primary": {
    severity: "major",
    message: 'Key "{key}" of {what} is not the primary one any more.',
  },
  "record-key-primary": { severity: "major", message: 'Key "{key}" of {what} is the primary one now.' },

  "connection-type-changed": {
    severity: "major",
    message: "{what} was of type {before} and is of type {after}.",
  },
  "connection-property-removed": { severity: "major", message: "{what} is gone." },
  "connection-property-added": { severity: "minor", message: "{what} is new." },
  "connection-property-added-required": { severity: "major", message: "{what} is new and must be given." },
  "connection-property-required": { severity: "major", message: "{what} must be given now." },
  "connection-property-optional": { severity: "minor", message: "{what} need not be given any more." },
  "option-removed": { severity: "major", message: 'Option "{option}" of {what} is gone.' },
  "option-added": { severity: "minor", message: 'Option "{option}" of {what} is new.' },
  "option-relabelled": { severity: "patch", message: 'Option "{before}" of {what} is shown as "{after}".' },
  "options-introduced": { severity: "major", message: "{what} took any value and takes one of a list now." },
  "options-dropped": { severity: "major", message: "{what} took one of a list and has no list any more." },

  "sensitivity-lowered": {
    severity: "major",
    message: "{what} was hidden and is shown now.",
  },
  "sensitivity-raised": { severity: "minor", message: "{what} was shown and is hidden now." },

  "property-removed": { severity: "major", message: "{what} is gone." },
  "property-added": { severity: "values", message: "{what} is new." },
  "property-added-required": { severity: "values", message: "{what} is new and required." },
  "property-required": { severity: "values", message: "{what} is required now." },
  "property-optional": { severity: "values", message: "{what} is not required any more." },
  "null-accepted": { severity: "values", message: "{what} may be null now." },
  "null-refused": { severity: "values", message: "{what} may not be null any more." },
  "type-changed": { severity: "values", message: "{what} was {before} and is {after}." },
  "enum-member-added": { severity: "values", message: "{what} may be {member} now." },
  "enum-member-removed": { severity: "values", message: "{what} may not be {member} any more." },
  "enum-introduced": { severity: "values", message: "{what} is one of a list of values now." },
  "enum-dropped": { severity: "values", message: "{what} is not one of a list of values any more." },
  "limit-tightened": {
    severity: "values",
    message: "The {keyword} of {what} was {before} and is {after}: it is stricter.",
  },
  "limit-loosened": {
    severity: "values",
    message: "The {keyword} of {what} was {before} and is {after}: it is looser.",
  },
  "constraint-added": { severity: "values", message: "{what} has the {keyword} {after} now." },
  "constraint-removed": { severity: "values", message: "{what} has not the {keyword} {before} any more." },
  "constraint-changed": {
    severity: "values",
    message: "The {keyword} of {what} was {before} and is {after}.",
  },
  "object-closed": { severity: "values", message: "{what} takes no other properties any more." },
  "object-opened": { severity: "values", message: "{what} takes other properties now." },
  "values-described": {
    severity: "values",
    message: "The {part} of {what} could be anything and have a schema now.",
  },
  "values-undescribed": {
    severity: "values",
    message: "The {part} of {what} had a schema and can be anything now.",
  },
  "combination-changed": { severity: "values", message: "The {keyword} of {what} was changed." },
  "schema-replaced": { severity: "values", message: "{what} has another schema." },
  "schema-undecided": {
    severity: "values",
    message: "{what} was changed in a way that can't be decided: {reason}.",
  },
  "written-otherwise": {
    severity: "patch",
    message: "{what} is written otherwise and accepts the same values.",
  },

  "default-added": { severity: "minor", message: "{what} has a default now." },
  "default-changed": { severity: "major", message: "The default of {what} was changed." },
  "default-removed": { severity: "major", message: "{what} has no default any more." },
  "read-only-changed": { severity: "minor", message: "readOnly of {what} was changed." },
  "annotation-changed": { severity: "patch", message: "The {keyword} of {what} was changed." },
} as const satisfies Record<string, ChangeEntry>;

export type ChangeCode = keyof typeof CHANGES;

type Parameters<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Parameters<Rest>
  : never;

/** What a change of `Code` must be given. */
export type ChangeParameters<Code extends ChangeCode> = Readonly<
  Record<Parameters<(typeof CHANGES)[Code]["message"]>, string | number>
>;
