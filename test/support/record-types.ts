/** Types of records for tests of the runtime, without generating code: the interpreter is their check. */
import type { Names } from "../../runtime/records/names.js";
import type { RecordType } from "../../runtime/records/record-type.js";
import { typedRecord } from "../../runtime/records/typed-record.js";
import { findings } from "../../runtime/validation/index.js";

export function recordType(name: string, schema: object, names?: Names): RecordType {
  const check = (value: unknown) => findings(schema, value).length === 0;
  return { name, schema, check, ...(names !== undefined && { names }) };
}

/** A class of `schema`, as generated code makes it. */
export function recordClass(name: string, schema: object, names?: Names) {
  return class extends typedRecord<object, object, object>(recordType(name, schema, names)) {};
}

/** An object with these properties, of which those in `required` must be there. */
export function objectSchema(properties: object, required: readonly string[] = []): object {
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}
