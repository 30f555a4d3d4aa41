import { expect } from "chai";
import type { Selection } from "../../generators/openapi/inference/make-plan.js";
import type { Decision } from "../../generators/openapi/inference/plan.js";
import { listDocument, listOf, objectOf, onlyObject, operation, planned } from "../support/openapi.js";

const NUMBER = { type: "integer" };
const PROJECT = objectOf("id", "name");
const item = (answer: object) => ({ get: operation({ answer }) });

function stateAndValue({ state, value }: Decision<unknown>): readonly [string, unknown] {
  return [state, value];
}

describe("what is a list", () => {
  const itemsOf = (answer: object, more: Partial<Parameters<typeof listDocument>[0]> = {}) =>
    stateAndValue(onlyObject(listDocument({ answer, ...more })).items);
  const reasonOf = (answer: object, more: Partial<Parameters<typeof listDocument>[0]> = {}) => {
    const { objects, leftOut } = planned(listDocument({ answer, ...more }));
    expect(objects.map(({ list }) => list.id)).to.deep.equal([]);
    return leftOut.map(({ reason }) => reason);
  };

  it("is an answer that is a list of objects", () => {
    expect(itemsOf(listOf(PROJECT))).to.deep.equal(["sure", "$"]);
    expect(reasonOf(listOf({ type: "string" }))).to.deep.equal([]);
  });

  it("is a list of a usual name, of the path's name, or of what one item answers", () => {
    expect(itemsOf(objectOf({ data: listOf(PROJECT) }))).to.deep.equal(["sure", "data"]);
    expect(itemsOf(objectOf({ projects: listOf(PROJECT), errors: listOf(objectOf("id")) }))).to.deep.equal([
      "sure",
      "projects",
    ]);
    const schemas = { Project: PROJECT };
    const ref = { $ref: "#/components/schemas/Project" };
    const other = objectOf({ found: listOf(ref), others: listOf(objectOf("id")) });
    expect(itemsOf(other, { schemas, paths: { "/projects/{id}": item(ref) } })).to.deep.equal([
      "sure",
      "found",
    ]);
  });

  it("may stand in an envelope", () => {
    expect(itemsOf(objectOf({ data: objectOf({ payload: listOf(PROJECT) }) }))).to.deep.equal([
      "sure",
      "data.payload",
    ]);
  });

  it("is what an extension names, also below a path that ends in a variable", () => {
    const answer = objectOf({ first: listOf(PROJECT), second: listOf(objectOf("id", "title")) });
    const named = { ...operation({ answer }), "x-fern-pagination": { results: "$response.second" } };
    const document = listDocument({ answer, paths: { "/boards/{id}": { get: named } } });
    const board = planned(document).objects.find(({ list }) => list.path === "/boards/{id}");
    expect(board && stateAndValue(board.items)).to.deep.equal(["sure", "second"]);
    const marked = { ...listOf(objectOf("id")), "x-stainless-pagination-property": { purpose: "items" } };
    expect(itemsOf(objectOf({ data: listOf(PROJECT), second: marked }))).to.deep.equal(["sure", "second"]);
    // Once for all operations.
    const root = { ...listDocument({ answer }), "x-fern-pagination": { results: "$response.second" } };
    Object.assign(root.paths["/projects"] ?? {}, {
      get: { ...operation({ answer }), "x-fern-pagination": true },
    });
    expect(stateAndValue(onlyObject(root).items)).to.deep.equal(["sure", "second"]);
  });

  it("is not sure if its only list is called otherwise, and is asked if none leads", () => {
    expect(itemsOf(objectOf({ found: listOf(PROJECT) }))).to.deep.equal(["middle", "found"]);
    const two = objectOf({ first: listOf(PROJECT), second: listOf(PROJECT) });
    expect(itemsOf(two)[0]).to.equal("ask");
  });

  it("is no record that has lists", () => {
    expect(reasonOf(objectOf("id", "name", "owner", { items: listOf(PROJECT) }))).to.deep.equal([]);
    const statistics = objectOf({ tags: listOf(PROJECT), a: NUMBER, b: NUMBER, c: NUMBER, d: NUMBER });
    expect(reasonOf(statistics)).to.deep.equal([]);
  });

  it("is told as left out if it is paged, or its name is a plural, and the document says otherwise", () => {
    expect(reasonOf(objectOf("id"), { parameters: ["page", "per_page"] })).to.deep.equal([
      'it takes "page" and "per_page", but the document says that it answers one record',
    ]);
    expect(reasonOf({})).to.deep.equal(["the document does not say what it answers"]);
    const byPost = planned({
      openapi: "3.0.0",
      paths: { "/a/search": { post: operation({ answer: listOf(PROJECT) }) } },
    });
    expect(byPost.leftOut.map(({ reason }) => reason)).to.deep.equal([
      "it reads by POST; an answer to it in openapi.config.ts, if only {}, makes it a list",
    ]);
  });

  it("is left out where it is deprecated, unless somebody names it", () => {
    const document = listDocument({
      answer: listOf(PROJECT),
      paths: { "/old": { get: { ...operation({ answer: listOf(PROJECT) }), deprecated: true } } },
    });
    const listsOf = (selection: Selection) => planned(document, selection).objects.map(({ list }) => list.id);
    expect(planned(document).leftOut.map(({ operation: { id }, reason }) => [id, reason])).to.deep.equal([
      ["GET /old", "it is deprecated; --select or an answer in openapi.config.ts that names it takes it"],
    ]);
    expect(listsOf({})).to.deep.equal(["GET /projects"]);
    expect(listsOf({ answers: { "GET /old": {} } })).to.deep.equal(["GET /projects", "GET /old"]);
    expect(listsOf({ select: ["/old"] })).to.deep.equal(["GET /old"]);
    expect(listsOf({ select: ["get /old"] })).to.deep.equal(["GET /old"]);
    const known = new Map([["GET /old", { name: "Old", decisions: new Map() }]]);
    expect(listsOf({ known })).to.include("GET /old");
  });

  it("is one object for all lists of one schema, by the list that gives all of them", () => {
    const list = operation({ answer: listOf({ $ref: "#/components/schemas/Tag" }) });
    const document = {
      openapi: "3.0.0",
      paths: {
        "/tags/search": { get: list },
        "/projects/{id}/tags": { get: list },
        "/tags": { get: list },
      },
      components: { schemas: { Tag: PROJECT } },
    };
    const tag = onlyObject(document);
    expect(tag.name).to.equal("Tag");
    expect([tag.list.id, ...tag.others.map(({ id }) => id).sort()]).to.deep.equal([
      "GET /tags",
      "GET /projects/{id}/tags",
      "GET /tags/search",
    ]);
  });

  it("is taken if its tag or its path is named", () => {
    const list = { ...operation({ answer: listOf(PROJECT) }), tags: ["Work"] };
    const document = { openapi: "3.0.0", paths: { "/a": { get: list }, "/ab": item(listOf(PROJECT)) } };
    const paths = (...select: readonly string[]) =>
      planned(document, { select }).objects.map(({ list: { path } }) => path);
    expect(paths()).to.deep.equal(["/a", "/ab"]);
    expect(paths("work")).to.deep.equal(["/a"]);
    expect(paths("/a")).to.deep.equal(["/a"]);
    expect(paths("GET /ab", "Work")).to.deep.equal(["/a", "/ab"]);
  });
});

