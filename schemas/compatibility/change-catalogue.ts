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
  "part-removed": { severity: "major", message: "{what} was removed." },
  "part-added": { severity: "minor", message: "{what} is new." },
  "url-changed": { severity: "major", message: 'The url part of {what} was "{before}" and is "{after}".' },
  "key-changed": { severity: "major", message: 'The key of {what} was "{before}" and is "{after}".' },
  "metadata-changed": { severity: "patch", message: "The {field} of {what} was changed." },
  "switched-off": { severity: "major", message: "{what} was switched off: {switch} is false." },
  "switched-on": { severity: "minor", message: "{what} was switched on: {switch} is true." },

  "record-key-removed": { severity: "major", message: 'Key "{key}" of {what} was removed.' },
  "record-key-added": { severity: "minor", message: 'Key "{key}" of {what} is new.' },
  "record-key-renamed": { severity: "major", message: 'Key "{before}" of {what} was renamed to "{after}".' },
  "record-key-properties": {
    severity: "major",
    message: 'Key "{key}" of {what} was made of {before} and is made of {after}.',
  },
  "record-key-not-primary": {
    severity: "major",
    message: 'Key "{key}" of {what} is no longer the primary key.',
  },
  "record-key-primary": { severity: "major", message: 'Key "{key}" of {what} is now the primary key.' },

  "connection-type-changed": {
    severity: "major",
    message: "{what} was of type {before} and is of type {after}.",
  },
  "connection-property-removed": { severity: "major", message: "{what} was removed." },
  "connection-property-added": { severity: "minor", message: "{what} is new." },
  "connection-property-added-required": { severity: "major", message: "{what} is new and required." },
  "connection-property-required": { severity: "major", message: "{what} is now required." },
  "connection-property-optional": { severity: "minor", message: "{what} is no longer required." },
  "option-removed": { severity: "major", message: 'Option "{option}" of {what} was removed.' },
  "option-added": { severity: "minor", message: 'Option "{option}" of {what} is new.' },
  "option-relabelled": {
    severity: "patch",
    message: 'Option "{before}" of {what} is now shown as "{after}".',
  },
  "option-swapped": {
    severity: "major",
    message:
      'Value {value} of {what} stood for "{before}" and stands for "{after}", which had another value.',
  },
  "options-introduced": {
    severity: "major",
    message: "{what} accepted any value and now accepts only one of its options.",
  },
  "options-dropped": {
    severity: "major",
    message: "{what} accepted one of its options and now has no options.",
  },

  "sensitivity-lowered": {
    severity: "major",
    message: "{what} was hidden and is now shown.",
  },
  "sensitivity-raised": { severity: "minor", message: "{what} was shown and is now hidden." },

  "property-removed": { severity: "major", message: "{what} was removed." },
  "property-added": { severity: "values", message: "{what} is new." },
  "property-added-required": { severity: "values", message: "{what} is new and required." },
  "property-required": { severity: "values", message: "{what} is now required." },
  "property-optional": { severity: "values", message: "{what} is no longer required." },
  "null-accepted": { severity: "values", message: "{what} may now be null." },
  "null-refused": { severity: "values", message: "{what} may no longer be null." },
  "type-changed": { severity: "values", message: "{what} was {before} and is {after}." },
  "enum-member-added": { severity: "values", message: "{what} may now be {member}." },
  "enum-member-removed": { severity: "values", message: "{what} may no longer be {member}." },
  "enum-introduced": { severity: "values", message: "{what} is now limited to a list of values." },
  "enum-dropped": { severity: "values", message: "{what} is no longer limited to a list of values." },
  "limit-tightened": {
    severity: "values",
    message: "The {keyword} of {what} was {before} and is {after}: it is stricter.",
  },
  "limit-loosened": {
    severity: "values",
    message: "The {keyword} of {what} was {before} and is {after}: it is looser.",
  },
  "constraint-added": { severity: "values", message: "{what} now has the {keyword} {after}." },
  "constraint-removed": { severity: "values", message: "{what} no longer has the {keyword} {before}." },
  "constraint-changed": {
    severity: "values",
    message: "The {keyword} of {what} was {before} and is {after}.",
  },
  "object-closed": { severity: "values", message: "{what} no longer accepts other properties." },
  "object-opened": { severity: "values", message: "{what} now accepts other properties." },
  "values-described": {
    severity: "values",
    message: "The {part} of {what} could be anything and now have a schema.",
  },
  "values-undescribed": {
    severity: "values",
    message: "The {part} of {what} had a schema and can now be anything.",
  },
  "combination-changed": { severity: "values", message: "The {keyword} of {what} was changed." },
  "schema-replaced": { severity: "values", message: "{what} has another schema." },
  "schema-undecided": {
    severity: "values",
    message: "It can't be decided what the change of {what} means: {reason}.",
  },
  "written-otherwise": {
    severity: "patch",
    message: "{what} is written differently and accepts the same values.",
  },

  "default-added": { severity: "minor", message: "{what} now has a default." },
  "default-changed": { severity: "major", message: "The default of {what} was changed." },
  "default-removed": { severity: "major", message: "{what} no longer has a default." },
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
