import { expect } from "chai";
import fc from "fast-check";
import { text as anyText } from "../support/arbitraries.js";
import { typeErrors, withProjects } from "../support/author-project.js";
import { described, listDocument, listOf, newProject, objectOf, operation } from "../support/openapi.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const PROJECT = objectOf("id", "name");

/** The files of a document, by their paths. */
function filesOf(document: unknown): Readonly<Record<string, string>> {
  const { files } = newProject(described(document), "api.json");
  return Object.fromEntries(files.map(({ path, content }) => [path, content]));
}

describe("the files of an imported document", () => {
  it("say what the document says in a base, and what the author changes in modules that spread it", () => {
    const files = filesOf(
      listDocument({
        answer: objectOf({ data: listOf(PROJECT) }),
        paths: { "/projects/{project_id}/tasks": { get: operation({ answer: listOf(objectOf("id")) }) } },
      }),
    );
    expect(files["imported/app/project.ts"]).to.include('primaryKey: "id"').and.to.include("Do not edit");
    expect(files["schemas/app/project.ts"]).to.include('defineDataObject("Project", { ...projectBase })');
    expect(files["imported/app/readers/project.ts"]).to.include('items: "data"');
    expect(files["modules/app/task/task-reader.ts"])
      .to.include("...taskReaderBase")
      .and.to.include('project_id: from(projectReader, "id")');
    expect(files["modules/app/services.ts"]).to.include("Task: taskReader");
  });

  it("read records leniently: only the key is required, enums are open, limits hold for inputs only", () => {
    const schema = {
      type: "object",
      required: ["name", "state"],
      properties: {
        id: { type: "string", nullable: true },
        name: { type: "string", maxLength: 3, pattern: "^a" },
        state: { type: "string", enum: ["open", "closed"] },
        at: { type: "string", format: "date-time" },
        size: { type: "integer", format: "int32", minimum: 1 },
        any: { oneOf: [{ type: "string" }, { type: "integer" }] },
        email: { type: "string" },
        password: { type: "string", writeOnly: true },
        tags: { type: "array", items: { type: "string" } },
        more: { type: "object", additionalProperties: { type: "integer" } },
      },
    };
    const text = filesOf(listDocument({ answer: listOf(schema) }))["imported/app/project.ts"] ?? "";
    expect(text).to.include("    id: Type.String(),\n");
    expect(text).to.include("    name: Type.Optional(Type.String()),\n");
    expect(text).to.match(
      /state: Type\.Optional\(Type\.String\(\{\s+description: "One of \\"open\\", \\"closed\\", and what may come later\."/,
    );
    expect(text).to.include('at: Type.Optional(Type.String({ format: "date-time" }))');
    expect(text).to.include("size: Type.Optional(Type.Integer())");
    expect(text).to.include("any: Type.Optional(Type.Unknown())");
    expect(text).to.include("email: Type.Optional(Type.String({ writeOnly: true }))");
    expect(text).to.not.include("password");
    expect(text).to.include("tags: Type.Optional(Type.Array(Type.String()))");
    expect(text).to.include("more: Type.Optional(Type.Record(Type.String(), Type.Integer()))");
  });

  it("end where records hold each other, or go too deep", () => {
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const deep = (levels: number): object =>
      levels === 0 ? objectOf("leaf") : objectOf({ inner: deep(levels - 1) });
    const text = filesOf(
      listDocument({
        answer: listOf(ref("Project")),
        paths: { "/users": { get: operation({ answer: listOf(ref("User")) }) } },
        schemas: {
          Project: objectOf("id", "title", {
            owner: ref("User"),
            parent: ref("Project"),
            deep: deep(9),
            tree: ref("Tree"),
          }),
          User: objectOf("id", "login"),
          Tree: objectOf({ children: listOf(ref("Tree")) }),
        },
      }),
    )["imported/app/project.ts"];
    expect(text).to.match(
      /owner: Type\.Optional\(Type\.Object\(\{ id: Type\.Optional\(Type\.String\(\)\) \}\)\)/,
    );
    expect(text).to.match(
      /parent: Type\.Optional\(Type\.Object\(\{ id: Type\.Optional\(Type\.String\(\)\) \}\)\)/,
    );
    expect(text).to.include("Cut here").and.to.not.include("leaf");
  });

  it("hold no list that is not decided, but an undecided reader with the question", () => {
    const files = filesOf(
      listDocument({
        answer: listOf(PROJECT),
        parameters: ["limit"],
        paths: { "/notes": { get: operation({ answer: listOf(objectOf("title")) }) } },
      }),
    );
    expect(files["modules/app/project/project-reader.ts"])
      .to.include("// ? pages: there is parameter")
      .and.to.match(/export const projectReader = undecided\("GET \/projects: pages: there is/);
    expect(Object.keys(files).filter((path) => path.includes("readers/"))).to.deep.equal([]);
    expect(files["imported/left-out.md"]).to.include("`GET /notes`: it has no key");
    expect(
      JSON.parse(files["imported/lock.json"] ?? "").objects.map(({ name }: { name: string }) => name),
    ).to.deep.equal(["Project", "Note"]);
  });

  it("perform what the document offers: what is sent strictly, what comes back to the cache", () => {
    const ref = { $ref: "#/components/schemas/Project" };
    const sent = {
      type: "object",
      required: ["state"],
      properties: {
        id: { type: "string", readOnly: true },
        state: { type: "string", enum: ["open", "closed"] },
        title: { type: "string", maxLength: 9, pattern: "(" },
        size: { type: "integer", minimum: 5, maximum: 1 },
      },
    };
    const body = { requestBody: { content: { "application/json": { schema: sent } } } };
    const answers = (schema: object) => ({
      responses: { 200: { content: { "application/json": { schema } } } },
    });
    const files = filesOf(
      listDocument({
        answer: listOf(ref),
        schemas: { Project: PROJECT },
        paths: {
          "/projects": {
            get: operation({ answer: listOf(ref) }),
            post: { ...body, ...answers(objectOf({ data: ref })) },
          },
          "/projects/{project_id}": {
            parameters: [{ name: "project_id", in: "path", required: true, schema: { type: "string" } }],
            get: operation({ answer: ref }),
            put: { ...body, responses: { 204: {} } },
            delete: { responses: { 204: {} } },
          },
          "/files": {
            get: operation({ answer: listOf(objectOf("id")) }),
            post: { requestBody: { content: { "text/csv": { schema: {} } } }, responses: {} },
          },
        },
      }),
    );
    const schemas = files["imported/app/actions/create-project.ts"] ?? "";
    expect(schemas).to.match(
      /createProjectBase = \{[\s\S]*input: Type\.Object\(\{\s+state: StringEnum\(\["open", "closed"\]\)/,
    );
    expect(schemas).to.include("title: Type.Optional(Type.String({ maxLength: 9 }))");
    expect(schemas).to.include("size: Type.Optional(Type.Integer())");
    const update = files["imported/app/actions/update-project.ts"] ?? "";
    expect(update).to.match(/updateProjectBase = \{[\s\S]*input: Type\.Object\(\{\s+id: Type\.String\(\)/);
    expect(files["schemas/app/project.ts"]).to.include(
      'CreateProject = defineAction("Create", { dataObject: Project, ...createProjectBase })',
    );
    const create = files["imported/app/handlers/create-project.ts"];
    expect(create)
      .to.include('call: "POST /projects"')
      .and.to.include('record: "data"')
      .and.to.include('change: "upsert"');
    expect(files["imported/app/handlers/update-project.ts"])
      .to.include("PUT replaces the whole record")
      .and.to.include('path: { project_id: input("id") }')
      .and.to.include('call: "GET /projects/{project_id}"');
    expect(files["imported/app/handlers/delete-project.ts"]).to.include('change: "delete"');
    expect(files["modules/app/project/create-project-handler.ts"]).to.include(
      "{ ...createProjectHandlerBase }",
    );
    expect(files["modules/app/services.ts"]).to.include("CreateProject: createProjectHandler");
    expect(files["imported/left-out.md"]).to.include(
      "`POST /files`: no Create of File: it takes text/csv, no JSON",
    );
  });

  it("take a text for a variable whose name is a whole object in the record", () => {
    const task = objectOf("id", { project: objectOf("id", "name") });
    const files = filesOf(
      listDocument({
        answer: listOf(PROJECT),
        paths: {
          "/projects/{project}/tasks": {
            get: operation({ answer: listOf(task) }),
            post: {
              requestBody: { content: { "application/json": { schema: objectOf("title") } } },
              responses: {},
            },
          },
        },
      }),
    );
    expect(files["imported/app/actions/create-task.ts"]).to.match(
      /input: Type\.Object\(\{\s+project: Type\.String\(\)/,
    );
  });

  it("name an item by its key where a variable is called as the thing is, and leave out what names it otherwise", () => {
    const pathsOf = (variable: string) => ({
      [`/projects/{${variable}}`]: { delete: { responses: { 204: {} } } },
    });
    const deleted = (variable: string) =>
      filesOf(listDocument({ answer: listOf(PROJECT), paths: pathsOf(variable) }));
    for (const variable of ["id", "project", "projectId", "pid"])
      expect(deleted(variable)["imported/app/handlers/delete-project.ts"]).to.include(
        `${variable}: input("id")`,
      );
    expect(deleted("slug")["imported/left-out.md"]).to.include(
      "`DELETE /projects/{slug}`: no Delete of Project: nothing is known of its path slug",
    );
  });

  it("sign calls as the document says, for each of its schemes", () => {
    const document = {
      ...listDocument({ answer: listOf(PROJECT) }),
      security: [{ key: [] }, { bearer: [] }, { basic: [] }],
      components: {
        securitySchemes: {
          key: { type: "apiKey", in: "query", name: "token" },
          bearer: { type: "http", scheme: "bearer" },
          basic: { type: "http", scheme: "basic" },
        },
      },
    };
    const files = filesOf(document);
    expect(files["client/key-handler.ts"]).to.include(
      'apiKeyHandler({ key: connection.apiKey, name: "token", in: "query" })',
    );
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what is written
    expect(files["client/bearer-handler.ts"]).to.include("value: () => `Bearer ${connection.apiKey}`");
    expect(files["client/client-helper.ts"]?.match(/servicesOf\(/g)).to.have.length(3);
    expect(files["connector.ts"]).to.include("connections: [Key, Bearer, BasicAuth]");
    expect(files["connections/connection-test-handler.ts"]).to.include('client.get("projects"');
  });

  it("test a connection by a list that needs nothing but the connection", () => {
    const tenant = { name: "X-Tenant", in: "header", required: true, schema: { type: "string" } };
    const kind = { name: "kind", in: "query", required: true, schema: { type: "string", enum: ["a'b"] } };
    const list = { get: operation({ answer: listOf(PROJECT), parameters: [tenant, kind] }) };
    const files = filesOf({
      openapi: "3.0.0",
      servers: [{ url: "https://api.test" }],
      paths: { "/accounts/{account}/Projects": list, "/accounts/{account}/users": list },
    });
    expect(files["connections/connection-test-handler.ts"]).to.include(
      [
        "({ client, connection, signal }) =>",
        `  client.get("accounts/" + encodeURIComponent(connection.account) + "/Projects", { query: { kind: "a'b" }, headers: { "X-Tenant": connection.xTenant }, signal });`,
      ].join("\n"),
    );
  });

  it("stay in the project and type-check, whatever names and texts a document holds", async function () {
    this.timeout(SLOW_TEST_MS);
    const cases: (readonly { readonly path: string; readonly content: string }[])[] = [];
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 14, maxLength: 14 }), (texts) => {
        const files = filesOf(hostile(texts));
        for (const path of Object.keys(files))
          expect(path)
            .to.match(/^(?:\.github\/|\.gitignore$|[A-Za-z])[\w./-]*$/)
            .and.to.not.include("..");
        const typed = Object.entries(files).filter(([path]) =>
          /^(?:imported|schemas|connections)\/.*(?<!test-handler)\.ts$|^connector\.ts$/.test(path),
        );
        cases.push(typed.map(([path, content]) => ({ path, content })));
      }),
      { numRuns: 40 },
    );
    expect(await withProjects(cases, (folder) => typeErrors(folder))).to.equal("");
  });
});

/** A document in which each name and each text may be anything. */
function hostile(texts: readonly string[]): object {
  const at = (index: number) => texts[index] ?? "";
  const schema = {
    type: "object",
    description: at(0),
    properties: Object.fromEntries([
      ["id", { type: "string", description: at(1) }],
      [at(2), { type: "string", enum: [at(3)], description: at(4) }],
      [at(5), objectOf({ [at(6)]: { type: "integer", description: at(4) } })],
    ]),
  };
  const parameter = {
    name: at(7) || "x",
    in: "header",
    required: true,
    description: at(8),
    schema: { type: "string" },
  };
  return {
    openapi: "3.0.0",
    info: { title: at(9), description: at(10) },
    servers: [{ url: "https://api.test" }],
    paths: {
      [`/${at(11)}`]: {
        get: operation({ answer: listOf({ $ref: "#/components/schemas/Thing" }), parameters: [parameter] }),
      },
      "/things": {
        get: operation({ answer: objectOf({ [at(12)]: listOf(schema) }) }),
        post: {
          summary: at(1),
          requestBody: {
            content: {
              "application/json": {
                schema: {
                  ...schema,
                  required: [at(2)],
                  properties: { ...schema.properties, [at(6)]: { type: "string", pattern: at(4) } },
                },
              },
            },
          },
          responses: {},
        },
      },
    },
    security: [{ [at(13)]: [] }],
    components: {
      schemas: { Thing: schema },
      securitySchemes: {
        [at(13)]: { type: "apiKey", in: "query", name: at(7) || "key", description: at(8) },
      },
    },
  };
}