describe("the key of a list", () => {
  const keyOf = (record: object, more: Partial<Parameters<typeof listDocument>[0]> = {}) =>
    stateAndValue(onlyObject(listDocument({ answer: listOf(record), ...more })).key);

  it("is what names an item, or id", () => {
    expect(keyOf(PROJECT)).to.deep.equal(["sure", ["id"]]);
    const paths = { "/projects/{projectKey}": item(PROJECT) };
    expect(keyOf(objectOf("projectKey", "id"), { paths })).to.deep.equal(["sure", ["projectKey"]]);
    // A name may change, and may be taken twice.
    expect(keyOf(PROJECT, { paths: { "/projects/{name}": item(PROJECT) } })).to.deep.equal(["sure", ["id"]]);
  });

  it("is asked for where a list of a parent gives what others have, too", () => {
    const shows = objectOf("show_id");
    const document = listDocument({
      path: "/tags",
      answer: listOf(objectOf("id", "name")),
      paths: {
        "/tags/{tag_id}/shows": {
          get: operation({ answer: listOf({ $ref: "#/components/schemas/Tagged" }) }),
        },
        "/tags/{tag_id}/shows/{show_id}": { delete: { responses: {} } },
        "/tags/{tag_id}/notes": { get: operation({ answer: listOf({ $ref: "#/components/schemas/Note" }) }) },
      },
      schemas: { Tagged: shows, Note: objectOf("note_id") },
    });
    const keys = planned(document).objects.map(({ name, key }) => [name, ...stateAndValue(key)]);
    expect(keys).to.deep.equal([
      ["Tag", "sure", ["id"]],
      ["Tagged", "ask", ["show_id"]],
      ["Note", "middle", ["note_id"]],
    ]);
  });

  it("is no variable of a path that lists records, too", () => {
    const open = { $ref: "#/components/schemas/Open" };
    const schemas = { Open: objectOf("message_id", "read_at") };
    const keyBeside = (answer: object) => {
      const paths = { "/opens/{message_id}": item(answer) };
      return stateAndValue(
        onlyObject(listDocument({ path: "/opens", answer: listOf(open), schemas, paths })).key,
      );
    };
    expect(keyBeside(open)).to.deep.equal(["sure", ["message_id"]]);
    expect(keyBeside(listOf(open))[0]).to.equal("ask");
    expect(keyBeside(objectOf({ opens: listOf(open) }, "total"))[0]).to.equal("ask");
  });

  it("is no value by which the whole list was asked for, and nothing that identifies another thing", () => {
    const unique = (...names: readonly string[]) =>
      objectOf(
        Object.fromEntries(
          names.map((name) => [name, { type: "string", description: "A unique identifier of it." }]),
        ),
        "amount",
      );
    const paths = {
      "/accounts/{account_id}/balances": { get: operation({ answer: listOf(unique("account_id")) }) },
    };
    const document = listDocument({ path: "/accounts", answer: listOf(objectOf("id")), paths });
    const [, balance] = planned(document).objects;
    expect(balance?.key.state).to.equal("ask");
    expect(keyOf(unique("committee_id"))).to.deep.equal(["ask", ["committee_id"]]);
    expect(keyOf(unique("candidate_id"), { path: "/totals/by_candidate" })[0]).to.equal("ask");
    expect(keyOf(unique("number"))[0]).to.equal("ask");
    // What a user and a group of a machine are called by.
    expect(keyOf(objectOf("name", "uid", "gid"))[0]).to.equal("ask");
  });

  it("is the identifier that is named after the thing, one of the world, or what an item is called by", () => {
    expect(keyOf(objectOf("owner_id", "project_id"))).to.deep.equal(["sure", ["project_id"]]);
    expect(keyOf(objectOf("ownerId", "uuid"))).to.deep.equal(["sure", ["uuid"]]);
    const paths = { "/projects/{project_name}": item(PROJECT) };
    expect(keyOf(objectOf("name", "color"), { paths })).to.deep.equal(["sure", ["name"]]);
  });

  it("is asked if an identifier may be another thing's, and never is a name by itself", () => {
    expect(keyOf(objectOf("account_id", "name"))).to.deep.equal(["ask", ["account_id"]]);
    expect(keyOf(objectOf("name", "color"))).to.deep.equal(["ask", []]);
    expect(keyOf({ type: "object" })).to.deep.equal(["ask", []]);
    expect(keyOf(objectOf({ id: objectOf("value") }))).to.deep.equal(["ask", []]);
  });

  it("has the parent's in it, unless it is one for all the world or the item has a path of its own", () => {
    const task = (answer: object) => ({ "/projects/{projectId}/tasks": item(listOf(answer)) });
    const keys = (answer: object, paths: object = {}) => {
      const document = listDocument({ answer: listOf(PROJECT), paths: { ...task(answer), ...paths } });
      const found = planned(document).objects.find(({ list }) => list.path.endsWith("/tasks"));
      if (found === undefined) throw new Error("no tasks");
      expect(found.values.map(({ value }) => value.source)).to.deep.equal([
        { kind: "parent", object: "Project", property: "id" },
      ]);
      return stateAndValue(found.key);
    };
    expect(keys(objectOf("id", "project_id"))).to.deep.equal(["sure", ["project_id", "id"]]);
    expect(keys(objectOf({ id: { type: "string", format: "uuid" } }, "project_id"))).to.deep.equal([
      "sure",
      ["id"],
    ]);
    expect(keys(objectOf("id", "title"))).to.deep.equal(["middle", ["id"]]);
  });

  it("is its own where an item has a path without its parent", () => {
    const schemas = { Task: objectOf("id", "project_id") };
    const ref = { $ref: "#/components/schemas/Task" };
    const document = (paths: object) =>
      listDocument({
        answer: listOf(PROJECT),
        schemas,
        paths: { "/projects/{projectId}/tasks": item(listOf(ref)), ...paths },
      });
    const keyOfTask = (paths: object) =>
      planned(document(paths)).objects.find(({ name }) => name === "Task")?.key.value;
    expect(keyOfTask({})).to.deep.equal(["project_id", "id"]);
    expect(keyOfTask({ "/tasks/{taskId}": item(ref) })).to.deep.equal(["id"]);
    expect(keyOfTask({ "/tasks/{taskId}": item(PROJECT) })).to.deep.equal(["project_id", "id"]);
  });
});

