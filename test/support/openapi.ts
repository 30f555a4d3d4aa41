/** Documents of OpenAPI for tests: small ones of one's own, and the real ones of the corpus if they are at hand. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { GeneratedFile } from "../../generators/generated-file.js";
import { makePlan, type Selection } from "../../generators/openapi/inference/make-plan.js";
import type { ImportPlan, PlannedObject } from "../../generators/openapi/inference/plan.js";
import { importFiles } from "../../generators/openapi/modules/import-files.js";
import { type ReadDescription, readDescription } from "../../generators/openapi/reading/read-description.js";
import { lockFile } from "../../generators/openapi/reimport/import-lock.js";
import { importState } from "../../generators/openapi/reimport/import-state.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { CORPUS_FOLDER } from "./corpus.js";

/** Reads a document that is given as a value, or as the text of a file. */
export function described(document: unknown, others: Readonly<Record<string, string>> = {}): ReadDescription {
  const text = typeof document === "string" ? document : JSON.stringify(document, undefined, 2);
  return readDescription({
    main: "api.json",
    text: (path) => (path === "api.json" ? text : Object.hasOwn(others, path) ? others[path] : undefined),
  });
}

/** The plan of a document that can be read. */
export function planned(document: unknown, selection: Selection = {}): ImportPlan {
  const { description, diagnostics } = described(document);
  if (description === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return makePlan(description, selection);
}

/** What a new project of a document is made of. */
export interface NewProject {
  readonly plan: ImportPlan;
  readonly model: ConnectorModel;
  /** With the lock. */
  readonly files: readonly GeneratedFile[];
}

/** The project of a document that can be read, which is called `name`. */
export function newProject(
  { description, diagnostics, placeOf, citations }: ReadDescription,
  name: string,
): NewProject {
  if (description === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const plan = makePlan(description);
  const { imported, lock } = importState({
    ...{ description, plan, select: [], placeOf, citations, name, sha256: "", before: undefined },
    add: false,
    isUsed: () => false,
  });
  const config = { source: name };
  const files = importFiles({ description, plan, imported, placeOf, name, config, version: "1.0.0" });
  return { plan, model: imported.model, files: [...files, lockFile(lock)] };
}

/** The one object of a document's plan. */
export function onlyObject(document: unknown): PlannedObject {
  const { objects, leftOut } = planned(document);
  const [object, another] = objects;
  if (object === undefined || another !== undefined)
    throw new Error(`${objects.length} objects; left out: ${leftOut.map(({ reason }) => reason).join(", ")}`);
  return object;
}

interface ListParts {
  readonly path?: string;
  /** Names of query parameters, or whole parameters. */
  readonly parameters?: readonly (string | object)[];
  /** Schema of the answer. */
  readonly answer: object;
  /** Headers of the answer. */
  readonly headers?: object;
  /** More operations. */
  readonly paths?: object;
  /** More members of the document. */
  readonly more?: object;
  readonly schemas?: object;
}

/** A document, as far as tests change it. */
export interface ListDocument {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly object[];
  readonly components: object;
  readonly paths: Readonly<Record<string, object>>;
}

/** A document of one list, GET /projects if no other path is given. */
export function listDocument(parts: ListParts): ListDocument {
  const {
    path = "/projects",
    parameters = [],
    answer,
    headers = {},
    paths = {},
    more = {},
    schemas = {},
  } = parts;
  return {
    openapi: "3.0.3",
    info: { title: "Test", version: "1" },
    servers: [{ url: "https://api.test" }],
    ...more,
    paths: {
      [path]: { get: operation({ answer, headers, parameters }) },
      ...paths,
    },
    components: { schemas },
  };
}

/** A GET that answers `answer`. */
export function operation({
  answer,
  headers = {},
  parameters = [],
}: Pick<ListParts, "answer" | "headers" | "parameters">): object {
  return {
    parameters: parameters.map((parameter) =>
      typeof parameter === "string"
        ? { name: parameter, in: "query", schema: { type: "integer" } }
        : parameter,
    ),
    responses: { 200: { description: "", headers, content: { "application/json": { schema: answer } } } },
  };
}

/** An object with these properties: names of texts, or schemas by name. */
export function objectOf(...properties: readonly (string | Readonly<Record<string, object>>)[]): object {
  return {
    type: "object",
    properties: Object.assign(
      {},
      ...properties.map((property) =>
        typeof property === "string" ? { [property]: { type: "string" } } : property,
      ),
    ),
  };
}

/** A list of `items`. */
export function listOf(items: object): object {
  return { type: "array", items };
}

/** What a test says that skips for want of the documents. */
export const NO_DOCUMENTS = `is not here: put OpenAPI documents into ${join(CORPUS_FOLDER, "openapi")}`;

/** Paths of the documents of the corpus; none where the folder is absent. */
export function corpusDocuments(): readonly {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}[] {
  const folder = join(CORPUS_FOLDER, "openapi");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, path: join(folder, name), text: readFileSync(join(folder, name), "utf8") }));
}

