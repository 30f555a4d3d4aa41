import { expect } from "chai";
import fc from "fast-check";
import { validatorCode } from "../../generators/validators/validator-code.js";
import { fromPlain } from "../../schemas/json.js";
import { folderWith, installInto } from "../support/folders.js";
import { tsc } from "../support/processes.js";
import { COMPILERS } from "../support/repository.js";
import { ajvCheck } from "./ajv.js";
import { checkOf, moduleOf } from "./emitted.js";
import { randomDocument, randomFrom } from "./random.js";

const HOSTILE = [
  '"',
  "'",
  "`",
  "\\",
  "$" + "{x}",
  "*/",
  "//",
  "</script>",
  "\n",
  "\r",
  "\u2028",
  "\u2029",
  "\u0000",
  "\ufeff",
  "\ud800",
  "__proto__",
  "constructor",
  "class",
  "a",
  "isJsonObject",
  '"]; throw 1; ["',
  "{{x}}",
  "😀",
  "\\u0041",
  "$&",
];
const text = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.array(fc.constantFrom(...HOSTILE)).map((parts) => parts.join("")),
  fc.string({ unit: "binary" }),
);

/** A schema with hostile text wherever text may stand; patterns match themselves and nothing else. */
const hostile = fc
  .record({ name: text, member: text, pattern: text, title: text })
  .map(({ name, member, pattern, title }) => ({
    title,
    description: title,
    type: "object",
    properties: {
      [name]: { enum: [member, { [name]: member }], description: title },
      text: {
        type: "string",
        pattern: `^${pattern.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}$`,
        format: member,
      },
    },
    required: [name],
    patternProperties: { [`^${pattern.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}!$`]: false },
    additionalProperties: false,
  }));

/**
 * ajv does not compile names with lone surrogates, and throws where members called `toString` are compared; emitted
 * code takes those too, and is then asked alone.
 */
function peerOf(schema: unknown): ((value: unknown) => boolean) | undefined {
  const text = JSON.stringify(schema);
  return /\\ud[89a-f]|"(toString|valueOf|constructor)":/i.test(text) ? undefined : ajvCheck(schema);
}

describe("emitted validators", () => {
  it("take hostile names, members, patterns and titles for what they are", () => {
    fc.assert(
      fc.property(hostile, text, (schema, other) => {
        const check = checkOf(schema);
        const peer = peerOf(schema);
        const [name = ""] = schema.required;
        const member = schema.properties[name]?.enum?.[0];
        const values = [
          { [name]: member },
          { [name]: other },
          { [name]: { [name]: member } },
          { [name]: member, [other]: 1 },
        ];
        for (const made of values) {
          const value: unknown = JSON.parse(JSON.stringify(made));
          expect(check(value)).to.equal(peer?.(value) ?? check(value));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("check each property, also where there are too many for one function", () => {
    for (const count of [1, 63, 64, 65, 127, 128, 129]) {
      const names = Array.from({ length: count }, (_, index) => `p${index}`);
      const properties = Object.fromEntries(names.map((name) => [name, { type: "integer" }]));
      const check = checkOf({ type: "object", properties, required: [names.at(-1), "other"] });
      const value = Object.fromEntries([...names, "other"].map((name) => [name, 1]));
      expect(check(value), `${count}`).to.equal(true);
      for (const name of names)
        expect(check({ ...value, [name]: "1" }), `${name} of ${count}`).to.equal(false);
      for (const name of [names.at(-1) ?? "", "other"]) {
        const { [name]: _, ...without } = value;
        expect(check(without), `${count} without ${name}`).to.equal(false);
      }
    }
  });

  it("type-check with every strict flag, whatever the schema", async () => {
    const random = randomFrom(20);
    const files: Record<string, string> = {
      "tsconfig.json": JSON.stringify(STRICTEST),
      "package.json": '{ "type": "module" }',
    };
    const documents = [
      ...Array.from({ length: 400 }, () => JSON.parse(JSON.stringify(randomDocument(random)))),
      ...fc.sample(hostile, { numRuns: 100, seed: 7 }),
      {
        type: "object",
        properties: Object.fromEntries(
          Array.from({ length: 1500 }, (_, index) => [`p${index}`, { type: "string" }]),
        ),
      },
      nestedSchema(60),
    ];
    for (const [index, schema] of documents.entries()) {
      files[`check${index}.ts`] = moduleOf({ [`check${index}`]: schema }, "connectorcli/codegen");
    }
    const folder = folderWith(files);
    installInto(folder);
    for (const line of COMPILERS) expect((await tsc(line, folder)).stdout, line).to.equal("");
  });

  it("say what no validator can make sense of, and refuse values there", () => {
    const schema = {
      properties: {
        a: { pattern: "(" },
        b: { $ref: "#/$defs/none" },
        c: { type: "text" },
        d: { $ref: "#/properties/d" },
      },
    };
    expect(validatorCode(fromPlain(schema), "check").problems).to.have.lengthOf(4);
    const check = checkOf(schema);
    expect(check({})).to.equal(true);
    for (const name of ["a", "b", "c", "d"]) expect(check({ [name]: "x" }), name).to.equal(false);
  });

  it("import only what they use, and declare only what leads somewhere", () => {
    const { code, helpers } = validatorCode(
      fromPlain({ type: "object", properties: { a: { allOf: [false, { minLength: 2 }] } } }),
      "check",
    );
    expect(helpers).to.deep.equal(["isJsonObject"]);
    expect(code).to.not.include("check_");
  });
});

const STRICTEST = {
  compilerOptions: {
    target: "ES2022",
    module: "NodeNext",
    lib: ["ES2023"],
    types: [],
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    noImplicitOverride: true,
    noImplicitReturns: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    skipLibCheck: false,
  },
};

function nestedSchema(levels: number): unknown {
  let schema: unknown = { type: "string" };
  for (let level = 0; level < levels; level++)
    schema = { type: "object", properties: { inner: schema }, required: ["inner"] };
  return schema;
}