describe("what a list is asked for with", () => {
  const valuesOf = (document: object, path: string) =>
    planned(document)
      .objects.find(({ list }) => list.path === path)
      ?.values.map(({ state, value: { name, source } }) => [state, name, source]);

  it("is a value of each parent that a list at the path before gives", () => {
    const document = listDocument({
      answer: listOf(objectOf("id", "slug")),
      paths: {
        "/projects/{project_slug}/tasks": item(listOf(objectOf("id"))),
        "/projects/{x}/notes": item(listOf(objectOf("id"))),
        "/teams/{team_id}/members": item(listOf(objectOf("id"))),
      },
    });
    const parent = { kind: "parent", object: "Project" };
    expect(valuesOf(document, "/projects/{project_slug}/tasks")).to.deep.equal([
      ["sure", "project_slug", { ...parent, property: "slug" }],
    ]);
    expect(valuesOf(document, "/projects/{x}/notes")).to.deep.equal([
      ["ask", "x", { kind: "setting", name: "x" }],
    ]);
    expect(valuesOf(document, "/teams/{team_id}/members")?.[0]?.[0]).to.equal("ask");
  });

  it("is asked where lists are in lists in lists", () => {
    const record = (...names: readonly string[]) => item(listOf(objectOf("id", ...names)));
    const document = listDocument({
      answer: listOf(PROJECT),
      paths: {
        "/projects/{project_id}/tasks": record(),
        "/projects/{project_id}/tasks/{task_id}/notes": record(),
        "/projects/{project_id}/tasks/{task_id}/notes/{note_id}/files": record(),
      },
    });
    const statesOf = (path: string) => valuesOf(document, path)?.map(([state]) => state);
    expect(statesOf("/projects/{project_id}/tasks/{task_id}/notes")).to.deep.equal(["sure", "sure"]);
    expect(statesOf("/projects/{project_id}/tasks/{task_id}/notes/{note_id}/files")).to.deep.equal([
      "ask",
      "sure",
      "sure",
    ]);
  });

  it("is a setting for what leads most paths", () => {
    const document = {
      openapi: "3.0.0",
      paths: {
        "/accounts/{account_id}/users": item(listOf(objectOf("id"))),
        "/accounts/{account_id}/teams": item(listOf(objectOf("id"))),
      },
    };
    const setting = ["sure", "account_id", { kind: "setting", name: "account_id" }];
    expect(valuesOf(document, "/accounts/{account_id}/users")).to.deep.equal([setting]);
  });

  it("is no property of a parent that the list of its path does not have", () => {
    const groups = objectOf({ data: objectOf({ category_groups: listOf(objectOf("id")) }) });
    const below = "/categories/{category_id}/transactions";
    const document = listDocument({
      path: "/categories",
      answer: groups,
      paths: { [below]: item(listOf(objectOf("id"))) },
    });
    expect(valuesOf(document, below)?.[0]?.[0]).to.equal("ask");
  });

  it("is no setting of a name that leads the paths of many things", () => {
    const paths = Object.fromEntries(
      ["a", "b", "c"].map((name) => [`/${name}/{id}/users`, item(listOf(objectOf("id")))]),
    );
    expect(valuesOf({ openapi: "3.0.0", paths }, "/a/{id}/users")?.[0]?.[0]).to.equal("ask");
  });

  it("is the only value of a variable, or the one that chooses JSON", () => {
    const path = "/{format}/{version}/projects";
    const variable = (name: string, ...values: readonly string[]) => ({
      ...{ name, in: "path", required: true },
      schema: { type: "string", enum: values },
    });
    const parameters = [variable("format", "XML", "JSON"), variable("version", "v3")];
    const document = listDocument({ path, answer: listOf(PROJECT), parameters });
    expect(valuesOf(document, path)).to.deep.equal([
      ["sure", "format", { kind: "value", value: "JSON" }],
      ["sure", "version", { kind: "value", value: "v3" }],
    ]);
  });

  it("is its one value, else asked, for what the target system insists on", () => {
    const needed = (name: string, schema: object) => ({ name, in: "query", required: true, schema });
    const document = listDocument({
      answer: listOf(PROJECT),
      parameters: [
        needed("kind", { type: "string", enum: ["all"] }),
        needed("lang", { type: "string", default: "en" }),
        needed("team", { type: "string" }),
        needed("api_key", { type: "string", default: "DEMO" }),
        needed("app_secret", { type: "string", default: "DEMO" }),
      ],
      paths: { "/a": item(objectOf("a")), "/b": item(objectOf("b")) },
    });
    expect(valuesOf(document, "/projects")).to.deep.equal([
      ["sure", "kind", { kind: "value", value: "all" }],
      ["sure", "lang", { kind: "value", value: "en" }],
      ["ask", "team", { kind: "setting", name: "team" }],
      // A credential that stands in a document is an example.
      ["ask", "app_secret", { kind: "setting", name: "app_secret" }],
    ]);
  });

  it("is said of filters that hold unless something is sent", () => {
    const filter = (name: string, schema: object, description = "") => ({
      name,
      in: "query",
      schema,
      description,
    });
    const document = listDocument({
      answer: listOf(PROJECT),
      parameters: [
        filter("state", { type: "string", enum: ["open", "closed", "all"], default: "open" }),
        filter("status", { type: "string", enum: ["open", "closed"], default: "open" }),
        filter("assignee", { type: "string", enum: ["me", "all"], default: "all" }),
        filter("sort", { type: "string", enum: ["asc", "desc"], default: "asc" }),
        filter("date-format", { type: "string", enum: ["iso", "short"], default: "iso" }),
        filter("facet_sort", { type: "string", enum: ["count", "index"], default: "count" }),
        filter("startDate", { type: "string", format: "date" }, "Defaults to today"),
      ],
    });
    expect(valuesOf(document, "/projects")).to.deep.equal([
      ["sure", "state", { kind: "value", value: "all" }],
      ["ask", "status", { kind: "value", value: "open" }],
      ["ask", "startDate", { kind: "setting", name: "startDate" }],
    ]);
  });
});