/**
 * A document with actions of every form: what a create answers is the record, its key, its address or nothing; a list below
 * another one, pages of three kinds, and a list of which nobody knows how it comes in pages.
 */
export function actionsDocument(): object {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const json = (schema: object) => ({ content: { "application/json": { schema } } });
  const variable = (name: string) => ({ name, in: "path", required: true, schema: { type: "integer" } });
  const text = { type: "string" };
  const integer = { type: "integer" };
  const page = { name: "page", in: "query", schema: { type: "integer", default: 1 } };
  const item = (name: string, operations: object) => ({ parameters: [variable(name)], ...operations });
  const told = (name: string) => objectOf({ data: ref(name) });
  return {
    openapi: "3.0.3",
    info: { title: "Yard", version: "1" },
    servers: [{ url: "https://yard.test/v1" }],
    security: [{ key: [] }],
    paths: {
      "/sites": {
        get: operation({ answer: listOf(ref("Site")), headers: { Link: { schema: text } } }),
        post: {
          requestBody: json(ref("NewSite")),
          responses: { 201: { description: "", headers: { Location: { schema: text } } } },
        },
      },
      "/sites/{id}": item("id", {
        get: operation({ answer: ref("Site") }),
        put: { requestBody: json(ref("NewSite")), responses: { 200: { description: "" } } },
        delete: { responses: { 200: { description: "" } } },
      }),
      "/sites/{site_id}/tools": item("site_id", {
        get: operation({
          answer: objectOf({ data: listOf(ref("Tool")), paging: objectOf("next_cursor") }),
          parameters: [{ name: "cursor", in: "query", schema: text }],
        }),
        post: {
          requestBody: json(ref("NewTool")),
          responses: { 201: { description: "", ...json(objectOf({ data: objectOf({ id: integer }) })) } },
        },
      }),
      "/sites/{site_id}/tools/{id}": {
        parameters: [variable("site_id"), variable("id")],
        get: operation({ answer: told("Tool") }),
        patch: {
          requestBody: json(ref("NewTool")),
          responses: { 200: { description: "", ...json(told("Tool")) } },
        },
        delete: { responses: { 204: { description: "" } } },
      },
      "/notes": {
        get: operation({ answer: listOf(ref("Note")), parameters: [page] }),
        post: { requestBody: json(objectOf("text")), responses: { 202: { description: "" } } },
      },
      "/notes/{id}": item("id", {
        post: { requestBody: json(objectOf("text")), responses: { 200: { description: "" } } },
        delete: { responses: { 200: { description: "" } } },
      }),
      "/visits": {
        get: operation({ answer: listOf(objectOf({ id: integer }, "guest")), parameters: ["limit"] }),
      },
    },
    components: {
      securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } },
      schemas: {
        Site: objectOf({ id: integer }, "name", "city"),
        NewSite: { ...objectOf("name", "city"), required: ["name"] },
        Tool: objectOf({ id: integer, site_id: integer, weight: { type: "number" } }, "name"),
        NewTool: { ...objectOf({ weight: { type: "number" } }, "name"), required: ["name"] },
        Note: objectOf({ id: integer }, "text"),
      },
    },
  };
}
