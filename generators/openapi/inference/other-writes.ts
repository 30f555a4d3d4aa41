/** Operations that change something and become no action: each with the reason. */
import type { ApiOperation } from "../reading/api-description.js";
import type { LeftOut, PlannedObject } from "./plan.js";
import { patternOf, type Segment, segmentsOf } from "./words.js";

/** What is made of a document, and what of it is left out. */
export interface MadeLists {
  readonly objects: readonly PlannedObject[];
  readonly leftOut: readonly LeftOut[];
}

/** Those of `operations` that neither read a list nor change records of an object, and are not left out already. */
export function otherWrites(operations: readonly ApiOperation[], made: MadeLists): readonly LeftOut[] {
  const { objects, leftOut } = made;
  const seen = new Set([
    ...objects.flatMap(({ list, others, writes }) => [
      list,
      ...others,
      ...writes.map((one) => one.operation),
    ]),
    ...leftOut.map(({ operation }) => operation),
  ]);
  const lists = listsByPattern(made);
  return operations
    .filter((operation) => changesSomething(operation) && !seen.has(operation))
    .map((operation) => ({ operation, reason: reasonOf(operation, lists) }));
}

function changesSomething({ method }: ApiOperation): boolean {
  return ["POST", "PUT", "PATCH", "DELETE"].includes(method);
}

/** A list of the document, and the object that its records are of; undefined if it is left out. */
interface FoundList {
  readonly list: ApiOperation;
  readonly object: PlannedObject | undefined;
}

/** The lists that are taken go before others at a path of the same form. */
function listsByPattern({ objects, leftOut }: MadeLists): ReadonlyMap<string, FoundList> {
  const found = [
    ...leftOut.map(({ operation: list }) => ({ list, object: undefined })),
    ...objects.flatMap((object) => object.others.map((list) => ({ list, object }))),
    ...objects.map((object) => ({ list: object.list, object })),
  ];
  return new Map(found.map((one) => [patternOf(segmentsOf(one.list.path)), one]));
}

function reasonOf(operation: ApiOperation, lists: ReadonlyMap<string, FoundList>): string {
  if (operation.deprecated) return "it is deprecated";
  const segments = segmentsOf(operation.path);
  for (let length = segments.length; length > 0; length--) {
    const found = lists.get(patternOf(segments.slice(0, length)));
    if (found !== undefined) return reasonBelow(operation, found, reachOf(segments.slice(length)));
  }
  return "no list has the records that it changes";
}

/** What a path is of: all that a list lists, one record of it, or something below. */
type Reach = "list" | "item" | "below";

/** By the segments behind the path of the list. */
function reachOf([first, ...more]: readonly Segment[]): Reach {
  if (first === undefined) return "list";
  return first.variable !== undefined && more.length === 0 ? "item" : "below";
}

/** Why nothing is made of an operation at the path of a list, or below it. */
function reasonBelow({ method }: ApiOperation, { list, object }: FoundList, reach: Reach): string {
  if (object === undefined) return `${list.id}, which it belongs to, is left out`;
  const { name, writes } = object;
  if (reach === "below") return `it neither creates, updates nor deletes one ${name}`;
  if (list !== object.list) return `${name} is listed by ${object.list.id}, and its actions are at that path`;
  const wanted = reach === "list" ? "Create" : method === "DELETE" ? "Delete" : "Update";
  const isRivalled = reach === "item" || method === "POST";
  const chosen = isRivalled ? writes.find((write) => write.name === wanted) : undefined;
  return chosen === undefined
    ? `it is of all that ${list.id} lists, not of one ${name}`
    : `${chosen.operation.id} goes before it as ${wanted} of ${name}`;
}
