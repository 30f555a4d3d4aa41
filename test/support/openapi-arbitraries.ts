/** Random OpenAPI documents: APIs as people write them, in which anything that rules look at is there, or is not. */
import fc from "fast-check";
import type { JsonObject } from "../../schemas/json.js";

const THINGS = ["project", "task", "user", "invoice", "category"] as const;
const TEXT = { type: "string" };
const NUMBER = { type: "integer" };

const PAGINGS: readonly { readonly parameters: readonly object[]; readonly beside: JsonObject }[] = [
  { parameters: [], beside: {} },
  {
    parameters: [query("page", NUMBER), query("per_page", { ...NUMBER, maximum: 50 })],
    beside: { total_pages: NUMBER },
  },
  { parameters: [query("offset", NUMBER), query("limit", NUMBER)], beside: { total: NUMBER } },
  {
    parameters: [query("cursor", TEXT)],
    beside: { meta: { type: "object", properties: { next_cursor: TEXT } } },
  },
  { parameters: [query("limit", NUMBER)], beside: {} },
  { parameters: [], beside: { next: { type: "string", format: "uri" } } },
];

function query(name: string, schema: object, more: object = {}): object {
  return { name, in: "query", schema, ...more };
}

/** An object of an API: where it is listed, what it holds, what can be done with it. */
const thing = fc.record({
  paging: fc.nat(PAGINGS.length - 1),
  envelope: fc.constantFrom("none", "data", "own", "odd"),
  key: fc.constantFrom("id", "own", "uuid", "none"),
  isNested: fc.boolean(),
  hasItem: fc.boolean(),
  hasWrites: fc.boolean(),
  isForm: fc.boolean(),
  isNamed: fc.boolean(),
  since: fc.boolean(),
  required: fc.boolean(),
  link: fc.boolean(),
  variable: fc.constantFrom("id", "own", "name"),
  nullable: fc.boolean(),
  values: fc.boolean(),
});

const security = fc.constantFrom<JsonObject>(
  {},
  { key: { type: "apiKey", in: "header", name: "X-Key" } },
  { login: { type: "http", scheme: "basic" } },
  {
    sign: {
      type: "oauth2",
      flows: {
        authorizationCode: {
          authorizationUrl: "https://api.test/a",
          tokenUrl: "https://api.test/t",
          scopes: { read: "to read" },
        },
      },
    },
  },
);

/** A document of version 3.0. */
export function apiDocument(): fc.Arbitrary<JsonObject> {
  return fc
    .record({
      things: fc.array(thing, { minLength: 1, maxLength: THINGS.length }),
      schemes: security,
      url: fc.constantFrom("", "/v1", "https://api.test", "https://api.test/v2"),
      lead: fc.boolean(),
    })
    .map(({ things, schemes, url, lead }) => {
      const paths: Record<string, JsonObject> = {};
      const schemas: Record<string, JsonObject> = {};
      for (const [index, one] of things.entries())
        addThing(one, { name: THINGS[index] ?? "thing", lead, paths, schemas });
      const names = Object.keys(schemes);
      return {
        openapi: "3.0.3",
        info: { title: "Random", version: "1" },
        ...(url !== "" && { servers: [{ url }] }),
        ...(names.length > 0 && { security: names.map((name) => ({ [name]: [] })) }),
        paths,
        components: { schemas, securitySchemes: schemes },
      } as JsonObject;
    });
}

type Thing = typeof thing extends fc.Arbitrary<infer Value> ? Value : never;

interface Api {
  readonly name: string;
  readonly lead: boolean;
  readonly paths: Record<string, JsonObject>;
  readonly schemas: Record<string, JsonObject>;
}

function addThing(one: Thing, { name, lead, paths, schemas }: Api): void {
  const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  const key = { id: "id", own: `${name}_id`, uuid: "uuid", none: "label" }[one.key];
  const record = {
    type: "object",
    ...(one.required && { required: [key] }),
    properties: {
      [key]: one.key === "uuid" ? { ...TEXT, format: "uuid" } : NUMBER,
      title: { ...TEXT, nullable: one.nullable, maxLength: 20 },
      ...(one.values && { state: { ...TEXT, enum: ["open", "closed"] } }),
      ...(one.since && { updated_at: { ...TEXT, format: "date-time" } }),
      parent: { $ref: `#/components/schemas/${title}` },
    },
  };
  schemas[title] = record;
  const ref = one.isNamed ? { $ref: `#/components/schemas/${title}` } : record;
  const list = { type: "array", items: ref };
  const { parameters, beside } = PAGINGS[one.paging] ?? { parameters: [], beside: {} };
  const member = { none: "", data: "data", own: `${name}s`, odd: "found" }[one.envelope];
  const answer = member === "" ? list : { type: "object", properties: { [member]: list, ...beside } };
  const start = `${lead ? "/accounts/{account}" : ""}${one.isNested ? "/projects/{project_id}" : ""}/${name}s`;
  const variables = [...start.matchAll(/\{(\w+)\}/g)].map(([, variable = ""]) => variable);
  const shared = variables.map((variable) => ({ name: variable, in: "path", required: true, schema: TEXT }));
  const asked = one.since ? [query("updated_since", { ...TEXT, format: "date-time" })] : [];
  const needed = one.required ? [query("kind", { ...TEXT, enum: ["all"] }, { required: true })] : [];
  const type = one.isForm ? "application/x-www-form-urlencoded" : "application/json";
  const sent = {
    requestBody: {
      required: true,
      content: {
        [type]: {
          schema: { type: "object", required: ["title"], properties: { title: TEXT, size: NUMBER } },
        },
      },
    },
  };
  const answers = (schema: object) => ({
    responses: { 200: { description: "", content: { "application/json": { schema } } } },
  });
  const headers = one.link ? { Link: { schema: TEXT, description: "The next page." } } : {};
  paths[start] = {
    parameters: shared,
    get: {
      tags: [title],
      parameters: [...parameters, ...asked, ...needed],
      responses: { 200: { description: "", headers, content: { "application/json": { schema: answer } } } },
    },
    ...(one.hasWrites && { post: { ...sent, ...answers(ref) } }),
  } as JsonObject;
  if (!one.hasItem) return;
  const variable = { id: "id", own: `${name}_id`, name: "slug" }[one.variable];
  paths[`${start}/{${variable}}`] = {
    parameters: [...shared, { name: variable, in: "path", required: true, schema: TEXT }],
    get: answers(ref),
    ...(one.hasWrites && {
      patch: { ...sent, ...answers(ref) },
      delete: { responses: { 204: { description: "" } } },
    }),
  } as JsonObject;
}
