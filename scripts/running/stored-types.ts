/** What a store holds, by the model of its connector: types with keys, and what must not be shown. */
import { type RecordKeys, recordKeys } from "../../runtime/cache-writer/record-keys.js";
import { masked } from "../../runtime/records/masked.js";
import type { RecordType } from "../../runtime/records/record-type.js";
import { findings } from "../../runtime/validation/findings.js";
import { toPlain } from "../../schemas/formats/json-tree.js";
import type { ConnectorModel, DataObjectModel } from "../../schemas/model/connector-model.js";
import { renderDocument } from "../../schemas/model/render-schema.js";
import type { SchemaDocument } from "../../schemas/model/schema-model.js";

/** How values of one schema are shown; `reveal` shows them as they are. */
export type Shown = (value: unknown) => unknown;

/** What a command shows of the records of one object. */
export interface ShownObject {
  readonly key: (key: string) => string;
  readonly record: Shown;
}

/** Keys and records of `object` as people may see them. */
export function shownObject(object: DataObjectModel, reveal: boolean): ShownObject {
  if (reveal) return { key: String, record: (record) => record };
  const type = typeOf(object);
  return { key: keysOf(type)?.shown ?? String, record: (record) => masked(record, type.schema) };
}

/** Values of a payload as people may see them. */
export function shownPayload(document: SchemaDocument, reveal: boolean): Shown {
  if (reveal) return (value) => value;
  const schema = toPlain(renderDocument(document));
  return (value) => masked(value, schema);
}

/** The same by data path. What the connector does not have any more is shown as hidden: nobody knows what it holds. */
export function shownObjects(model: ConnectorModel, reveal: boolean): (dataPath: string) => ShownObject {
  const known = new Map<string, ShownObject>();
  const objects = model.modules.flatMap(({ dataObjects }) => dataObjects);
  return (dataPath) => {
    const present = known.get(dataPath);
    if (present !== undefined) return present;
    const object = objects.find((one) => one.dataPath === dataPath);
    const shown = object === undefined ? unknownObject(reveal) : shownObject(object, reveal);
    known.set(dataPath, shown);
    return shown;
  };
}

/** The data object as the runtime knows it, with serialized names throughout. */
function typeOf({ className, schema: document, keys }: DataObjectModel): RecordType {
  const schema = toPlain(renderDocument(document));
  return {
    name: className,
    schema,
    check: (value) => findings(schema, value).length === 0,
    keys: keys.map(({ name, propertyNames, isPrimary }) => ({ name, isPrimary, properties: propertyNames })),
  };
}

function keysOf(type: RecordType): RecordKeys | undefined {
  return type.keys?.some(({ isPrimary }) => isPrimary) === true ? recordKeys(type) : undefined;
}

function unknownObject(reveal: boolean): ShownObject {
  if (reveal) return { key: String, record: (record) => record };
  const hide: Shown = (value) => (value === null ? null : masked(value, { writeOnly: true }));
  return { key: (key) => String(hide(key)), record: hide };
}
