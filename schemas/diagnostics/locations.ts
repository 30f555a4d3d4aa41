/**
 * Where a finding is in a connector: what messages call the place, its steps in `connector.json`, its names in the
 * author's code. Builder, checks and comparison name places with the words of this module, and so they read alike.
 */
import { jsonPointer } from "../json.js";
import { upperFirst } from "../naming/words.js";
import type { DiagnosticCode, RulesByCode } from "./codes.js";
import { type Diagnostic, diagnosticsOf } from "./diagnostic.js";
import type { Rule, RuleParameters } from "./rules/rule.js";

export type Steps = readonly (string | number)[];

/** A location is a value; one further in is a new value. */
export interface Location {
  /** As in the middle of a sentence: `"email" of data object "Employee"`. */
  readonly what: string;
  readonly pointer: Steps;
  /** Names in code from the call that defined it. */
  readonly path: Steps;
}

/** What messages call the parts of a connector. `holder` is what they call the part that holds it. */
export const PART_NAMES = {
  connector: "the connector",
  registrationConfiguration: "the registration configuration",
  connection: (name: string) => `connection "${name}"`,
  module: (name: string) => `module "${name}"`,
  dataObject: (name: string) => `data object "${name}"`,
  action: (name: string, holder: string) => `action "${name}" of ${holder}`,
  payload: (role: "input" | "output" | "failure", holder: string) => `the ${role} of ${holder}`,
  service: (type: string, holder: string) => `the configuration of service ${type} of ${holder}`,
  property: (name: string, holder: string) => `"${name}" of ${holder}`,
  item: (holder: string) => `an item of ${holder}`,
  value: (holder: string) => `a value of ${holder}`,
} as const;

export const CONNECTOR_LOCATION: Location = { what: PART_NAMES.connector, pointer: [], path: [] };

/** A location further in. */
export function within(
  location: Location,
  change: { readonly what?: string; readonly pointer?: Steps; readonly path?: Steps },
): Location {
  return {
    what: change.what ?? location.what,
    pointer: change.pointer === undefined ? location.pointer : [...location.pointer, ...change.pointer],
    path: change.path === undefined ? location.path : [...location.path, ...change.path],
  };
}

/** A location further in that a call of its own defines, so that its names in code begin anew. */
export function definedWithin(location: Location, what: string, pointer: Steps): Location {
  return { what, pointer: [...location.pointer, ...pointer], path: [] };
}

/** As `diagnosticsOf`, for findings at locations. */
export function findingsOf<Rules extends RulesByCode>(rules: Rules) {
  const report = diagnosticsOf(rules);
  return <Code extends keyof Rules & DiagnosticCode>(
    code: Code,
    { pointer, path }: Location,
    parameters: RuleParameters<Rules[Code] & Rule>,
  ): Diagnostic => {
    const finding = report(code, { pointer: jsonPointer(pointer), path }, parameters);
    // Locations are named as in the middle of a sentence, and many messages begin with one.
    return { ...finding, message: upperFirst(finding.message) };
  };
}
