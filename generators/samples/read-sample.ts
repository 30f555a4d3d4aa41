/** What an answer of a target system tells of a data object: where its records stand, their schema, and what may be their key. */
import { visit } from "jsonc-parser";
import { type Diagnostic, diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import { readJson } from "../../schemas/formats/read-json.js";
import { isJsonObject, memberOf } from "../../schemas/json.js";
import { readDocument } from "../../schemas/model/read-schema.js";
import type { PropertyModel, SchemaDocument, SchemaModel } from "../../schemas/model/schema-model.js";
import { lettersOf } from "../../schemas/naming/secret-names.js";
import { findList } from "./find-list.js";
import { inferKey } from "./infer-key.js";
import {
  type InferredProperty,
  type InferredSchema,
  inferSchema,
  isIdentifying,
  type WrittenNumbers,
} from "./infer-schema.js";

/** A text that a target system answered. */
export interface SampleText {
  /** The answer, as JSON. */
  readonly text: string;
  /** The file that it is from; undefined for standard input. */
  readonly file?: string | undefined;
}

/** What a sample tells. Comments hold counts and names of types, and no values: those may be personal. */
export interface Sample {
  /** Way to the list of records; `$` if the answer is the list. */
  readonly items: string;
  /** How that is known: a sentence. */
  readonly itemsReason: string;
  /** How many records the sample has. */
  readonly recordCount: number;
  /** Schema of a record. */
  readonly schema: SchemaDocument;
  /** Serialized names of the primary key. */
  readonly key: readonly string[];
  /** Why these: a sentence. */
  readonly keyReason: string;
  /** What is known of each property, at any depth: a sentence. */
  readonly comments: ReadonlyMap<PropertyModel, string>;
  /** Serialized name of the property that seems to say when a record was changed. */
  readonly changed: string | undefined;
}

/** A sample, or why it tells nothing. */
export type SampleResult =
  | { readonly sample: Sample; readonly diagnostics: readonly [] }
  | { readonly sample?: undefined; readonly diagnostics: readonly Diagnostic[] };

/** No class has more. */
const MOST_PROPERTIES = 2_000;

/** Reads a sample. @param nouns What a record is called, in singular and plural. */
export function readSample({ text, file }: SampleText, nouns: readonly string[]): SampleResult {
  const place = file === undefined ? {} : { file };
  const unfit = (problem: string): SampleResult => ({
    diagnostics: [diagnostic("scaffold-sample-unfit", place, { problem })],
  });
  const { document, diagnostics } = readJson(text, file ?? "");
  if (document === undefined) {
    const named = diagnostics.map(({ file: _, ...found }) => ({ ...found, ...place }));
    return { diagnostics: named };
  }
  const list = findList(document.tree, nouns);
  if (typeof list === "string") return unfit(list);
  const { steps, records, reason } = list;
  const isList = steps.length > 0 || !isJsonObject(document.tree);
  const depth = steps.length + (isList ? 1 : 0);
  const numbers = writtenNumbers(text, document.rounded, depth);
  const inferred = inferSchema(records, numbers);
  if (inferred.properties.length > MOST_PROPERTIES)
    return unfit(`its records have more than ${MOST_PROPERTIES} properties`);
  const key = inferKey(records, inferred.properties, nouns);
  if (typeof key === "string") return unfit(key);
  const schema = readDocument(inferred.tree);
  return {
    sample: {
      items: steps.length === 0 ? "$" : steps.join("."),
      itemsReason: reason,
      recordCount: records.length,
      schema,
      key: key.properties,
      keyReason: key.reason,
      comments: new Map(commentsIn(schema.root, inferred, "records")),
      changed: inferred.properties.find(isChangeTime)?.name,
    },
    diagnostics: [],
  };
}

/** How the numbers of the records are written. @param depth How many steps lead to a record. */
function writtenNumbers(
  text: string,
  rounded: readonly { readonly steps: readonly (string | number)[] }[],
  depth: number,
): WrittenNumbers {
  const decimals = new Set<string>();
  const source = text.replace(/^\uFEFF/, "");
  visit(source, {
    onLiteralValue: (value, offset, length, _line, _column, stepsTo) => {
      const isDecimal = typeof value === "number" && /[.e]/i.test(source.slice(offset, offset + length));
      if (isDecimal) decimals.add(placeKey(stepsTo().slice(depth)));
    },
  });
  const lossy = new Set(rounded.map(({ steps }) => placeKey(steps.slice(depth))));
  return {
    isDecimal: (place) => decimals.has(placeKey(place)),
    isRounded: (place) => lossy.has(placeKey(place)),
  };
}

/** All items of a list share a place, and so do all members whose names are of single values. */
function placeKey(steps: readonly (string | number | null)[]): string {
  return JSON.stringify(
    steps.map((step) => (typeof step === "string" && !isIdentifying(step) ? step : null)),
  );
}

/** A comment for each property of `schema`, which was read from what was inferred. @param whole What has the properties. */
function commentsIn(
  schema: SchemaModel,
  inferred: InferredSchema,
  whole: string,
): readonly (readonly [PropertyModel, string])[] {
  switch (schema.kind) {
    case "object":
      return schema.properties.flatMap((property) => {
        const known = inferred.properties.find(({ name }) => name === property.jsonName);
        if (known === undefined) return [];
        return [
          [property, commentOf(known, whole)] as const,
          ...commentsIn(property.schema, known.schema, "objects"),
        ];
      });
    case "array":
      return inferred.items === undefined ? [] : commentsIn(schema.items, inferred.items, "objects");
    case "dictionary":
      return inferred.items === undefined ? [] : commentsIn(schema.values, inferred.items, "objects");
    default:
      return [];
  }
}

/** `In 3 of 5 records; null in 1; whole numbers only.` */
function commentOf({ count, of, schema }: InferredProperty, whole: string): string {
  const share = count === of ? `all ${of}` : `${count} of ${of}`;
  const among = of === 1 ? `the one ${whole.slice(0, -1)}` : `${share} ${whole}`;
  return `${[`In ${among}`, ...schema.facts].join("; ")}.`;
}

const CHANGED =
  /^(?:last)?(?:updated?|modified|modification|changed?|edited)(?:at|on|date|time|datetime|timestamp|utc)?$/;

function isChangeTime({ name, count, of, schema }: InferredProperty): boolean {
  return count === of && CHANGED.test(lettersOf(name)) && memberOf(schema.tree, "format") === "date-time";
}
