import { expect } from "chai";
import fc from "fast-check";
import { isJsonObject } from "../../runtime/codegen/index.js";
import { compareSchemas } from "../../schemas/compatibility/compare-schemas.js";
import type { SchemaNode } from "../../schemas/compatibility/schema-node.js";
import {
  isJsonArray,
  type JsonMember,
  type JsonMembers,
  type JsonTree,
  toPlain,
} from "../../schemas/json.js";
import { holdsSchema, holdsSchemaArray, holdsSchemaMap } from "../../schemas/keywords.js";
import { root } from "../support/arbitraries.js";
import { runs, SLOW_TEST_MS } from "../support/repository.js";
import { newAjv } from "../validation/ajv.js";
import {
  pick,
  type Random,
  randomDocument,
  randomFrom,
  randomValue,
  valueFor,
} from "../validation/random.js";
import { VALUE_MUTATIONS } from "./mutations/values.js";

type Json = ReturnType<typeof JSON.parse>;

describe("comparing two schemas", () => {
  it("never calls compatible what a sampled value contradicts, for schemas of every keyword", () => {
    const counts = { values: 0, proven: 0 };
    for (let seed = 1; counts.values < runs(6_000); seed++) {
      const random = randomFrom(seed);
      const old = randomDocument(random);
      const next = random() < 0.8 ? alteration(old, random) : randomDocument(random);
      holdToSamples(old, next, { random, counts });
    }
    expect(counts.proven, "pairs of which something is proven").to.be.above(runs(60));
  }).timeout(SLOW_TEST_MS);

  it("never does so for schemas as files may hold them, however odd", () => {
    const counts = { values: 0, proven: 0 };
    fc.assert(
      fc.property(root, root, fc.nat(), (one, other, seed) => {
        const random = randomFrom(seed);
        const old = toPlain(one) as Json;
        holdToSamples(old, random() < 0.7 ? alteration(old, random) : (toPlain(other) as Json), {
          random,
          counts,
        });
      }),
      { numRuns: runs(300) },
    );
    expect(counts.proven).to.be.above(20);
  }).timeout(SLOW_TEST_MS);

  it("proves of a condition what holds where it is met, and what holds where it is not", () => {
    const fits = (old: SchemaNode, condition: object) =>
      compare(old, { if: { minimum: 0 }, ...condition } as SchemaNode).oldFitsNew;
    const any = { type: "integer" };
    // biome-ignore-start lint/suspicious/noThenProperty: the keyword
    expect(fits({ ...any, minimum: 1 }, { then: true, else: false })).to.equal("yes");
    expect(fits({ ...any, maximum: -1 }, { then: false, else: true })).to.equal("yes");
    expect(fits(any, { then: any, else: { type: "number" } })).to.equal("yes");
    expect(fits(any, { then: true, else: false })).to.not.equal("yes");
    expect(fits(any, { then: false, else: true })).to.not.equal("yes");
    // biome-ignore-end lint/suspicious/noThenProperty: the keyword
  });

  it("proves of listed values only what every keyword beside them says", () => {
    const listed = { enum: [1, 2, 30] };
    for (const beside of [{ minimum: 2 }, { multipleOf: 3 }, { not: { const: 30 } }, { enum: [1, 2] }])
      expect(compare(listed, { ...listed, ...beside }).oldFitsNew, JSON.stringify(beside)).to.not.equal(
        "yes",
      );
    expect(compare(listed, { ...listed, maximum: 30 }).oldFitsNew).to.equal("yes");
  });

  it("tells of no difference where only orders differ", () => {
    fc.assert(
      fc.property(root, fc.nat(), (tree, seed) => {
        const shuffled = toPlain(reorder(tree, randomFrom(seed))) as SchemaNode;
        expect(compare(toPlain(tree) as SchemaNode, shuffled).changes).to.deep.equal([]);
      }),
      { numRuns: runs(200) },
    );
  }).timeout(SLOW_TEST_MS);

  it("is never silent about schemas that differ", () => {
    fc.assert(
      fc.property(root, root, (one, other) => {
        const [old, next] = [toPlain(one), toPlain(other)] as [SchemaNode, SchemaNode];
        const { changes, oldFitsNew } = compare(old, next);
        if (oldFitsNew !== "yes") expect(changes).to.not.deep.equal([]);
      }),
      { numRuns: runs(200) },
    );
  }).timeout(SLOW_TEST_MS);
});

function compare(old: SchemaNode, next: SchemaNode, role: "input" | "record" = "input") {
  return compareSchemas({ old, new: next, role, what: "the value", oldPointer: "", newPointer: "" });
}

interface Sampling {
  readonly random: Random;
  readonly counts: { values: number; proven: number };
}

