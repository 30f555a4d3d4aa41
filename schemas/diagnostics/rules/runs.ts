/** What can be wrong with the test settings, and with building, connecting and running a connector (§4.1, §4.3). */
import type { RuleFamily } from "./rule.js";

export const RUN_RULES = {
  "settings-missing": {
    severity: "error",
    section: "§4.1",
    message: "There is no {file}.",
    fix: "Run: npx connectorcli test init; then fill in what it lists.",
  },
  "settings-shape": {
    severity: "error",
    section: "§4.1",
    message: "{what} of {file} should be {expected}.",
    fix: "Correct it, or remove it and run: npx connectorcli test init.",
  },
  "settings-unknown": {
    severity: "warning",
    section: "§4.1",
    message: "The setting {name} belongs to no part of the connector; it was left as it is.{hint}",
    fix: "Rename it, or remove it.",
  },
  "settings-connection-twice": {
    severity: "warning",
    section: "§4.1",
    message: 'The definition key "{key}" occurs twice; the first one counts.',
    fix: "Remove one.",
  },
  "settings-empty": {
    severity: "error",
    section: "§4.1",
    message: "{what} is not filled in.",
    fix: "Write {expected}; {reference} takes it from the environment.",
  },
  "settings-wrong": {
    severity: "error",
    section: "§4.1",
    message: "{what} does not fit: it should be {expected}, but is {actual}.",
    fix: "Correct it in test-settings.json, or the environment variable that it names.",
  },
  "settings-variable-missing": {
    severity: "error",
    section: "§4.1",
    message: "{what} is taken from the environment variable {variable}, which is not set.",
    fix: "Set {variable}, or write the value into test-settings.json.",
  },
  "settings-tracked": {
    severity: "error",
    section: "§1.3",
    message: "git tracks {file}: its secrets would be seen by everyone who has the repository.",
    fix: "Run: git rm --cached {file}; commit that, and replace the secrets that were committed.",
  },
  "settings-connection-unknown": {
    severity: "error",
    section: "§4.1",
    message: 'The connector has no connection with the definition key "{key}".{hint}',
    fix: "Use one of: {keys}.",
  },
  "settings-connection-none": {
    severity: "error",
    section: "§4.1",
    message: "The connector defines no connection that could be tested.",
    fix: "Run: npx connectorcli client new --auth-type <type>",
  },
  "run-registration-missing": {
    severity: "error",
    section: "§4.2",
    message: "There is no {path}, which {purpose}.",
    fix: "Run: {command}",
  },
  "build-imports-tool": {
    severity: "error",
    section: "§4.2",
    message: "{reason}.",
    fix: "Write import type if only types are used; else move what the connector needs to run into a module that imports no schemas.",
  },
  "run-throws": {
    severity: "error",
    section: "§4.2",
    message: "The connector's modules threw while they were run: {reason}.",
    fix: "Correct the code at this place.",
  },
  "run-ends": {
    severity: "error",
    section: "§4.2",
    message: "The connector's modules ended the process with {status} before the run was over.",
    fix: "Remove what ends the process.",
  },
  "run-hangs": {
    severity: "error",
    section: "§4.2",
    message: "The connector's modules were still running after {seconds} seconds, and were stopped.",
    fix: "Look for an endless loop or a call without a time limit, or allow more time with --timeout.",
  },
  "run-connection-unusable": {
    severity: "error",
    section: "§4.2",
    message: "{reason}.",
    fix: "Correct the settings of the connection, or client/client-helper.ts; run npx connectorcli gen if a definition has changed.",
  },
  "run-start-refused": {
    severity: "error",
    section: "§2.8",
    message: "{reason}.",
    fix: "Correct the configurations in test-settings.json; run npx connectorcli gen if a schema has changed.",
  },
  "run-options-invalid": {
    severity: "error",
    section: "§2.6",
    message: "connectorcli.run: {reason}.",
    fix: "Correct it, or remove it; docs/running.md lists the options.",
  },
  "store-unusable": {
    severity: "error",
    section: "§2.6",
    message: "{reason}.",
    fix: "Do what it says, or name another file with --store.",
  },
  "store-of-another-connection": {
    severity: "error",
    section: "§2.6",
    message: "The store belongs to the connection {owner}, not to {connection}.",
    fix: "Give this connection a store of its own with --store; or, if both lead to the same target system, take this one over with --adopt-store.",
  },
  "fake-unusable": {
    severity: "error",
    section: "§4.1",
    message: "There is no fake target system of this connector at {address}: {reason}.",
    fix: "Start one with npx connectorcli fake start, and give the address that it prints.",
  },
  "run-exports-nothing": {
    severity: "error",
    section: "§4.2",
    message: 'registration.ts exports no "registration".',
    fix: "Export what registerConnector gives as registration.",
  },
  "sign-in-failed": {
    severity: "error",
    section: "§5.1",
    message: "The authorization code flow ended without a refresh token: {reason}.",
    fix: "{advice}",
  },
  "settings-not-kept": {
    severity: "warning",
    section: "§5.1",
    message: "A new value of {what} was not saved: {reason}.",
    fix: "Write it where {what} is kept, or test again with a new sign-in.",
  },
} as const satisfies RuleFamily;
