/** Which operations create, change and delete records of a data object, and what they take and answer. */
import { variablesIn } from "../../../schemas/naming/path-variables.js";
import type { ApiOperation, ApiSchema } from "../reading/api-description.js";
import { isJsonMediaType } from "../reading/read-description.js";
import { isTextOrNumber, type Shape } from "../reading/shapes.js";
import type {
  Decision,
  NewItem,
  PlannedObject,
  PlannedValue,
  PlannedWrite,
  SentName,
  WriteRecord,
} from "./plan.js";
import type { Survey } from "./survey.js";
import { isIdentifierName, isSameNoun, nounOf, patternOf, plainName, segmentsOf } from "./words.js";

type WriteName = PlannedWrite["name"];

/** The parts of an object that its writes follow from. */
export type ListedObject = Pick<PlannedObject, "list" | "record" | "key" | "values">;

/** The operations that make, change and delete an item, the usual ones first. */
export function decideWrites(object: ListedObject, survey: Survey): readonly PlannedWrite[] {
  const items = survey.itemsOf(object.list);
  const here = survey
    .at(patternOf(segmentsOf(object.list.path)))
    .filter((operation) => operation !== object.list);
  const place = { object, items, survey };
  const found: readonly (readonly [WriteName, ApiOperation | undefined])[] = [
    ["Create", here.find(({ method }) => method === "POST")],
    ["Update", updateOf(place)],
    ["Delete", items.find(({ method }) => method === "DELETE")],
  ];
  return found.flatMap(([name, operation]) =>
    operation === undefined ? [] : [plannedWrite(name, operation, place)],
  );
}

interface WritePlace {
  readonly object: ListedObject;
  readonly items: readonly ApiOperation[];
  readonly survey: Survey;
}

/** PATCH goes before PUT, unless it only changes a small part: a secret, or which one is the default. */
function updateOf(place: WritePlace): ApiOperation | undefined {
  const found = ["PATCH", "PUT", "POST"].flatMap((wanted) =>
    place.items
      .filter(({ method }) => method === wanted)
      .map((operation) => ({ operation, taken: membersTaken(operation, place) })),
  );
  const most = Math.max(...found.map(({ taken }) => taken));
  return found.find(({ taken }) => 2 * taken >= most)?.operation;
}

/** How deep envelopes of a body are looked into: `{ data: { attributes: { name } } }`. */
const MOST_ENVELOPES = 3;

/** How many members of a record the operation takes. */
function membersTaken({ body }: ApiOperation, { object, survey }: WritePlace): number {
  const own = new Set([...survey.shapes.of(object.record).properties.keys()].map(plainName));
  const count = (schema: ApiSchema, depth: number): number => {
    const members = [...survey.shapes.of(schema).properties.values()];
    const here = members.filter(({ name }) => own.has(plainName(name))).length;
    if (here > 0 || depth === 0) return here;
    return Math.max(0, ...members.map((member) => count(member.schema, depth - 1)));
  };
  return body === undefined ? 0 : count(body.schema, MOST_ENVELOPES);
}

