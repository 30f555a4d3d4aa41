/** What generated code says of a class: its schema, its check, its keys and where its names differ. */
import { recordKey } from "../record-key.js";
import type { Finding } from "../validation/finding.js";
import { validate } from "../validation/findings.js";
import { masked } from "./masked.js";
import { type Names, toCode, toSerialized } from "./names.js";
import { type Adapted, adapted, type ReadOptions } from "./read-options.js";
import { RecordError } from "./record-error.js";

/** The description of a generated class or payload. */
export interface RecordType {
  /** Name of the class. */
  readonly name: string;
  /** JSON Schema of the serialized form. */
  readonly schema: unknown;
  /** Whether a value in serialized form fits the schema. */
  readonly check: (value: unknown) => boolean;
  /** Where names in code differ from serialized ones; absent where none does. */
  readonly names?: Names;
  /** The keys of a data object, primary one first (spec §2.6). */
  readonly keys?: readonly RecordKeyType[];
}

/** What generated code states of a class. Its schema is made when a value fails or is shown: starting needs none. */
export interface RecordSource extends Omit<RecordType, "schema"> {
  readonly schema: () => unknown;
}

/** The description that `source` states; a type is its own. */
export function recordType(source: RecordSource | RecordType): RecordType {
  const { schema, ...stated } = source;
  if (!isMaker(schema)) return source;
  let made: unknown;
  return {
    ...stated,
    get schema() {
      made ??= schema();
      return made;
    },
  };
}

function isMaker(schema: unknown): schema is () => unknown {
  return typeof schema === "function";
}

export interface RecordKeyType {
  readonly name: string;
  readonly isPrimary: boolean;
  /** Names in code, in the order in which values are joined. */
  readonly properties: readonly string[];
}

/** Everything in which `json`, in serialized form, does not fit; sensitive values are hidden. */
export function findingsOf(type: RecordType, json: unknown, options?: ReadOptions): readonly Finding[] {
  if (options === undefined) return validate(type, json);
  return readAs(type, json, options).findings;
}

/** `json` in the form that code knows. @throws RecordError with every finding where it does not fit. */
export function read(type: RecordType, json: unknown, options?: ReadOptions): unknown {
  const input = options === undefined ? undefined : readAs(type, json, options);
  const found = input === undefined ? validate(type, json) : input.findings;
  if (found.length > 0) throw new RecordError(type.name, found);
  return toCode(input === undefined ? json : input.json, type.names);
}

/** `value` in serialized form, with only what is set. */
export function write(type: RecordType, value: object): unknown {
  if (type.names !== undefined) return toSerialized(value, type.names);
  if (Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}

/**
 * The value of the key `keyName` (the primary one where it is left out): name and values joined by `/` (§2.6).
 * @throws RecordError where a property of the key is not set, or there is no such key.
 */
export function keyOf(type: RecordType, value: object, keyName?: string): string {
  const key = type.keys?.find(({ name, isPrimary }) =>
    keyName === undefined ? isPrimary : name === keyName,
  );
  if (key === undefined) throw keyError(type, `no key is named "${keyName ?? "primary"}"`);
  const values = key.properties.map((property) => {
    const part: unknown = Object.hasOwn(value, property) ? Reflect.get(value, property) : undefined;
    if (typeof part === "string" || typeof part === "number" || typeof part === "boolean") return part;
    throw keyError(type, `"${property}" is not set, and key "${key.name}" needs it`);
  });
  return recordKey(key.name, values);
}

/** What `value` shows of itself: serialized names, sensitive values hidden. */
export function shownValue(type: RecordType, value: object): unknown {
  return masked(write(type, value), type.schema);
}

/** `json` as `options` read it, with everything in which that does not fit. */
function readAs(type: RecordType, json: unknown, options: ReadOptions): Adapted {
  const input = adapted(type.schema, json, options);
  return { json: input.json, findings: [...input.findings, ...validate(type, input.json)] };
}

function keyError(type: RecordType, message: string): RecordError {
  const finding = { instancePath: "", keyword: "key", expected: "a key", actual: "none", message };
  return new RecordError(type.name, [finding]);
}
