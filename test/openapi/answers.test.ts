import { expect } from "chai";
import type { Selection } from "../../generators/openapi/inference/make-plan.js";
import type { PlannedObject } from "../../generators/openapi/inference/plan.js";
import { isDecided } from "../../generators/openapi/inference/plan.js";
import { listDocument, listOf, objectOf, operation, planned } from "../support/openapi.js";

const PROJECT = objectOf("id", "slug", { team: { type: "object" } });
const DOCUMENT = listDocument({
  answer: objectOf({ data: listOf(PROJECT), extra: listOf(objectOf("x")) }),
  parameters: ["limit", { name: "archived", in: "query", schema: { type: "boolean" } }],
  paths: {
    "/teams": { get: operation({ answer: listOf(objectOf("id", "code")) }) },
    "/groups/{group}/people": {
      get: operation({
        answer: listOf(objectOf("id")),
        parameters: [{ name: "region", in: "query", required: true, schema: { type: "string" } }],
      }),
    },
    "/health": { get: operation({ answer: objectOf("state") }) },
  },
});

/** What is noted of answers that several operations share. */
function noted(sharedAnswers: Selection["sharedAnswers"], answers: Selection["answers"] = {}) {
  const { notes } = planned(DOCUMENT, { answers, ...(sharedAnswers && { sharedAnswers }) });
  return notes.map(({ kind, steps, reason }) => [kind, steps.join(" "), reason]);
}

function withAnswers(answers: Selection["answers"], more: Omit<Selection, "answers"> = {}) {
  const plan = planned(DOCUMENT, { ...more, ...(answers && { answers }) });
  const object = (name: string): PlannedObject => {
    const found = plan.objects.find((one) => one.name === name);
    if (found === undefined) throw new Error(`${name} is not planned.`);
    return found;
  };
  return { plan, object };
}

function refused(answers: Selection["answers"], more: Omit<Selection, "answers"> = {}) {
  const { notes } = withAnswers(answers, more).plan;
  return notes.map(({ kind, steps, reason, hint }) => [kind, steps.join(" "), reason, hint]);
}

