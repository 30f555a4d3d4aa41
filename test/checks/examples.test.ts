import { expect } from "chai";
import { applySilences, withoutFollowUps } from "../../schemas/checks/engine.js";
import { DIAGNOSTIC_CODES as CODES } from "../../schemas/diagnostics/codes.js";
import type { RuleExample } from "../../schemas/diagnostics/rules/rule.js";
import { checkModel, type Diagnostic, type DiagnosticCode } from "../../schemas/entries/model.js";
import { CATALOGUE } from "../../scripts/project-checks/catalogue.js";
import { checkProject } from "../../scripts/project-checks/check-project.js";
import { readSeverities } from "../../scripts/project-checks/severities.js";
import { typeErrors, withProjects } from "../support/author-project.js";
import { exampleProject } from "../support/connector-sources.js";
import { SLOW_TEST_MS } from "../support/repository.js";
import { loadExamples } from "../support/rule-examples.js";

/** Codes without an example: what they speak of is not an author's code, but files, arguments and what lies there. */
const WITHOUT: readonly RegExp[] = [
  /^(?:file|files|json|project|import|openapi|build|against|scaffold|settings|store|fake|run|serve|workspace|sign-in)-/,
  // What a connector does when it runs, whatever its text is.
  /^acceptance-/,
  // Files of recordings, and what is seen when they are replayed.
  /^(?:recording|replay)-/,
  // What an older project has left to do; no rule of a new one.
  /^migration-/,
  /^(?:format-mismatch|edit-by-hand)$/,
  // They speak of files that are there, or are not.
  /^(?:extract-stale|object-vanished|registration-incomplete|declared-unread)$/,
];

interface Tried {
  readonly code: DiagnosticCode;
  readonly example: RuleExample;
  readonly text: string;
}

const EXAMPLES = CODES.flatMap((code) => {
  const example = CATALOGUE[code].example;
  return example === undefined ? [] : [{ code, example }];
});

describe("the examples of rules", () => {
  let wrong: ReadonlyMap<DiagnosticCode, readonly Diagnostic[]>;
  let right: typeof wrong;

  before(async function () {
    this.timeout(SLOW_TEST_MS);
    wrong = await findingsOf(EXAMPLES.map(({ code, example }) => ({ code, example, text: example.wrong })));
    right = await findingsOf(EXAMPLES.map(({ code, example }) => ({ code, example, text: example.right })));
  });

  for (const { code } of EXAMPLES) {
    it(`show ${code}, and how it should be`, () => {
      expect(wrong.get(code)?.map((found) => found.code)).to.include(code);
      expect(right.get(code)?.map((found) => `${found.code}: ${found.message}`)).to.deep.equal([]);
    });
  }

  it("are there for every rule but those on files and arguments", () => {
    const without = CODES.filter((code) => CATALOGUE[code].example === undefined);
    const unreasoned = without.filter((code) => !WITHOUT.some((pattern) => pattern.test(code)));
    expect(unreasoned).to.deep.equal([]);
    const needless = WITHOUT.filter((pattern) => !without.some((code) => pattern.test(code)));
    expect(needless).to.deep.equal([]);
  });

  it("compile where they are as they should be", async function () {
    this.timeout(SLOW_TEST_MS);
    const schemas = EXAMPLES.filter(({ example }) => !/[./]/.test(example.part));
    const projects = schemas.map(({ example }) => exampleProject(example.part, example.right));
    expect(await withProjects(projects, (folder) => typeErrors(folder))).to.equal("");
  });
});

async function findingsOf(
  tried: readonly Tried[],
): Promise<ReadonlyMap<DiagnosticCode, readonly Diagnostic[]>> {
  const loaded = await loadExamples(tried);
  return new Map(
    tried.map(({ code, example, text }, index) => {
      const { model, diagnostics, silences, unlisted, declared } = loaded[index] as (typeof loaded)[number];
      const all = [...diagnostics, ...withoutFollowUps(diagnostics, checkModel(model))];
      const files = /[./]/.test(example.part) ? [{ path: example.part, file: `/${example.part}`, text }] : [];
      const settings =
        example.part === "package.json" ? readSeverities(text, "/package.json").diagnostics : [];
      const { findings } = applySilences(all, silences);
      const left = unlisted.map(({ finding }) => finding);
      return [code, [...findings, ...left, ...checkProject({ files, model, declared }), ...settings]];
    }),
  );
}
