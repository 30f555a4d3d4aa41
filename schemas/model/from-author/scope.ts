/** Where the builder is: the place of what it reads, in `connector.json` and in the author's code, and how to report. */
import type { DiagnosticCode, DiagnosticParameters } from "../../diagnostics/catalogue.js";
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.js";
import type { SilencePlace } from "../../diagnostics/silence-place.js";
import { isNamingConvention, NAMING_CONVENTIONS, type NamingConvention } from "../../naming/conventions.js";
import { jsonPointer } from "../../naming/json-pointer.js";
import { didYouMean } from "../../naming/nearest.js";

type Steps = readonly (string | number)[];

/** A place while building. Scopes are values: a deeper place is a new scope. */
export interface Scope {
  /** What messages call it: `data object "Employee"`. */
  readonly what: string;
  readonly pointer: Steps;
  /** Names in code, from the call that defined it. */
  readonly path: Steps;
  readonly convention: NamingConvention;
  readonly findings: Diagnostic[];
  /** Pointers of definitions, with the error that holds the call's stack. */
  readonly origins: Map<string, Error>;
  readonly silences: SilencePlace[];
}

/** A scope with nothing above it. */
export function newScope(what: string, convention: NamingConvention): Scope {
  return { what, pointer: [], path: [], convention, findings: [], origins: new Map(), silences: [] };
}

/** A scope below `scope`. */
export function inside(
  scope: Scope,
  change: Partial<Pick<Scope, "what" | "convention">> & { pointer?: Steps; path?: Steps },
): Scope {
  return {
    ...scope,
    ...(change.what !== undefined && { what: change.what }),
    ...(change.convention !== undefined && { convention: change.convention }),
    pointer: [...scope.pointer, ...(change.pointer ?? [])],
    path: [...scope.path, ...(change.path ?? [])],
  };
}

/** Adds a finding at the place of `scope`. */
export function report<Code extends DiagnosticCode>(
  scope: Scope,
  code: Code,
  parameters: DiagnosticParameters<Code>,
): void {
  scope.findings.push(
    diagnostic(code, { pointer: jsonPointer(scope.pointer), path: scope.path }, parameters),
  );
}

/** Options as an author gave them, whatever they are; each read reports a value of another type. */
export class Options {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(
    value: unknown,
    private readonly scope: Scope,
    known: readonly string[],
  ) {
    if (isRecord(value)) this.#values = value;
    else {
      this.#values = {};
      report(scope, "definition-invalid", {
        what: `The options of ${scope.what}`,
        expected: "an object",
        actual: nameOf(value),
      });
    }
    for (const option of Object.keys(this.#values)) {
      if (known.includes(option) || option === "silence" || option.startsWith("x-")) continue;
      const hint = didYouMean(option, known);
      report(inside(scope, { path: [option] }), "definition-option-unknown", {
        option,
        what: scope.what,
        hint,
      });
    }
  }

  get(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
  }

  text(name: string): string | undefined {
    return this.typed(name, "a text", (value): value is string => typeof value === "string");
  }

  boolean(name: string): boolean | undefined {
    return this.typed(name, "true or false", (value): value is boolean => typeof value === "boolean");
  }

  integer(name: string): number | undefined {
    return this.typed(name, "a whole number", (value): value is number => Number.isSafeInteger(value));
  }

  /** Holes of a sparse list count as undefined members. */
  list(name: string): readonly unknown[] {
    return [...(this.typed(name, "a list", (value): value is unknown[] => Array.isArray(value)) ?? [])];
  }

  /** The naming convention given here, or that of the scope. */
  convention(): NamingConvention {
    return (
      this.typed("namingConvention", `one of ${NAMING_CONVENTIONS.join(", ")}`, isNamingConvention) ??
      this.scope.convention
    );
  }

  private typed<T>(name: string, expected: string, fits: (value: unknown) => value is T): T | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (fits(value)) return value;
    const place = inside(this.scope, { path: [name] });
    report(place, "definition-invalid", {
      what: `"${name}" of ${this.scope.what}`,
      expected,
      actual: nameOf(value),
    });
    return undefined;
  }
}

/** What a value is, in words; never the value itself, which may be a secret. */
export function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (isRecord(value) && typeof value["kind"] === "string" && "options" in value)
    return `a defined ${value["kind"]}`;
  switch (typeof value) {
    case "undefined":
      return "missing";
    case "object":
      return `a value of ${textFrom(value.constructor?.name) || "no class"}`;
    case "string":
      return "a text";
    default:
      return `a ${typeof value}`;
  }
}

/** `value` where it is a text, else nothing: `String()` of an author's value may throw. */
export function textFrom(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function isRecord(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
