/** One configuration that a host starts a connector with: held to its schema, typed, and safe from later changes. */
import { sensitiveValues } from "../records/masked.js";
import type { RecordType } from "../records/record-type.js";
import { typedRecord } from "../records/typed-record.js";
import { validate } from "../validation/findings.js";
import { isObject, type Values } from "../validation/values.js";
import { placed, type StartFinding, startFinding } from "./start-error.js";

/** A configuration as it was given, and where it stands in all that was given. */
export interface GivenConfiguration {
  readonly place: string;
  /** In serialized form. */
  readonly value: unknown;
}

/** A configuration, which is empty where it does not fit its schema. */
export interface ReadConfiguration {
  readonly findings: readonly StartFinding[];
  /** With names as in code; it shows itself without what is sensitive. */
  readonly typed: object;
  /** In serialized form. */
  readonly json: Values;
  /** What must not be shown of it. */
  readonly secrets: readonly string[];
}

/** Reads a configuration against the type that was generated for it. */
export function readConfiguration(type: RecordType, { place, value }: GivenConfiguration): ReadConfiguration {
  const copy = copied(value);
  const findings =
    "notJson" in copy ? [notJson(place)] : validate(type, copy.json).map((one) => placed(place, one));
  if (findings.length > 0 || "notJson" in copy || !isObject(copy.json)) {
    return { findings, typed: Object.freeze({}), json: {}, secrets: [] };
  }
  const json = frozen(copy.json);
  const typed = frozen(typedRecord<object, object, object>(type).from(json));
  return { findings, typed, json, secrets: sensitiveValues(json, type.schema) };
}

/** A copy, so that nobody changes a configuration that was looked at. */
function copied(value: unknown): { readonly json: unknown } | { readonly notJson: true } {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return { json: text === undefined ? undefined : JSON.parse(text) };
  } catch {
    return { notJson: true };
  }
}

function notJson(place: string): StartFinding {
  const finding = { instancePath: "", keyword: "json", expected: "JSON" };
  return startFinding(place, { ...finding, actual: "a value that can't be written as such" });
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
