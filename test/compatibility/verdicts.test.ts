import { readFileSync } from "node:fs";
import { expect } from "chai";
import { compareConnectors } from "../../schemas/compatibility/compare-connectors.js";
import { compareSchemas } from "../../schemas/compatibility/compare-schemas.js";
import type { SchemaNode } from "../../schemas/compatibility/schema-node.js";
import { readConnectorJson } from "../../schemas/entries/model.js";
import { inRepository, runs, SLOW_TEST_MS } from "../support/repository.js";
import { newAjv } from "../validation/ajv.js";
import { pick, type Random, randomDocument, randomFrom } from "../validation/random.js";

type Json = ReturnType<typeof JSON.parse>;
type Role = "input" | "record";

const text = { type: "string" };
const integer = { type: "integer" };
const EQUAL = ["yes", "yes"] as const;
const texts = { type: "object", additionalProperties: text };

/** `major property-added`, with the value that shows it. */
function told(role: Role, old: SchemaNode, next: SchemaNode): readonly string[] {
  const { changes } = compareSchemas({ old, new: next, role, what: "it", oldPointer: "", newPointer: "" });
  return changes.map(({ severity, code, undecided, witness }) => {
    const shown = witness === undefined || witness === null ? "" : ` ${JSON.stringify(witness.value)}`;
    return `${severity} ${code}${undecided ? " undecided" : ""}${shown}`;
  });
}

/** Whether every value of one schema is accepted by the other, as far as that is proven: old by new, new by old. */
function fits(old: SchemaNode, next: SchemaNode): readonly string[] {
  const { oldFitsNew, newFitsOld } = compareSchemas({
    old,
    new: next,
    role: "input",
    what: "it",
    oldPointer: "",
    newPointer: "",
  });
  return [oldFitsNew, newFitsOld];
}

describe("limits that include their number and limits that do not", () => {
  const number = (limits: object): SchemaNode => ({ type: "number", ...limits });
  const whole = (limits: object): SchemaNode => ({ ...integer, ...limits });

  for (const [name, old, next, expected] of [
    ["a lower one", number({ minimum: 1 }), number({ exclusiveMinimum: 1 }), ["no", "yes"]],
    ["an upper one", number({ maximum: 1 }), number({ exclusiveMaximum: 1 }), ["no", "yes"]],
    [
      "both at one number",
      number({ minimum: 1, exclusiveMinimum: 1 }),
      number({ exclusiveMinimum: 1 }),
      EQUAL,
    ],
    [
      "both, the inclusive one nearer",
      number({ minimum: 2, exclusiveMinimum: 1 }),
      number({ minimum: 2 }),
      EQUAL,
    ],
    ["both, upwards", number({ maximum: 1, exclusiveMaximum: 1 }), number({ exclusiveMaximum: 1 }), EQUAL],
    ["a lower one of integers", whole({ exclusiveMinimum: 1 }), whole({ minimum: 2 }), EQUAL],
    ["an upper one of integers", whole({ exclusiveMaximum: 3 }), whole({ maximum: 2 }), EQUAL],
    ["a lower one between integers", whole({ exclusiveMinimum: 0.5 }), whole({ minimum: 1 }), EQUAL],
    ["an upper one between integers", whole({ maximum: 2.5 }), whole({ exclusiveMaximum: 3 }), EQUAL],
    ["nothing above and up to a number", number({ exclusiveMinimum: 1, maximum: 1 }), text, ["yes", "no"]],
    ["nothing from a number and below it", number({ minimum: 1, exclusiveMaximum: 1 }), text, ["yes", "no"]],
    ["no integer between two", whole({ exclusiveMinimum: 1, exclusiveMaximum: 2 }), text, ["yes", "no"]],
  ] as const) {
    it(name, () => {
      expect(fits(old, next)).to.deep.equal(expected);
    });
  }

  it("leave the numbers between them", () => {
    const between = number({ exclusiveMinimum: 1, exclusiveMaximum: 2 });
    for (const schema of [between, number({ minimum: 1, maximum: 1 }), whole({ minimum: 1, maximum: 1 })])
      expect(fits(schema, text)[0]).to.equal("no");
  });
});

