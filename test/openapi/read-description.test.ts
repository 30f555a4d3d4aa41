import { expect } from "chai";
import fc from "fast-check";
import { makePlan } from "../../generators/openapi/inference/make-plan.js";
import { planLines } from "../../generators/openapi/inference/plan-table.js";
import { planView } from "../../generators/openapi/inference/plan-view.js";
import type { ApiDescription } from "../../generators/openapi/reading/api-description.js";
import { described } from "../support/openapi.js";

const USER = {
  type: "object",
  required: ["id"],
  properties: { id: { type: "integer", format: "int64" }, boss: { $ref: "#/definitions/User" } },
};

/** The same API, as each version says it. */
const OLD = {
  swagger: "2.0",
  info: { title: "People", version: "1", description: "Who is who" },
  host: "api.people.test",
  basePath: "/v1",
  schemes: ["http", "https"],
  produces: ["application/json"],
  consumes: ["application/json"],
  securityDefinitions: {
    key: { type: "apiKey", in: "header", name: "X-Key" },
    login: { type: "basic" },
    sign: {
      type: "oauth2",
      flow: "accessCode",
      authorizationUrl: "https://people.test/authorize",
      tokenUrl: "https://people.test/token",
      scopes: { read: "to read" },
    },
  },
  security: [{ key: [] }],
  paths: {
    "/users": {
      parameters: [{ $ref: "#/parameters/Page" }],
      get: {
        operationId: "listUsers",
        tags: ["Users"],
        responses: {
          200: {
            description: "",
            headers: { Link: { type: "string" } },
            schema: { type: "array", items: { $ref: "#/definitions/User" } },
          },
        },
      },
      post: {
        parameters: [{ in: "body", name: "body", required: true, schema: { $ref: "#/definitions/User" } }],
        responses: { 201: { $ref: "#/responses/Made" } },
        security: [{ sign: ["read"] }],
      },
    },
  },
  parameters: { Page: { name: "page", in: "query", type: "integer", maximum: 9, description: "Which page" } },
  responses: { Made: { description: "", schema: { type: "string", "x-nullable": true } } },
  definitions: { User: USER },
};

const NEW = {
  openapi: "3.0.3",
  info: OLD.info,
  servers: [{ url: "https://api.people.test/v1" }],
  security: OLD.security,
  paths: {
    "/users": {
      parameters: [{ $ref: "#/components/parameters/Page" }],
      get: {
        operationId: "listUsers",
        tags: ["Users"],
        responses: {
          200: {
            description: "",
            headers: { Link: { schema: { type: "string" } } },
            content: {
              "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/User" } } },
            },
          },
        },
      },
      post: {
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/User" } } },
        },
        responses: { 201: { $ref: "#/components/responses/Made" } },
        security: [{ sign: ["read"] }],
      },
    },
  },
  components: {
    parameters: {
      Page: { name: "page", in: "query", description: "Which page", schema: { type: "integer", maximum: 9 } },
    },
    responses: {
      Made: {
        description: "",
        content: { "application/json": { schema: { type: "string", nullable: true } } },
      },
    },
    schemas: {
      User: { ...USER, properties: { ...USER.properties, boss: { $ref: "#/components/schemas/User" } } },
    },
    securitySchemes: {
      key: OLD.securityDefinitions.key,
      login: { type: "http", scheme: "Basic" },
      sign: {
        type: "oauth2",
        flows: {
          authorizationCode: {
            authorizationUrl: "https://people.test/authorize",
            tokenUrl: "https://people.test/token",
            scopes: { read: "to read" },
          },
        },
      },
    },
  },
};

/** The model without the places, and without what a parameter of 2.0 says of itself and not of its schema. */
function withoutPlaces({ description }: { readonly description: ApiDescription | undefined }): unknown {
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip);
    if (value instanceof Map) return [...value].map(strip);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => (name === "at" ? [] : [[name, strip(member)]])),
    );
  };
  const model = strip(description) as ApiDescription;
  return {
    ...model,
    operations: model.operations.map((operation) => ({
      ...operation,
      parameters: operation.parameters.map(({ schema, ...parameter }) => ({
        ...parameter,
        schema: { ...schema, description: "" },
      })),
    })),
  };
}