describe("what has changed", () => {
  const sinceOf = (parameters: readonly object[], record: object) =>
    stateAndValue(onlyObject(listDocument({ answer: listOf(record), parameters })).since);
  const time = { type: "string", format: "date-time" };
  const record = objectOf("id", "updatedAt");

  it("is asked for with a parameter of the query, a header, or a member of a filter", () => {
    const value = { property: "updatedAt", format: "iso" };
    const query = { name: "updated_since", in: "query", schema: time };
    expect(sinceOf([query], record)).to.deep.equal(["sure", { ...value, send: "updated_since" }]);
    const header = { name: "If-Modified-Since", in: "header", schema: { type: "string" } };
    expect(sinceOf([header], record)).to.deep.equal([
      "sure",
      { property: "updatedAt", send: { header: "If-Modified-Since" }, format: "httpDate" },
    ]);
    const filter = {
      name: "filter",
      in: "query",
      style: "deepObject",
      schema: objectOf({ modified_after: time }),
    };
    expect(sinceOf([filter], record)).to.deep.equal(["sure", { ...value, send: "filter[modified_after]" }]);
  });

  it("is asked from the time of the answer if records do not tell, and not at all if nothing asks", () => {
    const query = { name: "modifiedAfter", in: "query", schema: time };
    expect(sinceOf([query], PROJECT)).to.deep.equal(["middle", { send: "modifiedAfter", format: "iso" }]);
    expect(sinceOf([], record)).to.deep.equal(["sure", undefined]);
    // Seconds or milliseconds: the document does not say.
    const number = { name: "updated_since", in: "query", schema: NUMBER };
    expect(sinceOf([number], record)).to.deep.equal(["middle", undefined]);
    const created = { name: "created_after", in: "query", schema: time };
    expect(sinceOf([created], record)).to.deep.equal(["sure", undefined]);
  });
});

