import { expect } from "chai";
import { makePlan, type Selection } from "../../generators/openapi/inference/make-plan.js";
import { isDecided } from "../../generators/openapi/inference/plan.js";
import { withAnswers, writeAnswers } from "../../generators/openapi/questions/config-edits.js";
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
  const planned = () => makePlan(description, withAnswers({ source: "" }, changes) as Selection);
  for (;;) {
    const plan = planned();
    const left = new Set(questions.map(({ id }) => id));
    const question = nextQuestion({ description, plan, placeOf }, left, () => true);
    if (question === undefined) return { questions, changes, plan };
    questions.push(question);
    const words = choose(question);
    const choice = question.choices.find((one) => one.words.startsWith(words));
    if (choice === undefined)
      throw new Error(`${words}: no choice of ${question.choices.map((one) => one.words).join("; ")}`);
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
    expect(questions.map(({ id }) => id)).to.deep.equal(["GET /teams pages"]);
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
    expect(parents.questions.map(({ id }) => id)).to.deep.equal(["{project_id}"]);
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
    const { questions, plan } = asked(document, ({ id }) => answers[id] ?? "?");
    expect(questions.map(({ id }) => id)).to.deep.equal(Object.keys(answers));
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