describe("a value that is shown outranks the kind of change", () => {
  const code = { type: "string", pattern: "^[A-Z]{3}$" };

  it("where a dictionary gains a described member", () => {
    expect(told("input", texts, { ...texts, properties: { code } })).to.deep.equal([
      'major property-added {"code":""}',
    ]);
    expect(told("input", texts, { ...texts, properties: { code: text } })).to.deep.equal([
      "minor property-added",
    ]);
  });

  it("where a closed object gains a member that only its readers meet", () => {
    const closed = { type: "object", properties: { a: text }, additionalProperties: false };
    const more = { ...closed, properties: { a: text, code: text } };
    expect(told("record", closed, more)).to.deep.equal(['major property-added {"code":""}']);
    expect(told("input", closed, more)).to.deep.equal(['minor property-added {"code":""}']);
  });

  it("where the name of a new member matched a pattern", () => {
    const old = { type: "object", patternProperties: { "^co": text } };
    for (const additionalProperties of [true, false]) {
      const closed = { ...old, additionalProperties };
      expect(told("input", closed, { ...closed, properties: { code } })).to.deep.equal([
        'major property-added {"code":""}',
      ]);
    }
    const other = { type: "object", patternProperties: { "^x-": text } };
    expect(told("input", other, { ...other, properties: { code } })[0]).to.match(/^minor property-added/);
  });

  it("where the schema around the object described its other members", () => {
    const around = (schema: Json) => ({ allOf: [schema, texts] });
    const [change] = told(
      "input",
      around({ type: "object", properties: { a: text } }),
      around({ type: "object", properties: { a: text, code: integer } }),
    );
    expect(change).to.match(/^major property-added \{/);
  });

  it("where a new member accepts no value", () => {
    const open = { type: "object", properties: {} };
    for (const nothing of [{ not: {} }, { type: "string", minLength: 2, maxLength: 1 }]) {
      const [change] = told("input", open, { ...open, properties: { code: nothing } });
      expect(change, JSON.stringify(nothing)).to.match(/^major property-added \{"code":/);
    }
  });

  it("but not where no schema had spoken of the name", () => {
    const open = { type: "object", properties: {} };
    expect(told("input", open, { ...open, properties: { code } })).to.deep.equal([
      'minor property-added {"code":0}',
    ]);
  });
});

describe("schemas that accept the same values", () => {
  const pairs: readonly (readonly [name: string, one: SchemaNode, other: SchemaNode])[] = [
    [
      "the integers of a range, and their list",
      { ...integer, minimum: 1, maximum: 3 },
      { ...integer, enum: [1, 2, 3] },
    ],
    ["two equal limits, and a constant", { ...integer, minimum: 7, maximum: 7 }, { const: 7 }],
    [
      "two equal limits of numbers, and a constant",
      { type: "number", minimum: 0.5, maximum: 0.5 },
      { const: 0.5 },
    ],
    ["no length, and the empty text", { ...text, maxLength: 0 }, { const: "" }],
    [
      "a pattern of alternatives, and their list",
      { ...text, pattern: "^(a|b)$" },
      { ...text, enum: ["a", "b"] },
    ],
    ["two patterns of the same texts", { ...text, pattern: "^(?:a|b)$" }, { ...text, pattern: "^[ab]$" }],
    ["no items, and the empty array", { type: "array", maxItems: 0 }, { const: [] }],
    ["no members, and the empty object", { type: "object", maxProperties: 0 }, { const: {} }],
    [
      "an intersection, and its members in one object",
      {
        allOf: [
          { type: "object", properties: { a: text }, required: ["a"] },
          { type: "object", properties: { b: integer } },
        ],
      },
      { type: "object", properties: { a: text, b: integer }, required: ["a"] },
    ],
  ];

  for (const [name, one, other] of pairs) {
    it(`are equal: ${name}`, () => {
      for (const role of ["input", "record"] as const) {
        expect(told(role, one, other)).to.deep.equal(["patch written-otherwise"]);
        expect(told(role, other, one)).to.deep.equal(["patch written-otherwise"]);
      }
    });
  }

  it("are undecided if nothing proves it and no value shows the contrary", () => {
    const [one, other] = [
      { ...text, pattern: "^(a|b)+$" },
      { ...text, pattern: "^[ab]+$" },
    ];
    expect(told("input", one, other)).to.deep.equal(["major constraint-changed undecided"]);
    const limited = { allOf: [{ ...text, pattern: "^.{3}$" }], maxLength: 3 };
    expect(told("record", limited, { ...text, pattern: "^.{3}$" })).to.satisfy((changes: string[]) =>
      changes.every((change) => !change.startsWith("major") || change.endsWith("undecided")),
    );
  });

  it("show what changed where members move and one of them changes", () => {
    const parts = { allOf: [{ type: "object", properties: { a: text } }, { type: "object" }] };
    const changes = told("input", parts, { type: "object", properties: { a: integer } });
    expect(changes.join()).to.match(/major [\w-]+ \{/);
    expect(changes.join()).to.not.include("property-added");
  });
});

describe("members by patterns", () => {
  it("are shown", () => {
    const byPattern = (schema: Json) => ({
      type: "object",
      patternProperties: { "^(?:x|y)-[a-z]+$": schema },
    });
    expect(told("input", byPattern(text), byPattern(integer))[0]).to.match(
      /^major combination-changed \{"x-aaa":"/,
    );
    expect(told("input", { type: "object" }, byPattern(integer))[0]).to.match(
      /^major combination-changed \{"x-aaa":/,
    );
    expect(told("record", byPattern(text), { type: "object" })[0]).to.match(
      /^major combination-changed \{"x-aaa":/,
    );
  });

  it("that accept more are minor for who sends them", () => {
    const byPattern = (schema: Json) => ({ type: "object", patternProperties: { "^x-": schema } });
    const [change] = told(
      "input",
      byPattern({ ...text, maxLength: 3 }),
      byPattern({ ...text, maxLength: 5 }),
    );
    expect(change).to.match(/^minor combination-changed/);
  });
});

describe("a part that looks like two of the old ones", () => {
  it("is one of them, and the other was removed", () => {
    const text = readFileSync(inRepository("examples/projects-api/connector.json"), "utf8");
    const file = JSON.parse(text);
    const [first, second] = file.modules[0].dataObjects;
    file.modules[0].dataObjects = [{ ...first, key: second.key }];
    const [before, after] = [text, JSON.stringify(file)].map(
      (json) => readConnectorJson(json, "connector.json").model,
    );
    if (before === undefined || after === undefined) throw new Error("no model");
    const removed = compareConnectors(before, after).changes.filter(({ code }) => code === "part-removed");
    expect(removed.map(({ severity, message }) => [severity, message])).to.deep.equal([
      ["major", `Data object "${second.name}" was removed.`],
    ]);
  });
});

describe("environments of a connection", () => {
  const file = (labels: readonly string[]) => ({
    name: "Sites",
    urlPart: "sites",
    key: "sites",
    description: "",
    connectionDefinitions: [
      {
        key: "auth",
        name: "Key",
        description: "",
        attributes: [
          {
            title: "Environment",
            key: "connectionEnvironment",
            isSensitive: false,
            isRequired: true,
            description: "",
            options: labels.map((label, index) => ({ label, value: index + 1 })),
          },
        ],
        type: "Standard",
      },
    ],
    configSchema: { type: "object", properties: {} },
    modules: [],
  });
  const codes = (old: readonly string[], next: readonly string[]) => {
    const [before, after] = [old, next].map(
      (labels) => readConnectorJson(JSON.stringify(file(labels)), "connector.json").model,
    );
    if (before === undefined || after === undefined) throw new Error("no model");
    return compareConnectors(before, after).changes.map(({ code, severity }) => `${severity} ${code}`);
  };

  it("that are swapped break every stored connection", () => {
    expect(codes(["Production", "Test"], ["Test", "Production"])).to.deep.equal([
      "major option-swapped",
      "major option-swapped",
    ]);
  });

  it("that are only called otherwise break none", () => {
    expect(codes(["Production", "Test"], ["Live", "Sandbox"])).to.deep.equal([
      "patch option-relabelled",
      "patch option-relabelled",
    ]);
  });
});

describe("the severity of a change", () => {
  it("is never less than what its witness shows, over random pairs", () => {
    const random = randomFrom(11);
    let witnesses = 0;
    for (let round = 0; round < runs(60); round++) {
      const old = randomObject(random);
      const next = random() < 0.7 ? vary(old, random) : randomObject(random);
      for (const role of ["input", "record"] as const) witnesses += holdToWitnesses(role, old, next);
    }
    expect(witnesses).to.be.above(runs(15));
  }).timeout(SLOW_TEST_MS);
});

/** Returns how many witnesses were held to the severity of their change. */
function holdToWitnesses(role: Role, old: Json, next: Json): number {
  const { changes } = compareSchemas({ old, new: next, role, what: "it", oldPointer: "", newPointer: "" });
  let count = 0;
  for (const { code, severity, witness, old: before, new: after, undecided } of changes) {
    if (witness === undefined || witness === null) continue;
    count++;
    const said = JSON.stringify({ role, old, next, code, witness });
    const isBreak = witness.acceptedBy === (role === "input" ? "old" : "new");
    const place = { pointer: before.pointer, property: stepsOf(after.pointer).at(-1) ?? "" };
    if (isBreak && severity !== "major") {
      // The one exception: a property to send, under a name that no schema had described.
      expect(`${role} ${code}`, said).to.equal("input property-added");
      expect(wasAnything(old, place.pointer, place.property), said).to.equal(true);
    }
    expect(undecided, said).to.equal(false);
    if (witness.scope === "document") {
      expect(newAjv().validate(old, witness.value), said).to.equal(witness.acceptedBy === "old");
      expect(newAjv().validate(next, witness.value), said).to.equal(witness.acceptedBy === "new");
    }
  }
  return count;
}

/** Whether the object at `pointer` accepts any value under `name`, which its properties do not list. */
function wasAnything(root: Json, pointer: string, name: string): boolean {
  const node = stepsOf(pointer).reduce((part: Json, step) => part?.[step], root) ?? {};
  const patterns = Object.entries(node.patternProperties ?? {}).filter(([text]) =>
    new RegExp(text, "u").test(name),
  );
  const schemas =
    patterns.length > 0 ? patterns.map(([, schema]) => schema) : [node.additionalProperties ?? true];
  return schemas.every((schema) => schema === true || JSON.stringify(schema) === "{}");
}

function stepsOf(pointer: string): readonly string[] {
  const steps = pointer.split("/").slice(1);
  return steps.map((step) => step.replace(/~1/g, "/").replace(/~0/g, "~"));
}

function randomObject(random: Random): Json {
  const small = () => {
    const schema = randomDocument(random);
    return JSON.stringify(schema).includes("$ref") ? { type: "string" } : schema;
  };
  const names = ["a", "b", "code", "x-y"];
  const members = names.filter(() => random() < 0.4).map((name) => [name, small()]);
  return {
    type: "object",
    properties: Object.fromEntries(members),
    ...(random() < 0.3 && { required: [pick(random, names)] }),
    ...(random() < 0.4 && { additionalProperties: pick(random, [true, false, text, integer, small()]) }),
    ...(random() < 0.3 && { patternProperties: { [pick(random, ["^a", "^x-", "e$"])]: small() } }),
    ...(random() < 0.2 && { allOf: [{ additionalProperties: pick(random, [text, integer]) }] }),
  };
}

/** The object with a member more or less, or with another member changed. */
function vary(schema: Json, random: Random): Json {
  const other = randomObject(random);
  const copy = structuredClone(schema);
  const name = pick(random, ["a", "b", "code", "x-y"]);
  if (Object.hasOwn(copy.properties, name) && random() < 0.5) delete copy.properties[name];
  else copy.properties[name] = Object.values(other.properties)[0] ?? { not: {} };
  if (random() < 0.3) copy.additionalProperties = other.additionalProperties ?? true;
  return copy;
}
