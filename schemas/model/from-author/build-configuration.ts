/** Configurations as authors define them (spec §2.3, §2.8). */
import { EMPTY_OBJECT, type SchemaDocument } from "../schema-model.js";
import { buildDocument } from "./build-schema.js";
import { openDefinition } from "./definition-lists.js";
import { inside, isRecord, nameOf, Options, report, type Scope } from "./scope.js";

const OPTIONS = [
  "title",
  "description",
  "additionalProperties",
  "minProperties",
  "maxProperties",
  "namingConvention",
  "complete",
  "serviceName",
] as const;

export interface ReadConfiguration {
  readonly document: SchemaDocument;
  readonly options: Options;
}

/** The document of the registration configuration, or an empty object where the author wrote none. */
export function buildConfiguration(value: unknown, scope: Scope): SchemaDocument {
  return readConfiguration(value, scope)?.document ?? EMPTY_OBJECT;
}

/** The document and the options of a configuration; undefined where there is none. */
export function readConfiguration(value: unknown, place: Scope): ReadConfiguration | undefined {
  if (value === undefined) return undefined;
  if (!isRecord(value) || value["kind"] !== "configuration") {
    report(place, "definition-invalid", {
      what: place.what,
      expected: "a value that defineConfiguration made",
      actual: nameOf(value),
    });
    return undefined;
  }
  const scope: Scope = { ...openDefinition(value, place), convention: "PascalCase" };
  const options = new Options(value["options"], scope, OPTIONS);
  const convention = options.convention();
  return {
    document: buildDocument(value["schema"], inside(scope, { convention, path: ["schema"] })),
    options,
  };
}