describe("what an author answers", () => {
  it("goes before what the document says, and names where it comes from", () => {
    const pages = { kind: "page", send: "page", first: 1 } as const;
    const since = { send: "changed", format: "iso" } as const;
    const { object, plan } = withAnswers({
      "GET /projects": { name: "Undertaking", items: "extra", key: "x", pages, since },
    });
    const found = object("Undertaking");
    expect(found.items.value).to.equal("extra");
    expect(found.record.properties.map(({ name }) => name)).to.deep.equal(["x"]);
    expect([found.key.value, found.pages.value, found.since.value]).to.deep.equal([["x"], pages, since]);
    expect(
      [found.items, found.key, found.pages].map(({ state, evidence }) => [state, evidence]),
    ).to.deep.equal(Array.from({ length: 3 }, () => ["sure", "openapi.config.ts says so"]));
    expect(plan.notes).to.deep.equal([]);
  });

  it("decides what the document leaves open", () => {
    const answers: Selection["answers"] = {
      "GET /projects": { pages: { kind: "one" } },
      "GET /groups/{group}/people": {
        values: { group: { from: "GET /teams", property: "code" }, region: { value: "eu" } },
      },
    };
    expect(withAnswers(undefined).plan.objects.map(isDecided)).to.deep.equal([false, true, false]);
    const { plan, object } = withAnswers(answers);
    expect(plan.objects.map(isDecided)).to.deep.equal([true, true, true]);
    expect(object("Person").values.map(({ value }) => value.source)).to.deep.equal([
      { kind: "parent", object: "Team", property: "code" },
      { kind: "value", value: "eu" },
    ]);
  });

  it("counts for all operations that it names, beside what else is answered to them", () => {
    const { object, plan } = withAnswers(
      { "GET /projects": { key: "slug" } },
      {
        sharedAnswers: [
          { operations: ["GET /projects", "GET /teams"], pages: { kind: "linkHeader" } },
          { operations: ["GET /groups/{group}/people"], values: { group: { setting: true } } },
          { operations: ["GET /groups/{group}/people"], values: { region: { value: "eu" } } },
        ],
      },
    );
    expect(plan.notes).to.deep.equal([]);
    expect(plan.objects.map(isDecided)).to.deep.equal([true, true, true]);
    const { key, pages } = object("Project");
    expect([key.value, pages.value, pages.answered?.state]).to.deep.equal([
      ["slug"],
      { kind: "linkHeader" },
      "ask",
    ]);
    expect(object("Team").pages.value).to.deep.equal({ kind: "linkHeader" });
    expect(object("Person").values.map(({ value }) => value.source)).to.deep.equal([
      { kind: "setting", name: "group" },
      { kind: "value", value: "eu" },
    ]);
    const skipped = withAnswers(undefined, {
      sharedAnswers: [{ operations: ["GET /projects", "GET /teams"], skip: "not needed" }],
    }).plan;
    expect(skipped.objects.map(({ name }) => name)).to.deep.equal(["Person"]);
    expect(skipped.notes).to.deep.equal([]);
  });

  it("is refused for each operation of several that it decides nothing of", () => {
    const key = { key: "slug" };
    expect(
      noted([{ operations: ["GET /projects", "GET /teams", "GET /health", "GET /no"], ...key }]),
    ).to.deep.equal([
      ["unused", "sharedAnswers 0 operations 1", 'a record has no property "slug"'],
      ["unused", "sharedAnswers 0 operations 2", "it is no list that is taken"],
      ["unused", "sharedAnswers 0 operations 3", 'the document has no operation "GET /no"'],
    ]);
    expect(noted([{ operations: ["GET /projects", "GET /projects"], ...key }])).to.deep.equal([
      ["unused", "sharedAnswers 0 operations 1", 'another answer says it of "GET /projects" already'],
    ]);
    expect(noted([{ operations: ["GET /projects"], key: "id" }], { "GET /projects": key })).to.deep.equal([
      ["unused", "sharedAnswers 0 operations 0", 'another answer says it of "GET /projects" already'],
    ]);
    expect(
      noted([{ operations: ["GET /projects"], skip: "no" }], { "GET /projects": key })[0]?.slice(1),
    ).to.deep.equal([
      "sharedAnswers 0 operations 0",
      'another answer leaves "GET /projects" out, or says more of it',
    ]);
    expect(noted([{ operations: ["GET /teams"], key: ["id"] }])).to.deep.equal([
      ["moot", "sharedAnswers 0 operations 0", "a property"],
    ]);
  });

  it("says once for all lists what belongs to the connection", () => {
    const { object } = withAnswers(undefined, { settings: ["group", "region"] });
    expect(object("Person").values.map(({ state, value }) => [state, value.source])).to.deep.equal([
      ["sure", { kind: "setting", name: "group" }],
      ["sure", { kind: "setting", name: "region" }],
    ]);
    expect(refused(undefined, { settings: ["group", "tenant"] })).to.deep.equal([
      ["unused", "settings 1", 'no call needs "tenant"', ""],
    ]);
  });

  it("sends a parameter that nobody needs", () => {
    const { object } = withAnswers({ "GET /projects": { values: { archived: { value: false } } } });
    expect(object("Project").values.map(({ value }) => value)).to.deep.equal([
      { name: "archived", in: "query", source: { kind: "value", value: false } },
    ]);
  });

  it("leaves operations out, with the reason", () => {
    const { plan } = withAnswers({ "GET /teams": { skip: "for administrators" } });
    expect(plan.objects.map(({ name }) => name)).to.deep.equal(["Project", "Person"]);
    expect(plan.leftOut.map(({ operation: { id }, reason }) => [id, reason])).to.deep.include([
      "GET /teams",
      "for administrators",
    ]);
    expect(plan.notes).to.deep.equal([]);
  });

  it("is refused where it decides nothing", () => {
    expect(refused({ "GET /project": { key: "id" } })).to.deep.equal([
      [
        "unused",
        "answers GET /project",
        'the document has no operation "GET /project"',
        ' Did you mean "GET /projects"?',
      ],
    ]);
    expect(refused({ "GET /health": { key: "id" } })).to.deep.equal([
      ["unused", "answers GET /health", "it is no list that is taken", ""],
    ]);
    expect(refused({ "GET /projects": { key: ["id", "no"] } })).to.deep.equal([
      ["unused", "answers GET /projects key", 'a record has no property "no"', ""],
    ]);
    expect(refused({ "GET /projects": { items: "data.no" } })).to.deep.equal([
      ["unused", "answers GET /projects items", 'the answer has no list at "data.no"', ""],
    ]);
    expect(refused({ "GET /projects": { values: { archive: { value: true } } } })).to.deep.equal([
      [
        "unused",
        "answers GET /projects values archive",
        'the list takes no "archive" beside its pages',
        ' Did you mean "archived"?',
      ],
    ]);
    const from = (id: string) => ({
      "GET /groups/{group}/people": { values: { group: { from: id, property: "id" } } },
    });
    expect(refused(from("GET /health"))).to.deep.equal([
      [
        "unused",
        "answers GET /groups/{group}/people values group",
        '"GET /health" is no data object that is read before it',
        "",
      ],
    ]);
    expect(refused(from("GET /projects"))[0]?.[2]).to.equal('"GET /projects" is not decided itself');
    expect(refused({ "GET /projects": { name: "Team" }, "GET /teams": { name: "Team" } })).to.deep.equal([
      ["unused", "answers GET /teams name", 'GET /projects is called "Team" already', ""],
    ]);
    expect(refused({ "GET /teams": { name: "a team" } })).to.deep.equal([
      ["unused", "answers GET /teams name", '"a team" is no name of a class, such as "ATeam"', ""],
    ]);
  });

  it("is noted where the document says the same", () => {
    expect(refused({ "GET /teams": { key: ["id"], since: false } })).to.deep.equal([
      ["moot", "answers GET /teams key", "a property", ""],
      ["moot", "answers GET /teams since", "nothing in the document asks for changes", ""],
    ]);
  });

  it("takes a list of its own where others give the same records", () => {
    const ref = { $ref: "#/components/schemas/Project" };
    const document = listDocument({
      answer: listOf(ref),
      schemas: { Project: PROJECT },
      paths: { "/archive/projects": { get: operation({ answer: listOf(ref) }) } },
    });
    const names = (selection: Selection) =>
      planned(document, selection).objects.map(({ name, list, others }) => [name, list.id, others.length]);
    expect(names({})).to.deep.equal([["Project", "GET /projects", 1]]);
    expect(names({ answers: { "GET /archive/projects": {} } })).to.deep.equal([
      ["Project", "GET /archive/projects", 1],
    ]);
    expect(names({ answers: { "GET /archive/projects": {}, "GET /projects": {} } })).to.deep.equal([
      ["Project", "GET /projects", 0],
      ["ArchiveProject", "GET /archive/projects", 0],
    ]);
  });
});

