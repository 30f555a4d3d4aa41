import { expect } from "chai";
import {
  actionKey,
  answered,
  type DeclaredReader,
  from,
  input,
  rest,
} from "../../../runtime/entries/runtime.js";
import { closeFakes, type FakedAction, fakeOf, readerOf, typeOf } from "../../support/faked-connector.js";

const TEXT = { type: "string" };
const WHOLE = { type: "integer" };
const PROJECT = typeOf(
  "Project",
  { id: { ...TEXT, format: "uuid" }, number: TEXT, title: TEXT, budget: WHOLE, reference: TEXT },
  { keys: [["id"], ["number"]], required: ["id", "number", "title"] },
);
const TASK = typeOf("Task", { id: WHOLE, project_id: { ...TEXT, format: "uuid" }, title: TEXT });
const PROJECTS = readerOf(PROJECT, { list: "GET /projects", items: "data", pages: { kind: "one" } });
const TASKS = readerOf(TASK, {
  list: "GET /projects/{projectId}/tasks",
  path: { projectId: from(PROJECTS as DeclaredReader<Readonly<Record<string, unknown>>>, "id") },
  items: "data",
  pages: { kind: "linkHeader" },
});
const INPUT = typeOf(
  "Input",
  { id: TEXT, number: TEXT, title: TEXT, budget: WHOLE, project: TEXT },
  { keys: [], required: [] },
);
const OUTPUT = typeOf(
  "Output",
  { id: { type: ["string", "integer"] }, title: TEXT },
  { keys: [], required: ["id"] },
);
const base = { object: PROJECT, input: INPUT, output: OUTPUT };

function declared(
  actions: Readonly<Record<string, Partial<FakedAction> & Pick<FakedAction, "declaration">>>,
) {
  const whole = Object.fromEntries(
    Object.entries(actions).map(([name, action]) => [name, { ...base, ...action }]),
  );
  return fakeOf(
    { readers: { Project: PROJECTS, Task: TASKS }, actions: whole },
    { records: { Project: 3, Task: 5 } },
  );
}

const CREATE = {
  call: "POST /projects",
  body: { data: rest },
  record: "data",
  change: "upsert",
  idempotency: { header: "Idempotency-Key" },
  failures: { 409: { code: "taken", text: answered("problem.detail") } },
} as const;

