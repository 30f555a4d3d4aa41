import { expect } from "chai";
import type { PlannedWrite } from "../../generators/openapi/inference/plan.js";
import { planLines } from "../../generators/openapi/inference/plan-table.js";
import { planView } from "../../generators/openapi/inference/plan-view.js";
import {
  described,
  listDocument,
  listOf,
  newProject,
  objectOf,
  onlyObject,
  operation,
  planned,
} from "../support/openapi.js";

const THING = { $ref: "#/components/schemas/Thing" };
const schemas = { Thing: objectOf("id", "name", "color", "size") };

type Answer = Readonly<Record<string, object>>;

/** What is sent as JSON, and what is answered. */
function write(sent: object | undefined, responses: Answer = { 204: {} }): object {
  return {
    ...(sent !== undefined && { requestBody: { content: { "application/json": { schema: sent } } } }),
    responses,
  };
}

function answering(schema: object, headers = {}): Answer {
  return { 201: { headers, content: { "application/json": { schema } } } };
}

/** A list of things, with operations on it and on one of them. */
function things(onList: object, onItem: object, list = "/things") {
  const document = listDocument({
    path: list,
    answer: listOf(THING),
    schemas,
    paths: { [`${list}/{id}`]: onItem },
  });
  Object.assign(document.paths[list] ?? {}, onList);
  return document;
}

function writeOf(document: object, name: PlannedWrite["name"]): PlannedWrite | undefined {
  return onlyObject(document).writes.find((each) => each.name === name);
}

describe("what an action is of an operation that writes", () => {
  const get = operation({ answer: THING });

  for (const [what, onItem, call] of [
    ["PATCH before PUT", { patch: write(THING), put: write(THING) }, "PATCH /things/{id}"],
    [
      "PUT, where PATCH changes one member",
      { patch: write(objectOf("color")), put: write(THING) },
      "PUT /things/{id}",
    ],
    [
      "what takes members in envelopes",
      { put: write(objectOf({ data: objectOf({ attributes: THING }) })) },
      "PUT /things/{id}",
    ],
  ] as const)
    it(`is an update by ${what}`, () => {
      const update = writeOf(things({}, { get, ...onItem }), "Update");
      expect(update).to.deep.include({ problem: undefined });
      expect(update?.operation.id).to.equal(call);
    });

  for (const [what, sent] of [
    ["nothing", undefined],
    ["what no record has", objectOf("action")],
  ] as const)
    it(`is no update where it takes ${what}`, () => {
      const update = writeOf(things({}, { get, put: write(sent) }), "Update");
      expect(update?.problem).to.equal("it takes nothing that a record has");
    });
});

