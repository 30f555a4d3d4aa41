/** The schema that all values of a sample fit, and for each property the facts that it was made from. Facts hold no values. */
// This file of ajv-formats stands alone: it loads neither ajv nor the plugin.
import formats from "ajv-formats/dist/formats.js";
import {
  isJsonArray,
  isJsonObject,
  type JsonMember,
  type JsonMembers,
  type JsonTree,
  memberOf,
  membersOf,
} from "../../schemas/json.js";

/** A schema, with those of the properties in it. */
export interface InferredSchema {
  /** As JSON Schema. */
  readonly tree: JsonTree;
  /** What the values of it have in common, as parts of a sentence. */
  readonly facts: readonly string[];
  readonly properties: readonly InferredProperty[];
  /** Of the items of a list, and the values of an object with any names. */
  readonly items?: InferredSchema;
}

/** A property of the objects of one place. */
export interface InferredProperty {
  /** Serialized name. */
  readonly name: string;
  /** How many of the objects have it. */
  readonly count: number;
  /** How many objects there are. */
  readonly of: number;
  readonly schema: InferredSchema;
}

/** What is known of numbers from how they are written: steps of a place, a number for every item of a list. */
export interface WrittenNumbers {
  /** Whether a number at the place is written with a fraction or a power of ten, such as `10.00`. */
  isDecimal(steps: Place): boolean;
  /** Whether a number at the place has more digits than JavaScript keeps. */
  isRounded(steps: Place): boolean;
}

/** Names of members on the way to a value; null for the items of a list. */
export type Place = readonly (string | null)[];

/** Of deeper ones nothing is said: compilers overflow on types of some hundred levels. */
const DEEPEST = 20;
/** An object inside of records that has more names than this has any. */
const MOST_PROPERTIES = 300;

/** Whether the name of a member says which one its value is of, and not what it is: a number or a UUID. */
export function isIdentifying(name: string): boolean {
  return /^(?:\d+|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})$/i.test(name);
}

/** The schema of `values`, which all stand at `place`. */
export function inferSchema(
  values: readonly JsonTree[],
  numbers: WrittenNumbers,
  place: Place = [],
): InferredSchema {
  const known = values.filter((value) => value !== null);
  const nulls = values.length - known.length;
  const facts = nulls === 0 || known.length === 0 ? [] : [`null in ${nulls}`];
  if (known.length === 0) {
    return anything(
      values.length === 0 ? "nothing tells its type" : "always null, so nothing tells its type",
    );
  }
  const kinds = new Set(known.map(kindOf));
  const [kind, another] = kinds;
  if (kind === undefined || another !== undefined)
    return anything(`${[...kinds].join(" and ")}, so of any type`);
  if (place.length >= DEEPEST) return anything("nested too deeply to say more");
  const inferred = inferKind(kind, known, numbers, place);
  const tree = nulls === 0 ? inferred.tree : nullable(inferred.tree);
  return { ...inferred, tree, facts: [...facts, ...inferred.facts] };
}

/** What a value is, in words for several of its kind. */
type Kind = "texts" | "numbers" | "truth values" | "lists" | "objects";

function kindOf(value: JsonTree): Kind {
  if (isJsonArray(value)) return "lists";
  if (typeof value === "string") return "texts";
  if (typeof value === "number") return "numbers";
  return typeof value === "boolean" ? "truth values" : "objects";
}

function inferKind(
  kind: Kind,
  values: readonly JsonTree[],
  numbers: WrittenNumbers,
  place: Place,
): InferredSchema {
  switch (kind) {
    case "texts":
      return textSchema(values.filter((value) => typeof value === "string"));
    case "numbers":
      return numberSchema(values, numbers, place);
    case "truth values":
      return leaf(membersOf(["type", "boolean"]));
    case "lists": {
      const items = inferSchema(values.filter(isJsonArray).flat(), numbers, [...place, null]);
      const facts = items.facts.map((fact) => `items: ${fact}`);
      return { tree: membersOf(["type", "array"], ["items", items.tree]), facts, properties: [], items };
    }
    case "objects":
      return objectSchema(
        values.filter((value): value is JsonMembers => isJsonObject(value)),
        numbers,
        place,
      );
    default:
      return kind satisfies never;
  }
}

