/** Values with everything hidden that their schema marks as write-only, for logs and inspection (§2.9). */
import { HIDDEN } from "../validation/finding.js";
import type { Values } from "../validation/helpers.js";
import { applicableSchemas, itemSchemas, memberSchemas, membersOf } from "./applicable-schemas.js";
import { equalsIgnoreCase } from "./read-options.js";
import { type RecordType, recordTypeOf, serializeRecord } from "./record-type.js";

const MAX_DEPTH = 100;

/** The record as people may see it: serialized names, sensitive values hidden. */
export function displayRecord(type: RecordType, record: object): unknown {
  return mask(serializeRecord(type, record), type.schema);
}

/** What is hidden although the schema at its place does not say so. */
export interface HiddenAnywhere {
  /** Whether a member is hidden by its name. `isDescribed` says whether the schema at its place has this property. */
  readonly isSecret: (name: string, isDescribed: boolean) => boolean;
  /** A text as it is shown. */
  readonly text: (text: string) => string;
}

/**
 * The value, in serialized form, as people may see it. What no schema describes is kept unless `anywhere` hides it; what
 * nests more than 100 levels deep is hidden, because it can't be told whether it is sensitive.
 */
export function mask(value: unknown, schema: unknown, anywhere?: HiddenAnywhere): unknown {
  return maskValue(value, [schema], {
    root: schema,
    ancestors: [],
    replaceSensitive: () => HIDDEN,
    anywhere,
  });
}

/** As `mask`, for a part of a value: all of `schemas`, which are in the schema `root`, describe it. */
export function maskPart(value: unknown, schemas: readonly unknown[], root: unknown): unknown {
  return maskValue(value, schemas, { root, ancestors: [], replaceSensitive: () => HIDDEN });
}

/** The value, in serialized form, with `redact` applied to texts and numbers that `schema` does not call write-only. */
export function redactTexts(value: unknown, schema: unknown, redact: (text: string) => string): unknown {
  const anywhere = { isSecret: () => false, text: redact };
  const replaceSensitive = (sensitive: unknown) => sensitive;
  return maskValue(value, [schema], { root: schema, ancestors: [], replaceSensitive, anywhere });
}

/** Every string and number in `value`, in serialized form, under something write-only or that `anywhere` hides by name. */
export function sensitiveValues(
  value: unknown,
  schema: unknown,
  anywhere?: Pick<HiddenAnywhere, "isSecret">,
): readonly string[] {
  const found: string[] = [];
  const replaceSensitive = (sensitive: unknown) => void found.push(...scalarsIn(sensitive, 0));
  const named = anywhere && { ...anywhere, text: (text: string) => text };
  maskValue(value, [schema], { root: schema, ancestors: [], replaceSensitive, anywhere: named });
  return found;
}

interface Masking {
  readonly root: unknown;
  /** The arrays and objects that hold the value. */
  readonly ancestors: readonly object[];
  /** Shown in place of a sensitive value. */
  readonly replaceSensitive: (value: unknown) => unknown;
  readonly anywhere?: HiddenAnywhere | undefined;
}

function maskValue(value: unknown, given: readonly unknown[], masking: Masking): unknown {
  const schemas = given.flatMap((schema) => applicableSchemas(schema, masking.root));
  if (schemas.some((schema) => schema["writeOnly"] === true)) return masking.replaceSensitive(value);
  if (typeof value !== "object" || value === null) return maskScalar(value, masking);
  if (masking.ancestors.length > MAX_DEPTH || masking.ancestors.includes(value)) return HIDDEN;
  const inner = { ...masking, ancestors: [...masking.ancestors, value] };
  const type = recordTypeOf(value);
  if (type !== undefined) {
    const plain = { ...(serializeRecord(type, value) as object) };
    return maskValue(plain, [type.schema], { ...inner, root: type.schema });
  }
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      maskValue(
        item,
        schemas.flatMap((schema) => itemSchemas(schema, index)),
        inner,
      ),
    );
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const ofMember = schemas.flatMap((schema) => [
        ...memberSchemas(schema, name),
        ...schemasOfOtherCase(schema, name),
      ]);
      const isDescribed = schemas.some((schema) => Object.hasOwn(membersOf(schema["properties"]), name));
      const isSecret = member !== null && masking.anywhere?.isSecret(name, isDescribed) === true;
      return [name, isSecret ? masking.replaceSensitive(member) : maskValue(member, ofMember, inner)];
    }),
  );
}

/** A number is hidden if it would be as a text. */
function maskScalar(value: unknown, { anywhere }: Masking): unknown {
  if (anywhere === undefined || (typeof value !== "string" && typeof value !== "number")) return value;
  const text = String(value);
  const shown = anywhere.text(text);
  return shown === text ? value : shown;
}

/** A name in the wrong case is no property, but what it holds is as secret as what it should have been. */
function schemasOfOtherCase(schema: Values, name: string): readonly unknown[] {
  const properties = membersOf(schema["properties"]);
  if (Object.hasOwn(properties, name)) return [];
  return Object.keys(properties)
    .filter((property) => equalsIgnoreCase(property, name))
    .map((property) => properties[property]);
}

function scalarsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return [];
  return Object.values(value).flatMap((member) => scalarsIn(member, depth + 1));
}