/** Samples values of both schemas and holds to them what is said of the pair. */
function holdToSamples(old: Json, next: Json, { random, counts }: Sampling): void {
  const [takesOld, takesNew] = [validator(old), validator(next)];
  if (takesOld === undefined || takesNew === undefined) return;
  const { oldFitsNew, newFitsOld, changes } = compare(old, next);
  if (oldFitsNew === "yes" || newFitsOld === "yes") counts.proven++;
  const witnesses = changes.flatMap(({ witness }) => (witness?.scope === "document" ? [witness.value] : []));
  const values = [...samples(old, random), ...samples(next, random), ...witnesses];
  for (const value of values.filter((value) => !holdsHugeNumber(value))) {
    const [fitsOld, fitsNew] = [takesOld(value), takesNew(value)];
    if (fitsOld === undefined || fitsNew === undefined) continue;
    counts.values++;
    const said = JSON.stringify({ old, next, value });
    if (oldFitsNew === "yes" && fitsOld) expect(fitsNew, `old fits new: ${said}`).to.equal(true);
    if (newFitsOld === "yes" && fitsNew) expect(fitsOld, `new fits old: ${said}`).to.equal(true);
  }
  for (const { witness } of changes) {
    if (witness?.scope !== "document") continue;
    expect(takesOld(witness.value)).to.equal(witness.acceptedBy === "old");
    expect(takesNew(witness.value)).to.equal(witness.acceptedBy === "new");
  }
}

/** Numbers that no `multipleOf` accepts, be it 1: ajv can't divide them. The comparison leaves them aside. */
function holdsHugeNumber(value: Json): boolean {
  if (typeof value === "number") return Math.abs(value) >= 1e21;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsHugeNumber);
}

function samples(schema: Json, random: Random): readonly Json[] {
  const fitting = Array.from({ length: 6 }, () => valueFor(random, schema, schema));
  return [...fitting, randomValue(random, 2), randomValue(random, 2)];
}

/** What ajv says of a value, undefined where it throws; undefined for a schema that it can't compile. */
function validator(schema: Json): ((value: Json) => boolean | undefined) | undefined {
  const tried = <Result>(action: () => Result): Result | undefined => {
    try {
      return action();
    } catch {
      return undefined;
    }
  };
  const check = tried(() => newAjv().compile(schema));
  return check && ((value) => tried(() => check(value) === true));
}

/** The schema with one or two keywords changed, added or taken away somewhere. */
function alteration(schema: Json, random: Random): Json {
  const copy = structuredClone(schema);
  for (let count = 0; count < 1 + random() * 2; count++) {
    const places = objectsIn(copy);
    if (places.length === 0) return copy;
    alter(pick(random, places), random);
  }
  return copy;
}

function alter(place: Json, random: Random): void {
  const names = Object.keys(place);
  const other = randomDocument(random);
  const choice = random();
  if (choice < 0.3 && names.length > 0) delete place[pick(random, names)];
  else if (choice < 0.6 && typeof other === "object") Object.assign(place, other);
  else if (choice < 0.8) Object.assign(place, structuredClone(pick(random, VALUE_MUTATIONS).after));
  else if (typeof place.minimum === "number") place.minimum += random() < 0.5 ? 1 : -1;
  else if (typeof place.maxLength === "number") place.maxLength += random() < 0.5 ? 1 : -1;
  else if (Array.isArray(place.enum) && place.enum.length > 1) place.enum.pop();
  else place.additionalProperties = random() < 0.5;
}

function objectsIn(value: Json): readonly Json[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value, ...inner];
}

const SETS = ["enum", "required", "type"];

/** The tree with members, and lists that are sets, in another order. */
function reorder(tree: JsonTree, random: Random): JsonTree {
  if (isJsonArray(tree)) return tree.map((item) => reorder(item, random));
  if (!isJsonObject(tree)) return tree;
  const members = tree.members.map(([name, value]): JsonMember => {
    if (SETS.includes(name) && isJsonArray(value)) return [name, reorderedSet(value, random)];
    if (holdsSchemaMap(name) && isJsonObject(value)) return [name, reorderedMap(value, random)];
    const holdsSchemas = holdsSchema(name) || holdsSchemaArray(name);
    // What else stands there is a value: the order of its lists counts.
    return holdsSchemas ? [name, reorder(value, random)] : [name, value];
  });
  return { members: shuffled(members, random) };
}

function reorderedSet(list: readonly JsonTree[], random: Random): readonly JsonTree[] {
  return list.every((item) => typeof item !== "object") ? shuffled(list, random) : list;
}

function reorderedMap({ members }: JsonMembers, random: Random): JsonMembers {
  const inner = members.map(([name, value]): JsonMember => [name, reorder(value, random)]);
  return { members: shuffled(inner, random) };
}

function shuffled<Item>(list: readonly Item[], random: Random): Item[] {
  return list
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}
