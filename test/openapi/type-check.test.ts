import { basename } from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { emitFiles, GEN_EMITTERS } from "../../generators/emitters/emitters.js";
import { readDescription } from "../../generators/openapi/reading/read-description.js";
import { type SourceFile, typeErrors, withProjects } from "../support/author-project.js";
import {
  actionsDocument,
  corpusDocuments,
  listDocument,
  listOf,
  newProject,
  objectOf,
  operation,
} from "../support/openapi.js";
import { apiDocument } from "../support/openapi-arbitraries.js";
import { COMPILERS, runs, SLOW_TEST_MS } from "../support/repository.js";

/** All TypeScript of a project: what the import makes, and what `gen` makes of it. */
function projectOf(text: string, name = "api.json"): readonly SourceFile[] {
  const read = readDescription({ main: name, text: (path) => (path === name ? text : undefined) });
  const { files, model } = newProject(read, name);
  return [...files, ...emitFiles(model, GEN_EMITTERS)].filter(({ path }) => path.endsWith(".ts"));
}

const REF = { $ref: "#/components/schemas/Thing" };

/** A list of things with this schema, and an action that takes one. */
function documentOf(schema: object, more: object = {}): string {
  const sent = { requestBody: { content: { "application/json": { schema: REF } } } };
  const paths = {
    "/things/{id}": {
      get: operation({ answer: REF }),
      patch: { ...sent, responses: { 200: { content: { "application/json": { schema: REF } } } } },
      delete: { responses: { 204: {} } },
    },
  };
  const document = listDocument({ path: "/things", answer: listOf(REF), paths, schemas: { Thing: schema } });
  Object.assign(document.paths["/things"] ?? {}, { post: { ...sent, responses: {} } });
  return JSON.stringify({ ...document, ...more });
}

const EXPRESSION = "$".concat("{process.exit()}");
const HOSTILE_TEXT = `*/ \`${EXPRESSION}\` </script> \\u0000 \\ " ' \u2028 // @ts-ignore\r\n{{x}} <!--`;
const NAMES = [
  ...[
    "__proto__",
    "constructor",
    "prototype",
    "hasOwnProperty",
    "toString",
    "then",
    "default",
    "class",
    "await",
  ],
  ...[
    "a-b",
    "a_b",
    "aB",
    "A.B",
    "a b",
    "1st",
    "",
    " ",
    "é",
    "日本",
    "💥",
    "a'b",
    'a"b',
    "a`b",
    `a${EXPRESSION}`,
    "a\\b",
  ],
  ...["*/", "//", "@odata.type", "$ref", "x".repeat(300), "id2", "Type", "projectBase", "undefined", "null"],
];

const HOSTILE: Readonly<Record<string, string>> = {
  "actions of every form": JSON.stringify(actionsDocument()),
  "names of every kind": documentOf({
    type: "object",
    required: NAMES,
    properties: Object.fromEntries([
      ["id", { type: "integer" }],
      ...NAMES.map((name) => [name, { type: "string", description: name }]),
    ]),
  }),
  "texts that end comments and templates": documentOf(
    {
      type: "object",
      description: HOSTILE_TEXT,
      properties: {
        id: { type: "string", description: HOSTILE_TEXT, pattern: HOSTILE_TEXT, example: HOSTILE_TEXT },
        kind: { type: "string", enum: [HOSTILE_TEXT, "`", EXPRESSION], default: HOSTILE_TEXT },
      },
    },
    { info: { title: HOSTILE_TEXT, description: HOSTILE_TEXT, version: HOSTILE_TEXT } },
  ),
  "schemas that hold themselves": documentOf({
    type: "object",
    allOf: [REF, { anyOf: [REF, { oneOf: [REF] }] }],
    properties: {
      id: { type: "string" },
      self: REF,
      list: listOf(listOf(REF)),
      more: { additionalProperties: REF },
    },
  }),
  "values without number": documentOf({
    type: "object",
    properties: {
      id: { type: "string" },
      kind: { type: "string", enum: Array.from({ length: 3000 }, (_, index) => `value ${index}`) },
      size: { type: "integer", enum: Array.from({ length: 500 }, (_, index) => index) },
    },
  }),
  "limits that nothing fits": documentOf({
    type: "object",
    properties: {
      id: { type: "string", minLength: 9, maxLength: 1, pattern: "(" },
      size: { type: "integer", minimum: 1e308, maximum: -1e308, multipleOf: 0 },
      date: { type: "string", format: "date-time", default: "never" },
      odd: { type: ["string", "integer", "null"], format: "nobody knows" },
      none: {},
    },
  }),
  "things that are called as what modules use": JSON.stringify({
    openapi: "3.0.0",
    info: { title: "Type" },
    paths: Object.fromEntries(
      [
        "Object",
        "Array",
        "Promise",
        "String",
        "Record",
        "Type",
        "Error",
        "class",
        "default",
        "connector",
      ].flatMap((name) => [
        [`/${name}`, { get: operation({ answer: listOf({ $ref: `#/components/schemas/${name}` }) }) }],
        [`/x/${name}`, { get: operation({ answer: listOf(objectOf("id")) }) }],
      ]),
    ),
    components: {
      schemas: Object.fromEntries(
        [
          "Object",
          "Array",
          "Promise",
          "String",
          "Record",
          "Type",
          "Error",
          "class",
          "default",
          "connector",
        ].map((name) => [name, objectOf("id", { [name]: objectOf("id") })]),
      ),
    },
  }),
};

/** Compiled together: what costs is the compiler's start. */
describe("the code that an import makes", function () {
  this.timeout(SLOW_TEST_MS);
  const projects: { readonly name: string; readonly files: readonly SourceFile[] }[] = [];

  before(() => {
    for (const [name, text] of Object.entries(HOSTILE)) projects.push({ name, files: projectOf(text) });
    for (const { path, text } of corpusDocuments())
      projects.push({ name: basename(path), files: projectOf(text, basename(path)) });
    for (const document of fc.sample(apiDocument(), { numRuns: runs(8), seed: 1 }))
      projects.push({ name: JSON.stringify(document), files: projectOf(JSON.stringify(document)) });
  });

  for (const line of COMPILERS)
    it(`type-checks under TypeScript ${line}, whatever a document holds`, async () => {
      const errors = await withProjects(
        projects.map(({ files }) => files),
        (folder) => typeErrors(folder, line),
      );
      const [, index] = /^sources\/(\d+)\//m.exec(errors) ?? [];
      expect(errors, index && projects[Number(index)]?.name).to.equal("");
    });
});