describe("an action at a fake target system", () => {
  afterEach(closeFakes);

  it("makes a record, which is listed from then on; the same key makes no second one", async () => {
    const { fake, act, read } = await declared({ Create: { declaration: CREATE } });
    const given = { number: "P-77", title: "Bridge", budget: 7 };
    const result = await act("Create", given, "key-1");
    const [made] = fake.objectOf("Project").records().slice(3);
    expect(made).to.include(given);
    expect(result).to.deep.equal({
      outcome: "succeeded",
      output: { id: made?.["id"], title: "Bridge" },
      changes: [{ dataObject: "Project", operation: "upsert", record: made }],
    });
    expect(await act("Create", given, "key-1")).to.deep.equal(result);
    expect((await read(PROJECTS)).items).to.have.length(4);
  });

  it("is refused in the form that the handler knows, if another record has the key", async () => {
    const { fake, act } = await declared({ Create: { declaration: CREATE } });
    const [{ number = "" } = {}] = fake.objectOf("Project").records();
    expect(await act("Create", { number, title: "Bridge" }, "key-2")).to.deep.equal({
      outcome: "failed",
      failure: { code: "taken", errors: [{ text: "Another Project has this key." }] },
    });
    // What was refused is not kept under the key.
    fake.objectOf("Project").change(`key1/${number}`, { number: "free-now" });
    expect(await act("Create", { number, title: "Bridge" }, "key-2")).to.include({ outcome: "succeeded" });
  });

  it("changes and deletes the record that its path names; what is gone is 404", async () => {
    const { fake, act } = await declared({
      Change: {
        declaration: {
          call: "PATCH /projects/{projectId}",
          path: { projectId: input("id") },
          record: "$",
          change: "upsert",
        },
      },
      Drop: { declaration: { call: "DELETE /projects/{id}", path: { id: input("id") }, change: "delete" } },
    });
    const [first] = fake.objectOf("Project").records();
    const id = first?.["id"];
    expect(await act("Change", { id, title: "Changed" })).to.deep.include({
      outcome: "succeeded",
      changes: [{ dataObject: "Project", operation: "upsert", record: { ...first, title: "Changed" } }],
    });
    expect(await act("Drop", { id })).to.deep.include({
      outcome: "succeeded",
      changes: [{ dataObject: "Project", operation: "delete", record: { id } }],
    });
    expect(fake.objectOf("Project").records()).to.have.length(2);
    expect(await act("Change", { id, title: "Again" })).to.include({ outcome: "failed" });
    expect(await act("Drop", { id })).to.include({ outcome: "failed" });
    expect(fake.requests.map(({ status }) => status)).to.deep.equal([200, 204, 404, 404]);
  });

  it("changes what its address names, whether the cache is told of it or not", async () => {
    const { fake, act } = await declared({
      Create: { declaration: { call: "POST /projects", record: "$" } },
      Change: {
        declaration: { call: "PATCH /projects/{projectId}", path: { projectId: input("id") }, record: "$" },
      },
      Drop: { declaration: { call: "DELETE /projects/{id}", path: { id: input("id") } } },
      Archive: { declaration: { call: "POST /projects/{id}/archive", path: { id: input("id") } } },
    } as never);
    const made = await act("Create", { number: "P-82", title: "Dam" });
    expect(made).to.deep.include({ outcome: "succeeded", changes: [] });
    const { id } = fake.objectOf("Project").records().at(-1) ?? {};
    await act("Change", { id, title: "Lock" });
    await act("Archive", { id });
    expect(fake.objectOf("Project").records().at(-1)).to.include({ number: "P-82", title: "Lock" });
    await act("Drop", { id });
    expect(fake.objectOf("Project").records()).to.have.length(3);
  });

  it("keeps what is sent under the name under which it is sent", async () => {
    const { fake, act } = await declared({
      Create: {
        declaration: {
          ...CREATE,
          body: { data: { ...rest, title: input("number"), number: input("title") } },
        },
      },
    });
    await act("Create", { number: "P-83", title: "Dam" });
    expect(fake.objectOf("Project").records().at(-1)).to.include({ number: "Dam", title: "P-83" });
  });

  it("makes a record below the parent that its path names", async () => {
    const { fake, act, read } = await declared({
      Add: {
        object: TASK,
        declaration: {
          call: "POST /projects/{projectId}/tasks",
          path: { projectId: input("project") },
          record: "$",
          change: "upsert",
        },
      },
    });
    const project = fake.objectOf("Project").records()[1]?.["id"];
    const result = await act("Add", { project, title: "Dig" });
    const made = fake.objectOf("Task").records().at(-1);
    expect(made).to.include({ title: "Dig", project_id: project });
    expect(result).to.deep.include({ outcome: "succeeded" });
    const { items } = await read(TASKS);
    expect(items).to.deep.include(made);
    expect(items).to.have.length(6);
  });

  for (const [what, reread] of [
    ["a path", "GET /projects/{id}"],
    ["the header Location", "Location"],
    ["a whole call", { call: "GET /projects/by-id/{key}", path: { key: answered("id") }, record: "item" }],
  ] as const)
    it(`answers who reads the record once more by ${what}`, async () => {
      const { record: _, ...create } = CREATE;
      const { fake, act } = await declared({ Create: { declaration: { ...create, reread } as never } });
      const result = await act("Create", { number: "P-78", title: "Tunnel" });
      const record = fake.objectOf("Project").records().at(-1);
      expect(result).to.deep.include({ changes: [{ dataObject: "Project", operation: "upsert", record }] });
    });

  it("answers who looks up what an attempt has made", async () => {
    const { fake, act } = await declared({
      Create: {
        declaration: {
          ...CREATE,
          body: { data: { ...rest, reference: actionKey } },
          idempotency: {
            lookUp: {
              call: "GET /projects",
              query: { number: input("number") },
              items: "data",
              where: { number: input("number") },
            },
          },
        },
      },
    });
    fake.strike({ name: "resetBeforeAnswer", at: [1] });
    const given = { number: "P-79", title: "Dam" };
    await act("Create", given).catch(() => undefined);
    expect(fake.objectOf("Project").records()).to.have.length(4);
    const looked = await fetch(`${fake.origin}/v2/projects?number=P-79&key=fake-apiKey`);
    expect(await looked.json()).to.deep.equal({ data: fake.objectOf("Project").records().slice(3) });
    const listed = await fetch(`${fake.origin}/v2/projects?key=fake-apiKey`);
    expect((await listed.json()) as object)
      .to.have.property("data")
      .with.length(4);
  });

  it("keeps the reference that a handler sends, so that an attempt behind a lost answer finds what was made", async () => {
    const { fake, act } = await declared({
      Create: {
        declaration: {
          call: "POST /projects",
          body: { data: { ...rest, reference: actionKey } },
          record: "data",
          change: "upsert",
          idempotency: {
            lookUp: {
              call: "GET /projects/find",
              query: { reference: actionKey },
              items: "data",
              where: { reference: actionKey },
            },
          },
        },
      },
    });
    await act("Create", { number: "P-81", title: "Dam" }, "key-3");
    expect(fake.objectOf("Project").records().at(-1)).to.include({ reference: "key-3" });
  });

  it("that changes nothing has an output that fits", async () => {
    const output = typeOf("Output", { job: { ...TEXT, format: "uuid" }, count: WHOLE }, { keys: [] });
    const { act } = await declared({
      Start: {
        output,
        declaration: {
          call: "POST /jobs",
          output: { count: answered("result.total") },
          change: "none",
        } as never,
      },
    });
    const result = await act("Start", {});
    expect(result).to.include({ outcome: "succeeded" });
    expect(output.check((result as { readonly output: unknown }).output)).to.equal(true);
  });

  it("is refused for a value that no record can have", async () => {
    const input = typeOf("Input", { number: TEXT, title: TEXT, budget: TEXT }, { keys: [] });
    const { act, fake } = await declared({ Create: { input, declaration: CREATE } });
    const refused = await act("Create", { number: "P-80", title: "x", budget: "much" });
    expect(refused).to.include({ outcome: "failed" });
    expect(JSON.stringify(refused)).to.include("422").and.include("budget has a value that it can't have.");
    expect(fake.objectOf("Project").records()).to.have.length(3);
    // Forms and paths know texts only.
    expect(await act("Create", { number: "P-80", title: "x", budget: "7" })).to.include({
      outcome: "succeeded",
    });
    expect(fake.objectOf("Project").records().at(-1)).to.include({ budget: 7 });
  });
});