describe("how calls are signed", () => {
  const signed = (securitySchemes: object, security: readonly object[] = []) =>
    planned({
      ...listDocument({ answer: listOf(PROJECT) }),
      ...(security.length > 0 && { security }),
      components: { securitySchemes },
    }).connections.map(({ auth }) => [auth.state, auth.value.authType]);

  it("follows the scheme of the document", () => {
    const key = { type: "apiKey", in: "header", name: "X-Key" };
    expect(signed({ key })).to.deep.equal([["sure", "ApiKey"]]);
    expect(signed({ key: { ...key, in: "cookie" } })).to.deep.equal([["middle", "Custom"]]);
    expect(signed({ b: { type: "http", scheme: "basic" } })).to.deep.equal([["sure", "Basic"]]);
    expect(signed({ b: { type: "http", scheme: "bearer" } })).to.deep.equal([["sure", "ApiKey"]]);
    const flow = { authorizationUrl: "https://a.test/a", tokenUrl: "https://a.test/t", scopes: {} };
    const oauth = {
      type: "oauth2",
      flows: { authorizationCode: flow, clientCredentials: flow, implicit: flow },
    };
    expect(signed({ oauth })).to.deep.equal([
      ["sure", "OAuth2CodeFlow"],
      ["sure", "OAuth2ClientCredentials"],
    ]);
    expect(signed({ oidc: { type: "openIdConnect" } })).to.deep.equal([["middle", "Custom"]]);
    expect(signed({})).to.deep.equal([["ask", "Custom"]]);
  });

  it("has a definition for each alternative, and one for what is used together", () => {
    const key = { type: "apiKey", in: "header", name: "X-Key" };
    const basic = { type: "http", scheme: "basic" };
    expect(signed({ key, basic }, [{ key: [] }, { basic: [] }])).to.deep.equal([
      ["sure", "ApiKey"],
      ["sure", "Basic"],
    ]);
    expect(signed({ key, basic }, [{ key: [], basic: [] }])).to.deep.equal([["sure", "Custom"]]);
    const flow = { authorizationUrl: "https://a.test/a", tokenUrl: "https://a.test/t", scopes: {} };
    const [one, two] = ["implicit", "authorizationCode"].map((name) => ({
      type: "oauth2",
      flows: { [name]: flow },
    }));
    expect(signed({ one, two }, [{ one: [], two: [] }])).to.deep.equal([["sure", "OAuth2CodeFlow"]]);
  });

  it("leaves out what is signed otherwise", () => {
    const list = operation({ answer: listOf(PROJECT) });
    const document = {
      openapi: "3.0.0",
      security: [{ user: [] }],
      paths: {
        "/a": { get: list },
        "/b": { get: list },
        "/c": { get: { ...list, security: [{ admin: [] }] } },
      },
      components: {
        securitySchemes: {
          admin: { type: "apiKey", in: "header", name: "X-Admin" },
          user: { type: "apiKey", in: "header", name: "X-User" },
        },
      },
    };
    const { connections, objects, leftOut } = planned(document);
    expect(connections.map(({ name }) => name)).to.deep.equal(["User"]);
    expect(objects.map(({ list: { path } }) => path)).to.deep.equal(["/a", "/b"]);
    expect(leftOut.map(({ reason }) => reason)).to.deep.equal(["it is signed by admin, unlike most lists"]);
  });

  it("finds the address, or lets the user enter it", () => {
    const addressOf = (...urls: readonly string[]) =>
      stateAndValue(
        planned(listDocument({ answer: listOf(PROJECT), more: { servers: urls.map((url) => ({ url })) } }))
          .address,
      );
    expect(addressOf("https://api.test/v1")).to.deep.equal([
      "sure",
      { kind: "fixed", url: "https://api.test/v1" },
    ]);
    for (const url of [
      "/v1",
      "http://localhost:80",
      "https://{tenant}.api.test",
      "{protocol}://a.test",
      "https://x.example.com",
      "https://your-domain.atlassian.net",
    ])
      expect(addressOf(url)[1], url).to.deep.equal({ kind: "property", example: url });
    expect(addressOf()[1]).to.deep.equal({ kind: "property", example: "" });
    expect(addressOf("https://a.test", "https://b.test")[0]).to.equal("middle");
  });
});
