/** Which operations create, change and delete records of a data object, and what they take and answer. */
import { variablesIn } from "../../../schemas/naming/path-variables.js";
import type { ApiOperation, ApiSchema } from "../reading/api-description.js";
import { isJsonMediaType } from "../reading/read-description.js";
import { isTextOrNumber } from "../reading/shapes.js";
import type { Decision, PlannedObject, PlannedValue, PlannedWrite, SentName, WriteRecord } from "./plan.js";
import type { Survey } from "./survey.js";
import { isIdentifierName, isSameNoun, nounOf, patternOf, plainName, segmentsOf } from "./words.js";

type WriteName = PlannedWrite["name"];

/** The parts of an object that its writes follow from. */
export type ListedObject = Pick<PlannedObject, "list" | "record" | "key" | "values">;

/** The operations that make, change and delete an item, the usual ones first. */
export function decideWrites(object: ListedObject, survey: Survey): readonly PlannedWrite[] {
  const items = survey.itemsOf(object.list);
  const here = survey.at(patternOf(segmentsOf(object.list.path)));
  const found: readonly (readonly [WriteName, readonly ApiOperation[], readonly string[]])[] = [
    ["Create", here, ["POST"]],
    ["Update", items, ["PATCH", "PUT", "POST"]],
    ["Delete", items, ["DELETE"]],
  ];
  return found.flatMap(([name, operations, methods]) => {
    const operation = methods.flatMap((method) => operations.filter((one) => one.method === method))[0];
    return operation === undefined ? [] : [plannedWrite(name, operation, { object, items, survey })];
  });
}

interface WritePlace {
  readonly object: ListedObject;
  readonly items: readonly ApiOperation[];
  readonly survey: Survey;
}

function plannedWrite(name: WriteName, operation: ApiOperation, place: WritePlace): PlannedWrite {
  const problem = problemOf(name, operation, place);
  const sent = problem === undefined ? sentOf(operation, place) : [];
  const missing = sent.find(({ source }) => source === undefined);
  const reason =
    problem ?? (missing === undefined ? undefined : `nothing is known of its ${missing.in} ${missing.name}`);
  const record = reason === undefined && name !== "Delete" ? recordOf(operation, place) : undefined;
  return {
    name,
    operation,
    problem: reason,
    sent:
      reason === undefined
        ? sent.flatMap(({ source, ...parameter }) => (source === undefined ? [] : [{ ...parameter, source }]))
        : [],
    record,
    idempotencyHeader: operation.parameters.find(
      ({ in: where, name: header }) => where === "header" && plainName(header).endsWith("idempotencykey"),
    )?.name,
  };
}

/** Why the operation is not taken; undefined if it is. */
function problemOf(
  name: WriteName,
  { body, deprecated, parameters, servers }: ApiOperation,
  { survey }: WritePlace,
): string | undefined {
  if (deprecated) return "it is deprecated";
  if (parameters.some(({ in: where, required }) => where === "cookie" && required))
    return "it needs a cookie";
  if (servers.length > 0) return "it is at another address than the document";
  if (body === undefined) return undefined;
  if (name === "Delete") return body.required ? "it deletes by a body" : undefined;
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(body.mediaType);
  if (!isForm && !isJsonMediaType(body.mediaType)) return `it takes ${body.mediaType}, no JSON`;
  const { types, properties } = survey.shapes.of(body.schema);
  return types.some((type) => type !== "object") || properties.size === 0
    ? "the document does not say which members its body has"
    : undefined;
}

type OpenSent = Omit<SentName, "source"> & { readonly source: SentName["source"] | undefined };

/** A value for each variable of the path, and for what else the operation needs: of the connection, or of the input. */
function sentOf(operation: ApiOperation, place: WritePlace): readonly OpenSent[] {
  const { object } = place;
  const last = segmentsOf(operation.path).at(-1)?.variable;
  const variables = variablesIn(operation.path).map((name) => ({ name, in: "path" as const }));
  const needed = operation.parameters.flatMap(({ name, in: where, required }) =>
    required && (where === "query" || where === "header") ? [{ name, in: where }] : [],
  );
  return [...variables, ...needed].map(({ name, in: where }): OpenSent => {
    const parameter = operation.parameters.find((one) => one.in === where && one.name === name);
    const listed = object.values.find(({ value }) => value.in === where && value.name === name);
    if (listed !== undefined) return { name, in: where, ...fromList(listed, object), parameter };
    const source = where === "path" && name === last ? keySource(name, object, place) : undefined;
    return { name, in: where, source, parameter };
  });
}

/** What the list is asked for with, the operation is sent too; a parent's value is the input's. */
function fromList({ value }: Decision<PlannedValue>, { key }: ListedObject): Pick<OpenSent, "source"> {
  if (value.source.kind !== "parent") return { source: value.source };
  const plain = plainName(value.name);
  const ends = [plain, plainName(`${value.source.object}${value.source.property}`)];
  const property = key.value.find((name) => ends.includes(plainName(name))) ?? value.name;
  return { source: { kind: "input", property } };
}

/** The property of the key that the variable of an item names: `{project_id}`, `{id}`, or `{project}`. */
function keySource(
  variable: string,
  { list, key, record }: ListedObject,
  { survey }: WritePlace,
): OpenSent["source"] {
  const own = key.value.at(-1);
  if (own === undefined) return undefined;
  const plain = plainName(variable);
  const things = [nounOf(list.path), record.ref ?? ""];
  const isNamed =
    isIdentifierName(variable) ||
    /^[a-z]id$/.test(plain) ||
    things.some((thing) => isSameNoun(variable, thing));
  const isKey = plain === plainName(own) || plain === "id" || (isIdentifierName(own) && isNamed);
  const property = survey.shapes.of(record).properties.get(own);
  const isUsable = isKey && property !== undefined && isTextOrNumber(survey.shapes.of(property.schema));
  return isUsable ? { kind: "input", property: own } : undefined;
}

/** Where the record stands that the operation answers; else the read of one item. */
function recordOf(operation: ApiOperation, place: WritePlace): WriteRecord | undefined {
  const own = wayToRecord(operation.answer?.schema, place);
  if (own !== undefined) return { kind: "answer", way: own };
  const read = place.items.find(({ method }) => method === "GET");
  const way = read && wayToRecord(read.answer?.schema, place);
  const isSame = read !== undefined && read.path === operation.path;
  return way === undefined || !isSame ? undefined : { kind: "reread", operation: read, way };
}

/** `$` if the answer is a record, else the member that is one. */
function wayToRecord(schema: ApiSchema | undefined, { object, survey }: WritePlace): string | undefined {
  const { ref } = object.record;
  if (schema === undefined || ref === undefined) return undefined;
  const shape = survey.shapes.of(schema);
  if (shape.names.includes(ref)) return "$";
  const member = [...shape.properties.values()].find(
    (property) => survey.shapes.of(property.schema).names[0] === ref,
  );
  return member?.name;
}
