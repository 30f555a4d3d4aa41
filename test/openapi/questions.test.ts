import { expect } from "chai";
import { makePlan, type Selection } from "../../generators/openapi/inference/make-plan.js";
import { isDecided } from "../../generators/openapi/inference/plan.js";
import { withAnswers, withChanges, writeAnswers } from "../../generators/openapi/questions/config-edits.js";
import {
  type ConfigChange,
  type ImportQuestion,
  nextQuestion,
} from "../../generators/openapi/questions/open-questions.js";
import { SourceFiles } from "../../generators/source-edits/index.js";
import { described, listDocument, listOf, objectOf, operation } from "../support/openapi.js";

const PAGED = ["page", "per_page"];
const RECORD = objectOf("id", "name");

/** All questions on a document, each answered by the choice that `choose` names. */
function asked(document: unknown, choose: (question: ImportQuestion) => string) {
  const { description, placeOf } = described(document);
  if (description === undefined) throw new Error("not read");
  const questions: ImportQuestion[] = [];
  const changes: ConfigChange[] = [];
  const [left, apart] = [new Set<string>(), new Set<string>()];
  const planned = () => makePlan(description, withAnswers({ source: "" }, changes) as Selection);
  for (;;) {
    const plan = planned();
    const question = nextQuestion({ description, plan, placeOf }, { left, apart }, () => true);
    if (question === undefined) return { questions, changes, plan };
    questions.push(question);
    const words = choose(question);
    const choice = question.choices.find((one) => one.words.startsWith(words));
    if (choice === undefined)
      throw new Error(`${words}: no choice of ${question.choices.map((one) => one.words).join("; ")}`);
    for (const one of question.asks) (choice.asksApart === true ? apart : left).add(one);
    changes.push(...choice.changes);
  }
}