describe("what changes something and becomes no action", () => {
  const get = operation({ answer: THING });
  const list = operation({ answer: listOf(THING) });
  const form = { "application/x-www-form-urlencoded": { schema: objectOf("id") } };
  const document = () => {
    const { paths, ...more } = things(
      { post: write(THING), delete: write(undefined) },
      { get, put: write(THING), patch: write(THING), delete: write(undefined) },
    );
    return {
      ...more,
      paths: {
        ...paths,
        "/things/{id}/archive": { post: write(undefined) },
        "/things/import": { post: write(THING) },
        "/groups/{group}/things": { get: list, post: write(THING) },
        "/groups/{group}/things/{id}": { delete: write(undefined) },
        "/groups/{group}/things/{id}/archive": { post: write(undefined) },
        "/old": { post: { ...write(THING), deprecated: true } },
        "/tickets": { post: { requestBody: { content: form }, responses: {} } },
        "/states": { get: operation({ answer: {} }), post: write(THING) },
        "/states/{state}": { delete: write(undefined) },
      },
    };
  };
  const NEITHER = "it neither creates, updates nor deletes one Thing";
  const ELSEWHERE = "Thing is listed by GET /things, and its actions are at that path";
  const REASONS: Readonly<Record<string, string>> = {
    "DELETE /things": "it is of all that GET /things lists, not of one Thing",
    "PUT /things/{id}": "PATCH /things/{id} goes before it as Update of Thing",
    "POST /things/{id}/archive": NEITHER,
    "POST /things/import": NEITHER,
    "POST /groups/{group}/things": ELSEWHERE,
    "DELETE /groups/{group}/things/{id}": ELSEWHERE,
    "POST /groups/{group}/things/{id}/archive": NEITHER,
    "POST /old": "it is deprecated",
    "POST /tickets": "no list has the records that it changes",
    "POST /states": "GET /states, which it belongs to, is left out",
    "DELETE /states/{state}": "GET /states, which it belongs to, is left out",
  };

  it("is left out with its reason, in the plan and in the page", () => {
    const read = described(document());
    const { plan, files } = newProject(read, "api.json");
    const found = plan.otherWrites.map(({ operation: { id }, reason }) => [id, reason]);
    expect(Object.fromEntries(found)).to.deep.equal(REASONS);
    const told = planLines(planView(plan, read.placeOf)).join("\n");
    const page = files.find(({ path }) => path === "imported/left-out.md")?.content;
    for (const [id, reason] of Object.entries(REASONS)) {
      expect(told).to.include(`  ${id}: ${reason} (api.json:`);
      expect(page).to.include(`- \`${id}\`: ${reason} (api.json:`);
    }
  });

  it("is what writes of a list that is undecided, as long as it is", () => {
    const { paths, ...more } = things({ post: write(THING) }, { get });
    const undecided = {
      ...more,
      paths: { ...paths, "/things": { ...paths["/things"], ...needing("region") } },
    };
    const { files } = newProject(described(undecided), "api.json");
    expect(files.some(({ path }) => path.includes("create-thing"))).to.equal(false);
    expect(files.find(({ path }) => path === "imported/left-out.md")?.content).to.include(
      "`POST /things`: no Create of Thing: GET /things is undecided",
    );
  });

  /** A list that needs a parameter of the query. */
  function needing(name: string) {
    const schema = { type: "string" };
    return {
      get: operation({ answer: listOf(THING), parameters: [{ name, in: "query", required: true, schema }] }),
    };
  }

  it("is nothing that is not selected", () => {
    const { otherWrites } = planned(document(), { select: ["/states"] });
    expect(otherWrites.map(({ operation: { id } }) => id)).to.deep.equal([
      "POST /states",
      "DELETE /states/{state}",
    ]);
  });
});

describe("the record that an action has made", () => {
  const get = operation({ answer: THING });
  const inData = operation({ answer: objectOf({ data: THING }) });
  const location = { Location: { schema: { type: "string" } } };

  for (const [what, post, item, code] of [
    ["is in the answer", write(THING, answering(THING)), get, 'record: "$",\n  change: "upsert",'],
    [
      "is read by the key that the answer tells",
      write(THING, answering(objectOf("id"))),
      get,
      'path: { id: answered("id") }, record: "$" },\n  output: { id: answered("id") },\n  change: "upsert",',
    ],
    [
      "is read by a key in the envelope of the record",
      write(THING, answering(objectOf("id", { data: objectOf("id") }))),
      inData,
      'path: { id: answered("data.id") }, record: "data" },\n  output: { id: answered("data.id") },',
    ],
    [
      "is read at the address in the header Location",
      write(objectOf("name"), { 201: { headers: location } }),
      inData,
      'record: "data",\n  // The answer has no record that the document describes.\n  reread: "Location",\n  change: "upsert",',
    ],
    [
      "is read by a key that is entered",
      write({ ...objectOf("id", "name"), required: ["id"] }),
      get,
      'path: { id: input("id") },',
    ],
    [
      "is left to the next sync, if nothing tells it",
      write(THING),
      get,
      'next sync brings the change.\n  change: "none",',
    ],
    [
      "is left to the next sync, if its read needs more than its key",
      write(THING, answering(objectOf("id"))),
      operation({
        answer: THING,
        parameters: [{ name: "of", in: "query", required: true, schema: { type: "string" } }],
      }),
      'change: "none",',
    ],
  ] as const)
    it(what, () => {
      const { files } = newProject(described(things({ post }, { get: item })), "api.json");
      const handler = files.find(({ path }) => path === "imported/app/handlers/create-thing.ts");
      expect(handler?.content).to.include(code);
    });

  it("is known by its members where its schema has no name", () => {
    const inline = objectOf("id", "name", "color");
    const document = listDocument({ answer: listOf(inline), paths: {} });
    Object.assign(document.paths["/projects"] ?? {}, { post: write(inline, answering(inline)) });
    expect(writeOf(document, "Create")?.record).to.deep.equal({ kind: "answer", way: "$" });
    Object.assign(document.paths["/projects"] ?? {}, {
      post: write(inline, answering(objectOf("id", "name"))),
    });
    expect(writeOf(document, "Create")?.record).to.equal(undefined);
  });
});