function plannedWrite(name: WriteName, operation: ApiOperation, place: WritePlace): PlannedWrite {
  const problem = problemOf(name, operation, place);
  const sent = problem === undefined ? sentOf(operation, place) : [];
  const missing = sent.find(({ source }) => source === undefined);
  const reason =
    problem ?? (missing === undefined ? undefined : `nothing is known of its ${missing.in} ${missing.name}`);
  const record = reason === undefined && name !== "Delete" ? recordOf(name, operation, place) : undefined;
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
function problemOf(name: WriteName, operation: ApiOperation, place: WritePlace): string | undefined {
  const { deprecated, parameters, servers } = operation;
  if (deprecated) return "it is deprecated";
  if (parameters.some(({ in: where, required }) => where === "cookie" && required))
    return "it needs a cookie";
  if (servers.length > 0) return "it is at another address than the document";
  return problemOfBody(name, operation, place);
}

function problemOfBody(name: WriteName, operation: ApiOperation, place: WritePlace): string | undefined {
  const { body } = operation;
  const { object, survey } = place;
  const isKnown = survey.shapes.of(object.record).properties.size > 0;
  if (name === "Update" && isKnown && membersTaken(operation, place) === 0)
    return "it takes nothing that a record has";
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
  const parent = plainName(value.source.property);
  const ends = [plain, plainName(`${value.source.object}${value.source.property}`)];
  const named = key.value.find((name) => ends.includes(plainName(name)));
  // What a key has beside the item's own part is of its parents.
  const ofParents = key.value.slice(0, -1).find((name) => plainName(name) === parent);
  const property = named ?? ofParents ?? value.name;
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
function recordOf(name: WriteName, operation: ApiOperation, place: WritePlace): WriteRecord | undefined {
  const own = wayToRecord(operation.answer?.schema, place);
  if (own !== undefined) return { kind: "answer", way: own };
  const read = place.items.find(({ method }) => method === "GET");
  const way = read && wayToRecord(read.answer?.schema, place);
  if (read === undefined || way === undefined) return undefined;
  if (read.path === operation.path) return { kind: "reread", operation: read, way };
  const item = name === "Create" ? newItem(operation, { ...place, read, way }) : undefined;
  return item && { kind: "reread", operation: read, way, item };
}

interface NewPlace extends WritePlace {
  /** Reads one item. */
  readonly read: ApiOperation;
  /** Where it has the record. */
  readonly way: string;
}

/** How the address of a new item is known. */
function newItem(operation: ApiOperation, place: NewPlace): NewItem | undefined {
  const property = keyOfItem(place);
  const way = property === undefined ? undefined : wayToKey(property, operation, place);
  if (property !== undefined && way !== undefined) return { kind: "answered", property, way };
  if (operation.answer?.headers.some(({ name }) => plainName(name) === "location") === true)
    return { kind: "location" };
  const { properties } = place.survey.shapes.of(operation.body?.schema ?? place.object.record);
  const isEntered = operation.body !== undefined && properties.get(property ?? "")?.required === true;
  return isEntered && property !== undefined ? { kind: "input", property } : undefined;
}

/** The property that names an item in its address; undefined if its read needs more than that. */
function keyOfItem(place: NewPlace): string | undefined {
  const { path, parameters } = place.read;
  if (parameters.some(({ in: where, required }) => where === "query" && required)) return undefined;
  const variable = segmentsOf(path).at(-1)?.variable;
  const key = variable === undefined ? undefined : keySource(variable, place.object, place);
  return key?.kind === "input" ? key.property : undefined;
}

/** Where an answer has the key: where the read of an item has the record, or at the top. */
function wayToKey(property: string, { answer }: ApiOperation, place: NewPlace): string | undefined {
  const { shapes } = place.survey;
  const holder = [place.way, "$"].find((each) => {
    const member = shapeAt(answer?.schema, each, place)?.properties.get(property);
    return member !== undefined && isTextOrNumber(shapes.of(member.schema));
  });
  if (holder === undefined) return undefined;
  return holder === "$" ? property : `${holder}.${property}`;
}

function shapeAt(schema: ApiSchema | undefined, way: string, { survey }: WritePlace): Shape | undefined {
  if (schema === undefined) return undefined;
  const whole = survey.shapes.of(schema);
  if (way === "$") return whole;
  const member = whole.properties.get(way);
  return member && survey.shapes.of(member.schema);
}

/** `$` if the answer is a record, else the member that is one. */
function wayToRecord(schema: ApiSchema | undefined, { object, survey }: WritePlace): string | undefined {
  if (schema === undefined) return undefined;
  const shape = survey.shapes.of(schema);
  const record = survey.shapes.of(object.record);
  if (isRecord(shape, { record, ref: object.record.ref, isWhole: true })) return "$";
  const member = [...shape.properties.values()].find((property) =>
    isRecord(survey.shapes.of(property.schema), { record, ref: object.record.ref, isWhole: false }),
  );
  return member?.name;
}

interface RecordFacts {
  readonly record: Shape;
  readonly ref: string | undefined;
  /** Whether it is the whole answer: a schema of its own may hold the record's then. */
  readonly isWhole: boolean;
}

/** Whether a shape is that of a record: by its name, else by having all members of one. */
function isRecord({ names, properties }: Shape, { record, ref, isWhole }: RecordFacts): boolean {
  if (ref !== undefined) return isWhole ? names.includes(ref) : names[0] === ref;
  const members = [...record.properties.keys()];
  return members.length > 1 && members.every((name) => properties.has(name));
}