/** Formats that a text is taken for. An address is one only if it begins as those of the web do. */
const FORMATS: readonly (readonly [name: string, fits: (text: string) => boolean])[] = [
  ["date-time", formatTest("date-time")],
  ["date", formatTest("date")],
  ["uuid", formatTest("uuid")],
  ["email", formatTest("email")],
  ["uri", (text) => /^https?:\/\//i.test(text) && formatTest("uri")(text)],
];

function formatTest(name: "date-time" | "date" | "uuid" | "email" | "uri"): (text: string) => boolean {
  const format = formats.fullFormats[name];
  const validate = typeof format === "object" && "validate" in format ? format.validate : format;
  if (validate instanceof RegExp) return (text) => validate.test(text);
  return (text) => typeof validate === "function" && validate(text as never) === true;
}

function textSchema(texts: readonly string[]): InferredSchema {
  const format = FORMATS.find(([, fits]) => texts.every(fits))?.[0];
  const tree = membersOf(["type", "string"], ["format", format]);
  return leaf(tree, format === undefined ? [] : [`each has the format ${format}`]);
}

function numberSchema(
  values: readonly JsonTree[],
  { isDecimal, isRounded }: WrittenNumbers,
  place: Place,
): InferredSchema {
  if (isRounded(place))
    return leaf(membersOf(["type", "number"]), [
      "some have more digits than are kept: take texts if there are any",
    ]);
  const isWhole = values.every(Number.isSafeInteger) && !isDecimal(place);
  return isWhole
    ? leaf(membersOf(["type", "integer"]), ["whole numbers only"])
    : leaf(membersOf(["type", "number"]));
}

function objectSchema(values: readonly JsonMembers[], numbers: WrittenNumbers, place: Place): InferredSchema {
  const byName = new Map<string, JsonTree[]>();
  for (const { members } of values) {
    for (const [name, value] of members) {
      const known = byName.get(name);
      if (known === undefined) byName.set(name, [value]);
      else known.push(value);
    }
  }
  const names = [...byName.keys()];
  const isAny = names.length > MOST_PROPERTIES || (names.length > 0 && names.every(isIdentifying));
  if (isAny && place.length > 0) {
    const items = inferSchema([...byName.values()].flat(), numbers, [...place, null]);
    const tree = membersOf(["type", "object"], ["additionalProperties", items.tree]);
    return { tree, facts: ["its names are of single values, so it may have any"], properties: [], items };
  }
  const properties = [...byName].map(([name, found]): InferredProperty => {
    const of = values.length;
    const count = found.length;
    // Validators read members as JavaScript does: an object that has none of its own has the inherited one.
    const isInherited = count < of && name in Object.prototype;
    const schema = isInherited
      ? anything("called as what every object inherits, so of any type")
      : inferSchema(found, numbers, [...place, name]);
    return { name, count, of, schema };
  });
  return { tree: objectTree(properties), facts: [], properties };
}

function objectTree(properties: readonly InferredProperty[]): JsonTree {
  const required = properties.filter(({ count, of }) => count === of).map(({ name }) => name);
  const members = properties.map(({ name, schema }): JsonMember => [name, schema.tree]);
  return membersOf(
    ["type", "object"],
    ["properties", { members }],
    ["required", required.length === 0 ? undefined : required],
  );
}

function nullable(tree: JsonTree): JsonTree {
  if (!isJsonObject(tree)) return tree;
  const type = memberOf(tree, "type");
  if (typeof type !== "string") return tree;
  const rest = tree.members.filter(([name]) => name !== "type");
  return { members: [["type", [type, "null"]], ...rest] };
}

function anything(fact: string): InferredSchema {
  return leaf(true, [fact]);
}

function leaf(tree: JsonTree, facts: readonly string[] = []): InferredSchema {
  return { tree, facts, properties: [] };
}