describe("an OpenAPI document", () => {
  it("is read to the same model from 2.0, 3.0 and 3.1", () => {
    const model = withoutPlaces(described(OLD));
    expect(withoutPlaces(described(NEW))).to.deep.equal(model);
    const newest = JSON.stringify({ ...NEW, openapi: "3.1.0" }).replace(
      '"type":"string","nullable":true',
      '"type":["string","null"]',
    );
    expect(withoutPlaces(described(newest))).to.deep.equal(model);
    expect(model).to.deep.include({ title: "People", version: "1" });
    expect(described(NEW).description?.operations.map(({ id }) => id)).to.deep.equal([
      "GET /users",
      "POST /users",
    ]);
  });

  it("is frozen, and is not changed by planning", () => {
    const { description, placeOf } = described(NEW);
    if (description === undefined) throw new Error("not read");
    const before = withoutPlaces({ description });
    planLines(planView(makePlan(description), placeOf));
    expect(withoutPlaces({ description })).to.deep.equal(before);
    expect(Object.isFrozen(description.operations[0]?.parameters[0])).to.equal(true);
    expect(Object.isFrozen(description.schemas.get("User"))).to.equal(true);
  });

  it("knows the lines of its parts, in JSON and in YAML", () => {
    const json = described(NEW);
    const at = json.description?.operations[1]?.at ?? "";
    const lines = JSON.stringify(NEW, undefined, 2).split("\n");
    const { line } = json.placeOf(at);
    expect(lines[line - 1]).to.equal('      "post": {');
    const yaml = described(
      [
        "openapi: 3.0.0",
        "paths:",
        "  /users:",
        "    get:",
        "      responses:",
        "        200:",
        "          description: ok",
      ].join("\n"),
    );
    const [operation] = yaml.description?.operations ?? [];
    expect(yaml.placeOf(operation?.at ?? "")).to.deep.equal({ file: "api.json", line: 4 });
    expect(yaml.placeOf(operation?.answer?.at ?? "")).to.deep.equal({ file: "api.json", line: 6 });
  });

  it("finds lines whatever the texts before hold", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 8 }), (values) => {
        const document = { openapi: "3.0.0", "x-before": values, paths: { "/a": { get: {} } } };
        const { description, placeOf } = described(document);
        const text = JSON.stringify(document, undefined, 2).split("\n");
        const { line } = placeOf(description?.operations[0]?.at ?? "");
        return text.findLastIndex((content) => content.includes('"get": {')) === line - 1;
      }),
    );
  });

  it("may be several files below its folder", () => {
    const document = {
      openapi: "3.0.0",
      paths: { "/users": { $ref: "paths/users.yaml" } },
    };
    const others = {
      "paths/users.yaml": [
        "get:",
        "  responses:",
        "    200:",
        "      content:",
        "        application/json:",
        "          schema:",
        "            $ref: '../schemas/all.json#/User'",
      ].join("\n"),
      "schemas/all.json": JSON.stringify({
        User: { type: "object", properties: { self: { $ref: "#/User" } } },
      }),
    };
    const { description, diagnostics, placeOf } = described(document, others);
    expect(diagnostics).to.deep.equal([]);
    const schema = description?.operations[0]?.answer?.schema;
    expect(schema?.ref).to.equal("schemas/all.json#/User");
    const user = description?.schemas.get("schemas/all.json#/User");
    expect(user?.properties[0]?.schema.ref).to.equal("schemas/all.json#/User");
    expect(placeOf(schema?.at ?? "")).to.deep.equal({ file: "paths/users.yaml", line: 6 });
  });

  it("never leads out of its folder, nor to the network", () => {
    const outside = [
      "https://api.test/x.json",
      "../secret.json",
      "/etc/passwd",
      "file:///etc/passwd",
      "a/../../b.json",
      "C:\\x.json",
      "%2e%2e/b.json",
    ];
    const asked: string[] = [];
    for (const reference of outside) {
      const { diagnostics } = described(
        { openapi: "3.0.0", paths: { "/a": { $ref: reference } } },
        new Proxy(
          {},
          {
            getOwnPropertyDescriptor: (_, name) => {
              asked.push(String(name));
              return undefined;
            },
          },
        ),
      );
      expect(diagnostics.map(({ code }) => code)).to.deep.equal(["openapi-reference-outside"], reference);
      expect(diagnostics[0]?.line).to.equal(4);
    }
    expect(asked).to.deep.equal([]);
  });

  it("is read as far as it goes where references lead nowhere", () => {
    const document = {
      openapi: "3.0.0",
      paths: {
        "/a": {
          get: {
            responses: {
              200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Gone" } } } },
            },
          },
        },
        "/b": { get: { responses: { 200: { $ref: "#/components/responses/Loop" } } } },
        "/c": { get: "nothing" },
        "x-note": { get: {} },
      },
      components: { responses: { Loop: { $ref: "#/components/responses/Loop" } } },
    };
    const { description, diagnostics } = described(document);
    expect(diagnostics.map(({ code, line }) => [code, (line ?? 0) > 1])).to.deep.equal([
      ["openapi-reference-dangling", true],
      ["openapi-part", true],
    ]);
    expect(description?.operations.map(({ id }) => id)).to.deep.equal(["GET /a", "GET /b"]);
  });

  for (const [what, text, code, line] of [
    ["no document at all", "[]", "openapi-version", 1],
    ["another version", '{ "openapi": "4.0.0" }', "openapi-version", 1],
    ["broken JSON", '{\n  "openapi": "3.0.0",\n  "paths" 1 }', "json-syntax", 3],
    ["broken YAML", "openapi: 3.0.0\npaths:\n  - a: [1\n", "openapi-syntax", 4],
    ["YAML that repeats itself", bomb(), "openapi-too-large", undefined],
    ["nesting without end", `${"[".repeat(100_000)}`, "json-too-deep", 1],
    [
      "YAML nested without end",
      `openapi: ${"[".repeat(20_000)}${"]".repeat(20_000)}`,
      "openapi-too-large",
      undefined,
    ],
    [
      "YAML nested a little less",
      `openapi: ${"{a: ".repeat(900)}1${"}".repeat(900)}`,
      "openapi-too-large",
      undefined,
    ],
    ["YAML in steps without end", nestedBlocks(3_000), "openapi-too-large", undefined],
    ["YAML of lists in lists", `openapi:\n${"- ".repeat(30_000)}1`, "openapi-too-large", undefined],
    [
      "deep JSON",
      `{"openapi":"3.0.0","a":${"[".repeat(900)}${"]".repeat(900)}}`,
      "openapi-too-large",
      undefined,
    ],
    ["nothing", "", "openapi-version", 1],
  ] as const)
    it(`ends with one message if it is ${what}`, () => {
      const { description, diagnostics } = described(text);
      expect(description).to.equal(undefined);
      expect(diagnostics.map((found) => [found.code, found.line])).to.deep.equal([[code, line]]);
    });

  it("keeps names that JavaScript treats in its own way", () => {
    const text =
      '{"openapi":"3.0.0","paths":{"/__proto__":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/__proto__"}}}}}}}},"components":{"schemas":{"__proto__":{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}}}}';
    const { description, diagnostics } = described(text);
    expect(diagnostics).to.deep.equal([]);
    const schema = description?.schemas.get("__proto__");
    expect(schema?.properties.map(({ name }) => name)).to.deep.equal(["__proto__", "constructor"]);
    expect(Object.prototype).to.not.have.property("type");
    expect(
      described('{"openapi":"3.0.0","paths":{"/a":{"$ref":"#/toString/constructor"}}}').diagnostics,
    ).to.have.length(1);
  });

  it("never makes anything throw, whatever stands anywhere in it", () => {
    const parts = placesIn(NEW);
    fc.assert(
      fc.property(fc.constantFrom(...parts), fc.jsonValue({ maxDepth: 3 }), (place, value) => {
        const { description, placeOf } = described(withPart(NEW, place, value));
        if (description !== undefined) planLines(planView(makePlan(description), placeOf));
      }),
      { numRuns: 500 },
    );
  });
});

/** Aliases that stand for ten times as much, eight times over. */
function bomb(): string {
  const lines = ["openapi: 3.0.0", "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"];
  for (let level = 1; level < 9; level++)
    lines.push(
      `a${level}: &a${level} [${Array(10)
        .fill(`*a${level - 1}`)
        .join(", ")}]`,
    );
  return lines.join("\n");
}

function nestedBlocks(levels: number): string {
  return Array.from({ length: levels }, (_, level) => `${" ".repeat(level)}a:`).join("\n");
}

type Steps = readonly (string | number)[];

function placesIn(value: unknown, steps: Steps = []): readonly Steps[] {
  if (typeof value !== "object" || value === null) return [steps];
  return [steps, ...Object.entries(value).flatMap(([name, member]) => placesIn(member, [...steps, name]))];
}

function withPart(value: unknown, [step, ...rest]: Steps, part: unknown): unknown {
  if (step === undefined) return part;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === step ? withPart(item, rest, part) : item));
  const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(
    members.map(([name, member]) => [name, name === step ? withPart(member, rest, part) : member]),
  );
}