describe("what a document does not decide", () => {
  it("is asked with its evidence and its line, and what others do is only a proposal", () => {
    const document = listDocument({
      parameters: ["limit", "page_no"],
      answer: listOf(RECORD),
      paths: { "/teams": { get: operation({ answer: listOf(RECORD), parameters: ["limit"] }) } },
    });
    const { questions, plan } = asked(document, () => "one");
    expect(questions.map(({ asks }) => asks.join(", "))).to.deep.equal(["GET /teams pages"]);
    expect(questions[0]?.message).to.match(
      /^GET \/teams: how does the list come in pages\? there is parameter "limit", but nothing says .* \(api\.json:\d+\)$/,
    );
    expect(questions[0]?.choices.map(({ words }) => words)).to.deep.equal([
      "one: all records come at once; a run that sees signs of more stops before it deletes anything",
      "link header (Link, with rel=next)",
      "leave the list out",
      "leave it undecided",
    ]);
    expect(plan.objects.every(isDecided)).to.equal(true);
  });

  it("has what other lists with the same parameters do as its first choice", () => {
    const pages = [
      { name: "index", in: "query", schema: { type: "integer" } },
      { name: "pageIndex", in: "query", schema: { type: "integer" } },
    ];
    const first = { name: "pageIndex", in: "query", schema: { type: "integer", default: 1 } };
    const document = listDocument({
      parameters: [first],
      answer: listOf(RECORD),
      paths: { "/teams": { get: operation({ answer: listOf(RECORD), parameters: pages }) } },
    });
    const { questions } = asked(document, () => "leave it");
    expect(questions[0]?.choices.slice(0, 2).map(({ words }) => words)).to.deep.equal([
      "page by pageIndex from 1, as 1 other list",
      "page by pageIndex from 0",
    ]);
  });

  it("is asked once for a name that several lists need, with the parents that may be meant", () => {
    const document = listDocument({
      parameters: PAGED,
      answer: listOf(RECORD),
      paths: {
        "/by/{project_id}/tasks": { get: operation({ answer: listOf(RECORD), parameters: PAGED }) },
        "/by/{project_id}/notes": { get: operation({ answer: listOf(RECORD), parameters: PAGED }) },
        "/health": {},
        "/state": { get: operation({ answer: objectOf("state") }) },
        "/about": { get: operation({ answer: objectOf("name") }) },
      },
    });
    const parents = asked(document, () => '"id" of each record of GET /projects');
    expect(parents.questions.map(({ asks }) => asks)).to.deep.equal([
      ["GET /by/{project_id}/tasks {project_id}", "GET /by/{project_id}/notes {project_id}"],
    ]);
    expect(parents.plan.objects.map(({ values }) => values[0]?.value.source)).to.deep.equal([
      undefined,
      { kind: "parent", object: "Project", property: "id" },
      { kind: "parent", object: "Project", property: "id" },
    ]);
    const setting = asked(document, () => "a property of the connection");
    expect(setting.changes).to.deep.equal([{ steps: ["settings"], value: "project_id" }]);
    expect(setting.plan.objects.every(isDecided)).to.equal(true);
    const out = asked(document, () => "leave these 2 lists out");
    expect(out.plan.objects.map(({ name }) => name)).to.deep.equal(["Project"]);
  });

  it("is asked once for lists that leave the same open with the same evidence, whatever else they take", () => {
    const paths = Object.fromEntries(
      ["teams", "users", "tasks"].map((name) => [
        `/${name}`,
        { get: operation({ answer: listOf(RECORD), parameters: ["limit", `${name}_filter`] }) },
      ]),
    );
    const document = listDocument({
      parameters: ["max_results"],
      answer: listOf(RECORD),
      paths: {
        ...paths,
        "/notes": { get: operation({ answer: objectOf({ data: listOf(RECORD) }), parameters: ["limit"] }) },
        "/marks": { get: operation({ answer: listOf(RECORD), parameters: ["limit", "pages"] }) },
      },
    });
    const TOGETHER = "GET /teams pages, GET /users pages, GET /tasks pages";
    const { questions, changes, plan } = asked(document, () => "one");
    expect(questions.map(({ asks }) => asks.join(", "))).to.deep.equal([
      "GET /projects pages",
      TOGETHER,
      "GET /notes pages",
      "GET /marks pages",
    ]);
    expect(questions[1]?.message).to.match(
      /^GET \/teams, GET \/users, GET \/tasks: how does the list come in pages\? .* \(api\.json:\d+, :\d+, :\d+\)$/,
    );
    expect(changes[1]).to.deep.equal({
      steps: ["sharedAnswers"],
      value: { operations: ["GET /teams", "GET /users", "GET /tasks"], pages: { kind: "one" } },
    });
    expect(plan.objects.every(isDecided)).to.equal(true);
    expect(plan.notes).to.deep.equal([]);
    const apart = asked(document, ({ asks }) => (asks.length > 1 ? "ask for each of these 3 lists" : "one"));
    expect(apart.questions.map(({ asks }) => asks.join(", "))).to.deep.equal([
      "GET /projects pages",
      TOGETHER,
      "GET /teams pages",
      "GET /users pages",
      "GET /tasks pages",
      "GET /notes pages",
      "GET /marks pages",
    ]);
    expect(apart.plan.objects.every(isDecided)).to.equal(true);
    const out = asked(document, ({ asks }) => (asks.length > 1 ? "leave these 3 lists out" : "leave it"));
    expect(out.plan.objects.map(({ name }) => name)).to.deep.equal(["Project", "Note", "Mark"]);
  });

  it("is which records are meant, where a filter holds unless another value is sent", () => {
    const filter = (name: string, ...values: readonly string[]) => ({
      ...{ name, in: "query" },
      schema: { type: "string", enum: values, default: values[0] },
    });
    const listWith = (...parameters: readonly object[]) => ({
      get: operation({ answer: listOf(RECORD), parameters }),
    });
    const document = listDocument({
      answer: listOf(RECORD),
      parameters: [filter("status", "open", "closed")],
      paths: {
        "/teams": listWith(filter("status", "open", "closed")),
        "/notes": listWith(filter("status", "short", "long")),
      },
    });
    const { questions, plan } = asked(document, ({ asks }) =>
      asks.length > 1 ? 'always "closed"' : "always",
    );
    expect(questions.map(({ message }) => message.replace(/ \(.*/, ""))).to.deep.equal([
      'GET /projects, GET /teams: where does ?status come from? without "status" only "open" is listed; other values are "closed"',
      'GET /notes: where does ?status come from? without "status" only "short" is listed; other values are "long"',
    ]);
    expect(questions[0]?.choices.map(({ words }) => words)).to.deep.equal([
      'always "open"',
      "a property of the connection, in all calls",
      'always "closed"',
      "ask for each of these 2 lists",
      "leave these 2 lists out",
      "leave it undecided",
    ]);
    expect(plan.objects.map(({ values }) => values[0]?.value.source)).to.deep.equal(
      ["closed", "closed", "short"].map((value) => ({ kind: "value", value })),
    );
  });

  it("names a few of many lists", () => {
    const names = Array.from({ length: 30 }, (_, index) => `/things${index}`);
    const document = listDocument({
      parameters: ["limit"],
      answer: listOf(RECORD),
      paths: Object.fromEntries(
        names.map((name) => [name, { get: operation({ answer: listOf(RECORD), parameters: ["limit"] }) }]),
      ),
    });
    const { questions } = asked(document, () => "leave it");
    expect(questions.map(({ asks }) => asks.length)).to.deep.equal([31]);
    expect(questions[0]?.message).to.match(
      /^GET \/projects, GET \/things0, GET \/things1, GET \/things2 and 27 more lists: how /,
    );
  });

  it("leaves out what was answered before, if it is left out then", () => {
    const document = listDocument({
      parameters: ["limit"],
      answer: listOf(objectOf("code", "number")),
      paths: {
        "/teams": { get: operation({ answer: listOf(objectOf("code", "number")), parameters: ["limit"] }) },
      },
    });
    const { description, placeOf } = described(document);
    if (description === undefined) throw new Error("not read");
    const choices = (changes: readonly ConfigChange[]) => {
      const plan = makePlan(description, withAnswers({ source: "" }, changes) as Selection);
      const before = { left: new Set<string>(), apart: new Set<string>() };
      return nextQuestion({ description, plan, placeOf }, before, () => true)?.choices ?? [];
    };
    const changesOf = (words: string, changes: readonly ConfigChange[] = []) =>
      withChanges(changes, choices(changes).find((one) => one.words.startsWith(words))?.changes ?? []);
    const keys = changesOf("code");
    expect(keys).to.deep.equal([
      { steps: ["sharedAnswers"], value: { operations: ["GET /projects", "GET /teams"], key: ["code"] } },
    ]);
    const skip = { skip: "left out when it was asked for" };
    expect(changesOf("leave these", keys)).to.deep.equal([
      { steps: ["sharedAnswers"], value: { operations: ["GET /projects", "GET /teams"], ...skip } },
    ]);
    const one: ConfigChange = { steps: ["answers", "GET /teams", "skip"], value: "no" };
    expect(
      withChanges([...keys, { steps: ["answers", "GET /teams", "key"], value: ["x"] }], [one]),
    ).to.deep.equal([
      { steps: ["sharedAnswers"], value: { operations: ["GET /projects"], key: ["code"] } },
      one,
    ]);
  });

  it("is the list, then the key, then the pages, where nothing is decided", () => {
    const document = listDocument({
      parameters: ["offset"],
      answer: objectOf({ near: listOf(objectOf("code")), far: listOf(objectOf("number")) }),
      path: "/things",
    });
    const answers: Readonly<Record<string, string>> = {
      "GET /things items": "far",
      "GET /things key": "number",
      "GET /things pages": "one",
    };
    const { questions, plan } = asked(document, ({ asks }) => answers[asks.join()] ?? "?");
    expect(questions.map(({ asks }) => asks.join(", "))).to.deep.equal(Object.keys(answers));
    expect(plan.objects.map(({ key, items }) => [items.value, key.value])).to.deep.equal([
      ["far", ["number"]],
    ]);
  });
});

describe("answers in openapi.config.ts", () => {
  const CHANGES: readonly ConfigChange[] = [
    { steps: ["answers", "GET /notes", "pages"], value: { kind: "page", send: "page", first: 1 } },
    { steps: ["answers", "GET /notes", "key"], value: ["id"] },
    { steps: ["answers", "GET /t/{x}", "values", "x"], value: { setting: true } },
    { steps: ["settings"], value: "tenant" },
    { steps: ["sharedAnswers"], value: { operations: ["GET /a", "GET /b"], key: ["id"] } },
  ];

  function written(text: string, changes = CHANGES) {
    const files = new SourceFiles((name) => (name === "openapi.config.ts" ? text : undefined));
    const problems = writeAnswers(files, changes);
    return { text: files.text("openapi.config.ts") ?? "", problems };
  }

  it("are added, and every other byte stays", () => {
    const { text, problems } = written(`// mine
import { defineOpenApiImport as define } from "connectorcli";
const source = "api.yaml"; /* here */
export default define({
  source,
  answers: {
    // notes
    "GET /notes": { since: false },
  },
});
`);
    expect(problems).to.deep.equal([]);
    expect(text).to.equal(`// mine
import { defineOpenApiImport as define } from "connectorcli";
const source = "api.yaml"; /* here */
export default define({
  source,
  answers: {
    // notes
    "GET /notes": { since: false, pages: { kind: "page", send: "page", first: 1 }, key: ["id"] },
    "GET /t/{x}": { values: { x: { setting: true } } },
  },
  settings: ["tenant"],
  sharedAnswers: [{ operations: ["GET /a", "GET /b"], key: ["id"] }],
});
`);
  });

  it("are told where the file is too unusual to be changed", () => {
    const { text, problems } = written("export default makeConfig();\n");
    expect(text).to.equal("export default makeConfig();\n");
    expect(problems.map(({ code, file }) => [code, file])).to.deep.equal(
      CHANGES.map(() => ["edit-by-hand", "openapi.config.ts"]),
    );
    expect(problems[1]?.fix).to.include('answers: { "GET /notes": { key: ["id"] } }');
  });
});