describe("a list that is read by POST", () => {
  const TEXT = { type: "string" };
  const NUMBER = { type: "integer" };
  const search = (body: object, answer: object, mediaType = "application/json") => ({
    post: { ...operation({ answer }), requestBody: { content: { [mediaType]: { schema: body } } } },
  });
  const BODY = {
    ...objectOf({
      paging: objectOf({ after: TEXT, limit: { ...NUMBER, maximum: 50 } }),
      query: TEXT,
      archived: { type: "boolean" },
      filters: { type: "array", items: { type: "object" } },
    }),
    required: ["query"],
  };
  const document = listDocument({
    answer: objectOf("state"),
    path: "/health",
    paths: {
      "/projects/search": search(
        BODY,
        objectOf({ data: listOf(PROJECT), paging: objectOf({ next: objectOf("after") }) }),
      ),
      "/tasks/query": search(objectOf({ page: NUMBER, pageSize: NUMBER }), listOf(objectOf("id", "name"))),
      "/notes/search": search(objectOf("id"), listOf(objectOf("id")), "multipart/form-data"),
      "/marks": search(objectOf("id"), objectOf("id", "name")),
    },
  });
  const SEARCH = "POST /projects/search";
  const read = (answers: Selection["answers"]) => {
    const plan = planned(document, { ...(answers && { answers }) });
    return { ...plan, noted: plan.notes.map(({ steps, reason }) => [steps.join(" "), reason]) };
  };

  it("is only taken when it is answered to, and is listed with what to write otherwise", () => {
    const { objects, leftOut } = read(undefined);
    expect(objects).to.deep.equal([]);
    const reason = "it reads by POST; an answer to it in openapi.config.ts, if only {}, makes it a list";
    expect(leftOut.map((left) => [left.operation.id, left.reason])).to.deep.equal([
      [SEARCH, reason],
      ["POST /tasks/query", reason],
      ["POST /notes/search", reason],
    ]);
    const skipped = read({ [SEARCH]: { skip: "not needed" } });
    expect([skipped.leftOut[0]?.reason, skipped.noted]).to.deep.equal(["not needed", []]);
  });

  it("has its pages in its body, and asks for what the body needs", () => {
    const { objects, noted } = read({ [SEARCH]: {}, "POST /tasks/query": {} });
    expect(noted).to.deep.equal([]);
    const [projects, tasks] = objects;
    expect(projects?.pages.value).to.deep.equal({
      kind: "cursor",
      send: { body: "paging.after" },
      next: "paging.next.after",
      size: { send: { body: "paging.limit" }, value: 50 },
    });
    expect(
      projects?.values.map(({ state, value, evidence }) => [state, value.in, value.name, evidence]),
    ).to.deep.equal([["ask", "body", "query", '"query" is required, and the document has no value for it']]);
    expect([tasks?.name, tasks?.key.value, tasks?.pages.value]).to.deep.equal([
      "Task",
      ["id"],
      { kind: "page", send: { body: "page" }, first: 1 },
    ]);
    expect(tasks && isDecided(tasks)).to.equal(true);
  });

  it("is sent what its author says", () => {
    const values = { query: { value: "*" }, filters: { value: [{ property: "archived", is: null }] } };
    const { objects, noted } = read({ [SEARCH]: { values } });
    expect(noted).to.deep.equal([]);
    expect(objects.every(isDecided)).to.equal(true);
    expect(objects[0]?.values.map(({ value }) => [value.in, value.name, value.source])).to.deep.equal([
      ["body", "query", { kind: "value", value: "*" }],
      ["body", "filters", { kind: "value", value: values.filters.value }],
    ]);
  });

  it("is refused where it is none, or is no list by POST", () => {
    expect(read({ "POST /marks": {} }).noted).to.deep.equal([
      ["answers POST /marks", "it answers no list of objects"],
    ]);
    expect(read({ "POST /notes/search": {} }).noted).to.deep.equal([
      ["answers POST /notes/search", "it is asked by multipart/form-data, no JSON"],
    ]);
    expect(read({ [SEARCH]: { values: { none: { value: 1 } } } }).noted).to.deep.equal([
      [`answers ${SEARCH} values none`, 'the list takes no "none" beside its pages'],
    ]);
    const pages = { kind: "page", send: { body: "page" }, first: 1 } as const;
    expect(refused({ "GET /teams": { pages, values: { code: { value: [] } } } })).to.deep.equal([
      ["unused", "answers GET /teams pages", "a list by GET has no body", ""],
      ["unused", "answers GET /teams values code", 'the list takes no "code" beside its pages', ""],
    ]);
    expect(refused({ "GET /projects": { values: { archived: { value: [] } } } })).to.deep.equal([
      [
        "unused",
        "answers GET /projects values archived",
        "only a member of a body is a list or an object",
        "",
      ],
    ]);
  });
});
