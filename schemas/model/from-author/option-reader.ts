/** What the builder reads an author's values with: it knows where it is, and reports what is not as it should be. */
import { Kind } from "@sinclair/typebox";
import type { DiagnosticParameters, GeneralCode } from "../../diagnostics/codes.js";
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.js";
import { type Location, within } from "../../diagnostics/locations.js";
import type { PlacedSilence } from "../../diagnostics/silences.js";
import { isJsonObject, jsonPointer } from "../../json.js";
import { NAMING_CONVENTIONS, type NamingConvention } from "../../naming/conventions.js";
import { didYouMean } from "../../naming/nearest.js";
import { upperFirst } from "../../naming/words.js";

/** A location while building, with what is collected on the way. One further in is a new value. */
export interface BuildLocation extends Location {
  /** How names in code become serialized names here. */
  readonly convention: NamingConvention;
  readonly findings: Diagnostic[];
  /** Pointers of definitions, with the error that holds the stack of the defining call. */
  readonly origins: Map<string, Error>;
  readonly silences: PlacedSilence[];
  /** Every definition that was built, wherever it is listed. */
  readonly listed: Set<unknown>;
}

/** The location of a connector. */
export function rootLocation(what: string, convention: NamingConvention): BuildLocation {
  const collected = { findings: [], origins: new Map(), silences: [], listed: new Set() };
  return { what, pointer: [], path: [], convention, ...collected };
}

/** A location further in. */
export function inside(
  location: BuildLocation,
  change: Parameters<typeof within>[1] & { readonly convention?: NamingConvention },
): BuildLocation {
  const { convention = location.convention } = change;
  return { ...location, ...within(location, change), convention };
}

/** Adds a finding at `location`. */
export function report<Code extends GeneralCode>(
  { findings, pointer, path }: BuildLocation,
  code: Code,
  parameters: DiagnosticParameters<Code>,
): void {
  const finding = diagnostic(code, { pointer: jsonPointer(pointer), path }, parameters);
  // Locations are named as in the middle of a sentence, and many messages begin with one.
  findings.push({ ...finding, message: upperFirst(finding.message) });
}

/** Reads options as an author gave them, whatever they are; each read reports a value of another type. */
export class OptionReader {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(
    value: unknown,
    private readonly location: BuildLocation,
    options: { readonly [option: string]: true },
  ) {
    const known = Object.keys(options);
    if (isJsonObject(value)) {
      this.#values = value;
      reportPrototype(value, location);
    } else {
      this.#values = {};
      report(location, "definition-invalid", {
        what: `The options of ${location.what}`,
        expected: "an object",
        actual: describeValue(value),
      });
    }
    for (const option of Object.keys(this.#values)) {
      if (known.includes(option) || option === "silence" || option.startsWith("x-")) continue;
      const hint = didYouMean(option, known);
      report(inside(location, { path: [option] }), "definition-option-unknown", {
        option,
        what: location.what,
        hint,
      });
    }
  }

  get(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
  }

  string(name: string): string | undefined {
    return this.typed(name, "a string", (value): value is string => typeof value === "string");
  }

  boolean(name: string): boolean | undefined {
    return this.typed(name, "true or false", (value): value is boolean => typeof value === "boolean");
  }

  integer(name: string): number | undefined {
    return this.typed(name, "a whole number", (value): value is number => Number.isSafeInteger(value));
  }

  /** Empty if it is absent; holes of a sparse array are undefined members. */
  array(name: string): readonly unknown[] {
    return [...(this.typed(name, "an array", (value): value is unknown[] => Array.isArray(value)) ?? [])];
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const expected = `one of ${words.join(", ")}`;
    return this.typed(name, expected, (value): value is Word => words.some((word) => word === value));
  }

  /** The naming convention given here, or that of the location. */
  convention(): NamingConvention {
    return this.oneOf("namingConvention", NAMING_CONVENTIONS) ?? this.location.convention;
  }

  private typed<T>(name: string, expected: string, fits: (value: unknown) => value is T): T | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (fits(value)) return value;
    const place = inside(this.location, { path: [name] });
    report(place, "definition-invalid", {
      what: `"${name}" of ${this.location.what}`,
      expected,
      actual: describeValue(value),
    });
    return undefined;
  }
}

/** Reports an object literal with `__proto__: …`: it is no member, and nothing reads it. */
export function reportPrototype(literal: object, location: BuildLocation): void {
  const prototype: unknown = Object.getPrototypeOf(literal);
  // The prototype of a plain object, of this realm or another, has none itself.
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return;
  report(location, "definition-prototype", { what: location.what });
}

/** What a value is, in words; never the value itself, which may be a secret. */
export function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (isJsonObject(value) && typeof value["kind"] === "string" && "options" in value)
    return `a defined ${value["kind"]}`;
  switch (typeof value) {
    case "undefined":
      return "missing";
    case "object":
      return `a value of ${stringOrEmpty(value.constructor?.name) || "no class"}`;
    case "string":
      return "a string";
    case "number":
      return numberInWords(value);
    default:
      return `a ${typeof value}`;
  }
}

/** Said where another number was expected: what is wrong with this one. */
function numberInWords(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (!Number.isInteger(value)) return `${value}, a number with a fraction`;
  return Number.isSafeInteger(value) ? "a number" : `${value}, a number too large to be exact`;
}

/** `value` if it is a string, else an empty one: `String()` of an author's value may throw. */
export function stringOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Notes the silences of the schema at `location`, those of an enum inside `Nullable` too. */
export function noteSilences(schema: Readonly<Record<PropertyKey, unknown>>, location: BuildLocation): void {
  noteSilence(schema["silence"], location, "schema");
  const variants = schema[Kind] === "Union" && Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [];
  // Other variants are built, and noted, by themselves.
  for (const variant of variants)
    if (isJsonObject(variant) && variant[Kind] === "Union")
      noteSilence(variant["silence"], location, "schema");
}

/** Notes what `silence` holds, an option of the schema or the definition at `location`. */
export function noteSilence(value: unknown, location: BuildLocation, of: PlacedSilence["of"]): void {
  if (value === undefined) return;
  const { what } = location;
  if (!isJsonObject(value)) {
    report(location, "silence-invalid", { what, problem: `is ${describeValue(value)}` });
    return;
  }
  for (const [code, reason] of Object.entries(value)) {
    if (typeof reason === "string" && reason.trim() !== "") {
      location.silences.push({
        code,
        reason,
        what,
        of,
        pointer: jsonPointer(location.pointer),
        path: location.path,
      });
    } else report(location, "silence-invalid", { what, problem: `gives no reason for "${code}"` });
  }
}
